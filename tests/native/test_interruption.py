"""An interruption waits until work that is one native call is done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from facedown.native.interruption import undivided
from facedown.native.jit import COMPILED

pytestmark = pytest.mark.skipif(COMPILED, reason="a native call cannot be interrupted by itself")


@pytest.fixture(autouse=True)
def hearing() -> Iterator[None]:
    """What is started in the background may ignore the signal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_it_is_raised_behind_the_work() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt):
        with undivided():
            done.append("begun")
            signal.raise_signal(signal.SIGINT)
            done.append("ended")
        done.append("never")
    assert done == ["begun", "ended"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_of_the_work_comes_through() -> None:
    with pytest.raises(ValueError, match="of its own"), undivided():
        raise ValueError("of its own")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_have_no_signals_to_keep_back() -> None:
    found = []

    def work() -> None:
        with undivided():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [signal.default_int_handler]
