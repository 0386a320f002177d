# Two commands from a fresh clone: `make demo` and `make test`. Python 3.11 or newer is all they need.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint bench docs clean
.DEFAULT_GOAL := demo

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Facedown needs Python 3.11 or newer; set PYTHON=python3.12, say")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade pip
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,peers]'
	touch $@

demo: $(READY)
	$(BIN)/facedown paper all --out report
