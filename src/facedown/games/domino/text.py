"""Words for domino: hands, the line, plays."""

from __future__ import annotations

import re

from facedown.games.domino.cards import LEFT, MAX_TILES, NONE, RIGHT, TILES
from facedown.native.records import Record


def tile_name(tile: int) -> str:
    return f"{TILES[tile][0]}-{TILES[tile][1]}"


def names_of(tiles: int) -> str:
    """The tiles of a set."""
    return ", ".join(tile_name(tile) for tile in range(MAX_TILES) if int(tiles) >> tile & 1) or "no tile"


def line_and_moves(view: Record) -> tuple[str, list[str]]:
    """The tiles as they lie in the line, and the plays that laid them."""
    line: list[tuple[int, int]] = []
    moves: list[str] = []
    for number, action in enumerate(view.plays[: view.n_plays].tolist()):
        end, (low, high) = action & 1, TILES[action >> 1]
        matters = bool(line) and line[0][0] != line[-1][1]
        moves.append(f"player {number % view.players} {tile_name(action >> 1)}{(' left', ' right')[end] if matters else ''}")
        if line and end == LEFT:
            line.insert(0, (low, high) if high == line[0][0] else (high, low))
        else:
            line.append((low, high) if not line or low == line[-1][1] else (high, low))
    return " ".join(f"{one}-{other}" for one, other in line), moves


def describe(view: Record) -> str:
    line, moves = line_and_moves(view)
    drawn = ", ".join(tile_name(tile) for tile in view.drawn.tolist() if tile != NONE)
    text = f"You are player {view.player} of {view.players} and hold {names_of(view.own)}"
    text += f" (drew {drawn}). " if drawn else ". "
    text += f"The line: {line}. Played: {', '.join(moves)}. " if line else "No tile is laid yet. "
    sizes = [f"player {other}: {size}" for other, size in enumerate(view.n_held[: view.players].tolist())]
    return text + f"Tiles left: {', '.join(sizes)}, stock: {view.n_stock}."


def narrate(before: Record, after: Record) -> str:
    """The tile that was laid, and who drew one from the stock; which one, only its owner is told."""
    move = line_and_moves(after)[1][-1].split(" ", 2)
    text = f"Player {move[1]} lays {move[2]}."
    own = [tile for tile, earlier in zip(after.drawn.tolist(), before.drawn.tolist(), strict=True) if tile != earlier]
    if own:
        return f"{text} You draw {tile_name(own[0])}."
    drew = [other for other in range(int(after.players)) if after.n_held[other] > _held_without_drawing(before, after, other)]
    return text + "".join(f" Player {other} draws a tile." for other in drew)


def _held_without_drawing(before: Record, after: Record, player: int) -> int:
    laid = int(before.n_plays) % int(before.players) == player
    return int(before.n_held[player]) - laid


def action_name(view: Record, action: int) -> str:
    """The end is named where it matters."""
    end = "" if view.left == view.right else (" left", " right")[action & 1]
    return f"play {tile_name(action >> 1)}{end}"


_PLAY = re.compile(r"(?:play )?([0-3])[ -]([0-3])(?: (l|left|r|right))?")


def parse_action(view: Record, text: str) -> int | None:
    """Understand "1-3 left", "3-1 l" and "1 3"; the end can be left out where only one is possible."""
    match = _PLAY.fullmatch(text.strip())
    if match is None:
        return None
    first, second = sorted((int(match[1]), int(match[2])))
    tile = TILES.index((first, second))
    ends = {LEFT: view.left in {NONE, first, second}, RIGHT: view.left != view.right and view.right in {first, second}}
    if match[3]:
        return 2 * tile + (LEFT if match[3][0] == "l" else RIGHT)
    possible = [end for end, fits in ends.items() if fits]
    return 2 * tile + possible[0] if len(possible) == 1 else None


def hidden(state: Record, player: int) -> dict[str, str]:
    """Who holds each tile that the player cannot see."""
    found = {}
    places = {f"player {other}": int(state.held[other]) for other in range(int(state.players)) if other != player}
    for tile in range(int(state.tiles)):
        for place, tiles in {**places, "stock": int(state.stock)}.items():
            if tiles >> tile & 1:
                found[f"{tile_name(tile)} is with"] = place
    return found
