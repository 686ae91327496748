"""A plugin for nbval: kernels are reached by sockets in a folder, and not by ports.

jupyter_client chooses a free port and lets go of it before the kernel takes it. Of two kernels that
start at the same moment one may get the other's: it dies "before replying to kernel_info", and a
cell of the other never hears an answer.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import nbval.kernel
import pytest
from jupyter_client.manager import KernelManager

FOLDER = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Have the kernels of this process begin so."""
    if os.name == "posix":
        # A short name, for a socket's has a hundred characters at most.
        folder = config.stash[FOLDER] = tempfile.mkdtemp(prefix="kernels-", dir="/tmp")
        places = (str(Path(folder, str(number))) for number in count())
        nbval.kernel.KernelManager = partial(_made, places)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder."""
    if FOLDER in config.stash:
        nbval.kernel.KernelManager = KernelManager
        shutil.rmtree(config.stash[FOLDER], ignore_errors=True)


def _made(places: Any, **settings: Any) -> KernelManager:
    return KernelManager(transport="ipc", ip=next(places), **settings)
