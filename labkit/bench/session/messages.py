"""Messages: what a worker says of its loop while it runs, as a record has it."""

from __future__ import annotations

from collections.abc import Mapping

from labkit.record import Event


class Messages:
    """Collects what a run's first worker says; whoever holds it keeps others from it meanwhile."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._evidence: dict[str, list[tuple[int, float]]] = {}

    def take(self, message: Mapping[str, object]) -> None:
        """Take in one that is an event or evidence; others are no part of the record."""
        if message["say"] == "event":
            words = {key: message[key] for key in ("step", "kind", "text", "detail")}
            self._events.append(Event(**words))  # type: ignore[arg-type]
        elif message["say"] == "evidence":
            pairs = self._evidence.setdefault(str(message["name"]), [])
            pairs.append((int(str(message["step"])), float(str(message["value"]))))

    def events(self, steps: int | None = None) -> tuple[Event, ...]:
        """Return the events, or those of so many steps.

        A worker speaks of a flip before the step that follows it is recorded.
        """
        return tuple(each for each in self._events if steps is None or each.step <= steps)

    def evidence(self) -> dict[str, tuple[tuple[int, float], ...]]:
        """Return by name each step at which something was counted, and the count."""
        return {name: tuple(pairs) for name, pairs in self._evidence.items()}
