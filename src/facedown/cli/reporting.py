"""`facedown paper` and `facedown bench`."""

from __future__ import annotations

from facedown.cli.output import console, print_json, progress_bar


def run_papers(names: list[str], full: bool, out: str | None, seed: int, json: bool) -> None:
    """Measure the claims of some documents; print the tables and write the page."""
    from facedown import papers

    with progress_bar("papers") as advance:
        found = papers.run(names, full=full, seed=seed, progress=advance)
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


def run_bench(games: list[str] | None, peers: bool, json: bool) -> None:
    """Measure speed; print the table."""
    from facedown import bench

    with progress_bar("bench") as advance:
        report = bench.run(games or None, peers=peers, progress=advance)
    if json:
        print_json(report.to_dict())
        return
    screen = console()
    for listing in bench.tables(report):
        screen.print(listing)
        screen.print()
