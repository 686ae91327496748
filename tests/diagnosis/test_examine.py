"""What is put into a run is found, by its kind; what is not there is never claimed.

Tier: make test. Real loops are diagnosed in tests/lab and, all of them, by `make bench`.
"""

import re
from dataclasses import replace

import numpy as np
import pytest

from labkit.diagnosis import examine, judgement
from labkit.record import Event, State
from labkit.show.report.fixes import FIXES
from labkit.show.report.proof_words import proof_words
from labkit.show.verdict.verdict_words import verdict_words
from tests.diagnosis.watched import EVERY, STEPS, causes, ramp, watched

COUNT = np.arange(STEPS, dtype=float)


def found(run):
    return [(each.cause, each.kind) for each in examine(run).findings]


# --- growth


@pytest.mark.parametrize(
    ("cause", "places", "counters"),
    (
        ("graph_growth", {"session_extension_seconds": ramp(1e-3, 4e-3)}, {"graph_ops": 5 * COUNT}),
        ("retracing", {"tracing_seconds": ramp(1e-3, 4e-3)}, {"traces": COUNT}),
        ("open_tape", {"gradients_seconds": ramp(1e-3, 4e-3)}, {"gradient_ops": 9 * COUNT}),
        ("garbage", {"garbage_collection_seconds": ramp(0, 3e-3)}, {}),
        ("input_pipeline", {"data_waiting_seconds": ramp(1e-3, 4e-3)}, {}),
        ("checkpoint_io", {"checkpoint_index_seconds": ramp(0, 3e-3)}, {"checkpoint_saves": COUNT}),
        ("observer", {"drawing_seconds": ramp(1e-3, 4e-3)}, {}),
    ),
)
def test_growth_is_named_by_its_place_and_proved_by_its_counter(cause, places, counters):
    said = examine(watched(places, counters=counters))
    first = said.findings[0]
    assert (first.cause, first.kind) == (cause, "growth")
    assert first.share == pytest.approx(1, abs=0.1)
    assert first.proof.places and first.fix in FIXES


@pytest.mark.parametrize(("first", "told"), [(4e-3, True), (0.1e-3, False)])
def test_what_was_expensive_before_it_grew_says_so(first, told):
    places = {"dispatch_seconds": ramp(0, 4e-3), "tracing_seconds": ramp(first, first + 1e-3)}
    said = examine(watched(places, rest=2e-3, counters={"traces": COUNT}))
    proof = said.findings[0].proof
    assert said.findings[0].kind == "growth"
    assert proof.level_seconds == (pytest.approx(first, rel=0.2) if told else None)
    assert ("At the start it cost 4" in proof_words(proof, said.run.columns)) is told


def test_work_that_was_there_before_is_no_price_of_the_cause():
    places = {"dispatch_seconds": ramp(0, 4e-3), "function_run_seconds": ramp(6e-3, 6e-3)}
    said = examine(watched(places, counters={"traces": COUNT}))
    assert said.findings[0].proof.level_seconds is None


def test_a_place_that_grows_is_not_its_causes_while_the_counter_rests():
    run = watched({"tracing_seconds": ramp(1e-3, 4e-3)}, counters={"traces": np.ones(STEPS)})
    assert examine(run).verdict.slower
    assert ("retracing", "growth") not in found(run)


def test_growth_that_no_place_holds_has_no_cause():
    run = watched({"tracing_seconds": np.full(STEPS, 1e-3)}, rest=ramp(1e-3, 3e-3))
    assert examine(run).verdict.slower and found(run) == []


def test_a_place_with_half_of_the_growth_is_not_enough_alone():
    run = watched({"data_waiting_seconds": ramp(1e-3, 2e-3)}, rest=ramp(1e-3, 2e-3), counters={})
    assert examine(run).verdict.slower and found(run) == []


def test_two_places_that_hold_it_together_are_both_named():
    run = watched(
        {"data_waiting_seconds": ramp(1e-3, 2.5e-3), "garbage_collection_seconds": ramp(0, 1.2e-3)}
    )
    assert set(found(run)) == {("input_pipeline", "growth"), ("garbage", "growth")}


TRACED = {
    "graph_building_seconds": ramp(1e-3, 2.4e-3),
    "tracing_seconds": ramp(1e-3, 1.6e-3),
    "function_run_seconds": ramp(4e-3, 5.7e-3),
}


def test_what_a_new_function_takes_in_its_first_run_is_tracings():
    """Recorded: 41 % building the graph, 18 % tracing, 39 % running what was traced."""
    run = watched(TRACED, counters={"traces": 60 + COUNT}, evidence={"python_calls": 90 + COUNT})
    assert found(run)[0] == ("retracing", "growth")
    assert examine(run).findings[0].share == pytest.approx(1, abs=0.1)


def test_work_that_grows_in_a_loop_that_traces_is_the_works():
    places = TRACED | {"function_run_seconds": ramp(4e-3, 14e-3)}
    run = watched(places, counters={"traces": COUNT}, evidence={"argument_elements": 100 + COUNT})
    assert found(run)[0] == ("work_growth", "growth")


def test_work_that_is_given_to_ops_alone_does_not_make_functions_slower():
    given = {"argument_elements": 100 + 50 * COUNT, "function_elements": np.full(STEPS, 64.0)}
    run = watched(TRACED, counters={"traces": COUNT}, evidence=given)
    assert found(run)[0] == ("retracing", "growth")
    given["function_elements"] = 64 + COUNT
    run = watched(TRACED | {"function_run_seconds": ramp(4e-3, 14e-3)},
                  counters={"traces": COUNT}, evidence=given)  # fmt: skip
    assert found(run)[0] == ("work_growth", "growth")


def test_a_store_with_a_bound_that_is_not_gone_through_makes_no_step_longer():
    """Seen: a replay buffer that was filling was named for what an agent did more often."""
    filling = {"kept/agent.memory": 5 * COUNT, "python_calls": 900 + COUNT}
    longer = {"rest": ramp(2e-3, 6e-3)}
    assert causes(watched(**longer, evidence=filling), "growth") == ["history"]
    filling |= {"bounded/agent.memory": 5 * COUNT}
    assert "history" not in causes(watched(**longer, evidence=filling), "growth")
    filling |= {"argument_elements": 5 * COUNT}
    assert causes(watched(**longer, evidence=filling), "growth") == ["history"]


HANDED = {"function_elements": np.full(STEPS, 64.0)}
WITHIN = {"function_run_seconds": ramp(2e-3, 16e-3)}


def test_a_function_that_does_more_and_more_within_is_named_last_of_all():
    """Seen: of a rollout that was let go ever further nobody knew the cause."""
    first = examine(watched(WITHIN, rest=1e-3, evidence=HANDED)).findings[0]
    assert (first.cause, first.kind, first.fix) == ("work_growth", "growth", "equal_rounds")
    told = proof_words(first.proof, ())
    assert "None is traced anew" in told and "whole numbers" not in told
    kept = {**HANDED, "kept/records": 9 * COUNT}
    assert causes(watched(WITHIN, rest=1e-3, evidence=kept), "growth") == ["history"]


@pytest.mark.parametrize(("per_step", "told"), [(1.0, True), (0.0, False)])
def test_the_numbers_it_is_handed_are_told_where_they_grow(per_step, told):
    handed = {**HANDED, "whole_numbers": 20 + per_step * COUNT}
    (first,) = examine(watched(WITHIN, rest=1e-3, evidence=handed)).findings
    assert (first.proof.numbers is not None) == told
    assert ("whole numbers that they are handed grow from" in proof_words(first.proof, ())) == told


@pytest.mark.parametrize(
    ("places", "counters", "evidence"),
    [
        ({"function_run_seconds": ramp(6e-3, 10e-3)}, {}, HANDED),  # a machine may do that
        (WITHIN, {}, {}),  # what it is handed is not known
        (WITHIN, {"traces": COUNT // 3}, HANDED),
        ({"data_waiting_seconds": ramp(2e-3, 14e-3), **WITHIN}, {}, HANDED),
    ],
    ids=["no doubling", "not counted", "traced anew", "a part only"],
)
def test_a_function_that_takes_longer_is_not_said_to_do_more(places, counters, evidence):
    run = watched(places, rest=1e-3, counters=counters, evidence=evidence)
    assert examine(run).verdict.slower and "work_growth" not in causes(run, "growth")


def test_the_types_that_a_retraced_function_compares_are_no_work_of_the_loops():
    places = {"dispatch_seconds": ramp(1e-3, 4e-3), "running_ops_seconds": ramp(1e-3, 1.7e-3)}
    counted = {"traces": COUNT, "comparisons": 3 * COUNT}
    run = watched(places, counters=counted, evidence={"python_calls": 90 + COUNT})
    assert causes(run, "growth") == ["retracing"]


@pytest.mark.parametrize(
    "evidence",
    [
        {"kept/records": 9 * COUNT, "kept/losses": 2 * COUNT, "argument_elements": 4 * COUNT},
        {"live_tensor_bytes": 4_000 * COUNT, "argument_elements": 1_000 * COUNT},
    ],
)
def test_work_that_goes_through_what_is_kept_is_history_beside_collections_as_well(evidence):
    places = {"garbage_collection_seconds": ramp(0, 2e-3), "running_ops_seconds": ramp(1e-3, 2e-3)}
    assert causes(watched(places, evidence=evidence), "growth") == ["garbage", "history"]


def test_a_heap_that_collections_go_through_does_not_hide_that_the_work_grows():
    run = watched(
        {
            "garbage_collection_seconds": ramp(0, 2e-3),
            "running_ops_seconds": ramp(1e-3, 2.5e-3),
        },
        evidence={"kept/records": 5 * COUNT, "argument_elements": 100 + COUNT},
    )
    assert causes(run, "growth") == ["garbage", "work_growth"]


def test_work_that_grows_with_what_is_kept_is_history():
    run = watched({"running_ops_seconds": ramp(1e-3, 3e-3)}, evidence={"kept/losses": 3 * COUNT})
    assert found(run)[0] == ("history", "growth")
    assert examine(run).findings[0].proof.grown.name == "kept/losses"


def test_calls_that_grow_with_the_log_handlers_are_the_observers():
    """Each step adds a handler, and each message passes all there are."""
    read = {"python_calls": 900 + 30 * COUNT, "log_handlers": COUNT}
    run = watched({"running_ops_seconds": np.full(STEPS, 1e-3)}, rest=ramp(1e-3, 3e-3),
                  evidence=read)  # fmt: skip
    assert found(run)[0] == ("observer", "growth")
    rests = watched({"running_ops_seconds": np.full(STEPS, 1e-3)}, rest=ramp(1e-3, 3e-3),
                    evidence=read | {"log_handlers": np.full(STEPS, 2.0)})  # fmt: skip
    assert found(rests)[0] == ("work_growth", "growth")


def test_lines_that_log_with_more_and_more_handlers_are_the_observers_where_no_calls_were_counted():
    slower = {f"stack/loop.py:7 note > logging.{each}": ramp(1e-4, 1e-3) for each in ("info", "x")}
    run = watched({"running_ops_seconds": np.full(STEPS, 1e-3)}, rest=ramp(1e-3, 3e-3),
                  evidence={"log_handlers": COUNT} | slower)  # fmt: skip
    assert found(run)[0] == ("observer", "growth")


def test_work_that_grows_with_what_is_given_is_work_growth():
    run = watched(
        {"function_run_seconds": ramp(1e-3, 3e-3)}, evidence={"argument_elements": 100 + COUNT}
    )
    assert found(run) == [("work_growth", "growth")]


@pytest.mark.parametrize("seed", range(10))
def test_a_healthy_run_has_no_finding(seed):
    run = watched(
        {"function_run_seconds": 2e-3, "data_waiting_seconds": 1e-3},
        counters={"traces": np.ones(STEPS), "graph_ops": np.full(STEPS, 18.0)},
        evidence={"heap_bytes": 5e8 + 1e3 * (COUNT % 50), "live_tensors": np.full(STEPS, 40.0)},
        seed=seed,
    )  # fmt: skip
    said = examine(run)
    assert said.findings == () and said.memory.label == "flat"


# --- memory


@pytest.mark.parametrize(
    "name",
    ("live_tensors", "func_graphs", "gradient_registry", "figures", "open_files", "kept/seen"),
)
def test_whatever_rises_for_ever_is_a_leak_however_small(name):
    said = examine(watched(evidence={name: 7 + COUNT / 20}))
    assert said.memory.label == "leaking" and len(said.memory.grows) == 1
    assert not said.verdict.slower


def test_a_rising_heap_is_a_leak_and_told_by_the_step():
    said = examine(watched(evidence={"heap_bytes": 3e8 + 50_000 * COUNT}))
    assert said.memory.label == "leaking"
    assert said.memory.bytes_per_step == pytest.approx(50_000, rel=0.01)


def test_a_heap_that_a_cache_gave_back_is_placed_in_the_cache():
    heap = 3e8 + 50_000 * COUNT
    said = examine(watched(evidence={"heap_bytes": heap}, closing={"kernel_cache_bytes": 18e6}))
    assert said.memory.grows[0] == "kernel_cache_bytes"


@pytest.mark.parametrize(
    ("heap", "closing"),
    (
        (5e8 + 300 * COUNT, {}),  # noise of the allocator
        (5e8 + 2_000 * np.minimum(COUNT, 120), {}),  # a cache that is full
        (5e8 + 600 * COUNT, {"scalar_cache_bytes": 240_000}),  # numbers made into tensors
        (5e8 + 2e4 * (COUNT % 100), {}),  # garbage and its collection
    ),
    ids=("noise", "full", "scalars", "garbage"),
)
def test_a_heap_that_comes_to_rest_is_no_leak(heap, closing):
    said = examine(watched(evidence={"heap_bytes": heap}, closing=closing))
    assert said.memory.label == "flat" and said.findings == ()


def test_garbage_is_a_leak_only_where_nobody_collects_it():
    heap, closing = {"heap_bytes": 5e8 + 50_000 * COUNT}, {"collectable_bytes": 19e6}
    off = watched(evidence=heap, closing=closing, counters={"gc_collections": np.full(STEPS, 3.0)})
    on = watched(evidence=heap, closing=closing, counters={"gc_collections": COUNT // 20})
    assert found(off) == [("garbage", "memory")]
    assert found(on) == []


# --- spikes and cost


def test_spikes_are_named_by_the_place_that_holds_them():
    spiky = np.where(COUNT % 20 == 19, 20e-3, 0.0)
    run = watched({"garbage_collection_seconds": spiky}, rest=1e-3)
    assert found(run) == [("garbage", "spikes")]
    assert not examine(run).verdict.slower


@pytest.mark.parametrize(("held", "named"), [(0.5, False), (0.75, True)])
def test_a_place_is_named_where_it_holds_three_fifths_of_the_spikes(held, named):
    spiky = np.where(COUNT % 20 == 19, 20e-3, 0.0)
    run = watched({"garbage_collection_seconds": held * spiky}, rest=1e-3 + (1 - held) * spiky)
    assert (("garbage", "spikes") in found(run)) is named


def waiting(steps):
    """Return a run of which these steps took a second, and waits for memory at every hundredth."""
    text = "no free block: TensorFlow waited 1.0 s and then found one"
    run = watched(rest=np.where(np.isin(np.arange(STEPS), steps), 1.0, 1e-3))
    return replace(run, events=tuple(Event(step, "stall", text, {}) for step in (99, 199, 299)))


def test_spikes_that_wait_for_a_free_block_of_memory_are_named_by_their_events():
    (found,) = examine(waiting([99, 199, 299])).findings
    assert (found.cause, found.kind) == ("memory_limit", "spikes")
    assert found.proof.event_step == 99
    assert found.proof.event_text.startswith("no free block: TensorFlow waited 1.0 s")


def test_spikes_beside_events_are_not_named_by_them():
    assert found(waiting([98, 198, 298])) == []


def test_small_spikes_are_every_loops_habit():
    spiky = np.where(COUNT % 100 == 99, 5e-3, 0.0)
    assert found(watched({"checkpoint_write_seconds": spiky})) == []


def test_a_retrace_at_every_step_is_a_cost_and_no_slowdown():
    run = watched({"tracing_seconds": np.full(STEPS, 8e-3)}, counters={"traces": COUNT})
    assert [kind for cause, kind in found(run) if cause == "retracing"] == ["cost"]
    assert not examine(run).verdict.slower


def test_a_third_of_every_step_is_a_cost_where_a_counter_proves_it_and_else_none():
    """A trace's gradients and its function's first run are elsewhere, and go with it."""
    third = np.full(STEPS, 3e-3)
    retraced = watched({"tracing_seconds": third}, rest=6e-3, counters={"traces": COUNT})
    assert ("retracing", "cost") in found(retraced)
    assert found(watched({"device_copies_seconds": third}, rest=6e-3)) == []


def test_a_cost_in_a_loop_that_slows_down_is_not_said_to_rest():
    """A trace at every step takes most of it; something else takes longer from the middle on."""
    later = np.where(np.arange(STEPS) < STEPS // 2, 1e-3, 4e-3)
    slower = watched({"tracing_seconds": np.full(STEPS, 8e-3)}, rest=later,
                     counters={"traces": COUNT})  # fmt: skip
    said = examine(slower)
    proofs = [each.proof for each in said.findings if each.kind == "cost"]
    assert proofs and proofs[0].grows, said
    rests = watched({"tracing_seconds": np.full(STEPS, 8e-3)}, counters={"traces": COUNT})
    assert [each.proof.grows for each in examine(rests).findings if each.kind == "cost"] == [False]


@pytest.mark.parametrize(
    ("place", "seconds"), (("data_waiting_seconds", 8e-3), ("host_copies_seconds", 1e-4))
)
def test_work_that_may_well_be_wanted_is_no_cost(place, seconds):
    assert found(watched({place: np.full(STEPS, seconds)})) == []


@pytest.mark.parametrize(
    ("cause", "place", "counter"),
    [
        ("input_pipeline", "data_waiting_seconds", "iterators"),
        ("checkpoint_io", "checkpoint_write_seconds", "checkpoint_saves"),
    ],
)
def test_what_is_made_anew_for_each_step_is_a_cost_and_once_in_ten_it_is_none(
    cause, place, counter
):
    places, one = {place: np.full(STEPS, 8e-3)}, {"elements": np.ones(STEPS)}
    assert (cause, "cost") in found(watched(places, counters={counter: COUNT, **one}))
    assert found(watched(places, counters={counter: COUNT // 10, **one})) == []


@pytest.mark.parametrize("elements", [0.0, 20.0])
def test_a_pipeline_that_is_made_for_a_whole_fit_or_an_epoch_is_no_cost(elements):
    """A step that is a fit: what it takes from its data is seen by nobody, or is much."""
    places = {"data_waiting_seconds": np.full(STEPS, 8e-3)}
    counters = {"iterators": COUNT, "elements": np.full(STEPS, elements)}
    assert found(watched(places, counters=counters)) == []


def test_elements_picked_one_by_one_are_a_cost_together_with_their_copies():
    share = {"picking_seconds": np.full(STEPS, 4e-3), "device_copies_seconds": np.full(STEPS, 2e-3)}
    assert found(watched(share, rest=4e-3)) == [("host_transfer", "cost")]
    assert found(watched(share, rest=9e-3)) == []


# --- how it ended


def test_bytes_a_step_are_those_of_what_is_kept_and_not_of_all_that_is_resident():
    kept = {"live_tensor_bytes": 1_024 * COUNT, "live_tensors": COUNT}
    run = watched(evidence={**kept, "resident_bytes": 1_000_000 * COUNT})
    memory = examine(run).memory
    assert memory.label == "leaking"
    assert memory.bytes_per_step == pytest.approx(1_024, rel=0.01)


def test_a_run_that_needed_too_much_memory_says_so():
    ended = State("memory_limit", "It held more than its limit.")
    assert found(watched(state=ended)) == [("memory_limit", "memory")]


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        ("ResourceExhaustedError", "OOM when allocating tensor with shape[1]"),
        ("MemoryError", ""),
        ("RuntimeError", "OOM when allocating tensor; the loop raised another error because of it"),
    ],
)
def test_a_loop_that_found_no_room_for_a_tensor_says_so(error, raised):
    ended = State("failed", "It raised.", f"{error}: {raised}", error)
    assert found(watched(state=ended)) == [("memory_limit", "memory")]


@pytest.mark.parametrize(
    ("error", "raised"),
    [
        ("ResourceExhaustedError", "a file; No space left on device"),
        ("ValueError", "a MemoryError is what this is not"),
    ],
)
def test_a_full_disk_or_another_error_is_no_lack_of_memory(error, raised):
    ended = State("failed", "It raised.", f"{error}: {raised}", error)
    assert found(watched(state=ended)) == []


@pytest.mark.parametrize("seed", range(8))
def test_a_proof_says_by_how_much_its_largest_place_grew_and_how_sure_that_is(seed):
    grown = watched({"tracing_seconds": ramp(1e-3, 4e-3)}, counters={"traces": COUNT}, seed=seed)
    said = examine(grown)
    (finding,) = said.findings
    said_of_it = proof_words(finding.proof, grown.columns)
    ((grew, half),) = re.findall(r"\(([\d.]+) ms ± ([\d.]+) us, 95 % CI\)", said_of_it)
    row = said.ledger.rows[0]
    assert float(half) == pytest.approx(1e6 * (row.high - row.low) / 2, abs=0.1)
    # Twice the interval, which one seed of eight may well leave.
    assert abs(float(grew) - 3.0) < 2e-3 * float(half) + 0.05


@pytest.mark.parametrize("seed", range(3))
def test_the_shares_of_growth_never_add_up_to_more_than_all_of_it(seed):
    run = watched(
        {"tracing_seconds": ramp(1e-3, 3e-3), "graph_building_seconds": ramp(0, 1e-3),
         "session_run_seconds": ramp(1e-3, 2e-3)},
        counters={"traces": COUNT, "graph_ops": COUNT}, seed=seed,
    )  # fmt: skip
    growth = [each.share for each in examine(run).findings if each.kind == "growth"]
    assert growth and sum(growth) <= 1.02


# --- lines of code, and the machine


def test_growth_that_no_place_holds_is_booked_by_line():
    lines = {"stack/loop.py:9 step > numpy.append": ramp(1e-3, 3e-3)}
    run = watched({"running_ops_seconds": np.full(STEPS, 1e-3)}, rest=ramp(1e-3, 3e-3),
                  evidence=lines)  # fmt: skip
    ledger = examine(run).ledger
    assert ledger.rows[0].place == "loop.py:9 step > numpy.append"
    assert ledger.rows[0].share > 0.9, "its share of what the looks saw, which is all of it"
    assert sum(row.seconds for row in ledger.rows) == pytest.approx(ledger.growth_seconds)


def test_a_line_is_never_booked_what_a_place_holds_already():
    lines = {"stack/loop.py:9 step > numpy.append": ramp(1e-3, 3e-3)}
    run = watched({"data_waiting_seconds": ramp(1e-3, 3e-3)}, evidence=lines)
    assert all(".py" not in row.place for row in examine(run).ledger.rows)


def test_a_line_is_booked_its_share_beside_a_place():
    lines = {
        "stack/loop.py:9 step > numpy.mean": ramp(1e-3, 2e-3),
        "stack/loop.py:7 step > tensorflow.run": ramp(1e-3, 4e-3),
    }
    run = watched({"session_run_seconds": ramp(1e-3, 4e-3)}, rest=ramp(1e-3, 2e-3), evidence=lines)
    ledger = examine(run).ledger
    shares = {row.place: row.share for row in ledger.rows}
    assert shares["loop.py:9 step > numpy.mean"] == pytest.approx(0.25, abs=0.06)
    assert not any("tensorflow" in place for place in shares)
    assert ledger.explained > 0.93


def test_what_a_look_itself_makes_more_expensive_at_a_place_takes_nothing_from_a_line():
    """Recorded: looked at, a call of TensorFlow grew by three times what it did otherwise."""
    looked = np.zeros(STEPS)
    for end in range(EVERY, STEPS, EVERY):
        looked[end - 3 : end] = 1.0
    place = ramp(1e-3, 2e-3) + looked * ramp(0, 2e-3)
    lines = {
        "stack/loop.py:9 step > numpy.mean": ramp(1e-3, 5e-3),
        "stack/loop.py:7 step > tensorflow.run": ramp(1e-3, 4e-3),
    }
    run = watched({"session_run_seconds": place}, rest=ramp(1e-3, 5e-3), evidence=lines,
                  counters={"sampled": looked})  # fmt: skip
    shares = {row.place: row.share for row in examine(run).ledger.rows}
    assert shares["loop.py:9 step > numpy.mean"] == pytest.approx(0.8, abs=0.05), shares


def test_a_line_whose_time_a_place_holds_is_not_given_what_another_line_took():
    """Recorded: `time.sleep` is timed, and its line was charged what `sum` beside it took."""
    lines = {
        "stack/loop.py:6 step > sleep": ramp(1e-3, 5e-3),
        "stack/loop.py:7 step > sum": ramp(1e-3, 2e-3),
    }
    run = watched({"sleeping_seconds": ramp(1e-3, 5e-3)}, rest=ramp(1e-3, 2e-3), evidence=lines)
    shares = {row.place: row.share for row in examine(run).ledger.rows}
    assert shares["loop.py:7 step > sum"] == pytest.approx(0.2, abs=0.06)
    assert "loop.py:6 step > sleep" not in shares


def test_a_run_without_a_record_of_the_machine_never_blames_it():
    assert ("machine", "growth") not in found(watched(rest=ramp(1e-3, 3e-3)))


def test_the_same_ops_on_as_many_elements_that_take_longer_are_fragmentation():
    same = {"argument_elements": np.full(STEPS, 5e4), "argument_sizes": np.full(STEPS, 100.0),
            "kept/results": COUNT}  # fmt: skip
    ops = {"ops_run": np.full(STEPS, 50.0)}
    slower = {"running_ops_seconds": ramp(1e-3, 3e-3)}
    assert found(watched(slower, counters=ops, evidence=same))[0] == ("fragmentation", "growth")
    more = same | {"argument_elements": 5e4 + 100 * COUNT}
    assert found(watched(slower, counters=ops, evidence=more))[0] == ("history", "growth")


def test_ops_that_take_longer_than_their_elements_can_make_them_are_fragmentation():
    """Recorded: `labkit diagnose fragmentation` said history; its sequences get a little longer."""

    def first(longer, without="", **read):
        slower = {"running_ops_seconds": ramp(1e-3, longer)}
        told = {name: each for name, each in (counted | read).items() if name != without}
        return found(watched(slower, counters=ops, evidence=told))[0][0]

    ops = {"ops_run": np.full(STEPS, 50.0)}
    counted = {
        "argument_elements": 5e4 + 100 * COUNT,
        "argument_sizes": 100 + 0.2 * COUNT,
        "kept/results": COUNT,
        "live_tensor_bytes": 2e4 * COUNT,
    }
    assert first(4e-3) == "fragmentation"
    # As much work as goes through what is kept, or as explains the time, is another thing; so is
    # a small part that grows beside one large table, or more and more of them.
    assert first(4e-3, live_tensor_bytes=400 * COUNT) == "history"
    assert first(4e-3, **{"kept/results": 50 * COUNT}) == "history"
    assert first(2e-3) != "fragmentation"
    assert first(4e-3, argument_sizes=100 + 2 * COUNT) != "fragmentation"
    assert first(4e-3, without="argument_sizes") != "fragmentation"
    assert first(4e-3, function_elements=5e4 + 100 * COUNT) != "fragmentation"


def test_ops_are_not_said_to_be_given_as_much_as_at_the_start_where_that_rose_and_rests():
    full = np.minimum(COUNT, 0.7 * STEPS)
    read = {
        "argument_elements": 5e4 + 100 * full, "argument_sizes": 100 + 0.2 * full,
        "kept/results": COUNT, "live_tensor_bytes": 2e4 * COUNT,
    }  # fmt: skip
    ops, slower = {"ops_run": np.full(STEPS, 50.0)}, {"running_ops_seconds": ramp(1e-3, 4e-3)}
    first = examine(watched(slower, counters=ops, evidence=read)).findings[0]
    assert first.cause == "fragmentation"
    assert first.proof.more_elements == pytest.approx(0.51, abs=0.01)
    assert 3 <= first.proof.times < 4


def test_ops_that_were_given_nothing_at_first_are_no_fault_of_a_diagnosis():
    read = {
        "argument_elements": 10 * COUNT, "argument_sizes": COUNT,
        "kept/results": COUNT, "live_tensor_bytes": 2e4 * COUNT,
    }  # fmt: skip
    ops = {"ops_run": np.full(STEPS, 50.0)}
    slower = {"running_ops_seconds": ramp(1e-3, 3e-3)}
    assert found(watched(slower, counters=ops, evidence=read))[0] == ("history", "growth")


def test_more_and_more_arguments_beside_large_weights_are_no_fragmentation():
    """Recorded: a list that was stacked grew by 5 elements a step, beside 200,000 of weights."""
    read = {"argument_elements": 2e5 + 5 * COUNT, "kept/losses": 2.7 * COUNT}
    ops = {"ops_run": np.full(STEPS, 50.0)}
    run = watched({"running_ops_seconds": ramp(1e-2, 3e-2)}, counters=ops, evidence=read,
                  closing={"argument_sizes": 26.0})  # fmt: skip
    assert found(run)[0] == ("history", "growth")


def test_a_graph_that_grows_is_told_though_an_older_one_was_taken_away_meanwhile():
    """Recorded: 1,800 ops built before the loop were garbage, collected in the midst of it."""
    ops = 1_800 + 6 * COUNT - 1_800 * (COUNT > 200)
    places = {"session_extension_seconds": ramp(1e-3, 4e-3)}
    assert found(watched(places, counters={"graph_ops": ops}))[0] == ("graph_growth", "growth")
    rests = 1_800 - 1_800 * (COUNT > 200)
    assert ("graph_growth", "growth") not in found(watched(places, counters={"graph_ops": rests}))


# --- small slowdowns


def test_a_small_slowdown_without_a_cause_is_not_told():
    run = watched(rest=np.where(COUNT < STEPS // 2, 1e-2, 1.07e-2))
    assert judgement(run).verdict.slower
    said = examine(run)
    assert said.verdict.label == "flat" and said.verdict.growth == pytest.approx(0.07, abs=0.01)
    assert said.verdict.reason == "machine" and said.verdict.smallest_growth >= 0.1
    assert not said.findings and not said.ledger.rows and not said.slower_lines


def test_a_small_slowdown_with_a_cause_is_told():
    traced = np.where(COUNT < STEPS // 2, 1e-3, 1.7e-3)
    run = watched({"tracing_seconds": traced}, rest=9e-3, counters={"traces": COUNT})
    said = examine(run)
    assert said.verdict.slower and said.verdict.low < 0.1
    assert ("retracing", "growth") in found(run)


def test_a_larger_slowdown_without_a_cause_is_told():
    said = examine(watched(rest=np.where(COUNT < STEPS // 2, 1e-2, 1.2e-2)))
    assert said.verdict.slower and said.findings == () and said.ledger.rows


def test_threads_that_are_left_waiting_are_named_before_the_tensors_they_hold():
    evidence = {
        "threads": 10 + COUNT,
        "live_tensors": 10 + COUNT,
        "gc_objects": np.full(STEPS, 1e5),
    }
    run = watched(rest=ramp(1e-2, 2e-2), evidence=evidence)
    (cause, *_) = examine(run).findings
    assert cause.cause == "history"
    assert "while threads grows by 1 per step" in proof_words(cause.proof, run.columns)


@pytest.mark.parametrize(("calls", "told"), [(1.0, True), (0.01, False), (40.0, False)])
def test_calls_that_each_step_makes_deeper_are_told_with_the_line_that_calls(calls, told):
    evidence = {"nested/train.py:7": calls * COUNT, "python_calls": 100.0 + calls * COUNT}
    run = watched(rest=ramp(1e-3, 4e-3), evidence=evidence)
    (first, *_) = examine(run).findings
    assert first.cause == "work_growth"
    assert (first.fix == "wrap_once") is told
    assert told is (
        first.line is not None and (first.line.file, first.line.line) == ("train.py", 7)
    )


def test_a_list_of_losses_is_healthy_and_one_of_tensors_is_told_first():
    losses = {"kept/losses": 1.0 * COUNT, "numbers/losses": 1.0 * COUNT}
    assert examine(watched(evidence=losses)).memory.label == "flat"
    outputs = {"kept/outputs": 1.0 * COUNT, "tensors/outputs": 1.0 * COUNT, "kept/a": 2.0 * COUNT}
    said = examine(watched(evidence={**losses, **outputs}))
    assert said.memory.label == "leaking" and said.memory.grows[:2] == ("kept/outputs", "kept/a")


def test_a_list_of_very_many_numbers_is_told():
    many = {"kept/rows": 100.0 * COUNT, "numbers/rows": 100.0 * COUNT}
    assert examine(watched(evidence=many)).memory.grows == ("kept/rows",)


def test_a_dict_of_what_each_fit_returned_is_healthy_unless_it_holds_thousands_of_numbers():
    few = {"kept/fits": 1.0 * COUNT, "numbers/fits": 28.0 * COUNT}
    assert examine(watched(evidence=few)).memory.label == "flat"
    many = {"kept/fits": 1.0 * COUNT, "numbers/fits": 4_000.0 * COUNT}
    assert examine(watched(evidence=many)).memory.grows == ("kept/fits",)


# --- a part of the steps


def test_growth_in_every_third_step_is_told_of_those_and_named_by_its_place():
    third = np.arange(STEPS) % 3 == 1
    run = watched({"drawing_seconds": np.where(third, ramp(1e-4, 9e-3), 1e-4)})
    said = examine(run)
    assert said.verdict.slower and said.verdict.part is not None
    assert (said.verdict.part.period, said.verdict.part.phases) == (3, (1,))
    assert (said.findings[0].cause, said.findings[0].kind) == ("observer", "growth")
    assert said.findings[0].share == pytest.approx(1, abs=0.15)
    assert judgement(run).verdict.part == said.verdict.part
    assert "slowdown in a part of the steps, every third: from" in verdict_words(said.verdict)


def test_a_proof_and_the_table_of_what_is_kept_have_the_same_figures():
    kept = {"kept/rows": 3.0 * COUNT, "heap_bytes": 1e7 + 5e4 * COUNT}
    said = examine(watched(evidence=kept, closing={"kernel_cache_bytes": 1.9e7}))
    rises = {each.name: each.per_step for each in said.memory.rises}
    assert tuple(rises) == said.memory.grows
    (proof,) = (each.proof for each in said.findings if each.kind == "memory")
    assert dict(proof.rising).items() <= rises.items()
