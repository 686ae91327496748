"""The claims tried again and again: how often does each ruling come?

    python -m tools.rulings                      each claim five times, on this machine as it is
    python -m tools.rulings --times 20 1.3 2.4   these claims, twenty times more
    python -m tools.rulings --beside 1           with an endless loop beside it
    python -m tools.rulings --device gpu         on a graphics card

Writes docs/rulings.md, and counts together with what was found before. Five rounds of all claims
take an hour on two cores.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from labkit.bench.bench import Bench
from labkit.claims import Tried, every_claim
from labkit.claims.claim import OPEN
from labkit.claims.runner import trial
from tools.machine import machine
from tools.markdown import machine_table, table, write_below_mark

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "rulings.md"
KEPT = ROOT / "docs" / "measured" / "rulings.json"
Counts = dict[str, dict[str, int]]


def main() -> None:
    """Try the claims wanted as often as wanted, and write the table."""
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m tools.rulings", description=summary)
    parser.add_argument("claims", nargs="*", metavar="CLAIM", help="e.g. 1.3; without one all")
    parser.add_argument("--times", type=int, default=5, help="0 writes the page and tries nothing")
    parser.add_argument("--beside", type=int, default=0, help="endless loops beside the runs")
    parser.add_argument("--device", default="cpu", choices=("cpu", "gpu"))
    parser.add_argument("--kept", type=Path, default=KEPT, help="where the counts are kept")
    asked = parser.parse_args()
    kept = json.loads(asked.kept.read_text("utf-8")) if asked.kept.exists() else {}
    under = _conditions(asked.device, asked.beside)
    with ExitStack() as beside:
        for _ in range(asked.beside):
            loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            beside.callback(loop.wait)
            beside.callback(loop.kill)
        bench = Bench()
        beside.callback(bench.close)
        for _ in range(asked.times):
            for each in every_claim():
                if not asked.claims or each.id in asked.claims:
                    (tried,) = trial(each.id, device=asked.device, on=bench).tried
                    assert isinstance(tried, Tried)
                    print(f"{each.id}: {tried.ruling}; {tried.ruling.because}", flush=True)
                    _count(kept, under, tried)
                    asked.kept.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    if asked.kept == KEPT:
        write(kept)


def _conditions(device: str, beside: int) -> str:
    where = "graphics card" if device == "gpu" else "processor"
    if not beside:
        return where
    return f"{where}, {beside} endless loop{'s' if beside > 1 else ''} beside it"


def _count(kept: dict[str, dict[str, object]], under: str, tried: Tried) -> None:
    place = kept.setdefault(under, {})
    place["machine"] = machine()
    rulings: Counts = place.setdefault("rulings", {})  # type: ignore[assignment]
    counts = rulings.setdefault(tried.claim.id, {})
    counts[tried.ruling.name] = counts.get(tried.ruling.name, 0) + 1


def write(kept: dict[str, dict[str, object]]) -> None:
    """Write the page of what is known."""
    parts = [table(_rows(kept))]
    for under, place in kept.items():
        counts: Counts = place["rulings"]  # type: ignore[assignment]
        alike = sum(len(each.keys() - {OPEN}) <= 1 for each in counts.values())
        parts.append(
            f"On the {under}: {alike} of {len(counts)} claims got one ruling, or none, in all of "
            f"their {sum(sum(each.values()) for each in counts.values()):,} trials."
        )
    parts += [
        machine_table(place["machine"]).replace("The machine", f"The machine: {under}")  # type: ignore[arg-type]
        for under, place in kept.items()
    ]
    write_below_mark(PAGE, "\n\n".join(parts))


def _rows(kept: dict[str, dict[str, object]]) -> list[tuple[str, ...]]:
    rows = [("claim", *kept)]
    for each in every_claim():
        found = (_told(place["rulings"].get(each.id, {})) for place in kept.values())  # type: ignore[attr-defined]
        rows.append((f"{each.id} {each.title}", *found))
    return rows


def _told(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in Counter(counts).most_common()) or "-"


if __name__ == "__main__":
    main()
