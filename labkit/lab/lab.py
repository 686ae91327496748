"""The lab: one cause with its panel, and the same as blocking cells."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from labkit.bench.bench import MOST_STEPS
from labkit.bench.session.session import Session
from labkit.causes import load
from labkit.lab.compare import Comparison, present
from labkit.lab.in_progress import RunsInProgress
from labkit.lab.kernel import bench, view_of, wait_for
from labkit.lab.player import LabPlayer
from labkit.lab.replay.recorded_runs import Recordings, recorded_runs
from labkit.lab.replay.replay import recorded_instead, refusal
from labkit.lab.settings import run_limits, split_settings
from labkit.lab.verdicts import too_noisy
from labkit.record import LabkitError, Run
from labkit.show.live.guess import Guess


class Lab:
    """One cause to play with: show it for the panel, or call `play` for blocking cells.

    Args:
        source: The cause's slug, or the path of a file that defines ``CAUSE``.
        steps: How many steps a run from the panel has at most; None to go on until Stop, or until
            its time is up.
        seconds: How long any run may take.
        seed: Seed of the loop's random numbers.
        device: ``"cpu"``, ``"gpu"``, or ``"auto"``: the graphics card where one works.
        presenter: Large type, and keys to run and toggle, for a projector.
        exposed: Of a lab of several workers, where nothing keeps others from their ports: True to
            run it all the same, when nobody else can reach this machine. Else its recordings are
            played there.
        recorded: True for the recordings that come with labkit, or runs of this cause, files or
            folders of them: a switch in the panel plays one instead of running the loop, for the
            day on which the room's machine does not.
        guess: What `labkit.predict` returned: the curve that was drawn there is drawn under the
            measured one, as far as this has come.
        settings: Toggles and sizes that differ from the defaults, e.g. ``chain="on", size=32``.

    Raises:
        ChoiceError: If a name or value is not one of the choices; the sentence lists them.
        LabkitError: If there is no recording of this cause in what was given.
    """

    def __init__(
        self,
        source: str,
        /,  # a cause may have a toggle of this name
        *,
        steps: int | None = None,
        seconds: float = 60.0,
        seed: int = 0,
        device: str = "auto",
        presenter: bool = False,
        exposed: bool = False,
        recorded: Recordings = (),
        guess: Guess | None = None,
        **settings: object,
    ) -> None:
        self.cause = load(source)
        toggles, sizes = split_settings(self.cause, settings)
        self._arguments: dict[str, Any] = {
            "seed": seed, "device": device, "limits": run_limits(seconds), "sizes": sizes,
            "exposed": exposed,
        }  # fmt: skip
        self._source = source
        self._toggles = toggles
        steps = MOST_STEPS if steps is None else steps
        refused = refusal(self.cause, toggles, exposed)
        with_recordings = recorded or refused is not None
        start = partial(bench().start, source, steps=steps, **self._arguments)
        # Not the limits: what a run may hold follows from the memory that is free at this moment.
        asked = {**self._arguments, "limits": seconds, "toggles": toggles, "steps": steps}
        going = RunsInProgress(bench(), source, asked, start)
        self.player = LabPlayer(
            self.cause,
            going.start,
            toggles=toggles,
            going=going.same(),
            recorded=recorded_runs(self.cause, recorded or True) if with_recordings else None,
            instead=str(refused or ""),
            device=_offered(device),
        )  # fmt: skip
        self._presenter, self._guess = presenter, guess
        self._view: Any = None

    def play(self, *values: object, steps: int | None = None, **settings: object) -> Any:
        """Run the loop once for each value of the main toggle, in turn, and show the curves.

        Args:
            values: Values of the first toggle, e.g. ``"off", "on"``; none plays its default. An
                interrupt ends it with the runs made so far. A short run whose steps were too noisy
                to judge is run once more.
            steps: How many steps; None for the number that makes the effect clear.
            settings: Other toggles, the same for every run.

        Returns:
            A run, or a tuple of runs where several values were given.

        Raises:
            ChoiceError: If a value or name is not one of the choices.
            LabkitError: If values are given and the loop has no toggle.
        """
        every = self._plays(values, split_settings(self.cause, settings)[0])
        for chosen in every:
            self.cause.toggle_values(chosen)  # all are checked before the first is run
        runs: list[Run] = []
        exposed, sizes = self._arguments["exposed"], self._arguments["sizes"]
        refusals = [refusal(self.cause, chosen, exposed) for chosen in every]
        if refused := next(filter(None, refusals), None):
            # Of one machine, all of them, for they are compared.
            runs = [recorded_instead(refused, self.cause, chosen, sizes) for chosen in every]
        for chosen in every[len(runs) :]:
            main = [f"{each.name} {chosen[each.name]}" for each in self.cause.toggles[:1]]
            title = ", ".join([self.cause.title, *main])
            try:
                session = self._started(chosen, steps)
                runs.append(wait_for(session, title))
                if not session.stop_asked and too_noisy(runs[-1]):
                    print(f"{title}: its steps varied too much to judge, so it runs once more.")
                    session = self._started(chosen, steps)
                    again = wait_for(session, title)
                    if again.state.completed:
                        runs[-1] = again
            except KeyboardInterrupt:  # between two runs; within one it is `wait_for` that hears it
                if not runs:
                    raise
                break
            if session.stop_asked:
                break
        present(Comparison(tuple(runs)))
        return runs[0] if len(runs) == 1 and len(every) == 1 else tuple(runs)

    def _started(self, toggles: Mapping[str, object], steps: int | None) -> Session:
        return bench().start(self._source, toggles=toggles, steps=steps, **self._arguments)

    def _plays(
        self, values: tuple[object, ...], settings: Mapping[str, object]
    ) -> list[dict[str, object]]:
        """Return the toggles of each run to play."""
        toggles: dict[str, object] = {**self._toggles, **settings}
        if self.cause.toggles:
            main = self.cause.toggles[0]
            wanted = values or (toggles.get(main.name, main.default),)
            return [{**toggles, main.name: value} for value in wanted]
        if values:
            raise LabkitError(
                f"{self.cause.title} has no toggle that {values[0]!r} could be a value of; call "
                "lab.play() without a value."
            )
        return [toggles]

    @property
    def run(self) -> Run:
        """The panel's latest run, so far.

        Raises:
            LabkitError: If nothing was run yet.
        """
        if self.player.current is None:
            raise LabkitError("Nothing was run in this lab yet; press Run first.")
        return self.player.current.snapshot()

    def _repr_mimebundle_(self, **keywords: Any) -> Any:
        bench().warm()
        if self._view is None:
            self._view = view_of(self.player, presenter=self._presenter, guess=self._guess)
        if self._view is None:
            return {"text/plain": "Live panels need anywidget; call lab.play('off', 'on')."}
        return self._view._repr_mimebundle_(**keywords)


def _offered(device: str) -> str:
    """Return where a panel's runs begin to run, where both devices work; else nothing."""
    if device == "cpu" or bench().devices.chosen().name == "cpu":
        return ""
    return "gpu"


def run(
    source: str,
    /,  # a cause may have a toggle of this name
    *,
    steps: int | None = None,
    seed: int = 0,
    device: str = "auto",
    seconds: float = 60.0,
    exposed: bool = False,
    **settings: object,
) -> Run:
    """Run a cause once in a fresh process, wait for it, and return the run.

    Args:
        source: The cause's slug, or the path of a file that defines ``CAUSE``.
        steps: How many steps; None for the number that makes the effect clear.
        seed: Seed of the loop's random numbers.
        device: ``"cpu"``, ``"gpu"``, or ``"auto"``: the graphics card where one works.
        seconds: How long it may take.
        exposed: Whether several workers may run where nothing keeps others from their ports. Where
            they may not, a recording is returned, and it is printed why.
        settings: Toggles and sizes, e.g. ``grow=False``.

    Raises:
        ChoiceError: If a name or value is not one of the choices; the sentence lists them.
        ExposedError: If such workers may not run here, and nothing like it was recorded.
        LabkitError: If a number is out of range.
    """
    cause = load(source)
    toggles, sizes = split_settings(cause, settings)
    if refused := refusal(cause, toggles, exposed):
        return recorded_instead(refused, cause, toggles, sizes)
    session = bench().start(
        source, toggles=toggles, sizes=sizes, steps=steps, seed=seed, device=device,
        limits=run_limits(seconds), exposed=exposed,
    )  # fmt: skip
    return wait_for(session, cause.title)
