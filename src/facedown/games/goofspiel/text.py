"""Words for Goofspiel: hands, rounds, bids. All of it is taken from views, so that no sealed bid is told."""

from __future__ import annotations

import re

from facedown.games.contract import OVER
from facedown.games.goofspiel.cards import CARRY, NO_CARD, WHOLE
from facedown.native.records import Record


def points_text(twelfths: int) -> str:
    """Points, with a fraction where prizes were shared: 4, 2 1/2, 1/3."""
    whole, rest = divmod(int(twelfths), WHOLE)
    if not rest:
        return str(whole)
    divisor = next(n for n in (2, 3, 4, 6, 12) if rest * n % WHOLE == 0)
    fraction = f"{rest * divisor // WHOLE}/{divisor}"
    return f"{whole} {fraction}" if whole else fraction


def list_of(words: list[str]) -> str:
    """One, two and three."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def names_of(view: Record, players: list[int]) -> str:
    """Players in the eyes of one of them, who comes last."""
    others = [f"player {player}" for player in players if player != view.player]
    return list_of(others + ["you"] * (int(view.player) in players))


def bids_text(view: Record, turn: int) -> str:
    """The bids of a round that the player has seen."""
    bids = [f"player {player}: {view.played[player, turn]}" for player in range(view.players) if view.played[player, turn]]
    return f"Bids: {', '.join(bids)}." if len(bids) > 1 else f"You bid {view.played[view.player, turn]}."


def result_text(view: Record, turn: int) -> str:
    """Who took the prize of a round, as everybody is told."""
    players = [player for player in range(view.players) if view.takers[turn] >> player & 1]
    stake = stake_text(view, turn)
    if not players:
        return f"A tie: {stake} is {'carried over' if view.ties == CARRY else 'discarded'}."
    names = names_of(view, players)
    verb = "share" if len(players) > 1 else "win" if names == "you" else "wins"
    return f"{names[0].upper()}{names[1:]} {verb} {stake}."


def stake_text(view: Record, turn: int) -> str:
    """The prize of a round, and those that were carried over into it."""
    first = turn
    while view.ties == CARRY and first > 0 and view.takers[first - 1] == 0:
        first -= 1
    prizes = [str(prize) for prize in view.prizes[first : turn + 1].tolist()]
    return f"the prize {prizes[0]}" if len(prizes) == 1 else f"the prizes {list_of(prizes)}"


def past_text(view: Record, turn: int) -> str:
    """A round that is over, in short: the prize, the bids in the order of the seats, who took it."""
    bids = view.played[: view.players, turn].tolist()
    told = f"bids {', '.join(map(str, bids))}" if all(bids) else f"you bid {bids[view.player]}"
    players = [player for player in range(view.players) if view.takers[turn] >> player & 1]
    return f"Prize {view.prizes[turn]}: {told}; {f'to {names_of(view, players)}' if players else 'a tie'}."


def describe(view: Record) -> str:
    hand = [str(card) for card in range(1, view.cards + 1) if int(view.hand) >> (card - 1) & 1]
    text = f"You are player {view.player} of {view.players} and hold {list_of(hand) if hand else 'no card'}."
    for turn in range(view.n_rounds):
        text += f" {past_text(view, turn)}"
    points = [f"player {player}: {points_text(view.points[player])}" for player in range(view.players)]
    text += f" Points: {', '.join(points)}."
    if view.mover == OVER:
        return f"{text} The game is over."
    return f"{text} Now {stake_text(view, int(view.n_rounds))}.{waiting_text(view)}"


def waiting_text(view: Record) -> str:
    """The player's own sealed bid, and who else has bid in this round."""
    own = int(view.played[view.player, view.n_rounds])
    others = [player for player in range(view.mover) if player != view.player]
    text = f" You have bid {own}." if own != NO_CARD else ""
    return text + (f" {sealed_text(others)}" if others else "")


def sealed_text(players: list[int]) -> str:
    """Who has bid, but not what."""
    names = list_of([f"player {player}" for player in players])
    return f"{names[0].upper()}{names[1:]} {'has' if len(players) == 1 else 'have'} bid."


def narrate(before: Record, after: Record) -> str:
    """What a player saw happen between two of their own views: who bid, and what came of the rounds that ended."""
    words = []
    for turn in range(before.n_rounds, after.n_rounds):
        words += [bids_text(after, turn), result_text(after, turn)]
    if after.n_rounds == before.n_rounds:
        own_bid = before.mover <= after.player < after.mover
        others = [player for player in range(before.mover, after.mover) if player != after.player]
        words += [f"You bid {after.played[after.player, after.n_rounds]}."] if own_bid else []
        words += [sealed_text(others)] if others else []
    elif after.mover == OVER:
        points = [f"player {player}: {points_text(after.points[player])}" for player in range(after.players)]
        words.append(f"The game is over. Points: {', '.join(points)}.")
    else:
        words.append(f"The next prize is {after.prizes[after.n_rounds]}.{waiting_text(after)}")
    return " ".join(words)


def action_name(view: Record, action: int) -> str:
    return f"bid {action}"


_BID = re.compile(r"(?:bid )?(\d{1,2})")


def parse_action(view: Record, text: str) -> int | None:
    """Understand "bid 4" and "4": actions have the numbers of the cards."""
    match = _BID.fullmatch(text.strip())
    return int(match[1]) if match else None


def hidden(state: Record, player: int) -> dict[str, str]:
    """The sealed bids of this round, and the highest card that each of the others can still bid."""
    turn, found = int(state.n_rounds), {}
    for other in range(int(state.players)):
        if other != player and other < state.mover:
            found[f"player {other} has bid"] = str(state.played[other, turn])
        elif other != player and state.held[other]:
            found[f"highest card of player {other}"] = str(int(state.held[other]).bit_length())
    return found
