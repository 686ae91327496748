"""A script is started as it was asked for. Tier: make test."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from labkit.bench.bench import Bench
from labkit.bench.protocol import Job
from labkit.bench.script import Script, start_script


class Begun:
    """Takes what would be begun."""

    job: Job

    def begin(self, cause: object, job: Job, limits: object) -> Any:
        self.job = job


def test_who_watches_a_script_to_its_end_has_it_looked_at_less_often(tmp_path: Path) -> None:
    """Watching may cost a training of hours little, and who waits for an answer gets it soon."""
    file = tmp_path / "train.py"
    file.write_text("print()\n")
    bench, asked = Begun(), Script(str(file))
    start_script(cast(Bench, bench), asked, 300.0)
    limited = bench.job
    start_script(cast(Bench, bench), asked, None)
    assert bench.job.thin_after_seconds < limited.thin_after_seconds < limited.wall_seconds
    assert bench.job.wall_seconds > 86_400
