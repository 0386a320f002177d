"""`facedown paper`."""

from __future__ import annotations

from typing import Annotated

import typer

from facedown.cli.options import Cluster, Json
from facedown.cli.output import console, print_json, progress_bar, show_table
from facedown.errors import UsageError
from facedown.forecast import duration
from facedown.inputs import LARGEST_SEED


def paper(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME...|all]", help="Which documents; lists them if not given.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="The documents' own sample sizes or more.")] = False,
    out: Annotated[str | None, typer.Option(metavar="DIR", help="Write an HTML page with tables and plots there.")] = None,
    seed: Annotated[int, typer.Option(min=0, max=LARGEST_SEED, metavar="N", help="For other samples.")] = 1,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Measure published figures again and show them beside ours."""
    if not names:
        if full or out:
            raise UsageError("no paper is named: name some, or all; a bare `facedown paper` lists them")
        _list_papers(json)
        return
    from facedown import papers
    from facedown.arena.cluster import cluster as workers

    with workers(cluster) as executor, progress_bar("papers") as show:
        found = papers.run(names, full=full, seed=seed, progress=show, executor=executor)
    page = found.write(out) if out else None
    if json:
        print_json(found.to_dict())
        return
    screen = console()
    for listing in papers.tables(found):
        screen.print(listing)
        screen.print()
    if page:
        screen.print(f"The page with tables and plots: {page}", soft_wrap=True)


def _list_papers(json: bool) -> None:
    """The documents, where they come from, and how long each takes."""
    from facedown import papers

    known = [papers.paper(name) for name in papers.names()]
    if json:
        print_json({"schema": "facedown.papers/1", "papers": [paper.to_dict() for paper in known]})
        return
    rows = []
    for paper in known:
        about = (duration(seconds) if seconds else "unknown" for seconds in paper.seconds)
        rows.append((paper.name, f"{paper.title}\n{paper.citation}\n", *about))
    show_table("Papers", ("name", "title and source", "quick", "full"), rows, ("quick", "full"))
    console().print(
        "About so long on two idle cores. Measure with: facedown paper NAME [--full] [--out DIR]; all of them with: all"
    )
