"""The page: complete, whole by itself, well formed, safe to write over; and the tables on the terminal."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console

from facedown import papers
from facedown.errors import FacedownError
from facedown.papers import report
from facedown.papers.documents import Paper
from facedown.papers.report import PAGE, page
from facedown.papers.runs import PaperRun


class Page(HTMLParser):
    """Reads a page, and notes what the tests ask for."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._note(tag, attrs)

    def _note(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags[tag] += 1
        self.attributes.append((tag, found))
        if found.get("id"):
            self.ids[str(found["id"])] += 1
        self.links += [str(found[name]) for name in ("href", "src", "srcset", "xlink:href", "action", "data") if name in found]

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> ends <{self.open[-1] if self.open else 'nothing'}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).replace("\xa0", " ").split())


@pytest.fixture(scope="module")
def tiny_page(tiny_run: PaperRun) -> str:
    return page(tiny_run)


@pytest.fixture
def made_up_run(made_up: Paper, monkeypatch: pytest.MonkeyPatch) -> PaperRun:
    monkeypatch.setattr("facedown.papers.runs.papers", lambda names: (made_up,))
    return papers.run("made-up", profile="tiny", seed=7)


def test_every_claim_is_on_the_page(tiny_run: PaperRun, tiny_page: str) -> None:
    found = Page(tiny_page)
    for judged in tiny_run.claims:
        claim, percent = judged.claim, judged.claim.published.percent
        assert found.ids[claim.id] == 1
        parts = [claim.where, claim.says, claim.published.text, str(judged.verdict), judged.sentence, judged.figure.repeat]
        parts += [judged.figure.with_error(percent), judged.figure.effort]
        for reading in judged.readings:
            parts += [reading.reading.text[1:], reading.figure.with_error(percent), reading.figure.repeat]
        for part in parts:
            assert " ".join(part.split()) in found.text, claim.id
    for paper in tiny_run.papers:
        assert paper.paper.citation in found.text
        assert all(" ".join(drawing.caption.split()) in found.text for _, drawing in paper.drawings)


def test_the_page_needs_nothing_else(tiny_page: str) -> None:
    found = Page(tiny_page)
    names = set(found.ids)
    assert found.links and all(link.startswith("#") and link[1:] in names for link in found.links)
    assert not found.tags.keys() & {"script", "link", "img", "iframe", "object", "embed", "image"}
    assert "://" not in tiny_page and "@import" not in tiny_page
    assert all(target.startswith("#") and target[1:] in names for target in re.findall(r"url\(([^)]*)\)", tiny_page))


def test_the_page_is_well_formed(tiny_page: str) -> None:
    found = Page(tiny_page)
    assert found.open == []
    assert max(found.ids.values()) == 1


def test_pictures_say_what_they_show_and_tables_have_headers(tiny_run: PaperRun, tiny_page: str) -> None:
    found = Page(tiny_page)
    pictures = [attributes for tag, attributes in found.attributes if tag == "svg"]
    assert len(pictures) == sum(len(paper.paper.plots) for paper in tiny_run.papers) >= 12
    passages = [attributes for tag, attributes in found.attributes if attributes.get("class") == "passage"]
    assert len(passages) == sum(len(paper.paper.passages) for paper in tiny_run.papers) >= 3
    assert all(picture["role"] == "img" and len(picture["aria-label"] or "") > 40 for picture in pictures)
    heads = Counter(attributes.get("scope") for tag, attributes in found.attributes if tag == "th")
    assert heads == {"col": 4 * len(tiny_run.papers), "row": len(tiny_run.claims)}
    assert found.tags["caption"] == found.tags["table"] == len(tiny_run.papers)
    assert dict(found.attributes)["html"] == {"lang": "en"}


def test_pictures_take_the_colours_of_the_page(tiny_page: str) -> None:
    assert "#01020" not in tiny_page  # the stand-ins that are drawn with
    used = set(re.findall(r"var\((--[a-z]+)\)", tiny_page))
    light = tiny_page[: tiny_page.index("prefers-color-scheme")]
    assert used and all(f"{name}:" in light for name in used - {"--tone"})


@pytest.mark.slow
def test_the_same_run_writes_the_same_page(tiny_run: PaperRun, tiny_page: str) -> None:
    assert page(tiny_run) == tiny_page


def test_words_are_words_on_the_page_whatever_is_in_them(made_up_run: PaperRun) -> None:
    text = page(made_up_run)
    found = Page(text)
    assert found.open == [] and max(found.ids.values()) == 1
    assert "It is <b>said</b> that 70 % & more win." in found.text
    assert "<up>" not in text and "<nothing>" not in text and "<nowhere>" not in text
    assert [attributes["aria-label"] for tag, attributes in found.attributes if tag == "svg"] == ['A "line"'] * 2


def test_writing_makes_the_directory_and_leaves_one_file(made_up_run: PaperRun, tmp_path: Path) -> None:
    written = made_up_run.write(tmp_path / "new" / "report")
    assert written == tmp_path / "new" / "report" / PAGE
    assert [file.name for file in written.parent.iterdir()] == [PAGE]
    assert written.read_text(encoding="utf-8") == page(made_up_run)
    assert written.stat().st_mode & 0o777 == 0o644
    assert made_up_run.write(str(written.parent)) == written  # again, over the first


@pytest.mark.parametrize("trouble", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_page_whole(
    made_up_run: PaperRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: BaseException
) -> None:
    (tmp_path / PAGE).write_text("the old page")

    def fail(self: Path, target: Path) -> None:
        assert Path(target).read_text() == "the old page"  # nothing is written over before the end
        raise trouble

    monkeypatch.setattr(Path, "replace", fail)
    expected = FacedownError if isinstance(trouble, OSError) else KeyboardInterrupt
    with pytest.raises(expected):
        made_up_run.write(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [PAGE]
    assert (tmp_path / PAGE).read_text() == "the old page"


def test_a_place_that_cannot_be_written_is_named(made_up_run: PaperRun, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    with pytest.raises(FacedownError, match=r"cannot write the page to .*file/index\.html: .*directory"):
        made_up_run.write(tmp_path / "file")


@pytest.mark.parametrize("width", [40, 80, 160])
def test_tables_fit_any_terminal(tiny_run: PaperRun, width: int) -> None:
    screen = Console(width=width)
    with screen.capture() as captured:
        for listing in papers.tables(tiny_run):
            screen.print(listing)
    assert max(map(len, captured.get().splitlines())) <= width


def test_tables_show_every_claim(tiny_run: PaperRun) -> None:
    screen = Console(width=400)
    with screen.capture() as captured:
        for listing in papers.tables(tiny_run):
            screen.print(listing, soft_wrap=False)
    shown = captured.get()
    for judged in tiny_run.claims:
        line = next(line for line in shown.splitlines() if line.startswith(f"{judged.claim.id} "))
        percent = judged.claim.published.percent
        for part in (judged.claim.published.text, judged.figure.with_error(percent), str(judged.verdict), judged.claim.says):
            assert part in line
        assert judged.figure.repeat in shown
        assert all(reading.figure.with_error(percent) in shown for reading in judged.readings)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in tiny_run.summary.items())
    assert f"{len(tiny_run.claims)} claims: {counts}." in shown


def test_sentences_are_folded_by_the_page_and_tables_stay_as_they_are() -> None:
    sentence, row, command = "One word & more ends.", "name  12.3  14.5\nmore   1.2   3.4", "facedown match kuhn first first"
    found = Page(report._blocks(f"{row}\n\n{sentence}\n{sentence}\n{command}"))
    kinds = [(tag, attributes.get("class")) for tag, attributes in found.attributes]
    assert kinds == [("pre", "rows"), ("p", None), ("p", None), ("pre", "commands")]
    assert found.words == [row, sentence, sentence, command]


def test_rows_wider_than_the_page_are_folded() -> None:
    position = "The line: " + "0-1 " * 40
    found = Page(report._blocks(f"  {position}  play 0-1   5.00%  play 1-1  95.00%"))
    assert found.tags == {"dl": 1, "dt": 1, "dd": 1}
    assert found.words == [position.strip(), "play 0-1 5.00%, play 1-1 95.00%"]


def test_the_page_begins_with_links_to_all_of_its_sections(tiny_run: PaperRun, tiny_page: str) -> None:
    links = Page(tiny_page[: tiny_page.index("</nav>")] + "</nav></header></body></html>").links
    for judged in tiny_run.papers:
        parts = [*judged.paper.plots, *judged.paper.passages]
        wanted = [judged.paper.name, f"{judged.paper.name}-claims", *(part.id for part in parts)]
        assert {f"#{name}" for name in wanted} <= set(links)


def test_plots_stand_beside_what_they_belong_to(tiny_run: PaperRun, tiny_page: str) -> None:
    for judged in tiny_run.papers:
        assert judged.paper.beside
        starts = sorted(tiny_page.index(f'id="{name}"') for name in (c.claim.id for c in judged.claims))
        for plot, place in judged.paper.beside.items():
            begin, figure = tiny_page.index(f'id="{place}"'), tiny_page.index(f'<figure id="{plot}"')
            assert begin < figure
            assert not [start for start in starts if begin < start < figure], f"claims between {place} and {plot}"
    racing = tiny_page.index('id="racing-claims"')
    assert racing < tiny_page.index('<figure id="race-errors"') < tiny_page.index("</table>", racing)


def test_a_plot_beside_nothing_is_refused(made_up: Paper) -> None:
    with pytest.raises(FacedownError, match="wants the plot 'a-line' beside 'nowhere', and does not have both"):
        dataclasses.replace(made_up, beside={"a-line": "nowhere"})


def test_wide_things_can_be_scrolled(tiny_run: PaperRun, tiny_page: str) -> None:
    tables = [place.start() for place in re.finditer("<table", tiny_page)]
    wrapped = [place.end() for place in re.finditer('<div class="scroll" tabindex="0">\n', tiny_page)]
    assert tables == wrapped and len(tables) == len(tiny_run.papers)
    assert ".scroll { overflow-x: auto; }" in tiny_page and "overflow-x: auto; }" in tiny_page.partition("\npre {")[2]
