"""The suspects: for each cause its places, its counters, its events, and the smallest repair."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Suspect:
    """One cause that a diagnosis can name.

    Args:
        cause: Its slug.
        places: Columns of the places whose growth it makes.
        work_places: Columns of places of the loop's own work that it makes longer too, as long as
            the work itself does not grow.
        counters: Counters that rest in a healthy loop; where some are given, one of them must rise
            at every step for the places to be this cause's.
        events: Kinds of events that make its spikes, where no place holds the time of them.
        fix: The smallest repair, as code.
    """

    cause: str
    fix: str
    places: tuple[str, ...] = ()
    work_places: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


SUSPECTS: tuple[Suspect, ...] = (
    Suspect(
        "session_churn",
        "# open one session, before the loop, and use it in every step\n"
        "session = tf.compat.v1.Session(graph=graph)\n"
        "for batch in batches:\n    session.run(train_op, feed_dict={x: batch})",
        places=("session_opening_seconds", "session_closing_seconds", "graph_building_seconds",
                "session_extension_seconds", "session_run_seconds", "session_feeding_seconds",
                "making_variables_seconds"),
        counters=("sessions",),
    ),
    Suspect(
        "graph_growth",
        "# build every op once, before the loop; then only run it\n"
        "update = tf.compat.v1.assign(rate, rate_now)   # rate_now: a placeholder\n"
        "graph.finalize()                               # from here on a new op is an error\n"
        "for step in range(steps):\n    session.run(update, {rate_now: 0.1})",
        places=("graph_building_seconds", "session_extension_seconds", "session_run_seconds",
                "graph_writing_seconds", "session_feeding_seconds"),
        counters=("graph_ops",),
    ),
    Suspect(
        "retracing",
        "# make the tf.function once, before the loop, and hand it tensors\n"
        "@tf.function(reduce_retracing=True)\ndef train_step(x, y): ...\n"
        "for step in range(steps):\n    train_step(x, tf.constant(step))",
        places=("tracing_seconds", "dispatch_seconds", "function_call_seconds",
                "graph_building_seconds", "xla_compiling_seconds", "keras_compiling_seconds",
                "model_building_seconds", "making_variables_seconds"),
        # TensorFlow prepares a new function in its first run.
        work_places=("function_run_seconds",),
        counters=("traces", "compilations"),
    ),
    Suspect(
        "open_tape",
        "# one tape a step, closed before the gradients are asked for\n"
        "with tf.GradientTape() as tape:\n    loss = loss_of(batch)\n"
        "gradients = tape.gradient(loss, variables)",
        places=("gradients_seconds",),
        counters=("gradient_ops",),
    ),
    Suspect(
        "garbage",
        "gc.collect(); gc.freeze()   # once, before the loop: what is there is left alone\n"
        "# and no gc.collect() within the loop",
        places=("garbage_collection_seconds",),
    ),
    Suspect(
        "checkpoint_io",
        "manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=3)\n"
        "if step % 1000 == 0:\n    manager.save()",
        places=("checkpoint_write_seconds", "checkpoint_index_seconds",
                "checkpoint_listing_seconds", "summary_write_seconds"),
        counters=("checkpoint_saves", "files_written", "file_bytes"),
    ),
    Suspect(
        "input_pipeline",
        "# one iterator for all steps; nothing skipped, and the next batch made ready meanwhile\n"
        "batches = iter(dataset.repeat().prefetch(tf.data.AUTOTUNE))\n"
        "for step in range(steps):\n    train_step(next(batches))",
        places=("data_waiting_seconds", "input_building_seconds"),
    ),
    Suspect(
        "host_transfer",
        "# keep it in TensorFlow; copy out only what is printed, and only now and then\n"
        "if step % 100 == 0:\n    print(float(loss))",
        places=("device_copies_seconds",),
    ),
    Suspect(
        "observer",
        "# look less often, at one number instead of all; and close every figure\n"
        "if step % 100 == 0:\n    print(float(loss))\n"
        "    figure.savefig(path); plt.close(figure)",
        places=("drawing_seconds", "number_checks_seconds", "profiler_seconds",
                "printing_seconds"),
    ),
    Suspect(
        "memory_limit",
        "# keep less in memory at once: smaller batches, or data read in parts\n"
        "dataset = dataset.batch(32)",
        events=("stall",),
    ),
)  # fmt: skip

# Their time has no place of its own: it is the loop's work itself that grows.
HISTORY_FIX = (
    "# keep what the answer needs, and no more\n"
    "total, count = total + loss, count + 1\nmean = total / count"
)
WORK_FIX = (
    "# the same work at every step: batches and sequences of one size\n"
    "dataset = dataset.padded_batch(32, padded_shapes=(128,))"
)
LOGGING_FIX = (
    "# one handler, added once, before the loop\n"
    "logger.addHandler(handler)\n"
    'for step in range(steps):\n    logger.info("step %d", step)'
)
KEPT_FIX = (
    "# make it once, before the loop; keep numbers, not tensors, and let go of what is done with\n"
    "losses.append(float(loss))"
)
FRAGMENTATION_FIX = (
    "# blocks of one size: pad to the longest, so that what is freed fits what is asked for\n"
    "batch = dataset.padded_batch(32, padded_shapes=(128,))"
)
PAGES_FIX = (
    "# read the data in order and in parts, so that only a part must be in memory at once\n"
    "dataset = tf.data.TFRecordDataset(files).shuffle(1_000).batch(32).prefetch(tf.data.AUTOTUNE)"
)
MACHINE_FIX = "# nothing in the loop: run it again on a machine that is cool and your own"


def suspect(cause: str) -> Suspect:
    """Return the suspect of a slug."""
    return next(each for each in SUSPECTS if each.cause == cause)
