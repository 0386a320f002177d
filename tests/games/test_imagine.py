"""Imagined states: they look like the view that they were made from, they are possible, and all are equally likely."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from scipy.stats import chisquare

import facedown as fd
from facedown.games.position import Position
from facedown.native.jit import COMPILED
from facedown.native.records import out_of_range
from naive.domino import Domino
from naive.draws import Draws, outcomes
from naive.kuhn import Kuhn
from naive.leduc import Leduc
from naive.twin import OVER

FALSE_ALARM = 1e-5

SETTINGS = [
    "domino(tiles=6,hand=2,drawing=before)",
    "domino(tiles=9,players=3,hand=2)",
    "domino(tiles=8,players=4,hand=2)",
    "goofspiel",
    "goofspiel(cards=6,bids=winner)",
    "goofspiel(players=4,cards=4,ties=carry)",
    "goofspiel(players=3,cards=3,bids=winner)",
    *(["goofspiel(bids=winner,ties=split)", "goofspiel(players=4,bids=winner)"] if COMPILED else []),
    "kuhn",
    "kuhn(players=5,pass_pays=no)",
    "leduc",
    "leduc(ranks=2,raises=4,suits_shown=no)",
    "leduc(ranks=13,suits_shown=no)",
    "love_letter",
    *(["love_letter(players=3,match=yes)", "love_letter(players=4,deck=01201222)"] if COMPILED else []),
    "war(max_rounds=20)",
    "war(ranks=3,suits=2)",
    "war(ranks=2,suits=4,max_rounds=3,last_card=yes)",
    "rrrats",
    "rrrats(tokens=9,roll_at_four=yes,max_throws=8)",
]


def moments(spec: str, n_games: int) -> Any:
    """Positions of random games, from the deal to the end."""
    position, generator = Position(fd.game(spec)), random.Random(1)
    for index in range(n_games):
        position.sample(6, index)
        position.start()
        while not position.over:
            yield position
            position.step(generator.choice(position.legal()))
        yield position


@pytest.mark.parametrize("spec", SETTINGS)
def test_imagined_states_look_like_the_view(spec: str) -> None:
    """Byte for byte, for every player, at every moment and at the end; and the player to move has the same choices."""
    imagined = Position(fd.game(spec))
    imagined.sample(2, 0)
    for position in moments(spec, 8 if COMPILED else 3):
        for player in range(position.game.n_players):
            view = position.view(player)
            imagined.state = imagined.imagine(view, player)
            assert imagined.view(player).tobytes() == view.tobytes()
            assert out_of_range(position.game.state, imagined.state) is None
            assert imagined.turn() == position.turn()
            if position.turn() == player:  # what others may do can depend on what they hold
                assert imagined.legal() == position.legal()


@pytest.mark.parametrize("spec", [spec for spec in SETTINGS if spec.startswith(("war", "rrrats"))])
def test_imagined_ends_keep_the_result(spec: str) -> None:
    """In these games everybody sees who has won, so an imagined end must have the same winner."""
    imagined = Position(fd.game(spec))
    imagined.sample(3, 0)
    for position in moments(spec, 20 if COMPILED else 8):
        if position.over:
            for player in range(2):
                imagined.state = imagined.imagine(position.view(player), player)
                assert imagined.scores().tolist() == position.scores().tolist()


@pytest.mark.parametrize("spec", [spec for spec in SETTINGS if spec.startswith("war")])
def test_imagined_piles_hold_the_cards_that_are_not_on_the_table(spec: str) -> None:
    game = fd.game(spec)
    expected = [rank for rank in range(game.values["ranks"]) for _ in range(game.values["suits"])]
    imagined = Position(game)
    imagined.sample(4, 0)
    for position in moments(spec, 4 if COMPILED else 2):
        state = imagined.imagine(position.view(0), 0)
        found = state.table[: state.n_table].tolist()
        for player in range(2):
            ring = state.pile[player].tolist()
            found += [ring[(state.top[player] + place) % len(ring)] for place in range(state.n_cards[player])]
        assert sorted(found) == expected


@pytest.mark.parametrize("spec", SETTINGS)
def test_imagined_games_can_be_played_to_the_end(spec: str) -> None:
    imagined, generator = Position(fd.game(spec)), random.Random(5)
    for number, position in enumerate(moments(spec, 2)):
        if number % 5 == 0:
            player = number % position.game.n_players
            imagined.sample(5, number)
            imagined.state = imagined.imagine(position.view(player), player)
            while not imagined.over:
                imagined.step(generator.choice(imagined.legal()))
                assert out_of_range(position.game.state, imagined.state) is None
            low, high = position.game.score_range
            assert all(low <= score <= high for score in imagined.scores())


# --- frequencies against the exact posterior, from the slow twin ---------------------------------------------------------


def posterior(play: Callable[[Draws], Any], player: int, hidden: Callable[[Any], Any], seen: dict[str, Any]) -> Counter[Any]:
    """The probability of everything hidden, given what the player sees."""
    weights: Counter[Any] = Counter()
    for probability, twin in outcomes(play):
        if twin.view(player) == seen:
            weights[hidden(twin)] += float(probability)  # type: ignore[assignment]
    total = sum(weights.values())
    return Counter({what: weight / total for what, weight in weights.items()})


def check_frequencies(position: Position, player: int, hidden: Callable[[Any], Any], exact: Counter[Any]) -> None:
    """Chi-square of imagined states against exact probabilities."""
    n_imagined = 2_000 if COMPILED else 600
    position.sample(7, 0)
    view = position.view(player)
    found = Counter(hidden(position.imagine(view, player)) for _ in range(n_imagined))
    assert set(found) <= set(exact), f"impossible: {set(found) - set(exact)}"
    everything = sorted(exact)
    assert len(everything) > 1
    result = chisquare([found[what] for what in everything], [exact[what] * n_imagined for what in everything])
    assert result.pvalue > FALSE_ALARM


@pytest.mark.parametrize("player", [0, 1, 2])
def test_kuhn_imagines_all_hidden_cards_equally_often(player: int) -> None:
    actions = [0, 1, 1]

    def play(draws: Draws) -> Kuhn:
        twin = Kuhn(draws, players=3, pass_pays=1)
        for action in actions:
            twin.step(action)
        return twin

    position = Position(fd.game("kuhn(players=3)"))
    position.sample(1, 0)
    position.start()
    cards = [int(position.view(other).card) for other in range(3)]
    for action in actions:
        position.step(action)
    seen = next(twin.view(player) for _, twin in outcomes(play) if [gambler.card for gambler in twin.gamblers] == cards)
    exact = posterior(play, player, lambda twin: tuple(gambler.card for gambler in twin.gamblers), seen)
    assert len(exact) == 6
    check_frequencies(position, player, lambda state: tuple(state.card[:3].tolist()), exact)


@pytest.mark.parametrize("suits_shown", [0, 1])
@pytest.mark.parametrize("opened", [False, True])
def test_leduc_imagines_all_hidden_cards_equally_often(suits_shown: int, opened: bool) -> None:
    actions = [1, 1] if opened else [1]
    options = {"ranks": 3, "raises": 2, "first_bet": 2, "second_bet": 4, "suits_shown": suits_shown}

    def play(draws: Draws) -> Leduc:
        twin = Leduc(draws, **options)
        for action in actions:
            twin.step(action)
        return twin

    def cards_of(twin: Leduc) -> tuple[int, ...]:
        cards = [card.number(1) for card in twin.private]
        return (*cards, -1 if twin.open_card is None else twin.open_card.number(1))

    position = Position(fd.game("leduc", suits_shown=bool(suits_shown)))
    # a pair with the open card: with hidden suits, the card that must not be there twice
    position.start([(2, 6), (0, 5)])
    for action in actions[:-1]:
        position.step(action, [])
    position.step(actions[-1], [(1, 4)] if opened else [])
    dealt = (2, 0, 3 if opened else -1)
    seen = next(twin.view(0) for _, twin in outcomes(play) if cards_of(twin) == dealt)
    exact = posterior(play, 0, cards_of, seen)
    check_frequencies(position, 0, lambda state: (*state.card.tolist(), int(state.open_card)), exact)


@pytest.mark.parametrize(
    ("tiles", "players", "n_plays", "player", "drawing"),
    [
        (6, 2, 2, 0, "after"),
        (6, 2, 3, 0, "before"),
        pytest.param(7, 3, 3, 1, "after", marks=pytest.mark.compiled),
        pytest.param(7, 3, 3, 1, "before", marks=pytest.mark.compiled),
        pytest.param(8, 4, 2, 3, "after", marks=pytest.mark.compiled),
    ],
)
def test_domino_imagines_pasts_as_likely_as_uniform_play_makes_them(
    tiles: int, players: int, n_plays: int, player: int, drawing: str
) -> None:
    """Few moves make a play more likely; and who is not to move knows that the mover can."""
    game = fd.game("domino", tiles=tiles, players=players, hand=2, drawing=drawing)
    position = played_on(game, n_plays)
    actions = position.state.plays[:n_plays].tolist()
    dealt = hidden_tiles(position.state)

    def play(draws: Draws) -> Domino:
        twin = Domino(draws, **game.values)
        for action in actions:  # a twin that plays something else looks different from then on
            legal = twin.legal()
            if twin.mover() == OVER or action not in legal or draws.draw_from([1, len(legal) - 1]):
                break
            twin.step(action)
        return twin

    def tiles_of(twin: Domino) -> tuple[Any, ...]:
        held = [sum(1 << tile.number for tile in person.hand) for person in twin.people]
        return tuple(held), tuple(tuple(tile.number for tile in person.drawn) for person in twin.people)

    twins = (twin for _, twin in outcomes(play))
    seen = next(twin.view(player) for twin in twins if twin.actions == actions and tiles_of(twin) == dealt)
    check_frequencies(position, player, hidden_tiles, posterior(play, player, tiles_of, seen))


def played_on(game: fd.Game, n_plays: int) -> Position:
    """The first of some random games that goes on after so many plays."""
    position, generator = Position(game), random.Random(3)
    for index in range(100):
        position.sample(8, index)
        position.start()
        while not position.over and position.state.n_plays < n_plays:
            position.step(generator.choice(position.legal()))
        if not position.over:
            break
    return position


def hidden_tiles(state: Any) -> tuple[Any, ...]:
    """Hands and draws of all players in a state of domino."""
    n_players = int(state.players)
    drawn = (tuple(tile for tile in places if tile >= 0) for places in state.drawn[:n_players].tolist())
    return tuple(state.held[:n_players].tolist()), tuple(drawn)
