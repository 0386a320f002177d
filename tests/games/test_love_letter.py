"""Love Letter: every ruling, what players come to know, which deals they imagine, whole matches, and words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import facedown as fd
from facedown.errors import UsageError
from facedown.games.contract import OVER
from facedown.games.love_letter.cards import (
    AIM_OF,
    BARON,
    BY_BARON,
    BY_EMPTY_DECK,
    BY_GUARD,
    BY_PRINCE,
    BY_PRINCESS,
    CARD_OF,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    MAX_PLAYS,
    NAMED_OF,
    PRIEST,
    PRINCE,
    PRINCESS,
    n_plays,
    play_number,
)
from facedown.games.position import Position
from facedown.games.text import read_action
from facedown.native.jit import COMPILED
from games.love_letter_table import Table, two

# --- numbers of plays -----------------------------------------------------------------------------------------------------


def test_every_number_means_one_play() -> None:
    meanings = {(int(CARD_OF[a]), int(AIM_OF[a]), int(NAMED_OF[a])) for a in range(MAX_PLAYS)}
    assert len(meanings) == MAX_PLAYS == n_plays(4) == 41
    assert [n_plays(players) for players in (2, 3, 4)] == [19, 30, 41]
    assert all(play_number(*meaning) in range(MAX_PLAYS) for meaning in meanings)
    assert sorted(play_number(*meaning) for meaning in meanings) == list(range(MAX_PLAYS))


def test_the_princess_is_among_the_first_two_plays() -> None:
    """Agents that avoid her rely on it."""
    table = two([HANDMAID, GUARD], PRINCESS)
    assert table.position.legal()[:2] == [play_number(HANDMAID), play_number(PRINCESS)]
    assert two([GUARD, GUARD], PRINCESS).position.legal()[0] == play_number(PRINCESS)


# --- rulings ----------------------------------------------------------------------------------------------------------------


def test_a_guard_names_any_card_but_a_guard() -> None:
    plays = two([GUARD, PRIEST], GUARD).legal()
    assert plays == [(GUARD, 1, named) for named in range(PRIEST, PRINCESS + 1)]


def test_a_guard_that_hits_puts_out() -> None:
    table = two([GUARD, PRIEST], BARON)
    table.play(GUARD, 1, PRIEST)
    assert table.end() == (BY_GUARD, [1.0, 0.0])
    assert table.state.laid[0] == PRIEST and table.view(0).unseen[PRIEST] == 1


def test_a_guard_that_misses_does_nothing() -> None:
    table = two([GUARD, PRIEST], BARON)
    table.play(GUARD, 1, BARON, then=[KING])
    assert table.position.turn() == 1 and table.state.laid[0] == 0


def test_a_priest_shows_a_hand_to_the_one_who_played_it() -> None:
    table = Table("love_letter(players=3)", [PRIEST, KING, GUARD], BARON)
    table.play(PRIEST, 1, then=[GUARD])
    assert table.view(0).known.tolist() == [0, KING, 0, 0]
    assert table.view(0).target_card[0] == KING
    assert not table.view(2).known.any() and table.view(2).target_card[0] == 0


@pytest.mark.parametrize(("own", "others", "scores"), [(KING, PRIEST, [1.0, 0.0]), (PRIEST, KING, [0.0, 1.0])])
def test_a_baron_puts_the_lower_hand_out(own: int, others: int, scores: list[float]) -> None:
    table = two([BARON, others], own)
    table.play(BARON, 1)
    assert table.end() == (BY_BARON, scores)
    assert table.state.laid[0] == PRIEST


def test_a_baron_between_equal_hands_does_nothing_but_tell() -> None:
    table = Table("love_letter(players=3)", [BARON, PRIEST, GUARD], PRIEST)
    table.play(BARON, 1, then=[GUARD])
    assert table.state.in_round == 0b111
    assert table.view(0).known.tolist() == [0, PRIEST, 0, 0]
    assert table.view(1).known.tolist() == [PRIEST, 0, 0, 0]
    assert not table.view(2).known.any()


def test_a_handmaid_protects_until_the_own_next_turn() -> None:
    table = Table("love_letter(players=3)", [HANDMAID, PRIEST, PRIEST], GUARD)
    table.play(HANDMAID, then=[BARON])
    assert {aim for card, aim, _ in table.legal() if card == PRIEST} == {1}  # player 2, not player 0
    table.play(PRIEST, 2, then=[KING])
    assert {aim for card, aim, _ in table.legal() if card == PRIEST} == {2}  # player 1
    table.play(PRIEST, 1, then=[BARON])
    assert table.state.immune == 0
    table.play(BARON, 1, then=[COUNTESS])  # out: a Guard against a Baron
    assert table.state.put_out[3] == 1


def test_a_prince_makes_another_discard_and_draw() -> None:
    table = two([PRINCE, KING], GUARD)
    table.play(PRINCE, 1, then=[BARON, PRIEST])
    assert table.state.hand[1] == BARON and table.state.drawn == PRIEST
    assert table.state.laid[0] == KING and table.state.spent[1] == KING
    assert table.view(1).redrew[0] == BARON and table.view(0).redrew[0] == 0


def test_a_discarded_card_has_no_effect() -> None:
    table = two([PRINCE, HANDMAID], GUARD)
    table.play(PRINCE, 1, then=[BARON, PRIEST])
    assert table.state.immune == 0


def test_a_prince_can_be_played_on_oneself() -> None:
    table = two([PRINCE, KING], BARON)
    assert (PRINCE, 0, 0) in table.legal() and (PRINCE, 1, 0) in table.legal()
    table.play(PRINCE, then=[GUARD, PRIEST])
    assert table.state.hand[0] == GUARD and table.state.spent[0] == PRINCE + BARON


def test_a_prince_on_the_princess_puts_out() -> None:
    table = two([PRINCE, PRINCESS], GUARD)
    table.play(PRINCE, 1)
    assert table.end() == (BY_PRINCE, [1.0, 0.0])


def test_a_prince_on_oneself_with_the_princess_puts_oneself_out() -> None:
    table = two([PRINCE, GUARD], PRINCESS)
    table.play(PRINCE)
    assert table.end() == (BY_PRINCE, [0.0, 1.0])


def test_a_prince_must_be_played_on_oneself_if_all_others_are_immune() -> None:
    table = two([HANDMAID, PRINCE], GUARD, [GUARD, GUARD, KING])
    table.play(HANDMAID, then=[BARON])
    assert [play for play in table.legal() if play[0] == PRINCE] == [(PRINCE, 0, 0)]


def test_a_prince_with_an_empty_deck_takes_the_card_set_aside() -> None:
    table = Table("love_letter(deck=10101011,face_up=0)", [BARON, PRINCE], COUNTESS)
    table.play(COUNTESS, then=[GUARD])
    assert table.state.n_deck == 0 and table.rest == [PRINCESS]
    table.play(PRINCE, 0)  # draws nothing: there is only one card left
    assert table.state.hand[0] == PRINCESS and table.state.rest == 0
    assert table.end() == (BY_EMPTY_DECK, [1.0, 0.0])


def test_a_king_swaps_hands() -> None:
    table = two([KING, PRINCESS], GUARD)
    table.play(KING, 1, then=[PRIEST])
    assert table.state.hand.tolist()[:2] == [PRINCESS, GUARD]
    assert table.view(0).known[1] == GUARD and table.view(1).known[0] == PRINCESS


@pytest.mark.parametrize("other", [KING, PRINCE])
@pytest.mark.parametrize("drawn_last", [False, True])
def test_the_countess_must_be_played_beside_king_or_prince(other: int, drawn_last: bool) -> None:
    held, drawn = (other, COUNTESS) if drawn_last else (COUNTESS, other)
    assert two([held, GUARD], drawn).legal() == [(COUNTESS, 0, 0)]


def test_the_countess_may_stay_beside_other_cards() -> None:
    assert {card for card, _, _ in two([COUNTESS, GUARD], PRINCESS).legal()} == {COUNTESS, PRINCESS}
    assert {card for card, _, _ in two([COUNTESS, GUARD], HANDMAID).legal()} == {COUNTESS, HANDMAID}


def test_who_plays_the_princess_is_out_and_lays_the_hand_open() -> None:
    table = Table("love_letter(players=3)", [PRINCESS, PRIEST, GUARD], KING)
    table.play(PRINCESS, then=[GUARD])
    assert table.state.in_round == 0b110 and table.state.laid[0] == KING
    assert table.view(1).unseen[KING] == 0


def test_playing_the_princess_ends_a_round_of_two() -> None:
    table = two([PRINCESS, PRIEST], KING)
    table.play(PRINCESS)
    assert table.end() == (BY_PRINCESS, [0.0, 1.0])


@pytest.mark.parametrize("card", [GUARD, PRIEST, BARON, KING])
def test_cards_against_others_have_no_effect_if_all_are_immune(card: int) -> None:
    opened = [GUARD, GUARD, COUNTESS]
    table = two([HANDMAID, PRINCESS], GUARD, opened)
    table.play(HANDMAID, then=[card])
    assert table.legal() == sorted([(card, 0, 0), (PRINCESS, 0, 0)])
    table.play(card, then=[PRIEST])
    assert table.state.hand.tolist()[:2] == [GUARD, PRINCESS]
    assert table.state.target[1] == -1 and not table.state.known.any()


def test_the_round_ends_when_one_player_is_left() -> None:
    table = Table("love_letter(players=3)", [GUARD, PRIEST, KING], BARON)
    table.play(GUARD, 1, PRIEST, then=[GUARD])
    assert table.position.turn() == 2  # player 1 is passed over
    table.play(GUARD, 0, BARON)
    assert table.end() == (BY_GUARD, [0.0, 0.0, 1.0])


def test_with_an_empty_deck_the_highest_hand_wins() -> None:
    table = Table("love_letter(deck=20020100,face_up=0)", [HANDMAID, KING], GUARD)
    table.play(GUARD, 1, HANDMAID, then=[HANDMAID])
    assert table.state.n_deck == 0
    table.play(HANDMAID)
    assert table.end() == (BY_EMPTY_DECK, [0.0, 1.0])
    assert table.view(0).shown.tolist() == [HANDMAID, KING, 0, 0]


def test_equal_hands_are_decided_by_the_larger_sum_of_discards() -> None:
    table = Table("love_letter(deck=11210000,face_up=0)", [BARON, BARON], PRIEST)
    table.play(PRIEST, 1, then=[HANDMAID])
    table.play(HANDMAID)
    assert table.state.spent.tolist() == [PRIEST, HANDMAID, 0, 0]
    assert table.end() == (BY_EMPTY_DECK, [0.0, 1.0])


def test_equal_hands_and_equal_sums_are_a_draw() -> None:
    table = Table("love_letter(deck=12200000,face_up=0)", [BARON, BARON], PRIEST)
    table.play(PRIEST, 1, then=[PRIEST])
    table.play(PRIEST, 0)
    assert table.end() == (BY_EMPTY_DECK, [0.5, 0.5])
    assert table.state.winners == 0b11 and table.state.wins.sum() == 0


def test_three_can_share_a_draw() -> None:
    table = Table("love_letter(players=3,deck=00300040)", [BARON, BARON, BARON], COUNTESS)
    table.play(COUNTESS, then=[COUNTESS])
    table.play(COUNTESS, then=[COUNTESS])
    table.play(COUNTESS)
    assert table.end() == (BY_EMPTY_DECK, [1 / 3] * 3)


def test_the_last_card_can_put_out_the_last_other_player() -> None:
    """A round that is decided in its last turn ended by that card, not by the empty deck."""
    table = Table("love_letter(deck=21010000,face_up=0)", [GUARD, PRIEST], HANDMAID)
    assert table.state.n_deck == 0
    table.play(GUARD, 1, PRIEST)
    assert table.end() == (BY_GUARD, [1.0, 0.0])


def test_the_deck_of_the_source_has_four_guards() -> None:
    """The worked example of the source: hand Guard and Baron, face up King, Prince, Handmaid; ten cards are unseen."""
    table = two([GUARD, PRIEST], BARON, [KING, PRINCE, HANDMAID], spec="love_letter(guards=4)")
    view = table.view(0)
    assert view.open_cards.tolist() == [HANDMAID, PRINCE, KING]
    assert view.unseen.tolist() == [0, 3, 2, 1, 1, 1, 0, 1, 1]
    assert view.unseen.sum() == 10


# --- whole matches --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "needed"), [(2, 7), (3, 5), (4, 4)])
def test_a_match_goes_to_so_many_wins(players: int, needed: int) -> None:
    position = Position(fd.game(f"love_letter(players={players},match=true)"))
    generator = np.random.default_rng(players)
    for index in range(3 if COMPILED else 1):
        position.sample(4, index)
        position.start()
        starter, n_rounds = 0, 0
        while not position.over:
            if position.state.n_rounds > n_rounds:
                n_rounds = int(position.state.n_rounds)
                winners = [player for player in range(players) if position.state.winners >> player & 1]
                starter = winners[0] if len(winners) == 1 else starter
                assert position.state.starter == starter == position.turn()
                assert position.state.n_turns == 0 and position.state.in_round == (1 << players) - 1
            assert position.state.wins.max() < needed
            position.step(int(generator.choice(position.legal())))
        wins = position.state.wins.tolist()
        assert sorted(wins)[-1] == needed > sorted(wins)[-2]
        assert position.scores().tolist() == [float(count == needed) for count in wins[:players]]
        assert position.state.ends.sum() == position.state.n_rounds >= sum(wins)


def test_a_draw_counts_for_nobody_and_the_same_player_begins_again() -> None:
    """With five Countesses every round is a draw, and a match ends after 99 rounds without a winner."""
    position = Position(fd.game("love_letter(deck=00000050,face_up=0,match=yes)"))
    position.sample(1, 0)
    position.start()
    while not position.over:
        if position.state.n_turns == 0:
            assert position.turn() == 0
        position.step(position.legal()[0])
    assert position.state.n_rounds == 99 and position.state.winners == 0b11
    assert not position.state.wins.any() and position.scores().tolist() == [0.5, 0.5]


def test_a_match_reports_all_its_rounds() -> None:
    result = fd.match("love_letter(match=true)", ["uniform", "uniform"], games=40 if COMPILED else 2, seed=3)
    columns = result.columns
    endings = [columns[f"ended_by_{how}"] for how in ("guard", "baron", "prince", "princess", "empty_deck")]
    assert sum(endings) == columns["rounds"] >= 7 * result.games
    assert columns["turns"] == result.length_mean * result.games


# --- options --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("deck=52222111,guards=4", "the first digit of deck=52222111 is the number of Guards; leave out guards=4"),
        ("deck=99000000", "deck=99000000 has 18 cards; at most 16 are possible"),
        ("deck=90000000", "deck=90000000 has nothing but Guards, which have no card to name"),
        ("deck=11110000", "deck=11110000 has 4 cards, and a deal with a first turn takes 7; add cards, or lay fewer open"),
        ("players=4,deck=11111", "deck=00011111 has 5 cards, and a deal with a first turn takes 6"),
        ("guards=3", "guards=3 is out of bounds"),
        ("players=5", "players=5 is out of bounds"),
        ("match=maybe", "match=maybe is not possible; choose one of no, yes"),
    ],
)
def test_impossible_options_are_said(options: str, sentence: str) -> None:
    with pytest.raises(UsageError) as caught:
        fd.game(f"love_letter({options})")
    assert sentence in str(caught.value)


def test_another_deck_is_written_in_digits() -> None:
    official = Position(fd.game("love_letter"))
    written = Position(fd.game("love_letter(deck=52222111)"))
    for index in range(5):
        for position in (official, written):
            position.sample(1, index)
            position.start()
        assert official.draws == written.draws
        assert official.state.hand.tolist() == written.state.hand.tolist()
        assert official.state.rest == written.state.rest and official.legal() == written.legal()


def test_a_guard_names_only_cards_of_the_deck() -> None:
    table = Table("love_letter(deck=30200001,face_up=0)", [GUARD, BARON], GUARD)
    assert table.legal() == [(GUARD, 1, BARON), (GUARD, 1, PRINCESS)]


# --- words ------------------------------------------------------------------------------------------------------------------


def test_a_description_tells_what_a_player_knows() -> None:
    table = two([PRIEST, KING], GUARD, [BARON, PRINCE, HANDMAID])
    table.play(PRIEST, 1, then=[HANDMAID])
    assert table.position.describe(1) == (
        "You are player 1 and hold the King; you have drawn the Handmaid. Face up: Baron, Handmaid and Prince. Deck: 8 cards. "
        "Played: player 0 played the Priest at you and saw the King."
    )
    table.play(HANDMAID, then=[GUARD])
    assert table.position.describe(0) == (
        "You are player 0 and hold the Guard; you have drawn the Guard. Face up: Baron, Handmaid and Prince. Deck: 7 cards. "
        "Player 1 is behind a Handmaid. You know: player 1 holds the King. "
        "Played: you played the Priest at player 1 and saw the King; player 1 played the Handmaid."
    )
    table.play(GUARD, then=[GUARD])
    table.play(GUARD, 0, PRINCE, then=[PRINCESS])
    table.play(GUARD, 1, KING)
    assert table.position.describe(1).endswith(
        "you played the Guard at player 0, naming the Prince: no; "
        "player 0 played the Guard at you, naming the King: you laid down the King and are out. Player 0 wins the round."
    )


def test_a_match_is_told_from_round_to_round() -> None:
    table = Table("love_letter(match=true)", [GUARD, PRIEST], BARON, [KING, PRINCE, HANDMAID])
    table.position.step(play_number(GUARD, 1, PRIEST))
    assert table.position.describe(1).startswith(
        "Round 2 of a match to 7. Rounds won: player 0 1 and you 0. The last round: player 0 played the Guard at you, naming "
        "the Priest, which laid open the Priest. Player 0 wins the round. You are player 1 and hold the "
    )


@pytest.mark.parametrize(
    ("typed", "card", "aim", "named"),
    [
        ("guard 1 priest", GUARD, 1, PRIEST),
        ("Guard at player 2, naming the Countess", GUARD, 2, COUNTESS),
        ("g 1 princess", GUARD, 1, PRINCESS),
        ("prince 2", PRINCE, 2, 0),
        ("prince me", PRINCE, 0, 0),
        ("prince 0", PRINCE, 0, 0),
        ("prince on yourself", PRINCE, 0, 0),
    ],
)
def test_plays_are_read_as_people_type_them(typed: str, card: int, aim: int, named: int) -> None:
    table = Table("love_letter(players=3)", [GUARD, PRIEST, KING], PRINCE)
    view, legal = table.view(0), table.position.legal()
    assert read_action(table.position.game, view, legal, typed) == play_number(card, aim, named)


def test_the_aim_can_be_left_out_where_there_is_only_one() -> None:
    table = two([GUARD, PRIEST], KING)
    view, legal, game = table.view(0), table.position.legal(), table.position.game
    assert read_action(game, view, legal, "guard baron") == play_number(GUARD, 1, BARON)
    assert read_action(game, view, legal, "king") == play_number(KING, 1)
    assert read_action(game, view, legal, "8") == play_number(GUARD, 1, PRIEST)  # numbers are numbers of plays


@pytest.mark.parametrize("typed", ["guard guard", "guard", "prin", "baron 1", "guard 1", "guard 7 priest", "king prince", "?"])
def test_what_is_not_clear_is_not_played(typed: str) -> None:
    table = Table("love_letter(players=3)", [GUARD, PRIEST, KING], PRINCE)
    with pytest.raises(UsageError, match="legal: "):
        read_action(table.position.game, table.view(0), table.position.legal(), typed)


def test_every_name_of_a_play_is_read_back() -> None:
    generator: Any = np.random.default_rng(1)
    for spec in ("love_letter", "love_letter(players=4)"):
        position = Position(fd.game(spec))
        for index in range(6):
            position.sample(2, index)
            position.start()
            while position.turn() != OVER:
                view, legal = position.view(position.turn()), position.legal()
                assert [read_action(position.game, view, legal, position.action_name(a)) for a in legal] == legal
                position.step(int(generator.choice(legal)))
