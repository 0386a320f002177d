"""Beating Can't Stop: exact answers to its questions 1 to 4, its tables of played games, and a league of all agents."""

from __future__ import annotations

from facedown.papers.cant_stop import boards, questions, results
from facedown.papers.documents import Paper

PAPER = Paper(
    name=questions.NAME,
    title="Can't Stop: when to stop, and who does it best",
    citation=(
        "Beating Can't Stop: answers to a course project on optimisation, in French, without a date. References: M. Keller, A "
        "rule of 28, World Game Review 6, 1986; J. Glenn & C. Aloi, A generalized heuristic for Can't Stop, FLAIRS 2009; J. "
        "Glenn, H. Fang & C. Kruskal, A retrograde approximation algorithm for one-player Can't Stop, 2007."
    ),
    about=(
        "The document asks when to stop: with one column (1), with a goal (2), with three columns (3, 4), and plays heuristics "
        "alone (5), against one player (6) and against several (7, 8). Questions 1 to 3 have rational answers, which are given "
        "as such; question 4 is solved for all 165 triples. Games are played by the rules of the published game. The document "
        "prints the best of its runs of 1000 games; the standard errors that such runs have are counted as its own."
    ),
    claims=(*questions.CLAIMS, *results.CLAIMS),
    plots=(*questions.PLOTS, *results.PLOTS),
    passages=(*questions.PASSAGES, *results.PASSAGES, *boards.PASSAGES),
    beside={"q2-policies": "q2-second-method", "q4-triples": "triples", "solitaire-turns": "solitaire"},
    seconds=(25, 900),
)
