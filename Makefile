# Two commands from a fresh clone: `make demo` and `make test`. Python 3.11 or newer is all they need; `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input
# one worker for each core; machine code that one of them compiles, the others find in the cache
WORKERS ?= auto
PYTEST := $(BIN)/python -m pytest -p no:cacheprovider -n $(WORKERS) --dist worksteal --ignore=tests/browser

# where indices are computed by hand: machine code with checked bounds is made for these tests alone
CHECKED := tests/native tests/games tests/arena tests/racing tests/trees tests/solving tests/agents tests/efg tests/check tests/examples tests/goldens
# among them, but with no index of our own machine code that other tests do not reach: other processes, files, commands, pictures,
# peers, many games for a statistic, agents that are made of others, and the conformance suite over all games: plain Python goes
# through it with every index checked, and tests of each game and each agent play them here
UNCHECKED := tests/agents/test_isolated.py tests/arena/test_interrupt.py tests/native/test_cache.py \
	tests/native/test_kept.py tests/check/test_built_in_games.py tests/solving/test_exact_cli.py \
	tests/solving/test_solve_cli.py tests/examples/test_compare_agents.py tests/games/test_drawing.py \
	tests/agents/test_adaptive.py tests/arena/test_session.py tests/arena/test_what_if.py tests/games/test_goofspiel_peers.py \
	tests/games/test_hanab_live.py tests/games/test_hanabi_peers.py tests/racing/test_league.py tests/racing/test_many.py \
	tests/racing/test_optimum.py tests/racing/test_partners.py tests/solving/test_changed_files.py
# an index that is out of bounds is so however good the code is, and code that is less good is compiled sooner
HASTILY := NUMBA_OPT=1 NUMBA_LOOP_VECTORIZE=0
# where plain Python is the reference; everywhere else it would only play the same games some thousand times slower
REFERENCE := $(wildcard tests/test_*.py) tests/native tests/games tests/arena tests/racing tests/trees tests/solving tests/agents tests/efg tests/check tests/examples tests/goldens tests/transcripts
# line coverage, in per cent, that each of these must have without the compiler, by these tests: tracing takes half as long again
COVERED := games native arena racing
TRACED := $(wildcard tests/test_*.py) $(COVERED:%=tests/%) tests/efg tests/examples tests/goldens tests/transcripts
LEAST := 95

# every worker of every pass reads all tests and all modules: compiled once to bytecode, in half the time
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo web test quick lint types compiled uncompiled checked browser bench docs clean help
.DEFAULT_GOAL := demo
.NOTPARALLEL:

$(READY): pyproject.toml
	@command -v $(PYTHON) > /dev/null || { echo "There is no '$(PYTHON)'; name a Python 3.11 or newer: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and f"Facedown needs Python 3.11 or newer, $(PYTHON) is {sys.version.split()[0]}; name another: make PYTHON=python3.12")'
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null || { echo "$(PYTHON) cannot make virtual environments; install its venv package (Debian, Ubuntu: apt install python3-venv)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade pip
	$(PIP) install --editable '.[dev,peers]'
	@touch $@

demo: $(READY) ## published figures beside ours: tables here, a page with plots in report/
	$(BIN)/facedown paper all --out report

web: $(READY) ## play in the browser: sets up, starts the lab and opens it
	$(BIN)/facedown web

test: lint uncompiled checked compiled browser ## all that has to pass: lint, the tests in three modes, and in a browser

quick: lint ## what one runs while working: lint, and the compiled tests without the slow ones
	$(PYTEST) -m "not slow"

lint: $(READY) types ## ruff and mypy, strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY) ## mypy alone
	$(BIN)/mypy

uncompiled: $(READY) ## the tests in plain Python, where that is the reference, with line coverage
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(filter-out $(TRACED),$(REFERENCE))
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(TRACED) $(COVERED:%=--cov=facedown.%) --cov-report=
	@for part in $(COVERED); do \
	  $(BIN)/coverage report --skip-covered --show-missing --include="src/facedown/$$part/*" --fail-under=$(LEAST) || exit 1; \
	done

checked: $(READY) ## the tests of rules and loops, with the bounds of every index checked
	cache=$$(mktemp -d) && trap 'rm -rf "$$cache"' EXIT && \
	  $(HASTILY) NUMBA_BOUNDSCHECK=1 FACEDOWN_CACHE="$$cache" $(PYTEST) -m "not slow or indices" $(CHECKED) $(UNCHECKED:%=--ignore=%)

compiled: $(READY) ## the tests as everybody runs the program
	$(PYTEST)

browser: $(READY) ## the pages in a real browser: one that is installed, or one that can be
	$(BIN)/python tests/browser/browser.py
	$(BIN)/python -m pytest -p no:cacheprovider -n $(WORKERS) --dist worksteal tests/browser

bench: $(READY) ## speed, beside the peers that are installed
	$(BIN)/facedown bench --peers

docs: $(READY) ## rewrite the parts of the documentation that the code knows better
	$(BIN)/python docs/generate.py

clean: ## throw away all that the commands above have made
	rm -rf $(VENV) report .coverage .coverage.* .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
