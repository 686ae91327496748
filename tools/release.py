"""Builds the source archive and the wheel, and checks both; it publishes nothing.

    python -m tools.release             all other packages are installed anew, from constraints.txt
    python -m tools.release --here      they are taken from this environment instead: quicker

Checked are the texts that must agree, what is in the two files, what they say of themselves, and
that a second build gives the same bytes, and that the wheel works: installed alone into a fresh
environment, `labkit run` runs a cause from it, and a notebook's set-up cell installs it where it
was uploaded. A bill of materials beside them lists every package of that environment. Each check
raises a `ReleaseError` or returns what it found, in a few words.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import site
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

import labkit
from tools import address, sync_env
from tools.release_files import sdist_faults, wheel_faults

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"
STEPS = 60


class ReleaseError(Exception):
    """What keeps this version from being released, in one sentence."""


def texts_agree() -> str:
    """Environment files, badges and set-up cells say this version and this address."""
    stale = [*sync_env.drifted(ROOT), *(path.name for path in address.changes(ROOT))]
    if stale:
        raise ReleaseError(f"{', '.join(stale)}: they do not follow pyproject.toml; run: make sync")
    return "environment files, badges and set-up cells agree with pyproject.toml"


def not_yet() -> list[str]:
    """Return why this version may not be published yet; building and checking it does no harm."""
    reasons = []
    if not address.address(ROOT).published:
        reasons.append("the address in pyproject.toml is still the placeholder")
    heading = f"## [{labkit.__version__}]"
    if heading not in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"):
        reasons.append(f"CHANGELOG.md has no heading {heading!r}")
    return reasons


def build(folder: Path) -> tuple[Path, Path]:
    """Build both files into `dist/` and return them: the source archive, and the wheel from it."""
    for old in DIST.glob("labkit-*"):
        old.unlink()
    _run([_builder(folder), "-m", "build", "--outdir", DIST, ROOT])
    (sdist,), (wheel,) = DIST.glob("labkit-*.tar.gz"), DIST.glob("labkit-*.whl")
    return sdist, wheel


def built_again_alike(sdist: Path, wheel: Path, folder: Path) -> str:
    """Build the wheel from the unpacked archive, elsewhere and later: whoever has it can check."""
    place, again = folder / "unpacked", folder / "again"
    shutil.unpack_archive(sdist, place, filter="data")
    (source,) = place.iterdir()
    _run([_builder(folder), "-m", "build", "--wheel", "--outdir", again, source])
    first, second = (
        hashlib.sha256(each.read_bytes()).hexdigest() for each in (wheel, again / wheel.name)
    )
    if first != second:
        raise ReleaseError(f"a second build of {wheel.name} differs from the first.")
    return f"built again elsewhere, the wheel has the same bytes: sha256 {first}"


def bill_of_materials(python: Path, folder: Path) -> str:
    """Write which packages an installed labkit brings with it, in CycloneDX's format."""
    bill = DIST / f"labkit-{labkit.__version__}.cdx.json"
    _run([_builder(folder), "-m", "cyclonedx_py", "environment", python, "--output-file", bill])
    named = {each["name"].lower() for each in json.loads(bill.read_text("utf-8"))["components"]}
    if missing := {"labkit", "numpy", "anywidget"} - named:
        raise ReleaseError(f"the bill of materials lacks {', '.join(sorted(missing))}.")
    return f"dist/{bill.name}: {len(named)} packages"


def _builder(folder: Path) -> Path:
    """Return the Python of an environment that builds, made where there is none."""
    place = folder / "builder"
    if place.exists():
        return _python(place)
    python = _fresh(place)
    pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    _run([*pip, "build", "cyclonedx-bom"])
    return python


def installed(wheel: Path, folder: Path, *, here: bool) -> Path:
    """Install a wheel into a fresh environment and return its Python.

    Args:
        wheel: What to install.
        folder: For the environment.
        here: Take all other packages from this environment.
    """
    python = _fresh(folder / "user")
    pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    if here:
        own = _run([python, "-c", "import site; print(site.getsitepackages()[0])"]).strip()
        # Folders that a .pth file names are looked at last, and their own .pth files never: so the
        # labkit of this environment stays out of sight.
        Path(own, "others.pth").write_text("\n".join(site.getsitepackages()) + "\n")
        _run([*pip, "--no-deps", "--force-reinstall", wheel])
    else:
        _run([*pip, "-c", ROOT / "constraints.txt", f"{wheel}[cpu,lab]"])
    found = _run([python, "-c", "import labkit; print(labkit.__file__)"], folder).strip()
    if not Path(found).is_relative_to(folder):
        raise ReleaseError(f"the fresh environment uses {found}, not what was installed.")
    return python


def runs_a_cause(python: Path, folder: Path) -> str:
    """Run a cause from the installed wheel, in a folder where nothing of the project is."""
    command = python.parent / "labkit"
    told = json.loads(_run([command, "run", "graph_growth", "--steps", STEPS, "--json"], folder))
    rise = told["evidence"]["graph_ops"]["per_step"]
    if (told["state"], rise) != ("done", 6.0):
        raise ReleaseError(f"graph_growth ended {told['state']} with {rise} ops per step, not 6.")
    return f"labkit run graph_growth: {STEPS} steps, {rise:g} ops per step"


def sets_up_from_an_upload(python: Path, wheel: Path, folder: Path) -> str:
    """Run a notebook's set-up cell beside an uploaded wheel, in IPython, without labkit there.

    It has the name that a browser gives to what it has saved a second time.
    """
    place = folder / "uploaded"
    place.mkdir()
    shutil.copy(wheel, place / f"{wheel.stem} (1).whl")
    _set_up(python, place, _setup_cell())
    return "the set-up cell installs an uploaded wheel"


def sets_up_as_on_colab(python: Path, folder: Path) -> str:
    """Run a set-up cell as on Colab; the archive of a tag is that of what was committed last."""
    if not (ROOT / ".git").exists():
        return "the set-up cell on Colab: not tried, for there is no repository here"
    place = folder / "colab"
    place.mkdir()
    here = address.address(ROOT)
    archive = place / "archive.zip"  # GitHub names the folder within so
    prefix = f"--prefix=labkit-{labkit.__version__}/"
    _run(["git", "archive", "--format=zip", prefix, "-o", archive, "HEAD"])
    published = f"https://github.com/{here.repository}/archive/refs/tags/{here.tag}.zip"
    cell = _setup_cell()
    if published not in cell:
        raise ReleaseError(f"the set-up cell does not install {published}.")
    colab = "import sys, types\nsys.modules['google.colab'] = types.ModuleType('google.colab')\n"
    _set_up(python, place, colab + cell.replace(published, str(archive)))
    return "the set-up cell installs the archive of a tag, as on Colab"


def _setup_cell() -> str:
    notebook = json.loads((ROOT / "notebooks" / "00_read_the_curve.ipynb").read_text())
    (cell,) = [cell for cell in notebook["cells"] if cell["id"] == address.SETUP]
    return "".join(cell["source"])


def _set_up(python: Path, place: Path, cell: str) -> None:
    """Run a set-up cell in IPython in a folder, without labkit there."""
    (place / "setup.ipy").write_text(cell)
    _run([python, "-m", "pip", "uninstall", "-qq", "-y", "labkit"])
    said = _run([python, "-m", "IPython", "--no-banner", "setup.ipy"], place)
    if f"labkit {labkit.__version__} " not in said:
        raise ReleaseError(f"the set-up cell did not install labkit: {said!r}")


def _fresh(folder: Path) -> Path:
    """Make an environment and return its Python."""
    venv.create(folder, with_pip=True)
    return _python(folder)


def _python(folder: Path) -> Path:
    return folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def _run(command: Sequence[object], folder: Path = ROOT) -> str:
    """Run a command and return what it printed."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip())[-2_000:]
        raise ReleaseError(f"{' '.join(words)} ended with {done.returncode}: {last}")
    return done.stdout


def main(arguments: Sequence[str]) -> int:
    """Build and check; the exit status is 1 where something keeps the version back."""
    if list(arguments) not in ([], ["--here"]):
        print(__doc__)
        return 2
    try:
        with tempfile.TemporaryDirectory(prefix="labkit-release-") as made:
            _release(Path(made), here="--here" in arguments, tell=lambda text: print(f"ok: {text}"))
    except (ReleaseError, ValueError) as error:
        print(f"NOT READY: {error}")
        return 1
    for reason in not_yet():
        print(f"Publish nothing yet: {reason}.")
    return 0


def _release(folder: Path, *, here: bool, tell: Callable[[str], object]) -> None:
    tell(texts_agree())
    sdist, wheel = build(folder)
    faults = [*sdist_faults(sdist, ROOT), *wheel_faults(wheel, ROOT)]
    if faults:
        raise ReleaseError("; ".join(faults))
    for file in (sdist, wheel):
        tell(f"dist/{file.name}, {file.stat().st_size / 1e6:.1f} MB: contents and metadata")
    tell(built_again_alike(sdist, wheel, folder))
    python = installed(wheel, folder, here=here)
    tell(f"installed into a fresh environment, {'beside this one' if here else 'all anew'}")
    tell(bill_of_materials(python, folder))
    tell(runs_a_cause(python, folder))
    tell(sets_up_from_an_upload(python, wheel, folder))
    tell(sets_up_as_on_colab(python, folder))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
