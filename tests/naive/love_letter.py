"""Love Letter, slowly: a deck of named cards, players who hold them, and a diary of what everybody did and saw."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from naive.draws import Draws
from naive.twin import OVER, padded

VALUES = {"Guard": 1, "Priest": 2, "Baron": 3, "Handmaid": 4, "Prince": 5, "King": 6, "Countess": 7, "Princess": 8}
NAMES = {value: name for name, value in VALUES.items()}
COPIES = {"Guard": 5, "Priest": 2, "Baron": 2, "Handmaid": 2, "Prince": 2, "King": 1, "Countess": 1, "Princess": 1}
WINS_NEEDED = {2: 7, 3: 5, 4: 4}
MAX_ROUNDS = 99
N_TURNS, N_SEATS = 16, 4
ENDINGS = ["nothing", "Guard", "Baron", "Prince", "Princess", "empty deck"]


@dataclass(frozen=True)
class Play:
    """A card, the seats between the player and the one aimed at (0 nobody), and the name that a Guard calls."""

    card: str
    aim: int = 0
    call: str = ""


def all_plays(players: int) -> list[Play]:
    """Every play, in the order of its number."""
    plays = [Play(name) for name in VALUES]
    for aim in range(1, players):
        plays += [Play("Guard", aim, call) for call in VALUES if call != "Guard"]
        plays += [Play(card, aim) for card in ("Priest", "Baron", "Prince", "King")]
    return plays


@dataclass
class Person:
    """Somebody at the table."""

    hand: list[str] = field(default_factory=list)
    discards: list[str] = field(default_factory=list)
    out: bool = False
    protected: bool = False
    dealt: str = ""
    notes: dict[int, str] = field(default_factory=dict)
    """What this person knows others to hold."""


@dataclass
class Entry:
    """A turn in the diary."""

    seat: int
    play: Play
    drew: str
    target: int | None = None
    laid_open: str = ""
    put_out: int | None = None
    target_showed: str = ""
    mover_showed: str = ""
    target_drew: str = ""


class LoveLetter:
    def __init__(self, draws: Draws, *, players: int, guards: int, face_up: int, deck: int, match: int):
        self.draws = draws
        self.options = {"players": players, "guards": guards, "face_up": face_up, "deck": deck, "match": match}
        self.copies = COPIES | {"Guard": guards}
        if deck:
            self.copies = dict(zip(VALUES, map(int, str(deck).zfill(8)), strict=True))
        self.plays = all_plays(players)
        self.rounds: list[dict[str, Any]] = []
        self.wins = [0] * players
        self.over = False
        self.deal(0)

    # --- a round --------------------------------------------------------------------------------------------------------

    def deal(self, starter: int) -> None:
        """Deal a round; the cards that lie face down stay in one box, and nobody has looked into it."""
        self.box = [name for name in VALUES for _ in range(self.copies[name])]
        self.starter = self.seat = starter
        self.diary: list[Entry] = []
        n_open = self.options["face_up"] if self.options["players"] == 2 else 0
        self.open_cards = sorted((self.pull() for _ in range(n_open)), key=VALUES.__getitem__)
        self.people = [Person() for _ in range(self.options["players"])]
        for person in self.people:
            person.dealt = self.pull()
            person.hand = [person.dealt]
        self.drawn = self.pull()
        self.people[starter].hand.append(self.drawn)

    def pull(self) -> str:
        """Any card that lies face down."""
        return self.box.pop(self.draws.draw(len(self.box)))

    def deck_size(self) -> int:
        """One of the cards in the box is not in the deck: it was set aside."""
        return max(len(self.box) - 1, 0)

    def mover(self) -> int:
        return OVER if self.over else self.seat

    def exposed(self) -> list[int]:
        """Seats of others who can be aimed at."""
        return [
            seat for seat, person in enumerate(self.people) if seat != self.seat and not person.out and not person.protected
        ]

    def legal(self) -> list[int]:
        hand = self.people[self.seat].hand
        if "Countess" in hand and ("King" in hand or "Prince" in hand):
            return [self.plays.index(Play("Countess"))]
        return [number for number, play in enumerate(self.plays) if play.card in hand and self.is_possible(play)]

    def is_possible(self, play: Play) -> bool:
        if play.aim:
            if (self.seat + play.aim) % len(self.people) not in self.exposed():
                return False
            return not play.call or self.copies[play.call] > 0
        if play.card in {"Guard", "Priest", "Baron", "King"}:
            return not self.exposed()
        return True

    def step(self, action: int) -> None:
        play, person = self.plays[action], self.people[self.seat]
        person.hand.remove(play.card)
        person.discards.append(play.card)
        for other in self.people:
            if other.notes.get(self.seat) == play.card:
                del other.notes[self.seat]
        entry = Entry(self.seat, play, self.drawn)
        self.diary.append(entry)
        if play.aim or play.card == "Prince":
            entry.target = (self.seat + play.aim) % len(self.people)
        getattr(self, "do_" + play.card.lower())(entry)
        self.end_turn()

    def end_turn(self) -> None:
        staying = [seat for seat, person in enumerate(self.people) if not person.out]
        if len(staying) == 1:
            self.end_round(self.diary[-1].play.card, staying, {})
        elif self.deck_size() == 0:
            shown = {seat: self.people[seat].hand[0] for seat in staying}
            worth = {seat: (VALUES[card], self.total(seat)) for seat, card in shown.items()}
            best = [seat for seat in staying if worth[seat] == max(worth.values())]
            self.end_round("empty deck", best, shown)
        else:
            after = [seat for seat in staying if seat > self.seat] + staying
            self.seat = after[0]
            self.people[self.seat].protected = False
            self.drawn = self.pull()
            self.people[self.seat].hand.append(self.drawn)

    def total(self, seat: int) -> int:
        return sum(VALUES[card] for card in self.people[seat].discards)

    def lay_down(self, entry: Entry, seat: int) -> str:
        """A player lays the hand open."""
        person = self.people[seat]
        entry.laid_open = person.hand.pop()
        person.discards.append(entry.laid_open)
        for other in self.people:
            other.notes.pop(seat, None)
        return entry.laid_open

    def put_out(self, entry: Entry, seat: int) -> None:
        self.people[seat].out = True
        entry.put_out = seat
        self.lay_down(entry, seat)

    # --- what the cards do ------------------------------------------------------------------------------------------------

    def do_guard(self, entry: Entry) -> None:
        if entry.target is not None and self.people[entry.target].hand == [entry.play.call]:
            self.put_out(entry, entry.target)

    def do_priest(self, entry: Entry) -> None:
        if entry.target is not None:
            (entry.target_showed,) = self.people[entry.target].hand
            self.people[entry.seat].notes[entry.target] = entry.target_showed

    def do_baron(self, entry: Entry) -> None:
        if entry.target is None:
            return
        both = entry.seat, entry.target
        self.show_each_other(entry)
        cards = [VALUES[self.people[seat].hand[0]] for seat in both]
        if cards[0] != cards[1]:
            self.put_out(entry, both[0] if cards[0] < cards[1] else both[1])

    def show_each_other(self, entry: Entry) -> None:
        assert entry.target is not None
        (entry.mover_showed,), (entry.target_showed,) = self.people[entry.seat].hand, self.people[entry.target].hand
        self.people[entry.seat].notes[entry.target] = entry.target_showed
        self.people[entry.target].notes[entry.seat] = entry.mover_showed

    def do_handmaid(self, entry: Entry) -> None:
        self.people[entry.seat].protected = True

    def do_prince(self, entry: Entry) -> None:
        assert entry.target is not None
        person = self.people[entry.target]
        if self.lay_down(entry, entry.target) == "Princess":
            person.out, entry.put_out = True, entry.target
        else:  # with an empty deck, all that is in the box is the card that was set aside
            entry.target_drew = self.box.pop() if self.deck_size() == 0 else self.pull()
            person.hand.append(entry.target_drew)

    def do_king(self, entry: Entry) -> None:
        if entry.target is None:
            return
        self.show_each_other(entry)
        mover, target = self.people[entry.seat], self.people[entry.target]
        mover.hand, target.hand = target.hand, mover.hand
        for seat, person in enumerate(self.people):
            if seat in {entry.seat, entry.target}:
                continue
            moved = {entry.seat: entry.target, entry.target: entry.seat}
            person.notes = {moved.get(holder, holder): card for holder, card in person.notes.items()}
        mover.notes[entry.target], target.notes[entry.seat] = entry.mover_showed, entry.target_showed

    def do_countess(self, entry: Entry) -> None:
        pass

    def do_princess(self, entry: Entry) -> None:
        self.put_out(entry, entry.seat)

    # --- rounds and matches -------------------------------------------------------------------------------------------------

    def end_round(self, how: str, winners: list[int], shown: dict[int, str]) -> None:
        won_by_starter = winners == [self.starter]
        self.rounds.append(
            {"how": how, "winners": winners, "shown": shown, "diary": self.diary, "won_by_starter": won_by_starter}
        )
        if len(winners) == 1:
            self.wins[winners[0]] += 1
        decided = max(self.wins) >= WINS_NEEDED[len(self.people)] or len(self.rounds) == MAX_ROUNDS
        if not self.options["match"] or decided:
            self.over = True
        else:
            self.deal(winners[0] if len(winners) == 1 else self.starter)

    def scores(self) -> list[float]:
        best = self.rounds[-1]["winners"]
        if self.options["match"]:
            best = [seat for seat, wins in enumerate(self.wins) if wins == max(self.wins)]
        return [1 / len(best) if seat in best else 0.0 for seat in range(len(self.people))]

    def count_of(self, how: str) -> int:
        return sum(one["how"] == how for one in self.rounds)

    def n_all_turns(self) -> int:
        return sum(len(one["diary"]) for one in self.rounds)

    def n_starter_won(self) -> int:
        return sum(one["won_by_starter"] for one in self.rounds)

    def report(self) -> dict[str, set[int]]:
        return {
            "ended_by_guard": {self.count_of("Guard")},
            "ended_by_baron": {self.count_of("Baron")},
            "ended_by_prince": {self.count_of("Prince")},
            "ended_by_princess": {self.count_of("Princess")},
            "ended_by_empty_deck": {self.count_of("empty deck")},
            "starter_won": {self.n_starter_won()},
            "turns": {self.n_all_turns()},
            "rounds": {len(self.rounds)},
        }

    # --- what a player sees -------------------------------------------------------------------------------------------------

    def view(self, player: int) -> dict[str, Any]:
        return self.options | {"player": player} | self.table() | self.last_round() | self.private(player)

    def table(self) -> dict[str, Any]:
        seats = range(len(self.people))
        opened = [VALUES[card] for card in self.open_cards]
        movers = [entry.seat for entry in self.diary] + ([] if self.over else [self.seat])
        return {
            "mover": self.mover(),
            "starter": self.starter,
            "n_deck": self.deck_size(),
            "kinds": sum(1 << value - 1 for name, value in VALUES.items() if self.copies[name]),
            "in_round": sum(1 << seat for seat in seats if not self.people[seat].out),
            "immune": sum(1 << seat for seat in seats if self.people[seat].protected),
            "open_cards": [0] * (3 - len(opened)) + opened,
            "spent": padded([self.total(seat) for seat in seats], N_SEATS, 0),
            "n_turns": len(self.diary),
            "turn_of": padded(movers, N_TURNS, 0),
            "plays": padded([self.plays.index(entry.play) for entry in self.diary], N_TURNS, 0),
            "target": padded([-1 if entry.target is None else entry.target for entry in self.diary], N_TURNS, 0),
            "laid": self.column("laid_open"),
            "put_out": padded([0 if entry.put_out is None else entry.put_out + 1 for entry in self.diary], N_TURNS, 0),
        }

    def column(self, what: str, seen: Any = lambda entry: True) -> list[int]:
        """One card of each turn, where it is seen."""
        cards = [getattr(entry, what) if seen(entry) else "" for entry in self.diary]
        return padded([VALUES.get(card, 0) for card in cards], N_TURNS, 0)

    def last_round(self) -> dict[str, Any]:
        seats, last = range(N_SEATS), self.rounds[-1] if self.rounds else None
        end = last["diary"][-1] if last else None
        return {
            "n_rounds": len(self.rounds),
            "wins": padded(self.wins, N_SEATS, 0),
            "ended_by": ENDINGS.index(last["how"]) if last else 0,
            "winners": sum(1 << seat for seat in last["winners"]) if last else 0,
            "shown": [VALUES.get(last["shown"].get(seat, ""), 0) if last else 0 for seat in seats],
            "last_player": end.seat if end else -1,
            "last_play": self.plays.index(end.play) if end else 0,
            "last_laid": VALUES.get(end.laid_open, 0) if end else 0,
            "ends": [self.count_of(how) for how in ENDINGS],
            "n_all_turns": self.n_all_turns(),
            "n_starter_won": self.n_starter_won(),
        }

    def private(self, player: int) -> dict[str, Any]:
        own = self.people[player]
        moving = self.mover() == player
        held = list(own.hand)
        if moving:
            held.remove(self.drawn)
        unseen = [card for other in self.people if other is not own for card in other.hand] + self.box
        known = [VALUES.get(own.notes.get(seat, ""), 0) for seat in range(N_SEATS)]
        drew = self.column("drew", lambda entry: entry.seat == player)
        if moving:
            drew[len(self.diary)] = VALUES[self.drawn]

        def took_part(entry: Entry) -> bool:
            return player in {entry.seat, entry.target}

        return {
            "hand": VALUES[held[0]] if held else 0,
            "drawn": VALUES[self.drawn] if moving else 0,
            "unseen": [0, *(unseen.count(name) for name in VALUES)],
            "known": known,
            "first": VALUES[own.dealt],
            "drew": drew,
            "redrew": self.column("target_drew", lambda entry: entry.target == player),
            "target_card": self.column("target_showed", took_part),
            "mover_card": self.column("mover_showed", took_part),
        }
