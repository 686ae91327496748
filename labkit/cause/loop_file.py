"""A file with a loop, run as a module: the one way in which labkit loads such a file."""

from __future__ import annotations

import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType


class _AsItStands(SourceFileLoader):
    """Compiles a file anew each time, and never takes or leaves what was compiled before.

    In a folder where others may write, ``__pycache__`` may be theirs; and Python takes the code of
    before for a file that was changed within one second to the same size.
    """

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def run_file(path: Path | str, name: str) -> ModuleType:
    """Run a Python file and return the module that it makes.

    Args:
        path: The file.
        name: What the module is called. No module of that name should be there already: this one
            takes its place.
    """
    loader = _AsItStands(name, str(path))
    specification = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert specification is not None and specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    # Dataclasses and pickles look their module up by its name.
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        specification.loader.exec_module(module)
    except BaseException:
        if before is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = before
        raise
    return module
