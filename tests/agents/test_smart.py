"""`smart` at Hanabi: readings against a slow twin and by hand, reasons and meanings in words, no peeking, how it fares."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.agents.hanabi.partners import smart, tells
from facedown.agents.hanabi.readings import (
    FACTS,
    HAND,
    KNOWN,
    PROMISE,
    SHOWN,
    SOON,
    SPACE,
    STALL,
    WARNING,
    find_next_discard,
    hear,
    look_at_board,
    read_hint,
    struck_cards,
    take_hand,
)
from facedown.agents.hanabi.smart import FINESSE, HELP, N_PLAYS, RULE, SPARE, WARN, decide, judge_hint, keeps
from facedown.agents.hanabi.tables import HAVING, begin_tables, pack_heights, without_copy
from facedown.agents.hanabi.vocabulary import NONE
from facedown.agents.player import Player
from facedown.arena.follow import Follower
from facedown.arena.lineup import Lineup
from facedown.arena.session import Session
from facedown.check import public
from facedown.check.case import Case
from facedown.errors import UsageError
from facedown.games.hanabi.cards import DISCARD, HINT, N_CARDS
from facedown.games.hanabi.game import GAME
from facedown.games.stepper import Stepper
from facedown.native.jit import COMPILED
from naive.hanabi_readings import Readings, opened_by

PAIR = GAME(players=2)
PARAMS = smart(PAIR).params
BLUE, GREEN, RED, WHITE, YELLOW = (5 * suit for suit in range(5))


def names(bits: int) -> set[int]:
    return {card for card in range(1, N_CARDS + 1) if int(bits) >> card - 1 & 1}


def as_pair(card: int) -> tuple[int, int]:
    """The suit and the rank of a card."""
    return (card - 1) // 5, (card - 1) % 5 + 1


class Table:
    """A position by hand: piles, discards, a hand that player 0 sees, and a record that begins with what these leave open."""

    def __init__(self, theirs: list[int], piles: tuple[int, ...] = (0,) * 5, lost: tuple[int, ...] = (), tokens: int = 5):
        view: Any = np.zeros(1, GAME.view)[0]
        view.players, view.suits, view.ranks, view.tokens, view.lives, view.n_lives = 2, 5, 5, 8, 3, 3
        view.n_tokens, view.n_deck, view.n_held[:2] = tokens, 30, 5
        view.piles[:], view.n_points = piles, sum(piles)
        view.hands[1] = theirs
        view.born[:2] = np.arange(10).reshape(2, 5)
        view.open[:2] = 0b1111111111
        self.view, self.public = view, np.zeros(KNOWN.itemsize, np.uint8)
        self.known: Any = self.public.view(KNOWN)[0]
        begin_tables(view, self.known)
        gone = [5 * suit + rank for suit, height in enumerate(piles) for rank in range(1, height + 1)]
        for card in [*gone, *lost]:
            self.known.once, self.known.twice = without_copy(int(self.known.once), int(self.known.twice), 1 << card - 1)
        for card in lost:
            view.discarded[card] += 1
        self.known.tables[:2] &= self.known.once | self.known.twice
        self.known.heights, self.known.n_tokens = pack_heights(view), tokens
        self.work = np.zeros(SPACE, np.int64)
        look_at_board(view, self.known, self.work)

    def touched(self, feature: int) -> int:
        return sum(1 << slot for slot in range(5) if HAVING[feature] >> int(self.view.hands[1, slot]) - 1 & 1)

    def read(self, feature: int) -> tuple[int, int]:
        held = take_hand(self.known, self.work, 1)
        stalls = self.view.n_tokens == 8
        meaning, slot = read_hint(self.view, self.work, 1, held, feature, self.touched(feature), True, stalls)
        return int(meaning), int(slot)

    def after(self, slot: int) -> set[int]:
        return names(self.work[HAND + slot])

    def next_discard(self, player: int = 1) -> int:
        return int(find_next_discard(self.view, self.work, player, take_hand(self.known, self.work, player)))

    def decide(self) -> tuple[int, int]:
        action = decide(self.view, PARAMS, self.known, self.work)
        return int(action), int(self.work[RULE])

    def hear(self, mover: int, action: int, shown: int = 0) -> None:
        """A move, after which the table looks the same but for what it shows; the cards of the mover move on."""
        self.view.n_moves += 1
        self.view.shown[int(self.view.n_moves) - 1] = shown
        self.view.touched = self.touched((action - HINT) % 10) if action >= HINT else 0
        hear(self.view, mover, action, PARAMS, self.public)


# --- readings ---------------------------------------------------------------------------------------------------------------


def follow_readings(follower: Follower, readings: Readings, choose: Any) -> int:
    """Play a game, and compare what everybody knows after every move with the slow readings; how many moves."""
    follower.start()
    while not follower.position.over:
        turn = follower.turn()
        action, n_deck = choose(turn), int(turn.view.n_deck)
        follower.make(turn, action)
        view = follower.position.view(turn.seat)
        if action >= HINT:
            aim, feature = divmod(action - HINT, 10)
            rank, suit = (feature + 1, None) if feature < 5 else (None, feature - 5)
            touched = {slot for slot in range(5) if int(view.touched) >> slot & 1}
            readings.hint(turn.seat, (turn.seat + 1 + aim) % readings.n, rank, suit, touched, n_deck)
            readings.tidy(opened_by(view))
        else:
            card = as_pair(int(view.shown[int(view.n_moves) - 1]))
            slot, plays = action % DISCARD, action < DISCARD
            readings.lay(turn.seat, slot, card, plays, n_deck, opened_by(view))
        known = follower.players[0].public.view(KNOWN)[0]
        for player, hand in enumerate(readings.hands):
            found = [{as_pair(card) for card in names(bits)} for bits in known.tables[player, : len(hand)]]
            assert found == hand, f"move {follower.n_moves}, player {player}"
    return follower.n_moves


N_READ = 16 if COMPILED else 1  # games of each kind


@pytest.mark.slow
@pytest.mark.indices
@pytest.mark.parametrize("players", [2, 3, 5])
def test_slow_readings_come_to_the_same_tables(players: int) -> None:
    """After every move, also where somebody errs: a part of the moves is made by chance."""
    agent, rng, n_moves = smart(GAME(players=players)), np.random.default_rng(players), 0
    lineup = Lineup(GAME(players=players), [agent])
    for index, errs in enumerate([0.0] * N_READ + [0.2] * N_READ):
        follower = Follower(lineup, 77, index)

        def choose(turn: Any, follower: Follower = follower, errs: float = errs) -> int:
            if rng.random() < errs:
                return int(rng.choice(turn.legal))
            return follower.decide(turn)[0]

        readings = Readings(players, 5 if players <= 3 else 4, int(agent.params[0]))
        n_moves += follow_readings(follower, readings, choose)
    assert n_moves > 40 * N_READ


def test_a_suit_promises_the_newest_card_that_may_fit() -> None:
    table = Table([RED + 3, BLUE + 4, RED + 1, GREEN + 2, YELLOW + 4])
    assert table.read(7) == (PROMISE, 2)
    assert table.after(2) == {RED + 1} and table.after(0) == {RED + rank for rank in range(1, 6)}
    assert RED + 1 not in table.after(4)  # not pointed out


def test_a_hint_that_shows_a_play_by_its_words_promises_no_other() -> None:
    table = Table([BLUE + 1, RED + 4, GREEN + 3, RED + 2, WHITE + 1])
    assert table.read(0)[0] == SHOWN  # all ones fit
    assert table.after(0) == table.after(4) == {BLUE + 1, GREEN + 1, RED + 1, WHITE + 1, YELLOW + 1}
    assert RED + 2 in table.after(3) and RED + 5 in table.after(3)


def test_a_card_that_cannot_fit_is_passed_over() -> None:
    table = Table([GREEN + 1, RED + 1, GREEN + 4, WHITE + 4, GREEN + 4])
    table.known.tables[1, 4] = sum(1 << card - 1 for card in (BLUE + 4, GREEN + 4, RED + 4))
    assert table.read(6) == (PROMISE, 2)  # the newest green one cannot fit; the next is promised, wrongly


def test_the_rank_of_the_next_discard_warns_if_it_may_be_critical() -> None:
    table = Table([RED + 5, BLUE + 1, GREEN + 3, WHITE + 4, YELLOW + 2])
    assert table.next_discard() == 0
    assert table.read(4) == (WARNING, 0)
    assert table.after(0) == {suit + 5 for suit in (BLUE, GREEN, RED, WHITE, YELLOW)}
    # a three is critical only where the other one is gone
    table = Table([RED + 3, BLUE + 1, GREEN + 4, WHITE + 4, YELLOW + 2], lost=(RED + 3,))
    assert table.read(2) == (WARNING, 0) and table.after(0) == {RED + 3}
    # where it cannot be critical, nor fit, it is just a rank
    table = Table([RED + 3, BLUE + 1, GREEN + 4, WHITE + 4, YELLOW + 2])
    assert table.read(2) == (FACTS, NONE)


def test_with_all_tokens_the_rank_of_the_oldest_card_means_nothing() -> None:
    theirs = [RED + 2, BLUE + 4, GREEN + 4, WHITE + 2, YELLOW + 4]
    assert Table(theirs, piles=(1, 1, 0, 0, 0), tokens=8).read(1) == (STALL, NONE)
    assert Table(theirs, piles=(1, 1, 0, 0, 0), tokens=7).read(1) == (PROMISE, 3)


def test_the_next_discard_is_the_likeliest_to_be_useless_and_there_is_none_with_something_better_to_do() -> None:
    table = Table([RED + 5, BLUE + 1, GREEN + 3, WHITE + 4, YELLOW + 2], piles=(3, 0, 0, 0, 0))
    assert table.next_discard() == 0  # all alike: the oldest
    table.known.tables[1, 2] = sum(1 << card - 1 for card in (BLUE + 1, BLUE + 2, GREEN + 2))
    assert table.next_discard() == 2
    table.known.tables[1, 3] = 1 << BLUE + 3 - 1  # useless for certain
    assert table.next_discard() == NONE
    table.known.tables[1, 3] = 1 << BLUE + 4 - 1  # fits for certain
    assert table.next_discard() == NONE


def test_no_warning_says_that_the_next_discard_is_not_critical() -> None:
    fives = {suit + 5 for suit in (BLUE, GREEN, RED, WHITE, YELLOW)}
    for tokens, expected in ((2, set()), (0, fives)):
        table = Table([RED + 4, BLUE + 1, GREEN + 3, WHITE + 4, YELLOW + 2], tokens=tokens)
        table.view.piles[0] = 1
        table.hear(0, 0, BLUE + 1)  # player 0 plays
        assert names(table.known.tables[1, 0]) & fives == expected
        assert names(table.known.tables[1, 1]) >= fives


def test_a_discard_says_that_there_was_no_hint_to_play() -> None:
    ones = {suit + 1 for suit in (BLUE, GREEN, RED, WHITE, YELLOW)}
    for tokens, expected in ((3, set()), (1, ones)):  # one token is kept back for warnings
        table = Table([RED + 4, BLUE + 2, GREEN + 3, WHITE + 4, YELLOW + 2], tokens=tokens)
        table.hear(0, DISCARD, BLUE + 4)
        assert names(table.known.tables[1, 4]) & ones == expected  # the newest: its suit would have promised it
        assert names(table.known.tables[1, 3]) & ones == expected  # only one card can be in the way, of its suit or of its rank
        assert names(table.known.tables[1, 2]) >= ones  # a one there could not have been told apart


def test_what_silence_strikes_could_have_been_promised_whatever_the_hand() -> None:
    """Against all hands one by one: if a slot is a card that is struck, then some hint leads to a play, and is read rightly."""
    rng, n_struck = np.random.default_rng(3), 0
    for _ in range(40 if COMPILED else 4):
        piles = tuple(int(height) for height in rng.integers(0, 4, 5))
        table = Table([1] * 5, piles, lost=(BLUE + 4, RED + 3) if rng.integers(2) else ())
        left = int(table.known.once | table.known.twice)
        open_cards = sorted(names(left))
        for slot in range(5):  # a few cards are possible in each slot, so that all hands can be tried
            chosen = [int(card) for card in rng.choice(open_cards, int(rng.integers(2, 5)), replace=False)]
            table.known.tables[1, slot] = sum(1 << card - 1 for card in chosen)
        look_at_board(table.view, table.known, table.work)
        held = take_hand(table.known, table.work, 1)
        struck = [names(struck_cards(table.view, table.known, table.work, 1, held, slot)) for slot in range(5)]
        n_struck += sum(len(cards) for cards in struck)
        for hand in itertools.product(*(sorted(names(table.known.tables[1, slot])) for slot in range(5))):
            table.view.hands[1] = hand
            if any(hand[slot] in struck[slot] for slot in range(5)):
                assert any(
                    judge_hint(table.view, table.known, table.work, 1, feature) > 0 and table.work[N_PLAYS] > 0
                    for feature in range(10)
                ), (hand, struck)
    assert n_struck > 0


def test_a_promise_may_wait_for_cards_that_all_know_of() -> None:
    table = Table([RED + 2, BLUE + 4, GREEN + 3, WHITE + 4, RED + 1])
    table.known.tables[1, 4] = 1 << RED + 1 - 1  # everybody knows of the red 1
    look_at_board(table.view, table.known, table.work)
    assert names(table.work[SOON]) == {BLUE + 1, GREEN + 1, RED + 2, WHITE + 1, YELLOW + 1}
    assert table.read(7) == (PROMISE, 0) and table.after(0) == {RED + 2}
    table.known.tables[1, 0] = 1 << RED + 2 - 1
    table.known.tables[0, 0] = 1 << RED + 3 - 1  # another hand holds the card after it
    look_at_board(table.view, table.known, table.work)
    assert RED + 4 in names(table.work[SOON]) and not {RED + 2, RED + 3} & names(table.work[SOON])


def test_a_known_play_that_is_thrown_away_is_the_newest_card_of_the_next_player() -> None:
    table = Table([RED + 4, BLUE + 3, GREEN + 3, WHITE + 4, RED + 1])
    table.known.tables[0, 2] = 1 << RED + 1 - 1
    assert table.decide() == (DISCARD + 2, FINESSE)
    assert keeps(table.view, DISCARD + 2, PARAMS, np.zeros(0, np.uint8), table.public) == 1
    table.hear(0, DISCARD + 2, RED + 1)
    assert names(table.known.tables[1, 4]) == {RED + 1}
    table = Table([RED + 4, BLUE + 3, GREEN + 3, RED + 1, WHITE + 4])  # not the newest: it is played, and throwing it away lies
    table.known.tables[0, 2] = 1 << RED + 1 - 1
    assert table.decide()[0] == 2
    assert keeps(table.view, DISCARD + 2, PARAMS, np.zeros(0, np.uint8), table.public) == 0


# --- deciding ---------------------------------------------------------------------------------------------------------------


def test_it_warns_before_anything_else() -> None:
    table = Table([RED + 5, BLUE + 4, GREEN + 3, WHITE + 4, YELLOW + 2])
    table.known.tables[0, 0] = 1 << BLUE + 1 - 1  # a certain play of its own
    action, rule = table.decide()
    assert (action, rule) == (HINT + 4, WARN)
    assert keeps(table.view, 0, PARAMS, np.zeros(0, np.uint8), table.public) == 0, "a play would say that it is not critical"
    # better than the warning: something to play instead
    table = Table([RED + 5, BLUE + 4, GREEN + 1, WHITE + 1, YELLOW + 1])
    assert table.decide() == (HINT, WARN)


def test_it_spares_useful_cards_that_the_other_would_discard() -> None:
    theirs = [RED + 4, YELLOW + 1, GREEN + 4, WHITE + 4, BLUE + 3]
    table = Table(theirs, piles=(1, 1, 1, 1, 1))
    assert table.next_discard() == 0  # the red 4, of use but not critical
    assert table.decide() == (HINT + 3, SPARE)  # the 4s are told, so that the yellow 1 is thrown away instead
    assert keeps(table.view, HINT + 3, PARAMS, np.zeros(0, np.uint8), table.public) == 1
    table.hear(0, HINT + 3)
    assert table.next_discard() == 1
    assert Table(theirs, piles=(1, 1, 1, 1, 1), tokens=2).decide()[0] < HINT, "tokens are too few"


def test_it_never_gives_a_hint_that_would_be_read_wrongly() -> None:
    table = Table([BLUE + 4, GREEN + 4, RED + 1, GREEN + 3, RED + 3])  # red would promise the red 3, ones are fine
    assert table.decide() == (HINT, HELP)
    assert keeps(table.view, HINT + 7, PARAMS, np.zeros(0, np.uint8), table.public) == 0
    assert keeps(table.view, HINT, PARAMS, np.zeros(0, np.uint8), table.public) == 1


def test_eyesight_finds_plays_that_nobody_else_knows_of() -> None:
    """It holds the blue 2 or the red 2, sees both blue ones, and red is the pile that waits for a 2."""
    theirs = [BLUE + 2, BLUE + 2, GREEN + 4, WHITE + 4, YELLOW + 4]
    table = Table(theirs, piles=(0, 0, 1, 0, 0))
    table.known.tables[0, 1] = 1 << BLUE + 2 - 1 | 1 << RED + 2 - 1
    table.known.tables[0, 3] = 1 << GREEN + 1 - 1  # everybody knows of this one, so it can wait
    assert table.decide()[0] == 1
    table.view.hands[1, 0] = YELLOW + 3
    assert table.decide()[0] == 3


# --- games ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
def test_its_own_moves_keep_to_the_convention_stay_true_and_have_reasons(players: int) -> None:
    game = GAME(players=players)
    n_wrong = 0
    for index in range(6 if COMPILED else 1):
        follower = Follower(Lineup(game, [smart(game)]), 9, index)
        follower.start()
        while not follower.position.over:
            turn = follower.turn()
            action, reason = follower.decide(turn)
            n_wrong += not follower.players[turn.seat].keeps(turn.view, action)
            assert turn.forced or (reason is not None and reason.kind == "rule" and reason.words)
            move = follower.make(turn, action, reason)
            assert len(move.meanings) == players
            assert action < HINT or all(move.meanings), "a hint always means something, and be it that it promises nothing"
            known, hands = follower.players[0].public.view(KNOWN)[0], follower.position.state.hands
            for player, slot in itertools.product(range(players), range(5)):
                if slot < known.held[player] and not n_wrong:
                    assert int(known.tables[player, slot]) >> int(hands[player, slot]) - 1 & 1, "what is so stays possible"
    assert n_wrong <= 2, "only where it cannot be helped"


@pytest.mark.parametrize("players", [2, 3, 5])
def test_every_seat_comes_to_the_same_record_also_where_somebody_errs(players: int) -> None:
    game = GAME(players=players)
    agent = smart(game)
    records = public._Records(Case(game, 12, seed=5, nodes=10, agents=[agent]), agent)
    for number in range(12 if COMPILED else 3):
        assert records._play(number, public.ERRORS[number % 3]) > 2  # it raises where any byte differs


@pytest.mark.parametrize("spec", ["hanabi(players=2)", "hanabi(players=3,rules=thesis)"])
def test_two_deals_behind_one_view_get_one_move_one_record_and_one_meaning(spec: str) -> None:
    """Each seat has a twin that is shown its views of other deals, which it cannot tell from its own."""
    game = fd.game(spec)
    other = Stepper(game)
    for index in range(3 if COMPILED else 1):
        follower = Follower(Lineup(game, [smart(game)]), 7, index)
        follower.start()
        twins = [Player(smart(game), game) for _ in range(game.n_players)]

        def behind(place: int, follower: Follower = follower, index: int = index) -> Any:
            other.sample(99, 1000 * index + follower.n_moves)
            state = other.imagine(follower.position.view(place).tobytes(), place)
            return other.view_record(other.view(state, place))

        for place, twin in enumerate(twins):
            twin.hear(behind(place), -1, -1)
        while not follower.position.over:
            turn = follower.turn()
            action, reason = follower.decide(turn)
            twin = twins[turn.seat]
            seen = behind(turn.seat)
            assert twin.choose(seen, turn.legal) == action
            assert turn.forced or twin.reason(seen, action) == reason
            before = twin.public.copy()
            move = follower.make(turn, action, reason)
            if follower.position.over:
                break
            assert twin.meanings(behind(turn.seat), turn.seat, action, before) == move.meanings
            for place, listener in enumerate(twins):
                listener.hear(behind(place), turn.seat, action)
                assert np.array_equal(listener.public, follower.players[place].public)


def test_meanings_name_the_listener_and_are_in_the_log() -> None:
    table = Table([RED + 5, BLUE + 1, GREEN + 3, WHITE + 4, YELLOW + 2])
    table.view.touched = 1
    assert (
        tells(table.view, 0, HINT + 4, PARAMS, table.known, 1) == "(A warning: your card 1 is critical, the last of its kind.)"
    )
    assert "player 1's card 1" in tells(table.view, 0, HINT + 4, PARAMS, table.known, 0)
    table.view.touched = table.touched(5)
    assert tells(table.view, 0, HINT + 5, PARAMS, table.known, 1) == "(A promise: your card 2 can be played.)"
    session = Session(PAIR, ["human", "smart"], 3)
    session.play(0, session.game.parse_action(session.view(0), "1 5") or session.legal(0)[-1])
    assert all("(" in line for line in session.log(0)[:1]), "also what one's own hint is taken for"


def test_advice_is_what_it_would_do_in_the_place_of_the_person() -> None:
    """In both seats, move for move, as in a team of its own on the same deal: what the person knows is enough for it."""
    for person in (0, 1):
        team = Follower(Lineup(PAIR, ["smart"]), 21, 0)
        played = iter(team)
        seats = ["smart", "smart"]
        seats[person] = "human"
        session = Session(PAIR, seats, 21)
        n_asked = 0
        while not session.over:
            assert session.advice(1 - person) is None, "it is not the turn of that seat"
            advice = session.advice(person)
            assert advice is not None and advice.agent == "smart" and advice.reason is not None
            move = next(move for move in played if move.player == person)
            assert (move.action, str(move.reason)) == (advice.action, str(advice.reason))
            session.play(person, advice.action)
            n_asked += 1
        assert all(move.player != person for move in played)
        assert n_asked > 20 and session.scores() == team.agent_scores().tolist()
    assert Session(PAIR, ["human", "distrustful"], 21).advice(0) is None, "it keeps no convention that all could follow"


def test_only_what_is_kept_up_from_public_events_can_be_told() -> None:
    agent = smart(PAIR)
    with pytest.raises(UsageError, match="'tells' reads a public record that is kept up by 'watch_all'"):
        dataclasses.replace(agent, watch_all=None, agrees=True)


def test_it_plays_all_rules_and_small_games() -> None:
    """Every move is legal, or the match would stop."""
    specs = (
        "players=2,suits=2,ranks=2,hand=2,tokens=2,lives=1",
        "players=4,suits=4,ranks=2,hand=1,tokens=1",
        "players=5,rules=thesis",
    )
    for spec in specs:
        game = fd.game(f"hanabi({spec})")
        found = fd.match(game, ["smart"], games=300 if COMPILED else 2, seed=3)
        assert 0 < found.mean[0] <= game.score_range[1]


@pytest.mark.compiled
@pytest.mark.slow
@pytest.mark.parametrize(("players", "wanted"), [(2, 23.65), (3, 23.4), (4, 22.6), (5, 20.85)])
def test_how_it_fares(players: int, wanted: float) -> None:
    """Of a seed that no setting was chosen on; the means lie seven standard errors above: no false alarm in a lifetime."""
    game = GAME(players=players)
    found = fd.match(game, [smart(game)], 20_000, seed=2026)
    assert found.mean[0] >= wanted, found
