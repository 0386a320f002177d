"""The agents of Love Letter: the source's worked examples, slow twins written from its formulas, what `random` never does."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

import facedown as fd
from facedown.agents.contract import Agent
from facedown.agents.love_letter import agents as love_letter
from facedown.agents.love_letter import values as love_letter_values
from facedown.agents.registry import agent as find_agent
from facedown.games.love_letter.cards import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
    play_number,
)
from facedown.games.position import Position
from facedown.native.chance import CHANCE, seed_stream
from facedown.native.jit import COMPILED
from facedown.native.records import Record, blank
from naive import love_letter_agents as slow

FALSE_ALARM = 1e-5  # of each statistical test here; seeds are fixed
VALUES = {"greedy": love_letter.greedy_value, "minmax": love_letter.minmax_value, "careful": love_letter.careful_value}
EVERYTHING = {GUARD: 5, PRIEST: 2, BARON: 2, HANDMAID: 2, PRINCE: 2, KING: 1, COUNTESS: 1, PRINCESS: 1}


def seen_by_player_0(held: int, drawn: int, unseen: dict[int, int], players: int = 2, **fields: Any) -> Record:
    """The view of player 0, who is to move with these cards; nobody is immune or known unless it is said."""
    view = blank(fd.game("love_letter").view)[0]
    view.players, view.hand, view.drawn = players, held, drawn
    view.in_round, view.kinds, view.guards = (1 << players) - 1, 255, 5
    for card, count in unseen.items():
        view.unseen[card] = count
    for name, value in fields.items():
        view[name] = value
    return view  # type: ignore[no-any-return]


def ask(agent: Agent, view: Record, count: int = 1) -> list[int]:
    """What an agent plays when it is asked again and again."""
    legal = love_letter.plays_in(view)
    actions = np.zeros(64, np.int64)
    actions[: len(legal)] = legal
    chance: Any = np.zeros(1, CHANCE)[0]
    seed_stream(chance, 7, 0, 0)
    memory = np.zeros(agent.memory.itemsize if agent.memory else 0, np.uint8)
    return [int(agent.act(view, actions, len(legal), agent.params, memory, chance)) for _ in range(count)]


def find(name: str, players: int = 2) -> Agent:
    return find_agent(name, fd.game("love_letter", players=players))


# --- worked examples of the source ----------------------------------------------------------------------------------------


def dealt_with_the_cards_of_table_3_1() -> Record:
    """Guard + Baron in hand, King, Prince and Handmaid face up, dealt by the rules from a deck with 4 Guards."""
    deck = [card for card, count in EVERYTHING.items() for _ in range(count)][1:]
    draws = []
    for card in (KING, PRINCE, HANDMAID, GUARD, PRIEST, BARON):  # face up, a card each, the first draw
        draws.append((deck.index(card), len(deck)))
        deck.remove(card)
    position = Position(fd.game("love_letter(guards=4)"))
    position.start(draws)
    return position.view(0)


def test_the_first_worked_example() -> None:
    """Table 3.1 and the values behind it: P = 30/20/10/10/10/10/10 %, F(Guard naming the Priest) 1.28, F(Baron) 0.36."""
    view = dealt_with_the_cards_of_table_3_1()
    shares = view.unseen / view.unseen.sum()
    assert shares.round(12).tolist() == [0, 0.3, 0.2, 0.1, 0.1, 0.1, 0, 0.1, 0.1]
    values = love_letter.play_values(view, love_letter.greedy_value)
    assert round(values[play_number(GUARD, 1, PRIEST)], 12) == 1.28
    assert round(values[play_number(BARON, 1)], 12) == 0.36
    assert ask(find("greedy"), view) == [play_number(GUARD, 1, PRIEST)]


def test_the_second_worked_example() -> None:
    """Section 3.3.2: F(Prince) 1.29, R 0.5, K(Prince) 0.915 < K(Handmaid) 1.05; so minmax does what greedy does not."""
    view = seen_by_player_0(PRINCE, HANDMAID, {GUARD: 1, BARON: 1, PRINCE: 1, PRINCESS: 1})
    greedy = love_letter.play_values(view, love_letter.greedy_value)
    minmax = love_letter.play_values(view, love_letter.minmax_value)
    prince, handmaid = play_number(PRINCE, 1), play_number(HANDMAID)
    assert (round(greedy[prince], 12), round(greedy[handmaid], 12)) == (1.29, 1.05)
    assert love_letter_values.risk(view, HANDMAID, 4) / (6 * 3) == 0.5  # six pairs, three cards that each has not seen
    assert (round(minmax[prince], 12), round(minmax[handmaid], 12)) == (0.915, 1.05)
    assert ask(find("greedy"), view) == [prince]
    assert ask(find("minmax"), view) == [handmaid]


@pytest.mark.parametrize(
    ("pair", "worth", "beaten"),
    [
        ((GUARD, BARON), (1.41, 0.06), Fraction(1, 3)),
        ((GUARD, PRINCE), (1.41, 1.37), Fraction(1, 3)),
        ((GUARD, PRINCESS), (1.41, 0), Fraction(1, 3)),
        ((BARON, PRINCE), (1.39, 1.37), Fraction(1)),
        ((BARON, PRINCESS), (2.06, 0), Fraction(1)),
        ((PRINCE, PRINCESS), (1.04, 0), Fraction(0)),
    ],
)
def test_table_3_2(pair: tuple[int, int], worth: tuple[float, float], beaten: Fraction) -> None:
    """The answers to a Prince, when the Handmaid is kept; the first row's Baron is 0.06 here, and 0.6 in the source."""
    view = seen_by_player_0(PRINCE, HANDMAID, {GUARD: 1, BARON: 1, PRINCE: 1, PRINCESS: 1})
    first, second = pair
    found = (
        love_letter_values.answer_worth(view, first, second, HANDMAID, 3) / 300,
        love_letter_values.answer_worth(view, second, first, HANDMAID, 3) / 300,
    )
    assert tuple(int(100 * value + 1e-9) / 100 for value in found) == worth  # the source cuts the digits off
    assert Fraction(int(love_letter_values.answer_beats(view, first, second, HANDMAID, 3)), 3) == beaten
    assert slow.p_beaten([GUARD, BARON, PRINCE, PRINCESS], pair, HANDMAID) == beaten


# --- slow twins -----------------------------------------------------------------------------------------------------------


def decisions(spec: str, games: int, seed: int) -> list[Record]:
    """What players saw before each choice in games with random plays."""
    game, found = fd.game(spec), []
    position, dice = Position(game), np.random.default_rng(seed)
    for number in range(games):
        position.sample(seed, number)
        position.start()
        while not position.over:
            legal = position.legal()
            if len(legal) > 1:
                found.append(position.view(position.turn()))
            position.step(int(dice.choice([action for action in legal if action != 7] or legal)))
    return found


SPECS = [
    "love_letter",
    "love_letter(guards=4)",
    "love_letter(players=3)",
    "love_letter(players=4)",
    "love_letter(deck=31111111)",
]


@pytest.mark.parametrize("spec", SPECS)
def test_slow_twins_play_the_same(spec: str) -> None:
    """Every value to the last digits, and the play that is chosen, in every decision of some games."""
    views = decisions(spec, games=8 if "players" in spec else 24, seed=3)
    agents = {name: find_agent(name, fd.game(spec)) for name in VALUES}
    n_known = n_tied = 0
    for view in views:
        seen = slow.Seen.of(view)
        n_known += bool(seen.known)
        for name, value in VALUES.items():
            expected = slow.values(seen, name)
            found = love_letter.play_values(view, value)
            assert found == pytest.approx({play.number: float(worth) for play, worth in expected.items()}, abs=1e-12)
            best = slow.choice(expected).number
            assert ask(agents[name], view) == [best]
            assert next(iter(found)) == best or found[best] == max(found.values())
            n_tied += list(expected.values()).count(max(expected.values())) > 1
    assert len(views) > 20 and n_known > 1 and n_tied > 3  # there was something to compare


def test_the_legal_plays_are_found_in_the_view() -> None:
    game = fd.game("love_letter(players=3)")
    position, dice = Position(game), np.random.default_rng(1)
    for number in range(30 if COMPILED else 5):
        position.sample(5, number)
        position.start()
        while not position.over:
            legal = position.legal()
            assert love_letter.plays_in(position.view(position.turn())) == legal
            position.step(int(dice.choice(legal)))


# --- single plays ---------------------------------------------------------------------------------------------------------


def test_without_anybody_to_aim_at_only_the_small_numbers_are_left() -> None:
    """Player 1 is behind a Handmaid: a Guard is worth 1.08, a Baron 1.06, a King 1.03; and minmax fears the whole answer."""
    unseen = dict(EVERYTHING)
    for held, drawn, worth in [(GUARD, BARON, (1.08, 1.06)), (PRIEST, KING, (1.07, 1.03)), (PRINCE, GUARD, (1.04, 1.08))]:
        view = seen_by_player_0(held, drawn, unseen, immune=2)
        values = love_letter.play_values(view, love_letter.greedy_value)
        assert (round(values[held - 1], 12), round(values[drawn - 1], 12)) == worth
        feared = love_letter.play_values(view, love_letter.minmax_value)
        risk = float(slow.r_value([card for card, n in unseen.items() for _ in range(n)], drawn))
        assert feared[held - 1] == pytest.approx(worth[0] - risk, abs=1e-12)


def test_nobody_throws_the_princess_away() -> None:
    """With a Prince, the others must be aimed at; with a Handmaid, she is played; alone with the Countess, the Countess."""
    unseen = dict(EVERYTHING) | {PRINCESS: 0}
    for name in VALUES:
        assert ask(find(name), seen_by_player_0(PRINCESS, PRINCE, unseen)) == [play_number(PRINCE, 1)]
        assert ask(find(name), seen_by_player_0(HANDMAID, PRINCESS, unseen)) == [play_number(HANDMAID)]
        assert ask(find(name), seen_by_player_0(PRINCESS, COUNTESS, unseen)) == [play_number(COUNTESS)]


def test_equal_guesses_go_to_the_higher_card() -> None:
    """Two Priests and two Barons are not seen: the Guard names the Baron; and the nearer of two players."""
    unseen = {GUARD: 3, PRIEST: 2, BARON: 2, KING: 1}
    view = seen_by_player_0(GUARD, HANDMAID, unseen, players=3)
    assert ask(find("greedy", 3), view) == [play_number(GUARD, 1, BARON)]
    view = seen_by_player_0(GUARD, HANDMAID, unseen, players=3, immune=2)
    assert ask(find("greedy", 3), view) == [play_number(GUARD, 2, BARON)]


def test_careful_uses_what_it_was_shown() -> None:
    """Player 2 holds the King for certain: the Guard names him there, which greedy does not know."""
    unseen = {GUARD: 3, PRIEST: 2, BARON: 2, KING: 1}
    view = seen_by_player_0(GUARD, HANDMAID, unseen, players=3, known=np.array([0, 0, KING, 0], np.int8))
    values = love_letter.play_values(view, love_letter.careful_value)
    assert ask(find("careful", 3), view) == [play_number(GUARD, 2, KING)]
    assert ask(find("greedy", 3), view) == [play_number(GUARD, 1, BARON)]
    assert round(values[play_number(GUARD, 2, KING)], 12) == 2.08
    assert round(values[play_number(GUARD, 1, KING)], 12) == 1.08  # there is only one King
    assert values[play_number(GUARD, 1, BARON)] == pytest.approx(1.08 + 2 / 7)  # of the seven others, two are Barons


# --- random ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "drawn", "immune", "n_plays"),
    [
        (PRINCESS, GUARD, 0, 7),
        (PRINCE, PRINCESS, 0, 2),
        (PRINCESS, HANDMAID, 0, 1),
        (GUARD, PRINCESS, 2, 1),
        (GUARD, PRINCE, 0, 9),
    ],
)
def test_random_chooses_all_plays_but_the_princess_equally_often(held: int, drawn: int, immune: int, n_plays: int) -> None:
    view = seen_by_player_0(held, drawn, dict(EVERYTHING), immune=immune)
    chosen = ask(find("random"), view, 2000)
    possible = [action for action in love_letter.plays_in(view) if action != PRINCESS - 1]
    counts = [chosen.count(action) for action in possible]
    assert len(possible) == n_plays and sum(counts) == len(chosen)
    assert n_plays == 1 or chisquare(counts).pvalue > FALSE_ALARM


def test_random_never_plays_the_princess_in_a_match() -> None:
    for players in (2, 4):
        game = fd.game("love_letter", players=players)
        result = fd.match(game, ["random"] * players, games=20_000 if COMPILED else 40, seed=1)
        assert result.columns["ended_by_princess"] == 0


# --- strength and words ---------------------------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("better", "worse"), [("greedy", "random"), ("minmax", "greedy"), ("careful", "greedy"), ("careful", "minmax")]
)
def test_who_is_better(better: str, worse: str) -> None:
    """The 95 % interval for all stopping times lies above 1/2; with 200,000 games the smallest lead is 14 standard errors."""
    result = fd.match("love_letter", [better, worse], games=100_000, seed=2)
    assert result.interval[0][0] > 0.5


@pytest.mark.compiled
@pytest.mark.parametrize("players", [3, 4])
def test_who_is_better_among_several(players: int) -> None:
    """One against two or three of the other kind wins more than its share, by more than 5 standard errors."""
    game = fd.game("love_letter", players=players)
    for better, worse in (("greedy", "random"), ("careful", "greedy")):
        result = fd.match(game, [better, *[worse] * (players - 1)], games=60_000, seed=2)
        assert result.mean[0] - 5 * result.stderr[0] > 1 / players


def test_reasons_in_words() -> None:
    view = dealt_with_the_cards_of_table_3_1()
    for name in VALUES:
        agent = find(name)
        assert agent.explain is not None
        reason = agent.explain(view, 0, agent.params, None)
        words = str(reason)
        assert words.startswith("worth: Guard at player 1, naming the Priest ")
        assert words.count(";") == 7  # seven Guards and a Baron
        values = [option.value for option in reason.options]
        assert reason.kind == "value" and values == sorted(values, reverse=True)
    told = {name: str(find(name).explain(view, 0, None, None)) for name in ("greedy", "random")}  # type: ignore[misc]
    assert "Guard at player 1, naming the Priest 1.28;" in told["greedy"]
    assert told["random"] == "one of 8 plays, all equally likely"
