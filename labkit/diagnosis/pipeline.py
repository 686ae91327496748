"""The pipeline: a run in, a diagnosis out. Each stage is passed once, and takes nothing back.

    run -> observations -> claim -> places -> causes -> verdict, ledger -> findings -> ranking

A claim is what the step times say. It becomes a verdict once the causes are known: the machine's
own pace moves by as much as a small slowdown, so that one is believed only with its cause.
"""

from __future__ import annotations

from itertools import chain

from labkit.diagnosis.claim import claim_of, proven
from labkit.diagnosis.findings.cost import cost_findings
from labkit.diagnosis.findings.growth import growth_findings
from labkit.diagnosis.findings.idle import is_idle
from labkit.diagnosis.findings.memory import (
    ending_findings,
    kept_for_ever,
    memory_findings,
    memory_verdict,
)
from labkit.diagnosis.findings.recursion import recursion_findings
from labkit.diagnosis.findings.spikes import spike_findings
from labkit.diagnosis.ledger import book
from labkit.diagnosis.lines import by_line
from labkit.diagnosis.locating.located import located, readers_files
from labkit.diagnosis.observed import Observed, of_part, stretch_runs, unsampled
from labkit.diagnosis.repairs import fitting
from labkit.diagnosis.retraced import explained
from labkit.diagnosis.step_verdict import step_verdict
from labkit.record import Diagnosis, Finding, Ledger, Run
from labkit.record.diagnosis import speaking


def examine(run: Run, *, whole: Run | None = None, few: bool = False) -> Diagnosis:
    """Say what happened to a run's steps, and why.

    Four kinds of finding, best first: growth, spikes, memory, cost; last, what ended the run early.
    A cause is named once; a loop in which nothing is wrong has no finding.

    Args:
        run: Recorded with everything that can tell why, finished or still going. Where toggles were
            flipped, the diagnosis is that of the stretch which speaks for the run: before and after
            a flip the loop is another one, and counters, typical steps and spikes of both together
            would say something of neither.
        whole: The run that it is a part of, from its first step: what that keeps is told.
        few: Whether steps too few for a verdict may be called slower by their order alone, those
            among them that were looked at closely: of twenty whole fits hardly one is not. The
            looks are closest at first, so they hide a slowdown and make none.

    Raises:
        LabkitError: If a recorded step time is not a finite number above zero.
    """
    # What was recorded, and what the step times say of it.
    stretches = [Observed(part, part if few else unsampled(part)) for part in stretch_runs(run)]
    said = [step_verdict(each, few=few) for each in stretches]
    place = speaking(said)
    seen = stretches[place]
    claim = claim_of(seen, said[place])

    # Where the growth went, and what made it: only then the verdict is known.
    counters = claim.growing.evidence
    places = book(claim.part.judged, claim.verdict)
    # By their order few steps are known to rise; what they do it for is not proved by so few.
    causes = [] if few else growth_findings(claim.part.judged, claim.verdict, places, counters)
    verdict = proven(claim.verdict, causes)
    ledger = Ledger()
    if verdict.slower:
        ledger = by_line(places, counters.functions, counters.unbooked_seconds)

    # What is kept, and what else can be proved.
    kept = seen.evidence if whole is None else Observed(whole, whole).evidence
    grows = kept_for_ever(kept)
    memory = memory_verdict(grows, kept)
    findings = ranked(
        recursion_findings(seen.run, ledger),
        causes,
        spike_findings(seen.judged, verdict),
        memory_findings(memory, grows, kept),
        cost_findings(seen.judged, verdict),
        ending_findings(seen.judged),
    )
    lines = seen.evidence.functions if verdict.slower else ()
    findings = explained(located(findings, seen.run, lines), seen.run)
    findings = fitting(findings, seen.run, readers_files(seen.run))
    return Diagnosis(
        seen.run, seen.judged, (verdict,), ledger, memory, findings, lines,
        examined=True, idle=is_idle(run),
    )  # fmt: skip


def judgement(run: Run) -> Diagnosis:
    """Say what the step times of a run say, and where the growth went, without asking for causes.

    Args:
        run: Finished or still going. Cut into stretches where a toggle was flipped; each is judged
            alone, because the loop was another one before. Steps that were looked at closely, which
            a diagnosis does with some, are not judged.

    Returns:
        A verdict for each stretch, and the ledger of the first one that got slower.

    Raises:
        LabkitError: If a recorded step time is not a finite number above zero.
    """
    judged = unsampled(run)
    stretches = [Observed(part, part) for part in stretch_runs(judged)]
    verdicts = tuple(step_verdict(each) for each in stretches)
    place = speaking(verdicts)
    seen, verdict = stretches[place], verdicts[place]
    slower = seen if verdict.part is None else of_part(seen, verdict.part)
    return Diagnosis(run, judged, verdicts, book(slower.judged, verdict))


def ranked(*kinds: list[Finding]) -> tuple[Finding, ...]:
    """Return the findings of all kinds in order, a cause only where it is named first."""
    first: dict[str, Finding] = {}
    for finding in chain.from_iterable(kinds):
        first.setdefault(finding.cause, finding)
    return tuple(first.values())
