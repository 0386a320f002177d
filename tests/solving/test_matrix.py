"""Matrix games: known equilibria, and on random tables what defines one: nobody can do better by any single row or column."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.errors import UsageError
from facedown.solving.matrix import solve_matrix


@pytest.mark.parametrize(
    ("payoffs", "rows", "columns", "value"),
    [
        ([[1, -1], [-1, 1]], (0.5, 0.5), (0.5, 0.5), 0.0),  # matching pennies
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], (1 / 3,) * 3, (1 / 3,) * 3, 0.0),
        ([[0, -1, 2], [1, 0, -1], [-2, 1, 0]], (0.25, 0.5, 0.25), (0.25, 0.5, 0.25), 0.0),  # rock wins double
        ([[3, -1], [-2, 1]], (3 / 7, 4 / 7), (2 / 7, 5 / 7), 1 / 7),  # by indifference, by hand
        ([[4, 2], [3, 1]], (1.0, 0.0), (0.0, 1.0), 2.0),  # a saddle point
        ([[7.5]], (1.0,), (1.0,), 7.5),
    ],
)
def test_known_equilibria(
    payoffs: list[list[float]], rows: tuple[float, ...], columns: tuple[float, ...], value: float
) -> None:
    found = solve_matrix(payoffs)
    assert found.rows == pytest.approx(rows, abs=1e-9)
    assert found.columns == pytest.approx(columns, abs=1e-9)
    assert found.value == pytest.approx(value, abs=1e-9)


def test_nobody_can_do_better_on_random_tables() -> None:
    generator = np.random.default_rng(1)
    for _ in range(50):
        table = generator.normal(size=generator.integers(1, 8, 2))
        found = solve_matrix(table)
        assert sum(found.rows) == pytest.approx(1) and sum(found.columns) == pytest.approx(1)
        assert min(*found.rows, *found.columns) >= 0
        assert (np.array(found.rows) @ table).min() == pytest.approx(found.value, abs=1e-9)
        assert (table @ np.array(found.columns)).max() == pytest.approx(found.value, abs=1e-9)


@pytest.mark.parametrize("payoffs", [[], [[]], [1, 2], [[1, float("nan")]]])
def test_what_is_no_table_is_refused(payoffs: object) -> None:
    with pytest.raises(UsageError, match="a matrix game is a table of finite numbers"):
        solve_matrix(payoffs)
