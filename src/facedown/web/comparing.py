"""The same deal again, with other partners: what each table made of it, side by side."""

from __future__ import annotations

from typing import Any

from facedown.agents.generic.human import HUMAN
from facedown.web.tables import Table, Tables


def compared(tables: Tables, table: Table) -> list[dict[str, Any]]:
    """All finished games on this deal, in the order in which they were played; nothing where there is one only."""
    found = [facts for facts in tables.same_deal(table) if facts.get("scores")]
    found.sort(key=lambda facts: float(facts.get("made") or 0))
    if len(found) < 2:
        return []
    own = next((_score(facts) for facts in found if facts["id"] == table.id), 0.0)
    return [
        {
            "who": ", ".join(_who(facts, seat) for seat in range(len(facts["seats"]))),
            "here": facts["id"] == table.id,
            "score": f"{_score(facts):g}" if table.game.team else " : ".join(f"{score:g}" for score in facts["scores"]),
            "more": f"{_score(facts) - own:+g}" if table.game.team and facts["id"] != table.id else "",
        }
        for facts in found
    ]


def _score(facts: dict[str, Any]) -> float:
    return float(facts["scores"][0])


def _who(facts: dict[str, Any], seat: int) -> str:
    agent = facts["seats"][seat]
    return str(agent) if agent != HUMAN else str(facts["names"].get(str(seat)) or "a person")
