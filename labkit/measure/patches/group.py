"""Where functions are that are patched, and which are patched alike."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class PrivateName:
    """Where one function is, or another thing that we ask a package for.

    Args:
        module: The full name of the module, e.g. ``"tensorflow.python.client.session"``.
        owner: The class in it; empty for a function of the module.
        attribute: The function's name.
    """

    module: str
    owner: str
    attribute: str

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

    def owner_or_note(self, missing: list[str]) -> Any:
        """Return what `find` does; where that raises, None, and the name stands in `missing`."""
        try:
            return self.find()
        except (ImportError, AttributeError):
            if str(self) not in missing:
                missing.append(str(self))
            return None

    def value_or_note(self, missing: list[str]) -> Any:
        """Return the function itself, or None as `owner_or_note` does."""
        owner = self.owner_or_note(missing)
        return None if owner is None else getattr(owner, self.attribute)

    @property
    def loaded(self) -> bool:
        """Whether somebody has imported the module, and the import is over."""
        module = sys.modules.get(self.module)
        return module is not None and not getattr(module.__spec__, "_initializing", False)

    def __str__(self) -> str:
        return ".".join(part for part in (self.module, self.owner, self.attribute) if part)


@dataclass(frozen=True)
class Group:
    """Functions that are patched alike.

    Args:
        place: The place they are timed at, and what a learner reads of it; None to time nothing.
        functions: By owner, as ``"module"`` or ``"module:Class"``, their names.
        counted: Whether a call adds one to the probe's counter.
        alone: Whether they are timed only where no other place is open but those that surround all
            work: for functions that all other work passes too.
        around: As for `Timers.add`: whether they only surround other work.
        deferred: Whether they are patched once somebody else has imported their module: of packages
            that are expensive to import, or not ours to import.
    """

    place: tuple[str, str] | None
    functions: Mapping[str, tuple[str, ...]]
    counted: bool = False
    alone: bool = False
    around: bool = False
    deferred: bool = False

    @property
    def names(self) -> tuple[PrivateName, ...]:
        """All of them, one by one."""
        return tuple(
            PrivateName(module, owner, attribute)
            for where, attributes in self.functions.items()
            for module, _, owner in [where.partition(":")]
            for attribute in attributes
        )
