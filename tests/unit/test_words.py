"""Tests of the wording of documents, docstrings and messages: the table names the better word for each phrase."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "keepclear"

WORDS = (
    (r"(is|are|was|were|be|been|being) told", "is reported, is given"),
    (r"told apart", "distinguished"),
    (r"(tell|tells|telling|told) of", "reports, describes"),
    (r"nobody|whoever|somebody|anybody|everybody", "name the caller, the user, the member ..."),
    (r"look(s|ed|ing)? at", "check, query, sample"),
    (r"evenly", "linearly, at constant speed, equally spaced"),
    (r"(?<!not )designated", "selected"),
    (
        r"of (its|their|your|one's) own(?= (and|at|by|for|in|or|that|with)\b|[^\w\s]|$)",
        "separate, its own ..., or say which",
    ),
    (r"news", "measurements"),
    (r"comes? again", "is reused"),
    (r"seen from", "relative to, viewed from"),
    (r"mistakes?(?!:)", "errors"),
    (r"(by|of) chance", "random, at random"),
    (r"anew", "again"),
    (r"go(es)? unseen", "is missed"),
    (r"shortest way round", "by the smaller angle"),
    (r"course of the distance", "distance over time"),
    (r"whose it is", "say which"),
    (r"(is|are) so to 1e-\d+", "holds to within 1e-..."),
    (r"(turning|sliding) joints?", "revolute joint, prismatic joint"),
    (r"all the while", "throughout, during the whole interval"),
    (r"all in all", "in total, the sum is"),
    (r"(take|takes|took|taking) the place of|in the place of", "replace, instead of"),
    (r"what of (a|an|the|it)", "the part of the ... that"),
    (r"what (is|was) left out", "say which: removed points, skipped pairs ..."),
    (r"of like size", "of similar size"),
    (r"near(er)? to each other", "close together, closer together"),
    (r"both ways round", "in both directions, in both roles"),
    (r"turned over", "flipped, reversed"),
    (r"frames of late", "recent frames"),
    (
        r"(bodies|bounds|boxes|spheres|surfaces|triangles) (that|which) (do not )?meet",
        "that touch, that intersect",
    ),
    (r"parts? (the|two) (bodies|bounds|spheres)|have parted", "separates, have separated"),
    (r"(is|are) let pass", "is ignored"),
    (r"(is|are) walked on", "is searched by hill climbing"),
    (r"as (it|they) likes?", "say what is allowed"),
    (r"who (comes|goes|overlaps|is probed)", "a sphere that, a member that"),
    (r"so many (is|are) the", "at most n ..., with the subject first"),
    (r"answered either way", "may get either verdict"),
    (r"either way round", "in either direction"),
    (r"damaged(,| or) cut off|cut off or damaged", "truncated"),
    (r"farthest to go", "that travels farthest"),
    (r"called by (its|their) names?", "given by its name"),
    (r"move(s)? by itself", "is independent (of a joint)"),
    (r"round in a circle", "in a loop"),
    (r"a user's own class", "user-defined"),
    (r"wholly", "entirely"),
    (r"of no concern", "ignored"),
    (r"to mend", "to fix"),
    (r"if not said", "default: ..."),
    (r"makes? no sense", "is invalid"),
    (r"whatever a foreign", "any error of a user-defined ..."),
    (r"a stranger", "another user"),
    (r"at (its|the public) door", "as public arguments"),
    (r"takes? note", "records"),
    (r"lets? go of", "discards, releases"),
    (r"as (it|they) (was|were) given", "as given by the user, unchanged"),
    (r"what was said", "the rules, the options"),
    (r"(from|until) when( on)?", "the time from which, the time until which"),
    (r"more than covers", "an upper bound of"),
    (r"(page|file) (that|which) needs nothing else", "self-contained page"),
    (r"what it took", "the computing effort"),
    (r"how far off", "the error of"),
    (r"as kernels read (it|them)", "in the form of kernels"),
)
"""Phrases that are always wrong in our prose, as regular expressions, and what to write instead.

`Cell.mistakes` is a name, and "not designated" a word of the JSON of reports: neither is prose.
"""

PAGES_LEFT_OUT: dict[str, str] = {}
"""Pages that are not checked, and why."""

_PATTERN = re.compile(
    "|".join(rf"\b(?P<w{k}>{phrase})\b" for k, (phrase, _) in enumerate(WORDS)), re.IGNORECASE
)
_CODE = re.compile(r"`[^`]*`")


def flattened(text: str) -> tuple[str, list[int]]:
    """Return a text with single spaces between the words of a paragraph, and for each character its line from 0."""
    flat: list[str] = []
    lines: list[int] = []
    line = 0
    for part in re.findall(r"\s+|\S+", text):
        n = part.count("\n")
        shown = ("\n" if n > 1 else " ") if part.isspace() else part
        flat.append(shown)
        lines += [line] * len(shown)
        line += n
    return "".join(flat), lines


def complaints(text: str, file: str, first_line: int = 1) -> Iterator[str]:
    """Give `file:line: phrase: better word` for each phrase of the table outside of code in backticks.

    A phrase may be wrapped over two lines of a paragraph; the line is that of its first word.
    """
    prose, lines = flattened(_CODE.sub(lambda code: re.sub(r"\S", "`", code.group()), text))
    for match in _PATTERN.finditer(prose):
        better = WORDS[int(str(match.lastgroup)[1:])][1]
        yield f"{file}:{first_line + lines[match.start()]}: {match.group()!r}: write {better}"


def without_fences(text: str) -> str:
    """Return a Markdown text with its fenced blocks of code empty, its lines at their numbers."""
    lines, is_code = [], False
    for line in text.split("\n"):
        is_fence = line.lstrip().startswith("```")
        is_code ^= is_fence
        lines.append("" if is_code or is_fence else line)
    return "\n".join(lines)


def texts_of(source: str) -> Iterator[tuple[int, str]]:
    """Give the line and the text of each string in a module, docstrings and parts of f-strings included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.lineno, node.value


PAGES = sorted(str(page.relative_to(ROOT)) for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")))


@pytest.mark.parametrize("page", [page for page in PAGES if page not in PAGES_LEFT_OUT])
def test_pages_use_the_words_of_the_field(page: str) -> None:
    found = list(complaints(without_fences((ROOT / page).read_text()), page))
    assert not found, "\n".join(found)


def test_docstrings_and_messages_use_the_words_of_the_field() -> None:
    found: list[str] = []
    for path in sorted(SOURCES.rglob("*.py")):
        for line, text in texts_of(path.read_text()):
            found += complaints(text, str(path.relative_to(ROOT)), line)
    assert not found, "\n".join(found)


def test_pages_that_are_left_out_exist() -> None:
    assert set(PAGES_LEFT_OUT) <= set(PAGES)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The joint moves Evenly.", ["a.md:1: 'Evenly': write linearly, at constant speed, equally spaced"]),
        ("One\ntwo by chance", ["a.md:2: 'by chance': write random, at random"]),
        ("`cell.mistakes` of the newspaper", []),
        ("unevenly, misled", []),
        ("What of the\nball is outside", ["a.md:1: 'What of the': write the part of the ... that"]),
        ("Surfaces that meet", ["a.md:1: 'Surfaces that meet': write that touch, that intersect"]),
        ("Frames\nof\n  late", ["a.md:1: 'Frames of late': write recent frames"]),
        ("One\n\n- two frames\n  of late", ["a.md:3: 'frames of late': write recent frames"]),
        ("All frames\n\nof late; frames `x` of late; not\ndesignated", []),
        ("somewhat of a problem; it parts the sea; boxes that meet_here", []),
    ],
)
def test_complaints_name_the_line_and_the_better_word(text: str, expected: list[str]) -> None:
    assert list(complaints(text, "a.md")) == expected


def test_code_is_not_checked() -> None:
    assert not list(complaints(without_fences("```python\nmistakes = 1\n```\nfine"), "a.md"))
    assert sorted(line for line, _ in texts_of('x = f"{y} so"\n"""a"""')) == [1, 2]
