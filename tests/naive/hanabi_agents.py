"""Agents for Hanabi, slowly: written from the description of the thesis' program, with dictionaries of cards and no tables.

A `Table` is what one player sees, as objects; `smart_cheater`, `distrustful` and `Trustful` choose a move from it.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

SUITS, RANKS = range(5), range(1, 6)
COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}
Identity = tuple[int, int]  # suit, rank


@dataclass
class Held:
    """A card in a hand; what it is, where one sees it, and what its owner was told."""

    slot: int
    identity: Identity | None
    suit: int | None
    rank: int | None
    age: int

    @property
    def touched(self) -> bool:
        return self.suit is not None or self.rank is not None

    @property
    def revealed(self) -> bool:
        return self.suit is not None and self.rank is not None

    @property
    def partly(self) -> bool:
        return self.touched and not self.revealed

    @property
    def known(self) -> Identity:
        assert self.suit is not None and self.rank is not None
        return self.suit, self.rank


@dataclass
class Table:
    me: int
    n: int
    piles: list[int]
    discards: Counter[Identity]
    hands: list[list[Held]]
    tokens: int
    lives: int
    memory: dict[tuple[int, int], str] = field(default_factory=dict)

    @classmethod
    def of(cls, view: Any, me: int) -> Table:
        hands = []
        for player in range(view.players):
            hand = []
            for slot in range(view.n_held[player]):
                told, card = int(view.told[player, slot]), int(view.hands[player, slot])
                ranks = [rank for rank in RANKS if told & (1 << (rank - 1))]
                suits = [suit for suit in SUITS if told & (1 << (5 + suit))]
                identity = ((card - 1) // 5, (card - 1) % 5 + 1) if card else None
                age = int(view.born[player, slot])
                hand.append(Held(slot, identity, suits[0] if suits else None, ranks[0] if ranks else None, age))
            hands.append(hand)
        discards = Counter({((card - 1) // 5, (card - 1) % 5 + 1): int(view.discarded[card]) for card in range(1, 26)})
        return cls(me, int(view.players), view.piles.tolist(), discards, hands, int(view.n_tokens), int(view.n_lives))

    def at(self, d: int) -> int:
        return (self.me + 1 + d) % self.n

    def left(self, card: Identity) -> int:
        return COPIES[card[1]] - self.discards[card] - (card[1] <= self.piles[card[0]])

    def dead(self, suit: int) -> float:
        gone = [rank for rank in RANKS if rank > self.piles[suit] and self.left((suit, rank)) == 0]
        return min(gone, default=math.inf)

    def playable(self, card: Identity) -> bool:
        return card[1] == self.piles[card[0]] + 1

    def useless(self, card: Identity) -> bool:
        return not self.piles[card[0]] < card[1] < self.dead(card[0])

    def known_useless(self, suit: int | None, rank: int | None) -> bool:
        if suit is None and rank is None:
            return False
        if rank is None:
            assert suit is not None
            return self.piles[suit] == 5 or self.dead(suit) == self.piles[suit] + 1
        if suit is None:
            return not any(self.piles[t] < rank < self.dead(t) for t in SUITS)
        return self.useless((suit, rank))

    def seen(self, hidden: set[int], player: int) -> Counter[Identity]:
        cards = Counter(c.identity for p in range(self.n) if p not in hidden for c in self.hands[p] if c.identity)
        return cards + Counter(c.known for c in self.hands[player] if c.revealed)

    def unseen(self, card: Identity, hidden: set[int], player: int) -> int:
        return COPIES[card[1]] - self.discards[card] - self.seen(hidden, player)[card]

    def obvious_play(self, player: int) -> Held | None:
        level = len(set(self.piles)) == 1
        fitting = [
            card
            for card in self.hands[player]
            if (card.revealed and self.playable(card.known))
            or (card.rank is not None and level and card.rank == self.piles[0] + 1)
        ]
        return min(fitting, key=lambda card: (card.rank, card.slot), default=None)

    def discard_group(self, player: int, hidden: set[int], viewer: int) -> list[Held]:
        hand = self.hands[player]
        if untouched := [card for card in hand if not card.touched]:
            return untouched
        seen = self.seen(hidden, viewer)

        def risky(card: Held) -> bool:
            fitting = [(s, r) for s in SUITS for r in RANKS if card.suit in {None, s} and card.rank in {None, r}]
            return any(r > self.piles[s] and self.left((s, r)) == 1 and seen[s, r] == 0 for s, r in fitting)

        return [card for card in hand if card.partly and not risky(card)] or hand

    def guess_discard(self, player: int, hidden: set[int], viewer: int) -> Held:
        return min(self.discard_group(player, hidden, viewer), key=lambda card: (card.age, card.slot))

    def play(self, card: Held) -> int:
        return card.slot

    def discard(self, card: Held) -> int:
        return 5 + card.slot

    def tell(self, d: int, *, rank: int | None = None, suit: int | None = None) -> int:
        return 10 + 10 * d + (rank - 1 if rank is not None else 5 + suit)  # type: ignore[operator]

    def tell_unknown(self, d: int, card: Held) -> int:
        assert card.identity is not None
        if card.rank is None:
            return self.tell(d, rank=card.identity[1])
        return self.tell(d, suit=card.identity[0])

    def hints(self, reach: int) -> list[tuple[int, str, int, list[Held], int]]:
        """Distance, kind, value, newly informed cards, action; in the order of the search, those that touch a card."""
        found = []
        for d in range(reach):
            hand = self.hands[self.at(d)]
            for kind, values in (("rank", RANKS), ("suit", SUITS)):
                for value in values:
                    touched = [card for card in hand if card.identity and value == card.identity[1 if kind == "rank" else 0]]
                    news = [card for card in touched if getattr(card, kind) is None]
                    if touched:
                        found.append((d, kind, value, news, self.tell(d, **{kind: value})))
        return found

    def touched_in(self, players: list[int]) -> set[Identity]:
        return {
            card.identity
            for player in players
            for card in self.hands[player]
            if card.identity and card.touched and card.identity[1] > self.piles[card.identity[0]]
        }


# --- smart cheater ----------------------------------------------------------------------------------------------------------


def smart_cheater(table: Table) -> int:
    """The table has its own cards in it."""
    own = table.hands[table.me]
    held = Counter(card.identity for hand in table.hands for card in hand)
    fitting = [card for card in own if card.identity and table.playable(card.identity)]
    if fitting:
        return table.play(min(fitting, key=lambda c: (not held[c.identity[0], c.identity[1] + 1], c.identity[1], c.slot)))  # type: ignore[index]

    def stall() -> int:
        for d in range(table.n - 1):
            for card in table.hands[table.at(d)]:
                if not card.revealed:
                    return table.tell_unknown(d, card)
        leftmost = table.hands[table.at(0)][0].identity
        assert leftmost is not None
        return table.tell(0, rank=leftmost[1])

    full = [
        d for d in range(table.n - 1) if not any(c.identity and table.useless(c.identity) for c in table.hands[table.at(d)])
    ]
    if table.tokens > 1 + len(full):
        return stall()
    useless = [card for card in own if card.identity and table.useless(card.identity)]
    if useless:
        return table.discard(useless[0])
    if table.tokens > 0:
        return stall()
    spare = [card for card in own if held[card.identity] > 1] or [c for c in own if c.identity and table.left(c.identity) > 1]
    return table.discard(spare[0] if spare else min(own, key=lambda c: (-c.identity[1], c.slot)))  # type: ignore[index]


# --- distrustful --------------------------------------------------------------------------------------------------------------


def distrustful(table: Table) -> int:
    me, following = table.me, table.at(0)

    def necessary() -> int | None:
        card = table.guess_discard(following, {me}, me)
        assert card.identity is not None
        saved = table.tokens >= 1 and table.playable(card.identity) and table.left(card.identity) == 1
        return table.tell_unknown(0, card) if saved else None

    def obvious() -> int | None:
        card = table.obvious_play(me)
        return table.play(card) if card else None

    def tip(least: float, double: float) -> int | None:
        best, best_total = None, 0.0
        for d, _, _, news, action in table.hints(table.n - 1) if table.tokens >= 2 else []:
            receiver = table.at(d)
            elsewhere = table.touched_in([p for p in range(table.n) if p not in {me, receiver}])
            total = 0.0
            for card in news:
                assert card.identity is not None
                suit, rank = card.identity
                away = rank - table.piles[suit]
                if away > 0 and card.identity not in elsewhere:
                    value = 0.5 ** (away - 1) * 0.99**d * 1.1 ** (5 - rank)
                    total += value * double if card.touched and away == 1 else value
            if total > best_total:
                best, best_total = action, total
        return best if best_total >= least else None

    def discard_tip() -> int | None:
        best, best_total = None, 0.0
        for d, _, _, news, action in table.hints(table.n - 1) if table.tokens >= 2 else []:
            total = sum(0.99**d for card in news if card.identity and card.identity[1] <= table.piles[card.identity[0]])
            if total > best_total:
                best, best_total = action, total
        return best if best_total >= 2.5 else None

    def obvious_discard() -> int | None:
        for card in table.hands[me]:
            verdict = False
            if card.suit is not None:
                height = table.piles[card.suit]
                verdict = height == 5 or table.unseen((card.suit, height + 1), {me}, me) == 0
            if card.rank is not None:
                verdict = not any(table.piles[t] < card.rank and table.unseen((t, card.rank), {me}, me) > 0 for t in SUITS)
            if card.revealed and card.known[1] <= table.piles[card.known[0]]:
                verdict = True
            if verdict:
                return table.discard(card)
        return None

    modules = {
        1: necessary,
        2: obvious,
        3: lambda: tip(2, 2.3),
        4: discard_tip,
        5: obvious_discard,
        6: lambda: tip(1, 2),
        7: lambda: table.discard(table.guess_discard(me, {me}, me)),
    }
    order = "125347" if table.tokens < 3 else "1234567" if table.tokens < 8 else "1234657"
    return next(move for number in order if (move := modules[int(number)]()) is not None)


# --- trustful -----------------------------------------------------------------------------------------------------------------


class Trustful:
    """Keeps what was promised; `weights` by tip as the thesis lists them."""

    def __init__(self, weights: dict[str, tuple[float, ...]]):
        self.weights = weights
        self.memory: dict[tuple[int, int], str] = {}
        self.before: Table | None = None

    def hear(self, view: Any, me: int, mover: int, action: int, drew: bool, freed: bool) -> None:
        """After a move; what was known before it is kept from the last time."""
        table = Table.of(view, me)
        if action < 10:
            self.lay(table, mover, action % 5, drew and freed)
        else:
            assert self.before is not None
            self.hint(table, mover, action)
        self.before = table

    def sit_down(self, view: Any, me: int) -> None:
        self.before = Table.of(view, me)

    def lay(self, table: Table, mover: int, slot: int, stays: bool) -> None:
        kept = {}
        for (player, place), meaning in self.memory.items():
            if player == mover and place == slot:
                continue
            moved = place - 1 if player == mover and place > slot and not stays else place
            kept[player, moved] = meaning
        self.memory = kept

    def hint(self, table: Table, giver: int, action: int) -> None:
        aim, what = divmod(action - 10, 10)
        player, before = (giver + 1 + aim) % table.n, self.before
        assert before is not None
        before.memory = self.memory
        matching = [card for card in table.hands[player] if (card.rank == what + 1 if what < 5 else card.suit == what - 5)]
        meaning = "P"
        if aim == 0 and before.obvious_play(player) is None:
            pending = promised(before, player, giver)
            if pending is not None:
                self.memory[player, pending.slot] = "I"
                if table.hands[player][pending.slot].revealed:
                    meaning = "I"
            else:
                guessed = before.guess_discard(player, {player, giver}, player)
                if guessed.slot in [card.slot for card in matching]:
                    meaning = "I"
        if what < 5 and what + 1 > max(table.piles) + 1:
            meaning = "I"
        for card in matching:
            key = (player, card.slot)
            if key not in self.memory:
                self.memory[key] = meaning
            elif card.revealed:
                del self.memory[key]

    def choose(self, view: Any, me: int) -> int:
        table = Table.of(view, me)
        table.memory = self.memory
        tips = Tips(table, self.weights)
        following = table.at(0)

        def necessary() -> int | None:
            if not 1 <= table.tokens <= 7 or table.obvious_play(following) is not None:
                return None
            card = promised(table, following, me)
            if card is not None:
                suit, rank = card.identity  # type: ignore[misc]
                own = table.obvious_play(me) or promised(table, me, me)
                helped = own is not None and table.piles[suit] == rank - 2 and (own.rank == rank - 1 or own.suit == suit)
                if table.playable((suit, rank)) or helped:
                    return None
            else:
                if any(table.known_useless(c.suit, c.rank) for c in table.hands[following]):
                    return None
                card = table.guess_discard(following, {following, me}, following)
                suit, rank = card.identity  # type: ignore[misc]
                if not (rank > table.piles[suit] and table.left((suit, rank)) == 1):
                    return None
            for module in ("good", "discard", "risky"):
                move = tips.discard(1) if module == "discard" else tips.play(module, 1)
                if move is not None:
                    return move
            return table.tell_unknown(0, card)

        def lay(card: Held | None, kind: str) -> int | None:
            return None if card is None else table.play(card) if kind == "play" else table.discard(card)

        useless = [card for card in table.hands[me] if table.known_useless(card.suit, card.rank)]
        modules = {
            1: necessary,
            2: lambda: lay(table.obvious_play(me), "play"),
            3: lambda: lay(promised(table, me, me), "play"),
            4: lambda: tips.play("good", table.n - 1),
            5: lambda: tips.discard(table.n - 1),
            6: lambda: tips.play("risky", table.n - 1),
            7: lambda: save(table),
            8: lambda: tips.play("information", table.n - 1),
            9: lambda: lay(useless[0] if useless else None, "discard"),
            10: lambda: lay(table.guess_discard(me, {me}, me), "discard"),
        }
        order = {0: [1, 2, 3, 9, 4, 5, 10], 1: [1, 2, 3, 4, 5, 9, 10], 2: [1, 2, 3, 4, 5, 9, 6, 7, 10], 3: [*range(1, 11)]}
        level = 0 if table.tokens < 3 else 1 if table.tokens < 6 else 2 if table.tokens < 8 else 3
        return next(move for number in order[level] if (move := modules[number]()) is not None)


def promised(table: Table, player: int, judge: int) -> Held | None:
    hidden = {player, judge}
    cards = [card for card in table.hands[player] if table.memory.get((player, card.slot)) == "P" and card.partly]
    waiting = {s for s in SUITS if table.piles[s] < 5 and table.unseen((s, table.piles[s] + 1), hidden, player) > 0}
    size, slack = (1, 0) if table.lives == 1 else (10, 2)
    n_open, chosen = 0, []
    for suit in SUITS:
        group = [card for card in cards if card.suit == suit]
        if 0 < len(group) <= size and suit in waiting:
            chosen, size, n_open = group, len(group), 1
    for rank in RANKS:
        group, fitting = [card for card in cards if card.rank == rank], [s for s in waiting if table.piles[s] + 1 == rank]
        if fitting and group and (len(group) < size or (len(group) == size and len(fitting) > n_open)):
            chosen, size, n_open = group, len(group), len(fitting)
    return chosen[0] if chosen and size <= n_open + slack else None


def next_play(table: Table, player: int) -> Held | None:
    return table.obvious_play(player) or promised(table, player, table.me)


def save(table: Table) -> int | None:
    def needs(card: Held) -> bool:
        assert card.identity is not None
        return not card.touched and table.left(card.identity) == 1 and card.identity[1] > max(table.piles) + 1

    found = None
    for d in range(1, table.n - 1):
        player = table.at(d)
        card = table.guess_discard(player, {player, table.me}, player)
        if needs(card):
            found = table.tell(d, rank=card.identity[1])  # type: ignore[index]
            if next_play(table, table.at(d - 1)):
                break
    if found is not None:
        return found
    lowest = 9
    for d in range(1, table.n - 1):
        cards = [card for card in table.hands[table.at(d)] if needs(card)]
        for card in cards:
            if card.identity[1] < lowest:  # type: ignore[index]
                lowest = card.identity[1]  # type: ignore[index]
                found = table.tell(d, rank=lowest)
        if cards and next_play(table, table.at(d - 1)):
            break
    return found


class Tips:
    def __init__(self, table: Table, weights: dict[str, tuple[float, ...]]):
        self.table, self.weights = table, weights

    def boards(self) -> list[list[int]]:
        table, board, found = self.table, list(self.table.piles), []
        for d in range(table.n - 1):
            found.append(list(board))
            card = next_play(table, table.at(d))
            if card is not None and card.identity and card.identity[1] == board[card.identity[0]] + 1:
                board[card.identity[0]] += 1
        return found

    def play(self, tip: str, reach: int) -> int | None:
        table = self.table
        if table.tokens < 2:
            return None
        least, double, penalty, distance, lower, inform, has, chain = self.weights[tip]
        others = [player for player in range(table.n) if player != table.me]
        mine = {card.known for card in table.hands[table.me] if card.revealed}
        marked = table.touched_in(others) | {card for card in mine if card[1] > table.piles[card[0]]}
        visible = {card.identity for player in others for card in table.hands[player]} | mine
        boards, following = self.boards(), table.at(0)
        info = promised(table, following, table.me) or table.guess_discard(following, {following, table.me}, following)
        best, best_total = None, -5.0
        for d, kind, value, news, action in table.hints(reach):
            is_info = d == 0 and getattr(info, kind) is None and info.identity[1 if kind == "rank" else 0] == value  # type: ignore[index]
            high = kind == "rank" and value > max(table.piles) + 1
            board, total, cursor = list(boards[d]), 0.0, boards[d][value] + 1 if kind == "suit" else 0
            for card in news:
                suit, rank = card.identity  # type: ignore[misc]
                meaning = table.memory.get((table.at(d), card.slot))
                ready = rank == board[suit] + 1
                is_chain = ready and rank <= 4 and (suit, rank + 1) in visible
                dup = not card.touched and card.identity in marked
                v = distance**d * lower ** (5 - rank)
                if card.touched and rank <= board[suit] + 1 and meaning == "P":
                    v *= double
                if is_chain:
                    v *= chain
                if dup:
                    v += penalty
                if is_info or high or meaning == "I":
                    v = inform * distance**d * lower ** (rank - 1)
                    if meaning == "I" and ready and not dup:
                        v = distance**d * lower ** (5 - rank)
                    if is_chain:
                        v *= chain
                elif not card.touched and (not ready if kind == "rank" else rank != cursor):
                    v += penalty
                if rank == cursor:
                    cursor += 1
                if kind == "rank" and v >= 0.95:
                    board[suit] += 1
                total += v
            if next_play(table, table.at(d)) and not is_info:
                total *= has
            if total > best_total:
                best, best_total = action, total
        return best if best_total >= least else None

    def discard(self, reach: int) -> int | None:
        table = self.table
        if table.tokens < 2:
            return None
        least, penalty, distance = self.weights["discard"]
        best, best_total = None, 0.0
        for d, kind, value, news, action in table.hints(reach):
            total = 0.0
            for card in news:
                suit, rank = (card.suit, value) if kind == "rank" else (value, card.rank)
                total += distance**d + (0.0 if table.known_useless(suit, rank) else penalty)
            if total > best_total:
                best, best_total = action, total
        return best if best is not None and best_total >= least else None
