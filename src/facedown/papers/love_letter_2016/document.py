"""Malarczyk 2016: algorithms for Love Letter. Its counts and worked examples as claims, and the results it never printed.

Chapter 5 of the thesis, 'Rezultaty' (results), has four headings and nothing below them: time for 1000 games, statistics
of wins, how far the algorithms agree, conclusions. These are the passages and plots here, with what section 4.1 wants to
be reported. The matches stand in `results.py`, tables and conclusions in `text.py`, plots in
`figures.py`; claims in `claims.py` and `position_claims.py`, and how they are measured in
`examples.py`.
"""

from __future__ import annotations

from facedown.papers.documents import Paper
from facedown.papers.love_letter_2016 import claims, examples, figures, text

PAPER = Paper(
    name=examples.PAPER_NAME,
    title="Love Letter: the results that were never printed",
    citation=(
        "D. Malarczyk: Analiza i porównanie wybranych algorytmów dla gry karcianej (Analysis and comparison of selected "
        "algorithms for the card game). Master's thesis, AGH University of Science and Technology, Kraków, 2016."
    ),
    about=(
        "The thesis describes four algorithms for Love Letter with two players (its introduction promises three): random, "
        "greedy, minmax and mcts. It works out two positions by hand, with a deck of four Guards. The chapter with the "
        "results has headings and no text, so there is nothing to compare ours with: they are given in full, in the order of "
        "those headings. To the four algorithms we add greedy with a memory, called careful, and a search that reads the "
        "other player's plays, called belief. Both searches let careful play beyond the tree, where the thesis plays at "
        "random; the slips of its pseudocode, which never counts a simulation that ends in the tree, are mended."
    ),
    claims=claims.CLAIMS,
    plots=figures.PLOTS,
    passages=text.PASSAGES,
    beside={
        "letter-plot-ends": "letter-ends",
        "letter-plot-turns": "letter-turns",
        "letter-plot-league": "letter-league",
        "letter-plot-agreement": "letter-agreement",
    },
    seconds=(40, 420),
)
