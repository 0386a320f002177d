"""Can't Stop on small boards, solved slowly: positions as tuples, throws as dice, value iteration in plain Python.

A position is who is to move, the markers of everybody by column, the runners as (column, space), and the dice on the table or
none. Columns are numbered by their sums; a marker on the top has won its column.
"""

from __future__ import annotations

from itertools import product

from naive.positions import Moves, Position, SlowGame

Board = tuple[int, ...]


def slow_cant_stop(players: int, sides: int, shortest: int, columns: int) -> SlowGame:
    """One player counts turns, negated; of two, player 0 scores 1 for a win."""
    sums = range(2, 2 * sides + 1)
    height = {total: shortest + 2 * min(total - 2, 2 * sides - total) for total in sums}
    throws = list(product(range(1, sides + 1), repeat=4))

    def won(board: Board) -> int:
        return sum(space == height[total] for total, space in zip(sums, board, strict=True))

    def mover(position: Position) -> int | None:
        player, boards = position[:2]
        return None if any(won(board) >= columns for board in boards) else player  # type: ignore

    def ways(position: Position, dice: tuple[int, ...]) -> set[tuple[tuple[int, int], ...]]:
        """The runners after each thing that can be done with four dice."""
        player, boards, runners, _ = position
        closed = {total for board in boards for total, space in zip(sums, board, strict=True) if space == height[total]}  # type: ignore

        def moved(out: dict[int, int], total: int) -> dict[int, int] | None:
            if total in closed or out.get(total) == height[total] or (total not in out and len(out) == 3):
                return None
            return {**out, total: out.get(total, boards[player][total - 2]) + 1}  # type: ignore

        found = set()
        for one, two, three, four in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)):
            pair = (dice[one] + dice[two], dice[three] + dice[four])
            first = [moved(dict(runners), total) for total in pair]  # type: ignore
            both = [moved(out, other) for out, other in zip(first, pair[::-1], strict=True) if out is not None]
            whole = [out for out in both if out is not None]
            # a double on the last space moves once; else one sum alone only where both together are not possible
            for out in whole or [out for out in first if out is not None]:
                found.add(tuple(sorted(out.items())))
        return found

    def next_turn(position: Position, boards: tuple[Board, ...]) -> Position:
        return ((position[0] + 1) % players, boards, (), None)  # type: ignore

    def moves(position: Position) -> Moves:
        player, boards, runners, dice = position
        if dice is not None:
            return [[(1.0, (player, boards, out, None), 0.0)] for out in sorted(ways(position, dice))]  # type: ignore
        a_turn = -1.0 if players == 1 else 0.0
        rolled = []
        for throw in throws:
            playable = bool(ways(position, throw))
            after = (player, boards, runners, throw) if playable else next_turn(position, boards)  # type: ignore
            rolled.append((1 / len(throws), after, 0.0 if playable else a_turn))
        if not runners:
            return [rolled]
        banked = [list(board) for board in boards]  # type: ignore
        for total, space in runners:  # type: ignore
            banked[player][total - 2] = space  # type: ignore
            if space == height[total]:
                for other, board in enumerate(banked):
                    if other != player:
                        board[total - 2] = 0
        return [[(1.0, next_turn(position, tuple(map(tuple, banked))), a_turn)], rolled]

    def score(position: Position) -> float:
        return 0.0 if players == 1 else float(won(position[1][0]) >= columns)  # type: ignore

    empty = tuple((0,) * len(sums) for _ in range(players))
    return SlowGame((0, empty, (), None), mover, moves, score)
