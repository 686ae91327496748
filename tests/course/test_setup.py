"""The set-up cell's words about a graphics card, and which labs ask for one. Tier: make test."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest

from labkit.course.check import setup as setup_file


@pytest.fixture(autouse=True)
def nothing_started(monkeypatch: pytest.MonkeyPatch) -> None:
    class Idle:
        def warm(self) -> None:
            pass

    monkeypatch.setattr(setup_file, "bench", Idle)
    monkeypatch.setattr(setup_file, "graphics_card", lambda: None)


def said(capsys: pytest.CaptureFixture[str], *, gpu: bool) -> str:
    setup_file.setup(gpu=gpu)
    return capsys.readouterr().out


def test_a_gpu_lab_without_a_gpu_is_told_how_to_get_one_and_that_it_works_all_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = said(capsys, gpu=True)
    assert "there is none here. Google Colab lends one" in out and "all else runs" in out
    assert "ready: " in out


def test_on_colab_it_is_told_which_menu_gives_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))
    assert "Runtime > Change runtime type > T4 GPU" in said(capsys, gpu=True)


def test_a_lab_that_needs_no_gpu_is_told_nothing_of_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "graphics card" not in said(capsys, gpu=False)


def test_a_gpu_that_is_there_is_named_and_nothing_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(setup_file, "graphics_card", lambda: "Tesla T4")
    out = said(capsys, gpu=True)
    assert "graphics card: Tesla T4" in out and "there is none" not in out
