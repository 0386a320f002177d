"""Loops over the rules of any game: written once, and bound to the rules of one game.

A loop is a function in whose module the names of rules are None. It says which rules it needs by naming them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any, TypeVar

from facedown.native.jit import Part, bind

Function = TypeVar("Function", bound=Callable[..., Any])


def bind_rules(template: Function, game: Any, **others: Callable[..., Any]) -> Function:
    """A native copy of a loop that calls the rules of this game; `others` are bound beside them, or in their place."""
    return bind(template, **rules_for(template, game) | others)


def loop_part(name: str, seconds: float, template: Callable[..., Any], game: Any) -> Part:
    """What there is to compile when a loop is bound to the rules of a game."""
    return Part(name, seconds, (template, *rules_for(template, game).values()))


def rules_for(template: Callable[..., Any], game: Any) -> dict[str, Callable[..., Any]]:
    """The rules of a game that a loop names."""
    python: Any = getattr(template, "py_func", template)
    unbound = (name for name in python.__code__.co_names if python.__globals__.get(name, template) is None)
    return {name: getattr(game, name) for name in unbound if hasattr(game, name)}


@lru_cache(maxsize=64)
def template_for(template: FunctionType, state: Any, view: Any) -> Any:
    """A copy of a template that knows the record types of a game as STATE and VIEW, which `bind` cannot give it."""
    names = {**template.__globals__, "STATE": state, "VIEW": view}
    copy = FunctionType(template.__code__, names, template.__name__)
    copy.__qualname__, copy.__module__ = template.__qualname__, template.__module__
    return copy
