"""What stands at every choke point that labkit knows: to see that nothing stays hooked in."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

import labkit.measure
from labkit.measure.choke import PrivateName


def choke_points() -> dict[str, object]:
    """Return the function, or what else stands there, by the name of each choke point.

    Only of modules that are loaded. The collector's callbacks and the profiler are among them.
    """
    found: dict[str, object] = {"gc.callbacks": tuple(gc.callbacks), "profiler": sys.getprofile()}
    for each in sorted(set(_known()), key=str):
        if not each.loaded:
            continue
        try:
            owner = each.find()
        except (ImportError, AttributeError):  # this version of the package has it not
            continue
        if isinstance(owner, type | ModuleType):  # only such a one can be hooked
            found[str(each)] = vars(owner).get(each.attribute)
    return found


def changed(before: dict[str, object]) -> list[str]:
    """Return the choke points at which something else stands than before."""
    now = choke_points()
    return [name for name, function in before.items() if now[name] is not function
            and now[name] != function]  # fmt: skip


def _known() -> Iterator[PrivateName]:
    for module in iter_modules(labkit.measure.__path__):
        for value in vars(import_module(f"labkit.measure.{module.name}")).values():
            if isinstance(value, PrivateName):
                yield value
            elif isinstance(value, tuple):
                yield from (each for each in value if isinstance(each, PrivateName))
            elif isinstance(value, dict):
                yield from (each for each in value.values() if isinstance(each, PrivateName))
