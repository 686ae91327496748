"""Lessons broken on purpose: which notebooks notice?

    python -m tools.lessons                    breaks every lesson in turn (about an hour)
    python -m tools.lessons --main             only what the labs are about (a quarter of one)
    python -m tools.lessons 02 08              only those of these notebooks

Writes docs/lessons.md, and keeps what was found before of those that are not run. A notebook that
passes while its lesson is broken is a fault of the notebook.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tools.lessons.trial import ROOT, Outcome, breaks, outcome
from tools.machine import machine
from tools.markdown import machine_table, table, write_below_mark

PAGE = ROOT / "docs" / "lessons.md"
KEPT = ROOT / "docs" / "measured" / "lessons.json"
WORDS: dict[Outcome, str] = {
    "fails": "fails, as it should", "passes": "**passes**", "not played": "not played",
}  # fmt: skip


def main() -> None:
    """Break the lessons wanted, and write the table."""
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m tools.lessons", description=summary)
    parser.add_argument("notebooks", nargs="*", metavar="NOTEBOOK", help="e.g. 02")
    parser.add_argument("--main", action="store_true", help="only each cause's first toggle")
    asked = parser.parse_args()
    found: dict[str, list[str]] = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    for each in breaks(only_main=asked.main):
        if asked.notebooks and not each.notebook.startswith(tuple(asked.notebooks)):
            continue
        said = outcome(each)
        print(f"{each.notebook}: {each.cause}, {each.says}: {said}", flush=True)
        found[f"{each.cause}, {each.says}"] = [each.notebook, said]
        KEPT.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    write(found)


def write(found: dict[str, list[str]]) -> None:
    """Write the page of what is known."""
    rows = [("notebook", "what is broken", "the notebook")]
    for name, (notebook, said) in sorted(found.items(), key=lambda each: (each[1][0], each[0])):
        rows.append((Path(notebook).stem, name, WORDS[said]))  # type: ignore[index]
    told = [said for _, said in found.values()]
    counts = ", ".join(f"{told.count(each)} {each}" for each in WORDS)
    write_below_mark(PAGE, f"{counts}.\n\n{table(rows)}\n\n{machine_table(machine())}")


if __name__ == "__main__":
    main()
