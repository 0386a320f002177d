"""Games that are exported, imported and replayed move by move are the same; damaged files get sentences; cards are followed."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from facedown.arena.hanab_live import export_game, import_game
from facedown.arena.session import Session
from facedown.arena.transcript import Transcript
from facedown.errors import FacedownError
from facedown.games.hanabi.cards import HINT, SUIT_OF, hand_size
from facedown.games.hanabi.hanab_live import MAX_NOTE
from facedown.games.hanabi.history import history_of
from facedown.games.position import Position
from facedown.games.registry import game
from facedown.native.jit import COMPILED
from games.hanabi_games import PLAYERS

SPECS = [
    "hanabi",
    "hanabi(players=3,bomb=zero)",
    "hanabi(players=5)",
    "hanabi(players=4,suits=4,empty_hints=yes)",
    "hanabi(suits=3,hand=4,age=round)",
    "hanabi(players=4,hand=5)",
]
N_GAMES = 6 if COMPILED else 1
N_DAMAGED = 200 if COMPILED else 60


def played(spec: str, seed: int, player: str, most: int = 200) -> Session:
    """A game of people, who all play as one of the players for tests does."""
    found, generator = game(spec), random.Random(seed)
    session = Session(found, ["human"] * found.n_players, seed)
    for _ in range(most):
        if (mover := session.waiting_for) is None:
            break
        session.play(mover, PLAYERS[player](session._follower.position, generator))
    return session


def states(transcript: Transcript) -> list[bytes]:
    return [position.state.tobytes() for position in transcript.positions()]


@pytest.mark.parametrize("spec", SPECS)
def test_a_game_exported_and_imported_is_the_same_move_by_move(spec: str) -> None:
    for seed in range(N_GAMES):
        for player in PLAYERS:
            most = 200 if seed else 20  # one that is left in the middle
            first = played(spec, seed, player, most).transcript()
            notes = [{0: "r1", 7: "<b>not 5</b>"}, {}]
            text = export_game(first, notes=notes)
            second, kept = import_game(text)
            assert states(second) == states(first), "equal copies are drawn in their order, which no state shows"
            assert [(m.player, m.action, m.name) for m in second.moves] == [(m.player, m.action, m.name) for m in first.moves]
            assert (second.game, second.players, second.scores) == (first.game, first.players, first.scores)
            assert second.digest == first.digest and kept[:2] == (notes[0], {})
            assert export_game(second, notes=kept) == export_game(first, notes=kept)


def test_their_numbers_mean_what_they_say() -> None:
    """By hand, from the description of the format: red is 0, purple 4; a card is its place in the deck."""
    ranks = [1, 1, 1, 2, 2, 3, 3, 4, 4, 5]
    deck = [{"suitIndex": suit, "rank": rank} for suit in range(5) for rank in ranks]
    actions = [
        {"type": 3, "target": 1, "value": 5},  # the second hand has red 3, 3, 4, 4 and 5
        {"type": 2, "target": 0, "value": 0},
        {"type": 0, "target": 0, "value": 0},
        {"type": 1, "target": 9},
        {"type": 0, "target": 10},
        {"type": 4, "target": 0, "value": 4},
    ]
    file = {"players": ["Ada", "Ben"], "deck": deck, "actions": actions, "options": {"timed": True}, "notes": [["x"]], "id": 7}
    transcript, notes = import_game(json.dumps(file))
    assert [move.name for move in transcript.moves] == [
        "tell player 1 rank 5",
        "tell player 0 red",
        "play card 1",
        "discard card 5",
        "play card 5",
    ]
    state = transcript.position_at(5).state
    assert state.piles.tolist() == [0, 0, 1, 0, 1] and state.n_lives == 3  # red and yellow, of blue green red white yellow
    assert transcript.scores is None and transcript.game == "hanabi" and notes == ({0: "x"}, {})


# --- what is wrong ----------------------------------------------------------------------------------------------------------


def example() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(export_game(played("hanabi(players=3)", 3, "seeing").transcript()))
    return found


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"players": ["Ada"]}, "the names of 2 to 5 players"),
        ({"players": ["Ada", "Ben"]}, "does not hold|breaks the rules|cannot tell"),
        ({"options": {"variant": "Rainbow (5 Suits)"}}, "variant .* is not known here; known are No Variant"),
        ({"options": {"variant": "4 Suits"}}, "deck: expected a list of 40 cards"),
        ({"options": {"oneExtraCard": True}}, "hands of 6 cards are not known"),
        ({"options": {"allOrNothing": True}}, "all or nothing"),
        ({"options": {"startingPlayer": 2}}, "the first player in the list begins"),
        ({"options": {"emptyClues": "yes"}}, "expected true or false"),
        ({"deck": [{"suitIndex": 0, "rank": 5}] * 50}, "red 5 is there 50 times, but there are 1"),
        ({"deck": [{"suitIndex": 9, "rank": 5}] * 50}, "card 0, suitIndex: expected a whole number from 0 to 4, found 9"),
        ({"actions": {}}, "actions: expected a list"),
        ({"actions": [{"type": 0, "target": 49}]}, "player 0 does not hold card 49, but 0, 1, 2, 3, 4"),
        ({"actions": [{"type": 1, "target": 0}]}, "breaks the rules"),
        ({"actions": [{"type": 2, "target": 0, "value": 1}]}, "cannot tell that to player 0"),
        ({"actions": [{"type": 4}, {"type": 0, "target": 0}]}, "ends the game, and more follow"),
        ({"notes": [["a"]] * 4}, "a list for each of 3 players"),
        ({"notes": [[7]]}, "notes of player 0"),
        ({"facedown": {"game": "./spy.py:GAME"}}, "facedown: expected the game"),
        ({"facedown": {"game": "hanabi(colours=7)"}}, "facedown, game: "),
        ({"facedown": {"game": "hanabi(players=3,lives=1)"}}, "another lives than"),
    ],
)
def test_wrong_files_are_refused_with_a_sentence(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(FacedownError, match=words):
        import_game(json.dumps(example() | changes))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "7", "[" * 60_000, '{"players": NaN}', "facedown transcript 1"])
def test_what_is_no_such_file_is_refused(text: str) -> None:
    with pytest.raises(FacedownError):
        import_game(text)


ODD = (None, True, -1, 0, 1, 3, 49, 10**30, 1.5, "", "x", "No Variant", [], {}, [[]], float("nan"))


def damage(found: Any, generator: random.Random) -> None:
    """Change, take away or double something at a random place."""
    while True:
        keys = list(found) if isinstance(found, dict) else list(range(len(found)))
        if not keys:
            return
        key = generator.choice(keys)
        if isinstance(found[key], dict | list) and found[key] and generator.random() < 0.8:
            found = found[key]
            continue
        if generator.random() < 0.3:
            del found[key]
        elif isinstance(found, list) and generator.random() < 0.4:
            found.insert(key, copy.deepcopy(generator.choice(found)))
        else:
            found[key] = copy.deepcopy(generator.choice(ODD))
        return


def test_damaged_files_are_played_or_get_a_sentence() -> None:
    whole, generator = example(), random.Random(5)
    n_refused = 0
    for _ in range(N_DAMAGED):
        file = copy.deepcopy(whole)
        for _ in range(generator.choice((1, 1, 1, 3))):
            damage(file, generator)
        try:
            transcript, notes = import_game(json.dumps(file))
        except FacedownError as problem:
            n_refused += 1
            assert len(str(problem)) < 400 and "\n" not in str(problem)
        else:
            for _ in transcript.positions():
                pass
            assert all(len(note) <= MAX_NOTE for own in notes for note in own.values())
    assert 0 < n_refused < N_DAMAGED


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("hanabi(suits=2)", "2 suits"),
        ("hanabi(ranks=4)", "4 ranks"),
        ("hanabi(tokens=5)", "5 hint tokens"),
        ("hanabi(lives=1)", "1 lives"),
        ("hanabi(hand=2)", "hands of that size"),
        ("hanabi(rules=thesis)", "discards with all tokens"),
        ("hanabi(slot=freed)", "the freed slot"),
        ("kuhn", "Hanabi only"),
    ],
)
def test_what_they_cannot_play_is_not_exported(spec: str, words: str) -> None:
    with pytest.raises(FacedownError, match=words):
        export_game(Session(spec, ["human"] * 2, 1).transcript())


# --- following cards --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["hanabi(players=3)", "hanabi(players=4,rules=thesis)", "hanabi(suits=1,hand=2,tokens=3)"])
def test_every_player_can_follow_every_card(spec: str) -> None:
    """Against a slow twin that watches the states: which cards hints pointed at, of whom it was news, where cards lie,
    and the moves that a click on a card, a pile, what was lost or a life leads back to.
    """
    found = game(spec)
    for seed in range(N_GAMES):
        for player in PLAYERS.values():
            generator, position = random.Random(seed), Position(found)
            position.sample(seed, 0)
            position.start()
            faces, watched = {}, []
            for place in range(found.n_players):
                n_each = hand_size(found.n_players, int(position.state.hand))
                for slot in range(n_each):
                    faces[place * n_each + slot] = int(position.state.hands[place, slot])
            came_in, piles, lost, strike = dict.fromkeys(faces, 0), dict[int, int](), dict[int, int](), 0
            while not position.over:
                before, action = position.state.copy(), player(position, generator)
                hands = history_of(before).hands
                position.step(action)
                after = position.state
                mover = int(before.mover)
                if action >= HINT:
                    target = (mover + (action - HINT) // 10 + 1) % found.n_players
                    slots = [slot for slot in range(5) if int(after.touched) >> slot & 1]
                    new = tuple(hands[target][slot] for slot in slots if int(after.news) >> slot & 1)
                    watched.append((target, tuple(hands[target][slot] for slot in slots), new))
                else:
                    watched.append((mover, (hands[mover][action % 5],), ()))
                    assert faces[hands[mover][action % 5]] == after.shown[int(after.n_moves) - 1]
                    if after.n_deck < before.n_deck:
                        slot = action % 5 if after.slot_freed else int(after.n_held[mover]) - 1
                        came_in[len(faces)] = len(watched)
                        faces[len(faces)] = int(after.hands[mover, slot])
                    suit = int(SUIT_OF[after.shown[int(after.n_moves) - 1]])
                    (piles if after.piles[suit] > before.piles[suit] else lost)[suit] = len(watched)
                    strike = len(watched) if after.n_lives < before.n_lives else strike
                for looking in range(found.n_players):
                    told = history_of(position.view(looking))
                    assert [(deed.target, deed.cards, deed.new) for deed in told.deeds] == watched
                    for place, hand in enumerate(told.hands):
                        assert [faces[card] for card in hand] == after.hands[place, : int(after.n_held[place])].tolist()
                        assert place != looking or not set(hand) & set(told.faces), "one's own cards have no face"
                    assert {card: number for card, number in told.drawn.items() if card in faces} == came_in
                    marks = told.landmarks()
                    assert (dict(marks.piles), dict(marks.lost), marks.strike) == (piles, lost, strike)
