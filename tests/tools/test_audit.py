"""The audit: faults and secrets are told, and what could not be asked is not passed over."""

from __future__ import annotations

import pytest

from tools import audit

SAFE = {"name": "numpy", "version": "2.3.0", "vulns": []}
FAULT = {"id": "PYSEC-1", "fix_versions": ["2.0"], "aliases": []}


def test_packages_without_a_fault_and_files_without_a_secret_are_quiet() -> None:
    assert list(audit.advisories({"dependencies": [SAFE]})) == []
    assert list(audit.secrets({"results": {}})) == []


def test_a_package_with_a_fault_is_told_with_the_version_that_repairs_it() -> None:
    (said,) = audit.advisories({"dependencies": [SAFE, {**SAFE, "vulns": [FAULT]}]})
    assert said == "numpy 2.3.0: PYSEC-1; repaired in: 2.0"


def test_a_fault_is_passed_over_only_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "ACCEPTED", {"PYSEC-1": "labkit never opens such a file"})
    assert list(audit.advisories({"dependencies": [{**SAFE, "vulns": [FAULT]}]})) == []


def test_what_could_not_be_looked_up_is_no_clean_bill() -> None:
    unknown = {"name": "numpy", "version": "2.3.0", "skip_reason": "not found"}
    (said,) = audit.advisories({"dependencies": [SAFE, unknown]})
    assert said == "1 of 2 packages could not be looked up: numpy"


def test_a_secret_is_told_with_its_place() -> None:
    found = {"a.py": [{"type": "AWS Access Key", "line_number": 3}]}
    assert list(audit.secrets({"results": found})) == [
        "a.py:3: looks like a secret (AWS Access Key)"
    ]
