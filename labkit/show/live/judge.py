"""The words on the run on show, judged as seldom as will do.

A judgement costs milliseconds that the measured loop would miss; so it is made about once a second
while a run goes on, more rarely where it proves expensive, and once when the run has ended.

From few steps the label comes and goes with every second: while a run goes on, another label is
shown only once two judgements in a row have left the old one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from labkit.record import Diagnosis, LabkitError
from labkit.show import words
from labkit.show.bars import Bar, bars
from labkit.show.charts.fits import Fit, fits
from labkit.show.live.source import Player, Source
from labkit.show.verdict.glance import headline, headline_tone
from labkit.show.verdict.machine import machine

EVERY_SECONDS = 1.0
AFTER_FLIP_SECONDS = 0.6  # else the old verdict stands over the new level for seconds
DOUBTED_SECONDS = 0.4  # after a judgement that nobody saw; the next one is shown
MOST_FITS = 8  # runs: that on show, and some before it
# At most this part of the time goes into judging. But of a young run the headline would then tell
# only a third of what one sees: when a stretch is by so much older, it is judged anew.
SHARE_OF_TIME = 0.02
OLDER = 0.35


@dataclass(frozen=True)
class Words:
    """What can be said of a run so far.

    Args:
        verdict: One line a stretch.
        ledger: Where the growth went.
        machine: What the machine did, and that the verdict is corrected for it.
        headline: The newest verdict in a few words.
        tone: How it is coloured.
        fits: What is drawn of each stretch.
        bars: What a step consists of at the start of a growth and at its end.
        bars_of: The first and the last step of that growth, where a toggle was flipped.
    """

    verdict: tuple[str, ...] = ()
    ledger: str = ""
    machine: str = ""
    headline: str = ""
    tone: str = "open"
    fits: tuple[Fit, ...] = ()
    bars: tuple[Bar, ...] = ()
    bars_of: tuple[int, int] | None = None


class Judge:
    """Asks a player for judgements and keeps the newest.

    Args:
        player: Who judges.
        clock: Returns seconds.
    """

    def __init__(self, player: Player, clock: Callable[[], float]) -> None:
        self._player = player
        self._clock = clock
        self._words = Words()
        self._shown: Diagnosis | None = None
        self._doubted = False
        self._of: tuple[str, bool] | None = None
        self._not_before = 0.0
        self._events = 0  # of the run on show, how many were seen
        self._since = 0.0  # when it came on show, or was flipped
        self._fits: dict[str, tuple[Fit, ...]] = {}

    def fits_of(self, name: str) -> tuple[Fit, ...]:
        """Return what was last drawn of a run; empty of one that nobody has judged lately."""
        return self._fits.get(name, ())

    def words(self, source: Source) -> Words:
        """Return the words on a run, freshly judged where that is due."""
        ended = source.state.ended
        now = self._clock()
        changed = self._of != (source.name, ended)
        if self._of is None or self._of[0] != source.name:
            self._since = now
        if changed and self._of is not None and self._of[0] != source.name:
            self._words, self._shown, self._events = Words(), None, 0
        if self._flipped(source):
            self._since = now
            self._not_before = min(self._not_before, now + AFTER_FLIP_SECONDS)
        if source.count and (changed or (not ended and now >= self._not_before)):
            self._words = self._ask(source)
            self._fits.pop(source.name, None)
            self._fits[source.name] = self._words.fits
            while len(self._fits) > MOST_FITS:
                del self._fits[next(iter(self._fits))]
            after = self._clock()
            rare = (after - now) / SHARE_OF_TIME
            wait = max(EVERY_SECONDS, min(rare, OLDER * (after - self._since)))
            # Else words that are no longer true would stand below a curve for seconds.
            self._not_before = after + (DOUBTED_SECONDS if self._doubted else wait)
            self._of = (source.name, ended)
        return self._words

    def _flipped(self, source: Source) -> bool:
        """Tell whether a toggle was flipped since this was asked last."""
        events, seen = source.events, self._events
        self._events = len(events)
        return any(event.kind == "toggle" for event in events[seen:])

    def _ask(self, source: Source) -> Words:
        shown, self._shown = self._shown, None
        try:
            said = self._player.judge(source)
        except LabkitError as error:
            return Words((str(error),))
        except Exception as error:
            # A fault in the statistics must not take the chart away from the learner.
            return Words((f"no verdict: judging failed ({type(error).__name__}: {error})",))
        self._doubted = shown is not None and not self._doubted and _another_label(shown, said)
        if self._doubted:
            self._shown = shown
            return self._words
        self._shown = said
        return Words(
            words.judgement(said),
            words.judged_ledger(said, source.columns),
            machine([said], chart=False),  # the chart says itself which times it shows
            headline(said),
            headline_tone(said),
            fits(said),
            bars(said.ledger, source.columns),
            words.booked_steps(said),
        )


def _another_label(shown: Diagnosis, said: Diagnosis) -> bool:
    """Tell whether the stretch in progress, which had a label already, got another one."""
    if not said.provisional or len(said.verdicts) != len(shown.verdicts):
        return False
    return shown.verdicts[-1].label not in ("too_short", said.verdicts[-1].label)
