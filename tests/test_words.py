"""Words that readers stumbled over stay away. Tier: make test.

Each line of the list was found in what the kit said to a learner, with the word that replaced it.
Short on purpose: a word belongs here if it came back once, or would be written again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
READ = ("labkit", "docs", "notebooks", "README.md", "CONTRIBUTING.md")
# Runs as they were recorded, and a page that is drawn from them.
NOT_READ = ("labkit/recordings/", "docs/gallery.html")
KINDS = {".py", ".js", ".css", ".toml", ".md", ".ipynb", ".html", ".txt"}

UNIT = r"(?:ms|us|µs|kB|MB|GB|bytes|ops|seconds|files|traces)"
FIGURE = r"\{[^{}\n]+\}"  # a figure that an f-string puts in

BETTER: dict[str, str] = {
    # "3 x 4 weights" is a size; a ratio has no number before it.
    rf"(?<![\d}}] )(?<![\w*+/-])x (?:\d+(?:\.\d+)?(?![\w])|{FIGURE})": "a ratio is written 4.7x",
    rf"(?:\b{UNIT}|[\"'}}]) a step\b(?! (?:takes|may|that|needs|sends))": "per step",
    r"\b95 % (?:\d|\{)": "95 % CI",
    r"\bdear(?:er|est)?\b": "expensive",
    r"(?i)\bfreed of\b": "corrected for",
    r"\bbook(?:s|ed)? (?:on|the|its|their)\b|\b(?:is|was|are|be) booked\b": "attributed to",
    r"(?i)\bchoke ?points?\b": "patched function",
    r"\btoll\b": "cost of contention",
    r"\b(?:sing|sings|sang|sung|songs?)\b": "run, time (of the canary)",
    r"\bat none of the (?:measured )?places\b": "outside the instrumented code",
    r"\bas far as (?:one can|this machine) tells?\b": "no reliable change",
    r"\brare giant steps?\b": "outlier steps",
    r"\bof all time\b": "of the time",
    r"(?<!-)\b[Mm]end(?:s|ing)?\b": "repair",
    r"\bcounted too seldom\b": "too few samples",
    r"\bsurer than you were\b": "overconfident",
    r"(?<![Tt]here )\bis no (?:path|number|loop|JSON|UTF-8|speed|answer)\b": "is not a ...",
}


def read_files(root: Path = ROOT) -> list[Path]:
    """Return the files whose text a reader may meet."""
    found = (path for name in READ for path in (root / name, *(root / name).rglob("*")))
    return [
        path
        for path in found
        if path.suffix in KINDS
        and path.is_file()
        and not path.relative_to(root).as_posix().startswith(NOT_READ)
    ]


def stumbles(path: Path, root: Path = ROOT) -> Iterator[str]:
    """Yield ``file, line 3: 'x 4.7'; better: a ratio is written 4.7x`` for each old word."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for pattern, better in BETTER.items():
            if found := re.search(pattern, line):
                name = path.relative_to(root)
                yield f"{name}, line {number}: {found.group()!r}; better: {better}"


def test_no_old_word_has_come_back() -> None:
    found = [each for path in read_files() for each in stumbles(path)]
    assert not found, "\n".join(found)


def test_what_learners_read_is_looked_at() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in read_files()}
    assert {
        "README.md", "labkit/show/verdict/verdict_words.py", "labkit/show/chart.js",
        "docs/diagnose.md",
        "notebooks/00_read_the_curve.ipynb", "labkit/course/lessons/garbage.toml",
    } <= names  # fmt: skip
    assert not [name for name in names if name.startswith(NOT_READ)]


@pytest.mark.parametrize(
    "planted",
    [
        "slowdown (x 4.7)", 'f"x {ratio:.2f}"', "ops x 3, later", "5 ms a step", 'f"{unit} a step"',
        "95 % 2.6-3.0", "95 % {low}", "a dear step", "Freed of it", "was booked on it",
        "books the growth", "a choke point", "the canary sings", "at none of the measured places",
        "flat as far as one can tell", "1 rare giant step", "34 % of all time", "what mends it",
        "'a' is no number",
    ],
)  # fmt: skip
def test_a_planted_word_is_found_with_file_line_and_a_better_one(
    planted: str, tmp_path: Path
) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"fine\n{planted}\n")
    (line,) = stumbles(page, tmp_path)
    assert line.startswith("page.md, line 2: ") and "; better: " in line


@pytest.mark.parametrize(
    "fine",
    [
        "weights of 256 x 64 numbers", "{rows} x {columns}", "for x in range(3)", "x = 3",
        "a step takes 5 ms", "of all times", "once a week", "his dearly", "single steps", "4.7x",
        "5 ms per step", "95 % CI 2.6-3.0", "at 95 % of it", "ordering books", "the answer is no",
        "there is no path",
    ],
)  # fmt: skip
def test_good_words_pass(fine: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(fine)
    assert not list(stumbles(page, tmp_path))
