"""Tables: games that wait, with a secret link for each person, kept so that nothing is lost when the server is killed."""

from __future__ import annotations

import contextlib
import hashlib
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from facedown.agents.generic.human import HUMAN
from facedown.arena.session import Session
from facedown.arena.transcript import Transcript, read_transcript
from facedown.arena.worlds import believe
from facedown.errors import FacedownError, UsageError
from facedown.games.contract import Game
from facedown.inputs import check_seed, cores
from facedown.native.jit import prepare_thread
from facedown.web.lab import Lab, new_id, read_facts, write_facts
from facedown.web.listeners import Listeners

MAX_TABLES = 10_000
MAX_OPEN = 500
"""This many tables are kept in memory; others are read again when somebody looks at them."""
LONGEST_WAIT = 60.0
WORKING = threading.BoundedSemaphore(2 * cores())
"""At most this many threads run rules and agents at once. More would take the interpreter from each other at every call of a
rule: each answer would come when nearly all have come."""
MAX_NAME, MAX_NOTE = 40, 2_000
_ELSEWHERE = "this game was played elsewhere: it can be looked at, not played"
_IMAGINED: set[str] = set()
"""Games whose worlds have been imagined before, so that nothing is left to be compiled."""


class StaleError(UsageError):
    """The table has moved on since the page was made."""


class Table:
    """One game: its session, who sits where, and who listens."""

    def __init__(self, lab: Lab, identity: str, facts: dict[str, Any]):
        self.lab, self.id, self.facts = lab, identity, facts
        self.lock = threading.RLock()
        self.game: Game = lab.game(facts["game"])
        self.session: Session | None = None
        self.imported: Transcript | None = None
        """A game that was played elsewhere, and can be looked at only."""
        self.problem = ""
        self._ready = threading.Event()
        self.listeners = Listeners()

    # --- who sits where -------------------------------------------------------------------------------------------------

    @property
    def seats(self) -> list[str]:
        """An agent, or "human", in each seat."""
        return list(self.facts["seats"])

    @property
    def people(self) -> list[int]:
        """The seats of people, each with a link."""
        return [seat for seat, agent in enumerate(self.seats) if agent == HUMAN and str(seat) in self.facts["links"]]

    def link(self, seat: int) -> str:
        """The secret name of a seat."""
        return str(self.facts["links"][str(seat)])

    def who(self, seat: int, looking: int | None = None) -> str:
        """What a seat is called: as in the game's own sentences, and who sits there."""
        named = self.facts["names"].get(str(seat), "")
        told = "you" if seat == looking else named or ("a person" if self.seats[seat] == HUMAN else self.seats[seat])
        return f"{self.game.seat_name(seat)} ({told})"

    def rename(self, seat: int, name: str) -> None:
        """What a person wants to be called."""
        self.facts["names"][str(seat)] = plain_text(name, MAX_NAME)
        self.keep()
        self.changed()

    def note(self, seat: int, text: str) -> None:
        """What a person wants to remember; nobody else sees it."""
        self.facts["notes"][str(seat)] = plain_text(text, MAX_NOTE, lines=True)
        self.keep()

    def keep(self) -> None:
        """Write down who sits where."""
        write_facts(self.lab.place("tables", self.id) / "table.json", self.facts)

    @property
    def commitment(self) -> str:
        """A digest that fixes the deal before the first move, and tells nothing of it: opened at the end."""
        return hashlib.sha256(f"{self.facts['salt']} {self.facts['seed']}".encode()).hexdigest()

    # --- the game -------------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Compile what is needed, and come to the point where a person must move: anew, or as it was."""
        prepare_thread()
        file = self.lab.place("tables", self.id) / "game.transcript"
        try:
            if self.is_imported:
                self.imported, self.problem = read_transcript(file), _ELSEWHERE
                return
            if file.exists():
                session = Session.load(file)
            else:
                session = Session(self.game, self.seats, int(self.facts["seed"]), advance=False)
                session.save(file)
                session.advance()
            self.session = session
            self._note_end()
        except FacedownError as problem:
            self.problem = str(problem)
        finally:
            self._ready.set()
            self.changed()
        if self.session is not None and not self.session.over and self.game.spec not in _IMAGINED:
            _IMAGINED.add(self.game.spec)
            with contextlib.suppress(FacedownError):  # compiles what "what you can know" needs, before somebody waits for it
                believe(self.game, self.session.view(0), 0, 1)

    @property
    def is_imported(self) -> bool:
        """Whether the game was played elsewhere."""
        return bool(self.facts.get("imported"))

    def past(self) -> Transcript:
        """The game to look back at, of which nothing needs to be hidden any more."""
        self.wait(LONGEST_WAIT)
        if self.imported is not None:
            return self.imported
        session = self.open_session()
        if not session.over:
            raise UsageError("this game goes on; it can be looked at again when it is over")
        return session.transcript()

    def start_from(self, session: Session) -> None:
        """Go on with a session that is there already."""
        session.save(self.lab.place("tables", self.id) / "game.transcript")
        self.session = session
        self._note_end()
        self._ready.set()

    @property
    def ready(self) -> bool:
        """Whether the game can be looked at, or will never be."""
        return self._ready.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is ready."""
        return self._ready.wait(seconds)

    def play(self, seat: int, action: int | str, moment: str) -> None:
        """Make the move of a person; a page that is out of date cannot, so that nothing is played twice."""
        prepare_thread()
        self.open_session()  # waits while the table is being laid
        with self.lock:
            session = self.open_session()
            try:
                with WORKING:
                    if moment != self.moment(seat):
                        raise StaleError("the table has moved on since this page was shown; look again before you move")
                    session.play(seat, action, sync=False)
            finally:  # nobody is told before it is on disk; who waits for that needs the table, and no place to work
                session.sync()
            self._note_end()
        self.changed()

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """Have the table to oneself, and one of the few places at which rules and agents are run."""
        with self.lock, WORKING:
            yield

    def put_away(self) -> bool:
        """Give the file back, unless somebody is at the table; whoever comes next finds another table of the same name."""
        if self.listeners or not self.ready or not self.lock.acquire(blocking=False):
            return False
        try:
            if self.session is not None:
                self.session.close()
            self.session, self.problem = None, "the table was put away; load the page again"
            return True
        finally:
            self.lock.release()

    def open_session(self) -> Session:
        """The session; waits while the table is being laid."""
        self.wait(LONGEST_WAIT)
        if self.session is None:
            raise UsageError(self.problem or "the table is still being laid; wait a moment")
        return self.session

    def moment(self, seat: int) -> str:
        """A stamp of what a seat has seen so far: it changes when, and only when, its page does."""
        session = self.session
        if session is None:
            return "0"
        turn = "over" if session.over else "your" if session.waiting_for == seat else "wait"
        return f"{len(session.log(seat))}-{turn}"

    def _note_end(self) -> None:
        session = self.session
        if session is not None and session.over and not self.facts.get("scores"):
            self.facts["scores"] = session.scores()
            self.keep()

    def changed(self) -> None:
        """Tell everybody to look."""
        self.listeners.tell()


class Tables:
    """All tables of a lab."""

    def __init__(self, lab: Lab):
        self.lab = lab
        self._open: OrderedDict[str, Table] = OrderedDict()
        self._links: dict[str, tuple[str, int]] = {}
        self._deals: dict[str, dict[str, None]] = {}
        self._ids: set[str] = set()
        self._lock = threading.RLock()
        self._workers = ThreadPoolExecutor(2, "facedown-table")
        for identity in lab.listed("tables"):
            self._index(identity)

    def _index(self, identity: str) -> dict[str, Any] | None:
        try:
            facts = read_facts(self.lab.place("tables", identity) / "table.json")
            self._links.update({str(link): (identity, int(seat)) for seat, link in facts["links"].items()})
            self._deals.setdefault(str(facts.get("deal") or identity), {})[identity] = None
            self._ids.add(identity)
        except (UsageError, KeyError, ValueError, AttributeError):
            return None
        return facts

    def new(
        self,
        game: Game,
        seats: Sequence[str] | None = None,
        seed: int | None = None,
        names: dict[str, str] | None = None,
        made_from: str = "",
        session: Session | None = None,
        deal: str = "",
    ) -> Table:
        """Lay a table; the game itself is made ready elsewhere, since it may have to be compiled."""
        if seats is None:
            seats = [HUMAN] + [self.lab.partner(game)] * (game.n_players - 1)
        if len(seats) != game.n_players:
            raise UsageError(f"{game} has {game.n_players} seats, but {len(seats)} are given")
        chosen = [self.lab.agent(game, seat) for seat in seats]
        if HUMAN not in chosen:
            raise UsageError("nobody would play: give a seat to a person")
        facts = {
            "game": game.spec,
            "seats": chosen,
            "links": {str(seat): secrets.token_urlsafe(16) for seat, agent in enumerate(chosen) if agent == HUMAN},
            "names": names or {},
            "notes": {},
            "seed": check_seed(seed),
            "salt": secrets.token_hex(16),
            "made": time.time(),
            "from": made_from,
            "deal": deal,
        }
        table = self._lay(facts)
        if session is None:
            self._workers.submit(table.prepare)
        else:
            table.start_from(session)
        return table

    def bring(self, transcript: Transcript, facts: dict[str, Any]) -> Table:
        """Lay out a game that was played elsewhere, to be looked at through one link; its players are people."""
        names = {str(seat): plain_text(name, MAX_NAME) for seat, name in enumerate(transcript.players)}
        own: dict[str, Any] = {
            "game": transcript.game,
            "seats": [HUMAN] * len(names),
            "links": {"0": secrets.token_urlsafe(16)},
        }
        own |= {"names": names, "notes": {}, "seed": 0, "salt": "", "made": time.time(), "from": "", "imported": True}
        scores = None if transcript.scores is None else list(transcript.scores)
        table = self._lay(own | {"scores": scores} | facts, transcript)
        table.prepare()
        return table

    def _lay(self, facts: dict[str, Any], transcript: Transcript | None = None) -> Table:
        if len(self._ids) >= MAX_TABLES:  # somebody may have made room meanwhile
            self._ids = set(self.lab.listed("tables"))
        if len(self._ids) >= MAX_TABLES:
            raise UsageError(f"there are {MAX_TABLES:,} tables; delete some of {self.lab.folder / 'tables'}")
        identity = new_id()
        folder = self.lab.place("tables", identity)
        folder.mkdir(mode=0o700)
        if transcript is not None:
            transcript.write(folder / "game.transcript")
        write_facts(folder / "table.json", facts)
        table = Table(self.lab, identity, facts)
        with self._lock:
            self._keep_open(table)
            self._index(identity)
        return table

    def same_deal(self, table: Table) -> list[dict[str, Any]]:
        """What is known of all tables with the deal of this one, itself included, in the order in which they were laid."""
        with self._lock:
            members = list(self._deals.get(str(table.facts.get("deal") or table.id), {}))
            return [facts | {"id": identity} for identity in members if (facts := self._index(identity)) is not None]

    def at(self, link: str) -> tuple[Table, int]:
        """The table and the seat that a secret link belongs to."""
        with self._lock:
            if link not in self._links:
                raise LookupError("there is no such seat here")
            identity, seat = self._links[link]
            table = self._open.get(identity)
            if table is None:
                facts = self._index(identity)
                if facts is None:
                    raise LookupError("there is no such seat here any more")
                table = Table(self.lab, identity, facts)
                self._workers.submit(table.prepare)
            self._keep_open(table)
            return table, seat

    def _keep_open(self, table: Table) -> None:
        self._open[table.id] = table
        self._open.move_to_end(table.id)
        for old in list(self._open.values())[: max(len(self._open) - MAX_OPEN, 0)]:
            if old.put_away():
                del self._open[old.id]

    def listed(self, count: int = 12) -> list[dict[str, Any]]:
        """The newest tables, for the person who runs the lab."""
        found = []
        for identity in self.lab.listed("tables")[: 4 * count]:
            facts = self._index(identity)
            if facts is not None and facts.get("links"):
                found.append(facts | {"id": identity})
        return found[:count]

    def close(self) -> None:
        """Let go of all files."""
        self._workers.shutdown(wait=False, cancel_futures=True)
        for table in self._open.values():
            if table.session is not None:
                table.session.close()


def plain_text(text: str, longest: int, lines: bool = False) -> str:
    """A person's own words, without control characters, cut to a length."""
    kept = "".join(letter for letter in text if letter.isprintable() or (lines and letter == "\n"))
    return kept.strip()[:longest]
