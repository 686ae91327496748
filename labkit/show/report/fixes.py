"""The smallest repair of each kind, as code with a word on it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from labkit.record import Finding, proof
from labkit.record.plain_text import one_line
from labkit.show.titles import INSTANCES, KEPT

LAMBDA = "<lambda>"
FIXES: Mapping[str, str] = {
    "one_session": (
        "# open one session, before the loop, and use it in every step\n"
        "session = tf.compat.v1.Session(graph=graph)\n"
        "for batch in batches:\n    session.run(train_op, feed_dict={x: batch})"
    ),
    "build_once": (
        "# build every op once, before the loop; then only run it\n"
        "update = tf.compat.v1.assign(rate, rate_now)   # rate_now: a placeholder\n"
        "graph.finalize()                               # from here on a new op is an error\n"
        "for step in range(steps):\n    session.run(update, {rate_now: 0.1})"
    ),
    "trace_once": (
        "# make {function} once, before the loop, and hand it the same arguments at each call,\n"
        "# as tensors\n"
        "@tf.function\ndef {function}(x, y): ...\n"
        "for step in range(steps):\n    {function}(x, tf.constant(step))"
    ),
    "one_tensor": (
        "# {argument} has other parts at each call: hand over one tensor of them all\n"
        "@tf.function(reduce_retracing=True)\n"
        "def {function}({argument}): ...\n"
        "{function}(tf.concat({argument}, axis=0))"
    ),
    "function_once": (
        "# make {function} once, before the loop: a tf.function that is made anew knows no trace\n"
        "{function} = tf.function({function})\n"
        "for step in range(steps):\n    {function}(...)"
    ),
    "tensor_argument": (
        "# {argument} is another Python value at each call: hand it over as a tensor\n"
        "{function}(..., tf.constant({argument}))"
    ),
    "one_shape": (
        "# {argument} has a new shape or type at each call: allow for all of them in one trace\n"
        "@tf.function(reduce_retracing=True)   # with jit_compile, pad {argument} to a few sizes\n"
        "def {function}(...): ..."
    ),
    "one_object": (
        "# {argument} is a new object at each call: make it once, or hand over its tensors\n"
        "{function}(..., {argument})"
    ),
    "close_tape": (
        "# one tape per step, closed before the gradients are asked for\n"
        "with tf.GradientTape() as tape:\n    loss = loss_of(batch)\n"
        "gradients = tape.gradient(loss, variables)"
    ),
    "freeze_garbage": (
        "gc.collect(); gc.freeze()   # once, before the loop: what exists now is left alone\n"
        "# and no gc.collect() within the loop"
    ),
    "freeze_often": (
        "# the loop keeps ever more objects: look through the newest only, and leave the others\n"
        "# alone from then on\n"
        "gc.collect(); gc.freeze()   # at the end of each step"
    ),
    "few_checkpoints": (
        "manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=3)\n"
        "if step % 1000 == 0:\n    manager.save()"
    ),
    "one_iterator": (
        "# one iterator for all steps; nothing skipped, and the next batch prepared meanwhile\n"
        "batches = iter(dataset.repeat().prefetch(tf.data.AUTOTUNE))\n"
        "for step in range(steps):\n    train_step(next(batches))"
    ),
    "read_on": (
        "# each batch takes longer to make than the last: read on from where that one ended,\n"
        "# instead of from the beginning\n"
        "with open(path) as file:\n"
        "    for lines in iter(lambda: list(itertools.islice(file, 32)), []):\n"
        "        yield parsed(lines)"
    ),
    "small_parts": (
        "# make what one batch needs when it is needed, and some ahead: what is made at once for\n"
        "# many batches makes one step wait for all of it\n"
        "for part in np.array_split(rows, len(rows) // 32):\n    yield prepared(part)\n"
        "dataset = dataset.prefetch(tf.data.AUTOTUNE)"
    ),
    "copy_whole": (
        "# copy the whole tensor once, and pick from the copy: each pick from a tensor is an op\n"
        "values = tensor.numpy()\n"
        "for value in values: ..."
    ),
    "copy_seldom": (
        "# keep it in TensorFlow; copy out only what is printed, and only now and then\n"
        "if step % 100 == 0:\n    print(float(loss))"
    ),
    "look_seldom": (
        "# look less often, at one number instead of all; draw at the end, and close the figure\n"
        "if step % 100 == 0:\n    print(float(loss))\n"
        "if step == steps - 1:\n    figure.savefig(path)\n    plt.close(figure)"
    ),
    "smaller_batches": (
        "# keep less in memory at once: smaller batches, or data read in parts\n"
        "dataset = dataset.batch(32)"
    ),
    "running_total": (
        "# of {kept} keep what the answer needs, and no more: for a mean a sum and a count\n"
        "total, count = total + loss, count + 1\nmean = total / count\n"
        "# and for anything else the newest few\n"
        "{kept} = collections.deque(maxlen=1_000)   # before the loop"
    ),
    "equal_work": (
        "# the same work at every step: batches and sequences of one size\n"
        "dataset = dataset.padded_batch(32, padded_shapes=(128,))"
    ),
    "equal_rounds": (
        "# within the function: as many rounds at every step, on as much data\n"
        "for _ in tf.range(ROUNDS):  # or tf.minimum(rounds, MOST_ROUNDS)\n    ..."
    ),
    "wrap_once": (
        "# wrap it once, before the loop, and not what is wrapped already\n"
        "function = wrapped(function)\n"
        "for step in range(steps):\n    function()"
    ),
    "one_handler": (
        "# one handler, added once, before the loop\n"
        "logger.addHandler(handler)\n"
        'for step in range(steps):\n    logger.info("step %d", step)'
    ),
    "keep_numbers": (
        "# keep numbers, not tensors: each tensor holds its memory, and what it was made of\n"
        "{kept}.append(float(loss))"
    ),
    "seed_as_tensor": (
        "# with tf.random.set_seed each call has a seed of its own, and TensorFlow keeps a kernel\n"
        "# for each: give the seed as a tensor\n"
        "noise = tf.random.stateless_normal(shape, seed=tf.stack([7, step]))"
    ),
    "keep_few": (
        "# keep the last few, as many as are used\n"
        "{kept} = collections.deque(maxlen=100)   # before the loop"
    ),
    "bound_cache": (
        "# give the cache a bound, or none: a result that is never asked for again is only kept\n"
        "@functools.lru_cache(maxsize=256)\n"
        "def {kept}(...): ..."
    ),
    "drop": (
        "# drop what is not used any more\n{kept}.clear()   # or, of a list: del {kept}[:-1_000]"
    ),
    "make_once": "# make it once, before the loop, and use it at every step",
    "close_files": (
        "# open it once, before the loop, and close it: one that is left open keeps its thread\n"
        "writer = tf.summary.create_file_writer(folder)\n"
        "for step in range(steps):\n    with writer.as_default(step=step): ...\n"
        "writer.close()"
    ),
    "one_pool": (
        "# one pool of threads for all steps: a thread that waits for more to do never ends\n"
        "pool = concurrent.futures.ThreadPoolExecutor(4)   # before the loop\n"
        "for step in range(steps):\n    pool.submit(work, batch)"
    ),
    "let_go": (
        "# something refers to every {made} that was made: make one, before the loop,\n"
        "# or let go of those that are not used any more, such as\n"
        "{instance}.previous = None"
    ),
    "close_figures": "figure.savefig(path)\nplt.close(figure)   # or pyplot keeps it for ever",
    "compile_once": (
        "# make and compile the model once, before the loop: with a new one all is traced anew\n"
        "model.compile(optimizer=optimizer, loss=loss)\n"
        "for step in range(steps):\n    model.train_on_batch(x, y)"
    ),
    "break_circle": (
        "# what refers to itself stays until a collection: break the circle when it is used up,\n"
        "# and leave Python's collector on\n"
        "node.parent = None   # or from the beginning: node.parent = weakref.ref(parent)"
    ),
    "few_files": (
        "# one file for all steps, and seldom\n"
        'if step % 1000 == 0:\n    np.save("newest.npy", array)'
    ),
    "check_seldom": (
        "# look at the number that matters, and not into every op\n"
        "tf.debugging.disable_check_numerics()\n"
        'if step % 100 == 0:\n    tf.debugging.check_numerics(loss, "loss")'
    ),
    "convert_once": (
        "# make the tensor once, before the loop: each conversion copies the whole array\n"
        "data = tf.constant(array)\n"
        "for step in range(steps):\n    train_step(tf.gather(data, rows))"
    ),
    "few_shapes": (
        "# pad {argument} to a few sizes, so that a few traces are enough\n"
        "size = 64 * math.ceil(len({argument}) / 64)\n"
        "{argument} = tf.pad({argument}, [[0, size - len({argument})], [0, 0]])"
    ),
    "seldom_checkpoints": "# save less often\nif step % 1000 == 0:\n    manager.save()",
    "equal_blocks": (
        "# blocks of one size: pad to the longest, so that what is freed fits what is asked for\n"
        "batch = dataset.padded_batch(32, padded_shapes=(128,))"
    ),
    "read_in_parts": (
        "# read the data in order and in parts, so that only a part must be in memory at once\n"
        "dataset = tf.data.TFRecordDataset(files).shuffle(1_000).batch(32)"
        ".prefetch(tf.data.AUTOTUNE)"
    ),
}


def fix_code(finding: Finding) -> str:
    """Return the repair of a finding as code, in the reader's own names; empty where none fits."""
    names = {"kept": _kept(finding), "function": "train_step", "argument": "batch"}
    if finding.traced is not None:
        names |= {"argument": finding.traced.argument}
        # A lambda has none that could be written: `<lambda>` is how Python shows it.
        if LAMBDA not in finding.traced.function:
            names |= {"function": finding.traced.function}
    made = _made(finding)
    names |= {"made": made, "instance": made.lower()}
    code = FIXES.get(finding.fix, "")
    return re.sub(rf"\{{({'|'.join(names)})\}}", lambda found: names[found[1]], code)


def _made(finding: Finding) -> str:
    """Return the reader's own class of which ever more objects are alive, or one that might be."""
    rising = finding.proof.rising if isinstance(finding.proof, proof.KeptForEver) else ()
    own = (name for name, _ in rising if name.startswith(INSTANCES))
    return one_line(next(own, "Node").removeprefix(INSTANCES))


def _kept(finding: Finding) -> str:
    """Return the reader's own name of what is kept, or one that might be."""
    match finding.proof:
        case proof.KeptForEver(rising=rising):
            named = [name for name, _ in rising]
        case proof.OwnWork(grown=grown):
            named = [grown.name]
        case _:
            named = []
    own = (one_line(each.removeprefix(KEPT)) for each in named if each.startswith(KEPT))
    return next(own, "history")
