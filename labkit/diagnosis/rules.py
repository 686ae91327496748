"""The rules: for each cause its places, its counters, its events, and the code of its repair.

One row a cause, in no order. Where two rows name one place, one of them says in `yields_to` that
the other has it first; what is found by other means (`own_work`, `paging`, `machine`) has no row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

# What a cause must hold of the growth, or of the spikes, to be named for it alone: more than all
# others together could, with some to spare. And what two must hold together.
NAMED_ALONE = 0.6
NAMED_TOGETHER = 0.8
# Of the growth; below it a part is not looked at.
SMALLEST_PART = 0.15
# What an avoidable cost must take of every step.
LEAST_COST = 0.5
# Where the places hold a part of it only: a traced step had 37 % there; the gradients and the new
# function's first run, which go with the trace, were half of what the repair took away.
LEAST_PARTIAL_COST = 0.25
# Spikes below are a habit of every loop: a collection now and then, a checkpoint every hundred
# steps. Work that somebody planned is no fault unless it is most of the time.
LEAST_SPIKES, LEAST_PLANNED_SPIKES = 0.3, 0.6
# To wait for data is nobody's plan, but for the first batch of an epoch.
LEAST_WAITING_SPIKES = 0.5
# TensorFlow's functions: more of them are made wherever something is traced.
FUNCTIONS = ("concrete_functions", "func_graphs", "function_names", "runtime_functions")


@dataclass(frozen=True)
class Rule:
    """How one cause is told.

    Args:
        cause: Its slug.
        fix: The code of its smallest repair; `labkit.show.report.fixes` has the repair.
        places: Columns of the places whose growth it makes.
        work_places: Columns of places of the loop's own work that it makes longer too, as long as
            the work itself does not grow.
        counters: Counters that rest in a healthy loop; where some are given, one of them must rise
            at every step for the places to be this cause's.
        yields_to: Causes that have a place both name, where their own counters rise.
        least_cost: What its places must take of every step for it to be named for that; None where
            what they take may be the loop's own work, whatever it is.
        at_every_step: Counters of which one must rise at every step for that: a loop may well wait
            for its data or write a checkpoint, but need not make a pipeline or a file each time.
        one_of_each: Counter of what must come from each of those once, no more and no less, in a
            typical step: a pipeline that is opened for one batch, and not for an epoch.
        least_spikes: What spikes must take of the time for it to be named for them.
        events: Kinds of events that make its spikes, where no place holds the time of them.
        keeps: Counters of what it keeps for ever, each with the counter that must rise beside it;
            empty where none must.
        holds: A counter that is above zero at the end of each step; what the loop keeps for ever is
            then kept by that.
    """

    cause: str
    fix: str
    places: tuple[str, ...] = ()
    work_places: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    yields_to: tuple[str, ...] = ()
    least_cost: float | None = None
    at_every_step: tuple[str, ...] = ()
    one_of_each: str = ""
    least_spikes: float = LEAST_SPIKES
    events: tuple[str, ...] = ()
    keeps: Mapping[str, str] = field(default_factory=dict)
    holds: str = ""


RULES: tuple[Rule, ...] = (
    Rule(
        "session_churn",
        "one_session",
        places=("session_opening_seconds", "session_closing_seconds", "graph_building_seconds",
                "session_extension_seconds", "session_run_seconds", "session_feeding_seconds",
                "making_variables_seconds"),
        counters=("sessions",),
        least_cost=LEAST_PARTIAL_COST,
        at_every_step=("sessions",),
    ),
    Rule(
        "graph_growth",
        "build_once",
        places=("graph_building_seconds", "session_extension_seconds", "session_run_seconds",
                "graph_writing_seconds", "session_feeding_seconds"),
        counters=("graph_ops",),
        yields_to=("session_churn",),  # a new session has its graph prepared anew
        keeps={"graph_ops": ""},
    ),
    Rule(
        "retracing",
        "trace_once",
        places=("tracing_seconds", "dispatch_seconds", "function_call_seconds",
                "graph_building_seconds", "xla_compiling_seconds", "keras_compiling_seconds",
                "model_building_seconds", "making_variables_seconds"),
        # TensorFlow prepares a new function in its first run.
        work_places=("function_run_seconds",),
        counters=("traces", "compilations"),
        yields_to=("session_churn", "graph_growth"),
        least_cost=LEAST_PARTIAL_COST,
        at_every_step=("traces", "compilations"),
        # What XLA compiled lies on the heap.
        keeps={**dict.fromkeys(FUNCTIONS, "traces"), "heap_bytes": "compilations"},
    ),
    Rule(
        "open_tape",
        "close_tape",
        places=("gradients_seconds",),
        counters=("gradient_ops",),
        holds="open_tapes",
    ),
    Rule(
        "garbage",
        "freeze_garbage",
        places=("garbage_collection_seconds",),
        least_cost=LEAST_COST,
        keeps={"collectable_bytes": ""},
    ),
    Rule(
        "checkpoint_io",
        "few_checkpoints",
        places=("checkpoint_write_seconds", "checkpoint_index_seconds",
                "checkpoint_listing_seconds", "summary_write_seconds"),
        counters=("checkpoint_saves", "files_written", "file_bytes"),
        least_cost=LEAST_COST,
        at_every_step=("checkpoint_saves",),
        least_spikes=LEAST_PLANNED_SPIKES,
        keeps={"files_written": "", "file_bytes": "", "folder_files": ""},
    ),
    Rule(
        "input_pipeline",
        "one_iterator",
        places=("data_waiting_seconds", "input_building_seconds"),
        least_cost=LEAST_COST,
        at_every_step=("iterators",),
        one_of_each="elements",
        least_spikes=LEAST_WAITING_SPIKES,
    ),
    Rule(
        "host_transfer",
        "copy_seldom",
        places=("device_copies_seconds", "picking_seconds"),
        least_cost=LEAST_COST,
    ),
    Rule(
        "observer",
        "look_seldom",
        places=("drawing_seconds", "number_checks_seconds", "profiler_seconds",
                "printing_seconds"),
        least_cost=LEAST_COST,
        least_spikes=LEAST_PLANNED_SPIKES,
    ),
    Rule(
        "memory_limit",
        "smaller_batches",
        events=("stall",),
    ),
)  # fmt: skip


def rule(cause: str) -> Rule:
    """Return the rule of a slug."""
    return next(each for each in RULES if each.cause == cause)
