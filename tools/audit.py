"""Looks for what must not be published: packages with known faults, and secrets in the files.

    python -m tools.audit

Packages are those of constraints.txt, asked for by pip-audit; files are those of git, searched by
detect-secrets. A line that only looks like a secret ends with `# pragma: allowlist secret`. The
exit status is 1 where something was found, or could not be looked up.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
# Advisories that stand although there is no repaired version, each with the reason.
ACCEPTED: Mapping[str, str] = {}
# Drawn curves and pictures: numbers by the megabyte, and minutes to search.
NOT_SEARCHED = r"^docs/gallery\.html$|\.gz$|\.png$|\.gif$"


def main() -> int:
    """Tell what was found."""
    found = [*advisories(_asked(pip_audit())), *secrets(_asked(detect_secrets()))]
    for each in found:
        print(each)
    if not found:
        print("nothing found")
    return bool(found)


def pip_audit() -> list[str]:
    """Return the command that asks for the advisories of the packages."""
    of_them = ["-r", str(ROOT / "constraints.txt"), "--no-deps", "--disable-pip"]
    return [sys.executable, "-m", "pip_audit", *of_them, "--format", "json"]


def detect_secrets() -> list[str]:
    """Return the command that searches the files."""
    return [sys.executable, "-m", "detect_secrets", "scan", "--exclude-files", NOT_SEARCHED]


def advisories(told: Mapping[str, Any]) -> Iterator[str]:
    """Return a sentence for each package with a fault, or that could not be looked up.

    Args:
        told: What pip-audit says, as JSON.
    """
    packages = told["dependencies"]
    unknown = [each["name"] for each in packages if "skip_reason" in each]
    if unknown:
        some = ", ".join(unknown[:5]) + (" ..." if len(unknown) > 5 else "")
        yield f"{len(unknown)} of {len(packages)} packages could not be looked up: {some}"
    for each in packages:
        for fault in each.get("vulns", ()):
            if fault["id"] in ACCEPTED:
                continue
            repaired = ", ".join(fault["fix_versions"]) or "none yet"
            yield f"{each['name']} {each['version']}: {fault['id']}; repaired in: {repaired}"


def secrets(told: Mapping[str, Any]) -> Iterator[str]:
    """Return a sentence for each line that looks like a secret.

    Args:
        told: What detect-secrets says, as JSON.
    """
    for file, found in told["results"].items():
        for each in found:
            yield f"{file}:{each['line_number']}: looks like a secret ({each['type']})"


def _asked(command: list[str]) -> Mapping[str, Any]:
    """Return what a command prints; pip-audit's status is 1 where it found something."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        told: Mapping[str, Any] = json.loads(done.stdout)
    except ValueError:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr[-2_000:]}") from None
    return told


if __name__ == "__main__":
    sys.exit(main())
