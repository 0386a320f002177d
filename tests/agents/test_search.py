"""`mcts`: against a slow twin, against exact best replies, where winning moves are known; no peeking, no surprises."""

from __future__ import annotations

import dataclasses
import time
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
import searched_games
import slow_search

import facedown as fd
from facedown.agents.contract import Agent
from facedown.agents.generic import mcts_tree as search_tree
from facedown.agents.generic.mcts import SearchAgent, root_edges, search
from facedown.agents.registry import agent as find_agent
from facedown.agents.registry import agents_for
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.errors import UsageError
from facedown.games.contract import Game
from facedown.games.position import Position
from facedown.native.chance import CHANCE, seed_stream
from facedown.native.jit import COMPILED, native
from facedown.native.records import Record

LEDUC, KUHN, LETTER = fd.game("leduc"), fd.game("kuhn(players=3)"), fd.game("love_letter")


def stream(number: int) -> Record:
    chance: Record = np.zeros(1, CHANCE)[0]
    with np.errstate(over="ignore"):
        seed_stream(chance, 11, number, 1)
    return chance


class Desk:
    """An agent with its memory and chance, outside any match."""

    def __init__(self, agent: Agent, number: int = 0):
        assert isinstance(agent, SearchAgent) and agent.memory is not None
        self.agent, self.game, self.chance = agent, agent.played, stream(number)
        self.bytes = np.zeros(agent.memory.itemsize, np.uint8)
        self._actions = np.zeros(self.game.n_actions + 4, np.int64)

    @property
    def memory(self) -> Any:
        return self.bytes.view(self.agent.memory)[0]

    def ask(self, view: Record, legal: list[int]) -> int:
        self._actions[: len(legal)] = legal
        return int(self.agent.act(view, self._actions, len(legal), self.agent.params, self.bytes, self.chance))


def searcher(game: Game, **settings: Any) -> SearchAgent:
    found = search(game)(**settings)
    assert isinstance(found, SearchAgent)
    return found


# --- the same search, slowly -------------------------------------------------------------------------------------------


def play_beside_twin(agent: SearchAgent, n_games: int, opponent: slow_search.Chooser | None = None) -> int:
    """Let the agent play whole games with itself while a twin for each seat does the same; how many visits were compared."""
    game, n_compared = agent.played, 0
    for number in range(n_games):
        position = Position(game)
        position.sample(5, number)
        position.start()
        desks = [Desk(agent, 10 * number + player) for player in range(game.n_players)]
        values = agent.values
        twins = [
            slow_search.SlowSearch(
                game,
                stream(10 * number + player),
                int(values["simulations"]),
                values["exploration"],
                int(values["observers"]),
                opponent,
            )
            for player in range(game.n_players)
        ]
        while not position.over:
            player, legal = position.turn(), position.legal()
            action = legal[0]
            if len(legal) > 1:
                view = position.view(player)
                action = desks[player].ask(view, legal)
                twins[player].run(player, view)
                n_compared += compare(desks[player], twins[player], player, view, action)
            position.step(action)
    return n_compared


def explained_means(desk: Desk, view: Record) -> dict[int, float | None]:
    """The average score of each move, as the agent tells it."""
    return {option.action: option.value for option in desk.agent.explain(view, -1, desk.agent.params, desk.memory).options}


def compare(desk: Desk, twin: slow_search.SlowSearch, player: int, view: Record, action: int) -> int:
    children = twin.children(player, view)
    found = {int(edge.action): (edge.n_visits, edge.n_available) for edge in root_edges(desk.memory)}
    assert found == {a: (child.visits, child.available) for a, child in children.items()}
    low, high = desk.game.score_range
    means = explained_means(desk, view)
    for choice, child in children.items():
        assert means[choice] == pytest.approx(low + (high - low) * child.reward / child.visits, abs=1e-12)
    assert action == min(children, key=lambda choice: (-children[choice].visits, choice))
    n_edges = int(desk.memory.head.n_edges)
    edges = desk.memory.edges[:n_edges]
    everywhere = [(a, c.visits, c.available) for node in twin.tree.values() for a, c in node.items()]
    kept = zip(edges["action"].tolist(), edges["n_visits"].tolist(), edges["n_available"].tolist(), strict=True)
    assert sorted(kept) == sorted(everywhere)
    assert int(desk.memory.head.n_nodes) == len(twin.tree)
    return sum(child.visits for child in children.values())


SIMULATIONS, GAMES = (150, 4) if COMPILED else (25, 2)


@pytest.mark.parametrize("observers", [1, 2])
@pytest.mark.parametrize("game", [LEDUC, KUHN, pytest.param(LETTER, marks=pytest.mark.compiled), searched_games.HANDS], ids=str)
def test_the_slow_twin_builds_the_same_tree(game: Game, observers: int) -> None:
    """Every visit, every availability count and every value in the whole tree, over whole games with trees that are kept."""
    agent = searcher(game, simulations=SIMULATIONS, observers=observers, exploration=0.7)
    assert play_beside_twin(agent, GAMES) > SIMULATIONS * GAMES


def test_what_is_hidden_makes_moves_available_or_not() -> None:
    """In a game where hands decide what is legal, the counts must differ between moves of the other player."""
    desk = Desk(searcher(searched_games.HANDS, simulations=SIMULATIONS, observers=1))
    position = Position(searched_games.HANDS)
    position.start()
    desk.ask(position.view(0), position.legal())
    edges = desk.memory.edges[: int(desk.memory.head.n_edges)]
    assert (edges["n_available"] >= edges["n_visits"]).all()
    assert (edges["n_available"] > edges["n_visits"]).any()


def test_an_opponent_is_played_and_not_searched() -> None:
    agent = searcher(LEDUC, simulations=SIMULATIONS, opponent="first")
    assert play_beside_twin(agent, GAMES, opponent=lambda state, legal: legal[0]) > SIMULATIONS * GAMES


# --- known answers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stones", [2, 3, 5, 6, 7, 9, 10] if COMPILED else [3, 5, 6])
def test_winning_moves_of_nim(stones: int) -> None:
    """A heap of a multiple of four is lost for the player to move (Bouton 1901), so leave one."""
    game = searched_games.NIM(stones=stones)
    position = Position(game)
    position.start()
    desk = Desk(searcher(game, simulations=4_000 if COMPILED else 300))
    assert (stones - 1 - desk.ask(position.view(0), position.legal())) % 4 == 0


@cache
def reply_to_uniform(own: int, table: int, history: str, player: int, card_of: str = "QQKKJJ") -> Fraction:
    """Leduc with an opponent who plays uniformly: the exact value of the best reply, for a player with this card.

    Cards are 0 to 5, two of each rank; `history` has f, c, r for moves and / between the rounds. The opponent's moves tell
    nothing of its card, so all cards that are not seen stay equally likely.
    """
    first, _, second = history.partition("/")
    moves = second if "/" in history else first
    stakes = chips(history)
    unseen = [card for card in range(6) if card not in (own, table)]
    if moves.endswith("f"):
        folder = (len(moves) - 1) % 2
        return Fraction(min(stakes) * (-1 if folder == player else 1))
    if len(moves) > 1 and moves.endswith("c"):
        if "/" not in history:
            opened = [reply_to_uniform(own, card, f"{history}/", player) for card in unseen]
            return sum(opened, Fraction(0)) / len(opened)
        lead = [strength(own, table) - strength(other, table) for other in unseen]
        return Fraction(sum((value > 0) - (value < 0) for value in lead) * stakes[0], len(unseen))
    options = ("f" if stakes[0] != stakes[1] else "") + "c" + ("r" if moves.count("r") < 2 else "")
    values = [reply_to_uniform(own, table, history + move, player) for move in options]
    return max(values) if len(moves) % 2 == player else sum(values, Fraction(0)) / len(values)


def strength(card: int, table: int) -> int:
    return 10 if card // 2 == table // 2 else card // 2


def chips(history: str) -> list[int]:
    stakes = [1, 1]
    for stage, moves in enumerate(history.split("/")):
        for number, move in enumerate(moves):
            if move != "f":
                stakes[number % 2] = max(stakes) + (2 + 2 * stage if move == "r" else 0)
    return stakes


@pytest.mark.compiled
def test_the_best_reply_to_a_uniform_opponent_in_leduc() -> None:
    """The search knows who it plays against and thinks long: it gets what exhaustive search gets, in every opening.

    Each root value is an average over simulations that also explored, so it stays below the best reply, by little.
    """
    agent = searcher(LEDUC, simulations=100_000, opponent="uniform", exploration=0.5)
    for own in range(6):
        position = Position(LEDUC)
        position.start([(own, 6), (0, 5)])
        best = float(reply_to_uniform(own, -1, "", 0))
        values = {action: float(reply_to_uniform(own, -1, "fcr"[action], 0)) for action in (1, 2)}
        desk = Desk(agent, own)
        action = desk.ask(position.view(0), [1, 2])
        found = explained_means(desk, position.view(0))
        assert best - values[action] < 0.1
        assert best - 0.3 < found[action] < best + 0.1  # seven standard errors: scores have a standard deviation of about 5


@pytest.mark.compiled
def test_how_much_it_wins_from_a_uniform_opponent() -> None:
    """It cannot win more than the best reply, and a search that knows its opponent wins nearly all of that.

    False alarm: the mean of 1,000 games would have to be five standard errors off, less than 1e-6.
    """
    best = [sum(float(reply_to_uniform(own, -1, "", player)) for own in range(6)) / 6 for player in (0, 1)]
    agent = searcher(LEDUC, opponent="uniform", exploration=0.5)
    result = fd.match(LEDUC, [agent, "uniform"], games=1_000, seed=1)
    mean, error = result.mean[0], result.stderr[0]
    assert mean < sum(best) / 2 + 5 * error
    assert mean > 0.85 * sum(best) / 2 - 5 * error


def test_it_beats_uniform_play() -> None:
    """Leduc's standard deviation is about 4 a game: less than 2 standard errors above 0 has probability 1e-9 at 1.7 a game."""
    games, simulations = (400, 300) if COMPILED else (20, 10)
    result = fd.match(LEDUC, [f"mcts(simulations={simulations})", "uniform"], games=games, seed=1)
    if COMPILED:
        assert result.mean[0] > 4 * result.stderr[0]
    assert result.games == games


# --- what it may know --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [LEDUC, KUHN], ids=str)
def test_two_deals_behind_one_view(game: Game) -> None:
    """The same view, memory and chance give the same move and the same memory, whatever is hidden."""
    agent = searcher(game, simulations=SIMULATIONS)
    n_different = 0
    for number in range(2 * GAMES):
        position = Position(game)
        position.sample(3, number)
        position.start()
        if number % 2:
            position.step(position.legal()[-1])
        player, legal = position.turn(), position.legal()
        view = position.view(player)
        one, other = Desk(agent), Desk(agent)
        action = one.ask(view, legal)
        before = position.state.tobytes()
        position.state = position.imagine(view, player)
        n_different += position.state.tobytes() != before
        assert other.ask(position.view(player), legal) == action
        assert np.array_equal(one.bytes, other.bytes)
    assert n_different > 0


def test_threads_and_repetition_change_nothing() -> None:
    games = 60 if COMPILED else 6
    lineup = [f"mcts(simulations={SIMULATIONS})", "uniform"]
    one, two = (fd.match(LEDUC, lineup, games=games, seed=2, threads=threads) for threads in (1, 2))
    assert (one.mean, one.stderr, one.wins, one.length_mean) == (two.mean, two.stderr, two.wins, two.length_mean)
    table = Lineup(LEDUC, lineup)
    batch = table.play(2, 0, 6)
    for number in range(6):  # move by move in Python, where every player has a memory of its own
        follower = Follower(table, 2, number)
        assert len(list(follower)) == batch.lengths[number]
        assert follower.agent_scores().tolist() == batch.scores[number].tolist()


# --- its memory --------------------------------------------------------------------------------------------------------


def test_a_tree_that_is_kept_counts_at_the_next_move() -> None:
    desk = Desk(searcher(LEDUC, simulations=4 * SIMULATIONS))
    position = Position(LEDUC)
    position.start([(4, 6), (0, 5)])
    desk.ask(position.view(0), position.legal())
    assert desk.memory.head.n_kept == 0
    position.step(1)
    position.step(2)
    desk.ask(position.view(0), position.legal())
    kept, n_done = int(desk.memory.head.n_kept), int(desk.memory.head.n_simulations)
    assert kept > 0 and n_done == 4 * SIMULATIONS
    assert sum(edge.n_visits for edge in root_edges(desk.memory)) == kept + n_done


def test_where_views_forget_no_tree_is_kept() -> None:
    game = dataclasses.replace(searched_games.NIM, perfect_recall=False)
    desk = Desk(searcher(game, simulations=10))
    position = Position(game)
    position.start()
    for _ in range(2):
        desk.ask(position.view(0), position.legal())
        assert sum(edge.n_visits for edge in root_edges(desk.memory)) == 10


def test_a_full_memory_ends_the_growth_of_the_tree_and_nothing_else() -> None:
    """With a millisecond's worth of room and much more time, simulations go on."""
    agent = searcher(LEDUC, milliseconds=1)
    desk = Desk(agent)
    room = len(desk.memory.edges)
    long = agent.params
    assert search_tree.FACTS.names[: len(agent.parameters)] == tuple(parameter.name for parameter in agent.parameters)
    long[: search_tree.N_FACTS].view(search_tree.FACTS)["milliseconds"] = 60 if COMPILED else 1
    position = Position(LEDUC)
    position.start()
    legal = position.legal()
    desk._actions[: len(legal)] = legal
    action = int(agent.act(position.view(0), desk._actions, len(legal), long, desk.bytes, desk.chance))
    assert action in legal
    assert desk.memory.head.n_edges <= room
    if COMPILED:
        assert desk.memory.head.n_simulations > room
    visits = sum(edge.n_visits for edge in root_edges(desk.memory))
    assert visits == desk.memory.head.n_simulations


def test_a_time_budget_is_kept() -> None:
    desk = Desk(searcher(LEDUC, milliseconds=30))
    position = Position(LEDUC)
    position.start()
    desk.ask(position.view(0), position.legal())  # compiles
    before = time.monotonic()
    desk.ask(position.view(0), position.legal())
    assert 0.029 < time.monotonic() - before < 3.0
    assert desk.memory.head.n_simulations > 1


# --- words and names ---------------------------------------------------------------------------------------------------


def test_it_explains_itself() -> None:
    lineup = Lineup(LEDUC, [f"mcts(simulations={SIMULATIONS})", "uniform"])
    reasons = [str(move.reason) for move in Follower(lineup, 1, 0) if move.player == 0 and not move.forced]
    assert reasons[0].startswith(f"{SIMULATIONS:,} simulations; average score and number of them with ")
    assert "check" in reasons[0] and "raise" in reasons[0]
    visits = [int(part.rpartition(" in ")[2].replace(",", "")) for part in reasons[0].partition(" with ")[2].split("; ")]
    assert sum(visits) == SIMULATIONS and visits == sorted(visits, reverse=True)


@pytest.mark.parametrize(
    "text",
    ["mcts", "mcts(simulations=50)", "mcts(exploration=0.5,observers=1,opponent=first)", "mcts(rollout=first)"],
)
def test_the_text_of_an_agent_finds_it_again(text: str) -> None:
    found = find_agent(text, LEDUC)
    assert str(found) == found.spec == text
    again = find_agent(found.spec, LEDUC)
    assert again.values == found.values and again.act is found.act
    assert np.array_equal(again.params, found.params)


def test_agents_with_parameters_play_in_simulations() -> None:
    agent = find_agent("mcts(20,opponent=mix(A=1,B=-2))", fd.game("war"))
    assert str(agent) == "mcts(simulations=20,opponent=mix(A=1,B=-2,C=0))"
    assert agent.params[-3:].tolist() == [1.0, -2.0, 0.0]


@native
def deaf(view: Record, actions: Any, n: int, params: Any, memory: Any, chance: Record) -> int:
    return int(actions[0])


@native
def hear(view: Record, mover: int, action: int, params: Any, memory: Any) -> None:
    memory[0] = 1


LISTENER = Agent(name="listener", meaning="for the test", act=deaf, watch=hear, memory=np.dtype(np.uint8))
REMEMBERER = Agent(name="rememberer", meaning="for the test", act=deaf, memory=np.dtype(np.uint8))
CHEAT = Agent(name="cheat", meaning="for the test", act=deaf, cheats=True)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"simulations": 0}, "mcts: simulations=0 is out of bounds; it goes from 1 to 1e+06"),
        ({"simulations": 2.5}, "must be a whole number"),
        ({"exploration": "much"}, "exploration=much is not a number"),
        ({"depth": 3}, "unknown parameter of mcts 'depth'"),
        ({"opponent": "frist"}, "unknown agent of leduc 'frist'. Did you mean 'first'?"),
        ({"opponent": "human"}, "opponent=human cannot play in simulations: agent human is not compiled"),
        ({"rollout": "mcts"}, "agent mcts searches itself, which would take for ever"),
        ({"opponent": LISTENER}, "agent listener must hear every move of a game"),
        ({"opponent": REMEMBERER}, "agent rememberer has a memory, which would be empty: simulations begin in the middle"),
        ({"rollout": REMEMBERER}, "rollout=rememberer cannot play in simulations"),
        ({"opponent": CHEAT}, "agent cheat cheats: it wants the whole state"),
    ],
)
def test_settings_that_cannot_be(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError) as caught:
        search(LEDUC)(**settings)
    assert words in str(caught.value)


def test_an_agent_with_a_memory_is_refused_in_whichever_way_it_comes() -> None:
    with pytest.raises(UsageError, match="mcts: opponent=rememberer cannot play in simulations"):
        dataclasses.replace(search(LEDUC), opponent=REMEMBERER)


def test_a_view_that_does_not_say_who_looks() -> None:
    nim = searched_games.NIM
    nameless = dataclasses.replace(nim, name="nameless", view=nim.state)
    assert "mcts" not in agents_for(nameless)
    with pytest.raises(UsageError, match=r"mcts cannot play nameless: .* give the view of nameless a field 'player'"):
        find_agent("mcts", nameless)


def test_an_agent_for_other_options_is_refused() -> None:
    with pytest.raises(UsageError, match="plays leduc, not leduc"):
        find_agent(search(LEDUC), fd.game("leduc(ranks=4)"))
