"""The fixture assert_steady, in a test session of its own. Tier: make test."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest_plugins = ["pytester"]
# By its path and not by its entry point: labkit need not be installed, and may be.
PLUGIN = ("--disable-plugin-autoload", "-p", "labkit.lab.pytest_plugin", "-p", "no:cacheprovider")
LOOP = """
def keeper(kept):
    import tensorflow as tf
    matrix = tf.ones([60, 60])
    return lambda: kept.append(tf.reduce_sum(tf.matmul(matrix, matrix)))
"""
ALLOWED = """
def test_allowed(assert_steady):
    said = assert_steady(lambda: keeper([]), steps=100, leaking=False)
    assert said.diagnosis.memory.label == "leaking"
"""
LEAKING = """
def test_leaking(assert_steady):
    assert_steady(lambda: keeper([]), steps=100)
"""


def test_a_test_that_asks_for_it_gets_the_function(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(LOOP + ALLOWED)
    pytester.runpytest_inprocess(*PLUGIN).assert_outcomes(passed=1)


@pytest.mark.full
def test_a_leak_fails_its_test_with_the_diagnosis(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(LOOP + LEAKING)
    result = pytester.runpytest_subprocess(*PLUGIN)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *AssertionError: The loop is not steady: it *leaks*"])
    # Its own lines are no part of it.
    result.stdout.no_fnmatch_line("*labkit/lab/own_loop/steady.py*")


def test_the_fixture_is_listed_with_a_word_on_it(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("")
    result = pytester.runpytest_inprocess(*PLUGIN, "--fixtures")
    place = next(at for at, line in enumerate(result.outlines) if line.startswith("assert_steady"))
    assert "Fail when a loop slows down or leaks" in result.outlines[place + 1]


def test_a_session_that_does_not_use_it_loads_next_to_nothing() -> None:
    program = (
        "import sys, labkit.lab.pytest_plugin; "
        "print(sorted(m for m in sys.modules if m.startswith('labkit')), "
        "{'numpy', 'tensorflow', 'keras', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ("['labkit', 'labkit.lab', 'labkit.lab.pytest_plugin'] set()")


def test_a_script_that_runs_pytest_where_labkit_is_imported_may_take_warnings_for_errors(
    pytester: pytest.Pytester,
) -> None:
    """Seen: under ``labkit diagnose`` such a script ended before its first test."""
    pytester.makepyfile("def test_passes(): pass")
    program = (
        "import labkit, pytest\n"
        "class Known:\n"
        "    @staticmethod\n"
        "    def pytest_configure(config):\n"
        "        config.pluginmanager.rewrite_hook.mark_rewrite('labkit')\n"
        "raise SystemExit(pytest.main(['-W', 'error', '-p', 'no:cacheprovider'], [Known]))\n"
    )
    done = pytester.run(sys.executable, "-c", program)
    assert done.ret == 0
    done.assert_outcomes(passed=1)
