"""The agent `smart`: its settings, what it believes of its own hand, its reasons and the meanings of moves in words."""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.agents.contract import Agent, Parameter
from facedown.agents.hanabi.code import touched_by
from facedown.agents.hanabi.machines import believe_tables
from facedown.agents.hanabi.readings import (
    CRITICAL,
    FACTS,
    HAND,
    KNOWN,
    PLAYABLE,
    PROMISE,
    SHOWN,
    SPACE,
    STALL,
    WARNING,
    find_newest,
    find_unwarned,
    hear,
    is_finesse,
    is_play,
    look_at_board,
    may_help,
    read_hint,
    struck_cards,
    take_hand,
)
from facedown.agents.hanabi.smart import (
    CERTAIN,
    FINESSE,
    GAMBLE,
    GUESS,
    HELP,
    HIGHEST,
    LEAST,
    LIKELY,
    NEXT,
    RULE,
    SPARE,
    SPEND,
    STUCK,
    USELESS,
    WARN,
    act,
    decide,
    keeps,
)
from facedown.agents.hanabi.vocabulary import NONE
from facedown.agents.reasons import Reason
from facedown.games.contract import Game
from facedown.games.hanabi.cards import AIM_OF, DISCARD, FEATURE_OF, HINT, MAX_HAND, N_CARDS
from facedown.games.hanabi.text import card_name, listing
from facedown.native import native
from facedown.native.records import Record


@native
def believe(view: Record, params: Any, memory: Any, public: Any, chance: Record, state: Record) -> None:
    believe_tables(view, public.view(KNOWN)[0], chance, state)


# --- words ------------------------------------------------------------------------------------------------------------------

WORDS = {
    CERTAIN: "this card is certain to fit",
    GUESS: "the deck is empty: the card that is the likeliest to fit",
    WARN: "{next} would discard a critical card",
    FINESSE: "{next} has drawn the same card last",
    HELP: "it lets a card be played, and tells most",
    LIKELY: "it is likely to fit, and of no use if it does not",
    GAMBLE: "the deck is almost empty: the card that is the likeliest to fit",
    STUCK: "nothing can be discarded with all tokens there",
    SPARE: "{next} would discard a card that is of use still",
    USELESS: "it is of no use",
    SPEND: "a hint is better than a discard here",
    LEAST: "it would be missed less than the next discard",
    NEXT: "the next discard; nobody warned of it",
    HIGHEST: "all cards are critical: the highest",
}


def explain(view: Record, action: int, params: Any, memory: Record | None, public: Record) -> Reason:
    """The rule, and what the move tells everybody."""
    work = np.zeros(SPACE, np.int64)
    decide(view, params, public, work)
    following = (int(view.player) + 1) % int(view.players)
    words = WORDS[int(work[RULE])].format(next=f"player {following}")
    look_at_board(view, public, work)
    if action >= HINT:
        target = (int(view.player) + int(AIM_OF[action])) % int(view.players)
        touched = int(touched_by(view, target, int(FEATURE_OF[action])))
        meaning = hint_meaning(view, public, work, int(view.player), action, touched, _by_number)
        return Reason("rule", f"{words}; {meaning}" if meaning else words)
    return Reason("rule", words)


def _by_number(player: int, own: bool = False) -> str:
    return f"player {player}'s" if own else f"player {player}"


def tells(common: Record, mover: int, action: int, params: Any, public: Record, listener: int) -> str:
    """What a move means to everybody, as told to one of the players; from public events alone, the record as before it."""

    def name(player: int, own: bool = False) -> str:
        return ("your" if own else "you") if player == listener else _by_number(player, own)

    work = np.zeros(SPACE, np.int64)
    look_at_board(common, public, work)
    if action >= HINT:
        meaning = hint_meaning(common, public, work, mover, action, int(common.touched), name)
    elif common.n_deck == 0 and common.turns_left != common.players:
        meaning = ""
    else:
        meaning = silence_meaning(common, public, work, mover, action, params, name)
    return f"({meaning[0].upper()}{meaning[1:]}.)" if meaning else ""


def hint_meaning(view: Record, known: Record, work: Any, mover: int, action: int, touched: int, name: Any) -> str:
    """What a hint promises, beyond its words."""
    n_players, feature = int(view.players), int(FEATURE_OF[action])
    target = (mover + int(AIM_OF[action])) % n_players
    stalls = bool(known.n_tokens == view.tokens and (target + 1) % n_players == mover)
    before, held = known.tables[target].copy(), int(take_hand(known, work, target))
    meaning, slot = read_hint(view, work, target, held, feature, touched, target == (mover + 1) % n_players, stalls)
    whose = name(target, own=True)
    if meaning == WARNING:
        return f"a warning: {whose} card {slot + 1} is critical, the last of its kind"
    if meaning == PROMISE:
        return f"a promise: {whose} card {slot + 1} can be played{_when(work, [slot])}"
    if meaning == SHOWN:
        unknown = [place for place in range(held) if not is_play(work, int(before[place]))]
        new = [place for place in unknown if is_play(work, int(work[HAND + place]))]
        cards = listing([str(place + 1) for place in new])
        return f"with it all know that {whose} card{'s' if len(new) > 1 else ''} {cards} can be played{_when(work, new)}"
    return {
        STALL: "it means nothing: with all tokens there one has to say something",
        FACTS: "it promises nothing beyond its words",
    }[meaning]


def _when(work: Any, slots: list[int]) -> str:
    """That cards of the hand in the workspace may have to wait for others, if so."""
    waits = any(int(work[HAND + slot]) & ~int(work[PLAYABLE]) for slot in slots)
    return ", if need be after cards that all know of" if waits else ""


def silence_meaning(view: Record, known: Record, work: Any, mover: int, action: int, params: Any, name: Any) -> str:
    """What a play or a discard says by not being a warning, and by not being a hint to play."""
    n_players, slot = int(view.players), action % MAX_HAND
    following, told = (mover + 1) % n_players, []
    if action >= DISCARD and is_finesse(known, work, mover, slot):
        newest = int(find_newest(view, following, int(known.held[following])))
        card = card_name(int(known.tables[mover, slot]).bit_length())
        told.append(f"all knew that it fits, so {name(following, own=True)} newest card, card {newest + 1}, is {card} as well")
    unwarned = int(find_unwarned(view, known, work, following))
    if unwarned != NONE and int(work[HAND + unwarned]) & int(work[CRITICAL]):
        told.append(f"no warning, so {name(following, own=True)} card {unwarned + 1} is not critical")
    if action >= DISCARD and not is_finesse(known, work, mover, slot) and may_help(known, work, following, params):
        for player in range(n_players):
            held = int(take_hand(known, work, player)) if player != mover else 0
            struck = [(place, int(struck_cards(view, known, work, player, held, place))) for place in range(held)]
            for place, cards in struck:
                if cards:
                    named = [card_name(card) for card in range(1, N_CARDS + 1) if cards >> card - 1 & 1]
                    told.append(f"no hint to play, so {name(player, own=True)} card {place + 1} is not {listing(named, 'or')}")
    return "; ".join(told)


# --- the agent --------------------------------------------------------------------------------------------------------------

MEANING = "conventions that people can follow: hints promise a play or warn of a discard, and silence tells too"


def smart(game: Game) -> Agent:
    """The agent, with the settings for this number of players, which were chosen on games of their own."""
    is_pair = game.n_players == 2
    return Agent(
        name="smart",
        game="hanabi",
        meaning=MEANING,
        act=act,
        watch=hear,
        watch_all=hear,
        public=KNOWN,
        keeps=keeps,
        believe=believe,
        explain=explain,
        tells=tells,
        parameters=(
            Parameter("reserve", 1.0 if is_pair else 0.0, 0.0, 8.0, "tokens that are kept back for warnings"),
            Parameter("plenty", 7.0 if is_pair else 8.0, 0.0, 8.0, "with more tokens than this it hints rather than discards"),
            Parameter("danger", 0.15, 0.0, 1.0, "it does not discard what is likelier to be critical, if it can hint"),
            Parameter("care", 2.0, 0.0, 8.0, "with more tokens than this it spares useful cards of the other of two"),
            Parameter("pace", 2.0 if is_pair else 8.0, 0.0, 8.0, "tokens that it keeps when turns are too few for discards"),
            Parameter("risk", 0.5 if is_pair else 1.0, 0.0, 1.0, "it plays what is useless or fits if it fits more likely"),
        ),
        seconds=7.0,
    )


MAKERS = {"smart": smart}
"""It depends on the options of the game."""
