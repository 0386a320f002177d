"""`lookahead` near the end of Hanabi: all worlds enumerated, against a slow enumerator."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from facedown.agents.generic.lookahead import LookaheadAgent, compared_moves
from facedown.agents.hanabi.tables import PUBLIC
from facedown.agents.player import Company, Player
from facedown.agents.registry import agent as find_agent
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.games.contract import Game
from facedown.games.hanabi.cards import COPIES_AT, FEATURES_OF, MAX_HAND, WHOLE_DECK, card_number, n_copies
from facedown.games.hanabi.game import GAME
from facedown.games.position import Position
from facedown.native.jit import COMPILED
from facedown.native.records import Record

TINY: Game = GAME(players=2, suits=2, ranks=3, hand=2, tokens=3)
SEED = 21
N_POSITIONS = 300 if COMPILED else 8
MOST = 10_000


def looking(**settings: Any) -> LookaheadAgent:
    found = find_agent("lookahead", TINY)(**{"rollouts": 1, "exact": MOST, "blueprint": "information"} | settings)
    assert isinstance(found, LookaheadAgent)
    return found


# --- the slow enumerator: cards as a list, hands and decks as their orders, games played on from Python ---------------------


def unseen_cards(view: Record) -> list[int]:
    """Every copy that lies neither on the table nor in the hand of somebody else."""
    cards = Counter({card_number(suit, rank): n_copies(rank, 3) for suit, rank in itertools.product(range(2), range(1, 4))})
    for suit in range(2):
        cards.subtract(card_number(suit, rank) for rank in range(1, int(view.piles[suit]) + 1))
    cards.subtract({card: int(view.discarded[card]) for card in cards})
    cards.subtract(int(card) for card in view.hands[1 - int(view.player)] if card)
    return sorted(cards.elements())


def every_world(view: Record, known: Record) -> Iterator[tuple[list[int], list[int]]]:
    """Own hands that the public record allows, and what is left for the deck then; all equally likely."""
    own = int(view.player)
    cards, held = unseen_cards(view), int(view.n_held[own])
    for places in itertools.permutations(range(len(cards)), held):
        hand = [cards[place] for place in places]
        if all(int(known.tables[own, slot]) >> card - 1 & 1 for slot, card in enumerate(hand)):
            yield hand, [card for place, card in enumerate(cards) if place not in places]


def play_on(position: Position, company: Company, action: int, draws: tuple[int, ...]) -> int:
    """The score if everybody plays on by the blueprint; of the cards in the deck those at these places are drawn in turn."""
    left = list(draws)
    while True:
        mover, n_deck = position.turn(), int(position.state.n_deck)
        laid = action < 2 * MAX_HAND and n_deck > 0
        position.step(action, [(left.pop(0), n_deck)] if laid else [])
        if position.over:
            return int(position.scores()[0])
        company.hear(position.view, lambda seat, who=mover, what=action: position.heard(seat, who, what), mover)  # type: ignore[misc]
        following = position.turn()
        action = company.players[following].choose(position.view(following), position.legal())


def expected(agent: LookaheadAgent, view: Record, record: Any, world_of: Any, actions: list[int]) -> dict[int, Fraction]:
    """The average score of each move over all worlds that fit, and all orders of the deck."""
    totals, n_games = dict.fromkeys(actions, Fraction(0)), Counter[int]()
    for hand, deck in every_world(view, record.view(PUBLIC)[0]):
        for draws in itertools.product(*(range(n) for n in range(len(deck), 0, -1))):
            for action in actions:
                company = Company([Player(agent.blueprint, TINY) for _ in range(2)])
                for player in company.players:
                    player.public[:] = record
                position = Position(TINY)
                position.sample(0, 0)
                position.state = world_of(hand, deck)
                totals[action] += play_on(position, company, action, draws)
                n_games[action] += 1
    return {action: totals[action] / n_games[action] for action in actions}


def world_of(state: Record, own: int, hand: list[int], deck: list[int]) -> Record:
    """The state with another hand, and the rest in the deck: of equal cards there the last ones."""
    world: Record = state.copy()
    world.hands[own, : len(hand)] = hand
    world.holds[own] = np.bitwise_or.reduce([int(FEATURES_OF[card]) for card in hand])
    rest = 0
    for card, n_left in Counter(deck).items():
        copies = [place for place in range(64) if int(WHOLE_DECK[2, 3]) & int(COPIES_AT[card]) & 1 << place]
        rest |= sum(1 << place for place in copies[len(copies) - n_left :])
    world.rest = rest
    return world


def late_positions(agent: LookaheadAgent) -> Iterator[Follower]:
    """Games of moves that keep to the convention, any of them equally likely, from where two cards are left in the deck."""
    rng = np.random.default_rng(SEED)
    for index in itertools.count():
        follower = Follower(Lineup(TINY, [agent]), SEED, index)
        follower.start()
        while not follower.position.over:
            turn = follower.turn()
            player = follower.players[turn.seat]
            moves = [action for action in turn.legal if player.keeps(turn.view, action)]
            if int(turn.view.n_deck) <= 2 and len(moves) > 1:
                yield follower
            follower.make(turn, int(rng.choice(moves or turn.legal)))


@pytest.mark.slow
@pytest.mark.indices
def test_all_worlds_near_the_end_as_a_slow_enumerator_finds_them() -> None:
    agent, n_worlds, n_moves, n_other = looking(), Counter[int](), 0, 0
    assert agent.memory is not None
    for follower in itertools.islice(late_positions(agent), N_POSITIONS):
        turn = follower.turn()
        player, record = follower.players[turn.seat], follower.players[turn.seat].public.copy()
        chosen = player.choose(turn.view, turn.legal)
        memory = player.memory.view(agent.memory)[0]
        found = {move.action: move for move in compared_moves(memory)}
        state = follower.position.state
        assert memory.head.exact == 1 and all(move.stderr == 0 for move in found.values())
        wanted = expected(
            agent, turn.view, record, lambda hand, deck, s=state, own=turn.seat: world_of(s, own, hand, deck), list(found)
        )
        for action, move in found.items():
            assert move.mean == pytest.approx(float(wanted[action]), abs=1e-9)
        best, first = max(wanted.values()), next(iter(found))
        assert wanted[chosen] == best and (chosen == first or wanted[first] < best)
        n_worlds[int(memory.head.n_rounds)] += 1
        n_moves, n_other = n_moves + len(found), n_other + (chosen != first)
    if COMPILED:
        assert max(n_worlds) >= 6 and n_moves > 3 * N_POSITIONS and n_other > N_POSITIONS // 20, "else little was tested"
