"""Agents for Hanabi, slowly: written from the description of the thesis' program, with dictionaries of cards and no tables.

`smart_cheater`, `distrustful` and `Trustful` choose a move from what one player sees, a `Table`.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from naive.hanabi_table import RANKS, SUITS, Held, Table

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
