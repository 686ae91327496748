"""Builds the stand-in card, once for its sources and the TensorFlow it is for.

It must not import TensorFlow: that would load a card into the process that builds it.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCES = Path(__file__).with_name("source")
CACHE = Path(__file__).parents[2] / "build" / "card"
# Several numbers at a time: products of matrices take a fifth of the time, the compiler no more.
FLAGS = (
    "-O1", "-ftree-vectorize", "-std=c++17", "-fPIC", "-Wall", "-Wextra",
    "-DEIGEN_MAX_ALIGN_BYTES=64",  # as TensorFlow was compiled
)  # fmt: skip
LIBRARY = "libtensorflow_framework.so.2"
NO_COMPILER = "The stand-in card is built by g++, which is not installed: apt-get install g++"


class CannotBuild(Exception):
    """Why there is no card; one sentence, and what a compiler said."""


def library(cache: Path = CACHE) -> Path:
    """Build the card if its sources or TensorFlow have changed, and return its library.

    Several processes may ask at once: one builds, the others wait for it.

    Raises:
        CannotBuild: If there is no compiler or no TensorFlow, or the sources are wrong.
    """
    tensorflow = _tensorflow()
    made = cache / f"libcard-{_key(tensorflow)}.so"
    if made.exists():
        return made
    compiler = shutil.which("g++")
    if compiler is None:
        raise CannotBuild(NO_COMPILER)
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            with tempfile.TemporaryDirectory(dir=cache) as folder:
                os.replace(_build(compiler, tensorflow, Path(folder)), made)
    return made


def card_environment(
    *,
    cards: int = 1,
    memory_mb: int | None = None,
    kernel_us: int | None = None,
    refused_beyond_bytes: int | None = None,
    lost_after: int | None = None,
    aborts_after: int | None = None,
    hangs_after: int | None = None,
    first_op_hangs: bool = False,
    unusable: str | None = None,
) -> dict[str, str]:
    """Return the environment variables that give a process this card.

    ``source/options.h`` says what each option does. The library is loaded and the cards are counted
    when TensorFlow is imported; all else is read when it first makes a card.
    """
    options = {
        "COUNT": cards,
        "MEMORY_MB": memory_mb,
        "KERNEL_US": kernel_us,
        "REFUSED_BEYOND_BYTES": refused_beyond_bytes,
        "LOST_AFTER": lost_after,
        "ABORTS_AFTER": aborts_after,
        "HANGS_AFTER": hangs_after,
        "FIRST_OP_HANGS": int(first_op_hangs),
        "UNUSABLE": unusable,
    }
    named = {
        f"STAND_IN_CARD_{name}": str(value) for name, value in options.items() if value is not None
    }
    return {"TF_PLUGGABLE_DEVICE_LIBRARY_PATH": str(library()), **named}


def _tensorflow() -> Path:
    """Return the folder of TensorFlow, without importing it."""
    found = importlib.util.find_spec("tensorflow")
    if found is None or not found.submodule_search_locations:
        raise CannotBuild("The stand-in card is for TensorFlow, which is not installed.")
    return Path(found.submodule_search_locations[0])


def _version() -> str:
    for name in ("tensorflow", "tensorflow-cpu"):
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return "unknown"


def _key(tensorflow: Path) -> str:
    """Return what the library depends on, as a short word: it holds TensorFlow's folder as well."""
    said = hashlib.sha256(f"{FLAGS} {_version()} {tensorflow}".encode())
    for source in sorted(SOURCES.iterdir()):
        said.update(source.name.encode() + source.read_bytes())
    return said.hexdigest()[:16]


def _build(compiler: str, tensorflow: Path, folder: Path) -> Path:
    # What takes longest comes first, or one core would wait for it at the end.
    sources = sorted(SOURCES.glob("*.cc"), key=lambda source: -source.stat().st_size)
    sources.sort(key=lambda source: source.stem not in ("kernels_variable", "kernels_binary"))
    # Headers of others are none of our warnings' business.
    include = ("-isystem", str(tensorflow / "include"))

    def compiled(source: Path) -> str:
        made = str(folder / f"{source.stem}.o")
        _call(compiler, *FLAGS, *include, "-c", str(source), "-o", made)
        return made

    with ThreadPoolExecutor(os.cpu_count()) as threads:
        objects = list(threads.map(compiled, sources))
    made = folder / "libcard.so"
    _call(
        compiler, "-shared", *objects, "-o", str(made), "-Wl,--no-undefined",
        f"-L{tensorflow}", f"-l:{LIBRARY}", f"-Wl,-rpath,{tensorflow}",
    )  # fmt: skip
    return made


def _call(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise CannotBuild(f"The stand-in card cannot be built.\n{_last(done.stderr.splitlines())}")


def _last(lines: Iterable[str], most: int = 30) -> str:
    return "\n".join(list(lines)[:most])


if __name__ == "__main__":
    for name, value in card_environment().items():
        print(f"{name}={value}")
