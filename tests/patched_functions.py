"""What stands at every patched function that labkit knows: to see that nothing stays hooked in."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

import labkit.measure
from labkit.measure.patches.group import Group, PrivateName
from labkit.measure.patches.timed_functions import PatchTable
from labkit.measure.registry import TABLES


def patched_functions() -> dict[str, object]:
    """Return the function, or what else stands there, by the name of each patched function.

    Only of modules that are loaded. The collector's callbacks and the profiler are among them.
    """
    found: dict[str, object] = {"gc.callbacks": tuple(gc.callbacks), "profiler": sys.getprofile()}
    modules = (each.name for each in walk_packages(labkit.measure.__path__, "labkit.measure."))
    for each in sorted(set(declared(modules)), key=str):
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
    """Return the patched functions at which something else stands than before."""
    now = patched_functions()
    return [name for name, function in before.items() if now[name] is not function
            and now[name] != function]  # fmt: skip


def declared(modules: Iterable[str]) -> list[PrivateName]:
    """Return every name that some modules or the table of patches declare, once a declaration."""
    declarations: dict[int, object] = {id(each): each for each in TABLES.values()}
    for module in modules:
        for value in vars(import_module(module)).values():
            inside = (*value, *value.values()) if isinstance(value, dict) else value
            for each in inside if isinstance(inside, tuple) else (inside,):
                declarations[id(each)] = each
    names: list[PrivateName] = []
    for each in declarations.values():
        if isinstance(each, PrivateName):
            names.append(each)
        for group in each.groups if isinstance(each, PatchTable) else (each,):
            names += group.names if isinstance(group, Group) else ()
    return names
