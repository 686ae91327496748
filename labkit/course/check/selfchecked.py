"""What a self-check found: a row for each cause, and the run files as one download."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from labkit.bench.temporary import TemporaryFolder
from labkit.record import Plain, Run, run_file_name, save_run
from labkit.record.saving.whole_file import write_whole
from labkit.show.markup import Markup, element, table
from labkit.show.page import Shown, view

TITLES = (
    "cause", "on", "ran", "ms per step", "counters", "verdict", "seconds", "what fell short"
)  # fmt: skip
# A link that carries its file makes the notebook as large as the file.
LARGEST_LINK_BYTES = 8_000_000


@dataclass(frozen=True)
class CheckedCause:
    """One cause after its short form.

    Args:
        slug: The cause.
        title: Its name for a learner.
        device: Where it ran, ``"cpu"`` or ``"gpu"``; empty where that is not known.
        run: What was recorded; None where it could not even start.
        counters: Whether its counters did exactly what it declares; None where that is not known:
            it did not run, or was cut before they had to.
        verdict: The label of what the step times say; empty without a run to judge.
        seconds: How long it took, its start included.
        short: In what it fell short, or why it did not run; empty where in nothing.
    """

    slug: str
    title: str
    run: Run | None = None
    device: str = ""
    counters: bool | None = None
    verdict: str = ""
    seconds: float = 0.0
    short: tuple[str, ...] = ()

    @property
    def ran(self) -> bool:
        """Whether it ran to the end of its work or of its time."""
        return self.run is not None and self.run.state.completed

    @property
    def works(self) -> bool:
        """Whether it ran and no counter of it did anything else than it declares."""
        return self.ran and self.counters is not False

    @property
    def usual_seconds(self) -> float | None:
        """How long half of its steps took at most; None without a step."""
        return median(self.run.steps.seconds) if self.run is not None and self.run.steps else None

    def cells(self) -> tuple[str, ...]:
        """Return the row of the table."""
        counters = {True: "as declared", False: "not as declared", None: "not known"}
        steps = f"{len(self.run.steps):,} steps" if self.run is not None else ""
        usual = self.usual_seconds
        return (
            self.slug,
            self.device.upper() or "none",
            steps if self.ran else "no",
            f"{1e3 * usual:.3g}" if usual is not None else "",
            counters[self.counters],
            self.verdict.replace("_", " ") or "none",
            f"{self.seconds:.1f}",
            "; ".join(self.short),
        )

    def line(self) -> str:
        """Return the row as a sentence of its own."""
        where = f" on the {self.device.upper()}" if self.device else ""
        did = "works" if self.works else "does not work" if self.ran else "did not run"
        usual = self.usual_seconds
        took = f", {1e3 * usual:.3g} ms per step" if usual is not None else ""
        return f"{self.slug}{where}: {did}{took}{'; '.join(['', *self.short])}"

    def as_json(self) -> dict[str, object]:
        """Return the row as plain values."""
        return {
            "cause": self.slug,
            "device": self.device or None,
            "works": self.works,
            "state": self.run.state.name if self.run is not None else None,
            "steps": len(self.run.steps) if self.run is not None else 0,
            "usual_seconds": self.usual_seconds,
            "counters": self.counters,
            "verdict": self.verdict or None,
            "seconds": round(self.seconds, 2),
            "short": list(self.short),
        }


@dataclass(frozen=True)
class SelfCheck(Shown):
    """What works on this machine; a notebook shows it as a table by itself.

    Args:
        rows: One for each cause, in the order of the course.
        file: The run files and this table as one file; None where it could not be written.
        note: Why there is no file, else empty.
    """

    rows: tuple[CheckedCause, ...]
    file: Path | None = None
    note: str = ""

    @property
    def works(self) -> bool:
        """Whether every cause does."""
        return all(row.works for row in self.rows)

    @property
    def environment(self) -> Mapping[str, Plain]:
        """Versions and machine: of a run on the graphics card, if there is one."""
        ran = [row.run.environment for row in self.rows if row.ran and row.run is not None]
        return max(ran, key=lambda facts: facts.get("device") == "gpu", default={})

    def summary(self) -> str:
        """Return how many causes work here, and where that is, in one sentence."""
        facts = self.environment
        devices = list(dict.fromkeys(row.device for row in self.rows if row.device))
        works = []
        for device in devices if len(devices) > 1 else [None]:
            rows = [row for row in self.rows if device is None or row.device == device]
            where = "here" if device is None else f"on the {device.upper()}"
            works.append(f"{sum(row.works for row in rows)} of {len(rows)} causes work {where}")
        told = [str(facts[name]) for name in ("gpu", "processor") if facts.get(name)][:1]
        if facts.get("tensorflow"):
            told.append(f"TensorFlow {facts['tensorflow']}")
        if len(devices) == 1:
            told.append(f"on the {devices[0].upper()}")
        said = ", ".join(works)
        return f"{said} ({', '.join(told)})." if told else f"{said}."

    def save(self, path: Path, *, replace: bool = True) -> Path:
        """Write the run files and this table as one zip file, and return it.

        Args:
            path: Where.
            replace: Whether a file of that name is replaced; else the next free name is taken.

        Raises:
            LabkitError: If it cannot be written.
        """
        return write_whole(path, packed(self), "The run files", replace=replace)

    def as_json(self) -> dict[str, object]:
        """Return the table as plain dictionaries and lists."""
        return {
            "summary": self.summary(),
            "environment": dict(self.environment),
            "causes": [row.as_json() for row in self.rows],
        }

    def lines(self) -> list[str]:
        """Return the table, what it comes to, and where the files are, a line each."""
        rows = [TITLES, *(row.cells() for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
        lines = [_line(cells, widths) for cells in rows]
        return [*lines, self.summary(), self._where()]

    def _where(self) -> str:
        if self.file is None:
            return self.note
        return f"All run files and this table: {self.file}"

    def _parts(self) -> Iterator[Markup]:
        rows = (row.cells() for row in self.rows)
        yield table("What each cause did here, in its short form", TITLES, rows, prose=True)
        yield element("p", element("b", self.summary()))
        yield element("p", self._where())
        if self.file is not None and (link := _link(self.file)) is not None:
            yield element("p", link, " (one file, to keep or to send to those who make labkit)")

    def html(self) -> str:
        """Return the same as a piece of a page."""
        return view(*self._parts())


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell.ljust(width) for cell, width in zip(cells, widths, strict=False)]
    return "  ".join([*padded, cells[-1]]).rstrip()


def _link(file: Path) -> Markup | None:
    """Return a link with the whole file in it: a path leads nowhere on Colab. None if too large."""
    try:
        data = file.read_bytes()
    except OSError:  # somebody took it away before it was shown
        return None
    if len(data) > LARGEST_LINK_BYTES:
        return None
    address = f"data:application/zip;base64,{base64.b64encode(data).decode()}"
    return element("a", "Download the run files", href=address, download=file.name)


def packed(check: SelfCheck) -> bytes:
    """Return the run files of a self-check and its table as one zip file.

    Args:
        check: What was found.

    Raises:
        LabkitError: If there is no room for the files on the way.
    """
    held = io.BytesIO()
    with (
        zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive,
        TemporaryFolder("check") as folder,
    ):
        archive.writestr("selfcheck.json", json.dumps(check.as_json(), indent=1) + "\n")
        for row in check.rows:
            if row.run is not None:
                # Loops of the reader's own in two folders may have the same name.
                stem = f"{row.slug}-{row.device}" if row.device == "gpu" else row.slug
                target = Path(folder, run_file_name(stem, row.run))
                file = save_run(row.run, target, replace=False)
                archive.write(file, f"runs/{file.name}")
    return held.getvalue()
