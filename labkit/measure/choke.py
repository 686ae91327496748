"""A choke point: a function that all work of a kind passes, wrapped so its time is booked."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from types import BuiltinFunctionType
from typing import Any

from labkit.measure.places import Places
from labkit.measure.timing import After, Before, Timed, Unbound, timed


class ChokePoint:
    """Wraps one attribute of a class or module until it is closed.

    Args:
        owner: The class or module that has the function.
        name: The attribute's name.
        places: The stopwatch.
        place: The number of the place to book on; None only counts.
        before: Called with the positional arguments at every call, e.g. to meet the graphs.
        after: Called with the arguments and the result when a call has returned.
        alone: Book only where no other place is open but those that surround all work: for
            functions that all other work passes too.

    Raises:
        AttributeError: If the owner has no such attribute.
    """

    def __init__(
        self,
        owner: Any,
        name: str,
        places: Places,
        place: int | None,
        *,
        before: Before | None = None,
        after: After | None = None,
        alone: bool = False,
    ) -> None:
        original = _function(owner, name)
        made = timed(original, places, place, before=before, after=after, alone=alone)
        if isinstance(original, BuiltinFunctionType) and _is_pythons_own(original):
            made = Unbound(made)
        self._hook = Hook(owner, name, made)

    def close(self) -> None:
        """Put the original back."""
        self._hook.close()


# Written on each function that is hooked in: the hook it belongs to.
HOOK = "labkit_hook"


class Hook:
    """One attribute of a class or module that is another function until it is closed.

    Hooks over each other may be closed in any order.

    Args:
        owner: The class or module.
        name: The attribute's name.
        made: What it is to be.
    """

    def __init__(self, owner: Any, name: str, made: Timed) -> None:
        self._owner = owner
        self._name = name
        # From the owner's own dictionary: an inherited function set back on the subclass would
        # shadow its parent's for ever. And not by getattr: a staticmethod must stay one.
        self._own = name in vars(owner)
        self._kept = vars(owner)[name] if self._own else getattr(owner, name)
        self._open = True
        kind = type(self._kept)
        vars(made)[HOOK] = self
        self._set: Any = kind(made) if kind in (staticmethod, classmethod) else made
        setattr(owner, name, self._set)

    def close(self) -> None:
        """Put back what was there, unless somebody has put something else there since."""
        self._open = False
        # What was put over ours calls ours: taking that away would undo the work of others. If it
        # is one of ours it passes over this one when it goes itself.
        if vars(self._owner).get(self._name) is not self._set:
            return
        last = self
        while (below := last._below()) is not None and not below._open:
            last = below
        if last._own:
            setattr(self._owner, self._name, last._kept)
        else:
            delattr(self._owner, self._name)

    def _below(self) -> Hook | None:
        """Return the hook over which this one was put, None if there was another function."""
        found = getattr(getattr(self._kept, "__func__", self._kept), HOOK, None)
        # Wrappers of others take over what is written on ours; those are not to be passed over.
        return found if isinstance(found, Hook) and found._set is self._kept else None


def _is_pythons_own(function: BuiltinFunctionType) -> bool:
    """Tell whether readers may give a function a name of their own: TensorFlow's are not theirs."""
    return function.__module__ in sys.stdlib_module_names


def _function(owner: Any, name: str) -> Timed:
    """Return what a wrapper has to call: of a classmethod the function that takes the class."""
    kept = vars(owner).get(name)
    found: Timed = kept.__func__ if isinstance(kept, classmethod) else getattr(owner, name)
    return found


@dataclass(frozen=True)
class PrivateName:
    """Where a choke point is, and the place its time is booked on.

    Args:
        module: The full name of the module, e.g. ``"tensorflow.python.client.session"``.
        owner: The class in it; empty for a function of the module.
        attribute: The function's name.
        place: The name of the place; empty if it is only counted.
        title: What a learner reads.
    """

    module: str
    owner: str
    attribute: str
    place: str = ""
    title: str = ""

    def find(self) -> Any:
        """Return the class or module that has the function.

        Raises:
            ImportError: If this version of the package has no such module.
            AttributeError: If the class or the function is not there.
        """
        module = importlib.import_module(self.module)
        owner = getattr(module, self.owner) if self.owner else module
        getattr(owner, self.attribute)
        return owner

    @property
    def loaded(self) -> bool:
        """Whether somebody has imported the module, and the import is over."""
        module = sys.modules.get(self.module)
        return module is not None and not getattr(module.__spec__, "_initializing", False)

    def __str__(self) -> str:
        return ".".join(part for part in (self.module, self.owner, self.attribute) if part)


class ChokePoints:
    """Several choke points, hooked in together; one that is not there leaves its place unmeasured.

    Args:
        places: The stopwatch.

    ``missing`` names those that this version of TensorFlow does not have.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._points: list[ChokePoint] = []
        self.missing: list[str] = []

    def hook(
        self,
        names: Iterable[PrivateName],
        *,
        before: Before | None = None,
        after: After | None = None,
        alone: bool = False,
        around: bool = False,
    ) -> None:
        """Hook in some more; the arguments are as in `ChokePoint` and in `Places.add`."""
        for name in names:
            try:
                owner = name.find()
            except (ImportError, AttributeError):
                self.missing.append(str(name))
                continue
            place = self._places.add(name.place, name.title, around=around) if name.place else None
            self._points.append(
                ChokePoint(owner, name.attribute, self._places, place,
                           before=before, after=after, alone=alone)
            )  # fmt: skip

    def close(self) -> None:
        """Put all originals back."""
        for point in reversed(self._points):
            point.close()
        self._points.clear()
