"""Jarząbek & Leja 2020: eleven agents for Hanabi. Their table of scores and the mixed teams as claims.

The figures, and the claims made of them, stand in `results.py`; plots and the table with all cells in `figures.py`; what
goes beyond the source in `beyond.py`, and the league with published figures of others in `league.py`.
"""

from __future__ import annotations

from facedown.papers.documents import Paper
from facedown.papers.hanabi_2020 import beyond, figures, league, results

PAPER = Paper(
    name=results.PAPER_NAME,
    title="Hanabi: promises, trust and learning",
    citation=(
        "W. Jarząbek, J. Leja: Badanie gier kooperacyjnych z niepełną informacją na przykładzie gry “Hanabi” (A study on "
        "cooperative games with incomplete information based on the game of “Hanabi”). Engineering thesis, University of "
        "Wrocław, 2020."
    ),
    about=(
        "The thesis builds eleven agents for Hanabi, from ones that look at their own cards to ones that promise, that were "
        "fitted and that learn, and prints mean and deviation of 1000 games for each with two to five players, the games "
        "that were won, and the results of some mixed teams. Its program differs from its text in places; the agents here "
        "follow the program, with the rules that it plays by (rules=thesis). The tables of its learning agents were not "
        "kept: ours were learnt anew. Four passages go beyond it: a partner that adapts, weights tuned further, the league of "
        "all agents with published figures of other programs, and everybody beside everybody."
    ),
    claims=results.CLAIMS + league.CLAIMS,
    plots=figures.PLOTS + beyond.PLOTS,
    passages=figures.PASSAGES + beyond.PASSAGES + league.PASSAGES,
    beside={
        "hanabi-plot-scores": "hanabi-cheater-2",
        "hanabi-plot-learning": "hanabi-reinforced2-2",
        "hanabi-plot-tuning": "hanabi-beyond-weights",
    },
    seconds=(12, 1200),
)
