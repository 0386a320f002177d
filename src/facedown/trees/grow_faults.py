"""What can be wrong with a game whose tree is grown, in sentences that tell where."""

from __future__ import annotations

from facedown.errors import FacedownError, RulesError, UsageError
from facedown.games.contract import OVER, Game
from facedown.games.stepper import Draw, Stepper
from facedown.native.chance import FAULTS
from facedown.trees import grow_walk as walk
from facedown.trees.grow_arrays import Room
from facedown.trees.grow_walk import DRAWING
from facedown.trees.story import Told, action_text, story


class RecallError(RulesError, UsageError):
    """A game in which players forget, or in which a view does not tell what its player may do: it cannot be solved."""

    exit_code = UsageError.exit_code


class Place:
    """Where a walk stands: the states on the way, and who moved what."""

    def __init__(self, game: Game, room: Room):
        self.game, self.rules = game, Stepper(game)
        work = room.work
        # the node that is looked at is on the way; one that is just drawn for is not there yet
        n_nodes = int(work.depth) + (0 if work.phase == DRAWING else 1)
        self.states = [room.states[int(room.frames[depth].at)].tobytes() for depth in range(n_nodes)]
        self.moves: list[Told] = []
        for depth in range(int(work.depth)):
            frame = room.frames[depth]
            known = room.sets[int(frame.information_set)]
            action = int(room.choices[int(known.first_choice + frame.choice)])
            self.moves.append(Told(self.states[depth], int(known.player), action, []))

    def words(self) -> str:
        """The way to the last state, as a transcript would tell it."""
        told = [
            move._replace(draws=self._draws(move.state, move.action, after))
            for move, after in zip(self.moves, self.states[1:], strict=False)
        ]
        return story(self.rules, self._draws(None, 0, self.states[0]), told) if self.states else "the start"

    def last_call(self) -> str:
        """The rules that were run last, in words: where chance goes wrong."""
        if not self.moves:
            return "'start'"
        move = self.moves[-1]
        return f"'step' of player {move.player}: {action_text(self.rules, move)} (action {move.action})"

    def view(self, player: int) -> str:
        """What a player sees here, in the game's own words."""
        try:
            return self.game.describe(self.rules.view_record(self.rules.view(self.states[-1], player))) or "nothing"
        except Exception:  # broken rules are told of elsewhere
            return "what the game cannot describe"

    def _draws(self, state: bytes | None, action: int, following: bytes) -> list[Draw]:
        """What the rules drew to come from one state to the next; nothing where they cannot say."""
        try:
            outcomes = self.rules.starts() if state is None else self.rules.steps(state, action)
        except FacedownError:
            return []
        return next((outcome.draws for outcome in outcomes.outcomes if outcome.state == following), [])


def rules_fault(game: Game, room: Room, status: int) -> RulesError:
    """The error for rules that did what they must not do."""
    place, (one, other) = Place(game, room), room.work.note[:2].tolist()
    declared = f"0 to {game.n_actions - 1} (declared)"
    after = f"after '{place.words()}'"
    if status == walk.CHANCE_FAULT:
        return RulesError(f"{game}, {place.last_call()}: {FAULTS[one]}; {after}")
    if status == walk.OTHER_DRAWS:
        return RulesError(
            f"{game}, {place.last_call()}: the rules are not determined by their draws: after the same answers, draw {one + 1} "
            f"was made from {other} possibilities in one run, and otherwise or not at all in another; {after}. Draw with draw, "
            f"draw_from and shuffle alone"
        )
    if status == walk.WRONG_PLAYER:
        players = f"players are 0 to {game.n_players - 1}, and {OVER} means that the game is over"
        return RulesError(f"'turn' of {game.name} answered {one}; {players}; {after}")
    if status == walk.WRONG_COUNT:
        return RulesError(
            f"'legal' of {game.name} answered {one} actions; while the game runs there are 1 to {game.n_actions} "
            f"(declared); {after}"
        )
    if status == walk.WRONG_ACTION:
        return RulesError(
            f"'legal' of {game.name} gave action {other}{f' behind {one}' if one >= 0 else ''}; actions are ascending, from "
            f"{declared}; {after}"
        )
    scores = room.scores.tolist()
    return RulesError(f"'score' of {game.name} gave {scores}; scores are finite numbers; {after}")


def recall_fault(game: Game, now: Room, earlier: Room, status: int) -> RecallError:
    """The error for an information set that a walk has come to again, as another walk found it first."""
    here, there = Place(game, now), Place(game, earlier)
    known = now.sets[int(now.work.note[0])]
    player = int(known.player)
    both = f"after '{there.words()}' and after '{here.words()}' player {player} sees the same ('{here.view(player)}')"
    if status == walk.OTHER_PAST:
        return RecallError(
            f"{game} has no perfect recall: {both}, but has seen or done something else before; keep in the state what the "
            f"player has seen and done, and show it in the view"
        )
    before = now.choices[int(known.first_choice) :][: int(known.n_choices)].tolist()
    after = now.legal[: int(now.work.note[1])].tolist()
    return RecallError(
        f"{game}: {both}, but the legal actions are {before} there and {after} here; show in the view what decides on them"
    )
