"""Matrix games: both players choose a row or a column at once, and what one wins the other loses; solved by linear programmes.

The row player mixes its rows by x so that the least that any column leaves it is as large as possible (von Neumann 1928;
Dantzig 1951 on the programme):

    maximise v    where    sum_i x_i A_ij >= v for every column j,    sum_i x_i = 1,    x >= 0

and the column player does the same with the roles exchanged. Both programmes have the same value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.errors import FacedownError, UsageError

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class MatrixSolution:
    """An equilibrium: how often each row and each column is chosen, and what the row player wins on average."""

    rows: tuple[float, ...]
    columns: tuple[float, ...]
    value: float


def solve_matrix(payoffs: Any) -> MatrixSolution:
    """An equilibrium of the game in which the row player wins what stands in the matrix; there may be others.

    >>> solution = solve_matrix([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])  # rock wins double
    >>> [round(share, 6) for share in solution.rows], round(solution.value, 6) + 0.0  # rounding may leave a minus
    ([0.25, 0.5, 0.25], 0.0)
    """
    matrix = np.asarray(payoffs, float)
    if matrix.ndim != 2 or not matrix.size or not np.isfinite(matrix).all():
        raise UsageError("a matrix game is a table of finite numbers, with a row and a column at least")
    rows, value = _best_mixture(matrix)
    columns, _ = _best_mixture(-matrix.T)
    return MatrixSolution(tuple(rows.tolist()), tuple(columns.tolist()), value)


def _best_mixture(matrix: Array) -> tuple[Array, float]:
    """The mixture of rows that leaves the most, and how much."""
    from scipy.optimize import linprog

    n_rows, n_columns = matrix.shape
    found = linprog(
        c=np.append(np.zeros(n_rows), -1.0),
        A_ub=np.hstack([-matrix.T, np.ones((n_columns, 1))]),
        b_ub=np.zeros(n_columns),
        A_eq=np.append(np.ones(n_rows), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0.0, None)] * n_rows + [(None, None)],
    )
    if found.status != 0 or found.x is None:
        raise FacedownError(f"the equilibrium of a matrix of {n_rows} by {n_columns} was not found: {found.message}")
    mixture = np.maximum(found.x[:n_rows], 0.0)
    return mixture / mixture.sum(), float(found.x[n_rows])
