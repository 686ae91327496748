"""The fifteen examples of the five posts, three each: claims with two plays, posted and repaired.

Their loops are plain TensorFlow in ``claims/examples``, run only in a worker. One that fails today
fails there in its first step, for the reason for which it fails in the post.
"""

from __future__ import annotations

from dataclasses import dataclass

from labkit.claims.claim import Play

# Pairs of runs, as posted and repaired: what they differ by is far more than processes do.
ROUNDS = 3


@dataclass(frozen=True)
class Example:
    """A code example of a post, rewritten: the same substance in other words, and small.

    Args:
        id: The source and a letter, e.g. ``"1.a"``.
        title: A few words.
        says: What the post shows it for.
        today: What happens today, whatever the clock says, and what the repair is.
        posted: The file in ``claims/examples`` with the loop as it was posted, without its ending.
        repaired: The file with the loop repaired; None where there is nothing to repair.
        steps: How many steps are run.
        error: The class of the error that ends it today; empty where none does.
        seconds: How long a run may take.
    """

    id: str
    title: str
    says: str
    today: str
    posted: str
    repaired: str | None
    steps: int
    error: str = ""
    seconds: float = 30.0

    @property
    def source(self) -> int:
        """The number of the post it comes from."""
        return int(self.id.partition(".")[0])

    @property
    def plays(self) -> dict[str, Play]:
        """The runs of its loops, ``posted`` and, where there is one, ``repaired``."""
        files = {"posted": self.posted}
        if self.repaired is not None:
            files["repaired"] = self.repaired
        # What ends in its first step is not compared.
        rounds = 1 if self.error or self.repaired is None else ROUNDS
        return {
            name: Play(file, self.steps, seconds=self.seconds, rounds=rounds, folder="examples")
            for name, file in files.items()
        }

    def code(self, name: str) -> str:
        """Return a loop as a reader wants it: the function that makes the step.

        Args:
            name: ``"posted"`` or ``"repaired"``.
        """
        text = self.plays[name].file.read_text("utf-8")
        return text[text.index("def make_step") :].rstrip()


EXAMPLES: tuple[Example, ...] = (
    Example(
        id="1.a", title="An op in every turn",
        says="A loop that gets slower, because each turn adds a multiplication to the graph.",
        today="It runs. An eager loop keeps no graph, so no op is added and none piles up.",
        posted="s1_ex1_posted", repaired=None, steps=120,
    ),
    Example(
        id="1.b", title="Constants made beforehand",
        says="The repair of 1.a: the constants are made first, so the graph is built only once.",
        today="It runs. There is no graph to be built once; a turn is spared one small constant.",
        posted="s1_ex2_posted", repaired=None, steps=120,
    ),
    Example(
        id="1.c", title="The whole loop in a tf.function",
        says="The best repair of 1.a: the graph is compiled before the loop, and used again.",
        today="It ends in its first step: while a tf.function is traced, a tensor has no number "
        "yet, and so no numpy(). Repaired, it loops over a tensor range and prints with tf.print.",
        posted="s1_ex3_posted", repaired="s1_ex3_repaired", steps=120, error="AttributeError",
    ),
    Example(
        id="2.a", title="Plain training",
        says="A loop in which memory may break into pieces; then each epoch takes longer.",
        today="It runs. The train step is traced once and asks for the same memory in each epoch.",
        posted="s2_ex1_posted", repaired=None, steps=60,
    ),
    Example(
        id="2.b", title="Memory growth",
        says="A repair of 2.a: the memory of the graphics card is taken bit by bit.",
        today="It runs. Without a graphics card there is nothing to set, and the loop is that of "
        "2.a.",
        posted="s2_ex2_posted", repaired=None, steps=60,
    ),
    Example(
        id="2.c", title="Garbage collected by hand",
        says="Another repair of 2.a: collecting every ten batches keeps the times steady. The post "
        "itself calls it untypical.",
        today="It runs. Each collection walks over all objects of Python, those of the imports "
        "too. Repaired, these are set aside with gc.freeze() before the loop.",
        posted="s2_ex3_posted", repaired="s2_ex3_repaired", steps=40,
    ),
    Example(
        id="3.a", title="A data pipeline",
        says="A repair: tf.data prepares the next batch while the model works on this one.",
        today="It is a fragment: data, model and loss are defined nowhere, so that it ends where "
        "it builds its pipeline. Repaired, they are.",
        posted="s3_ex1_posted", repaired="s3_ex1_repaired", steps=60, error="NameError",
    ),
    Example(
        id="3.b", title="Gradients added up",
        says="A repair: eight small batches stand for a large one, and need less memory.",
        today="It is a fragment, and what counts the batches is set nowhere. It also sets its sum "
        "to zero in each batch, so it adds up nothing. Repaired, it counts, and keeps the sum.",
        posted="s3_ex2_posted", repaired="s3_ex2_repaired", steps=60, error="NameError",
    ),
    Example(
        id="3.c", title="Mixed precision",
        says="A repair: float16 halves the memory, and TensorFlow sees to the stability itself.",
        today="It runs. In a loop of one's own nobody scales the loss, so small gradients become "
        "zero in float16; the loop prints how many. Repaired, the loss is scaled.",
        posted="s3_ex3_posted", repaired="s3_ex3_repaired", steps=100,
    ),
    Example(
        id="4.a", title="A compiled train step",
        says="A repair: a tf.function and a tape give back what a step has used.",
        today="It is a fragment: data and model are defined nowhere. Repaired, they are.",
        posted="s4_ex1_posted", repaired="s4_ex1_repaired", steps=100, error="NameError",
    ),
    Example(
        id="4.b", title="A checkpoint every five epochs",
        says="A repair: checkpoints of the weights alone, and only at every fifth epoch.",
        today="It ends in its first line but one, for os is not imported. With that mended Keras 3 "
        "knows no period, and wants another file ending. Repaired, save_freq counts the batches of "
        "five epochs.",
        posted="s4_ex2_posted", repaired="s4_ex2_repaired", steps=40, error="NameError",
    ),
    Example(
        id="4.c", title="Temporary files removed",
        says="A repair: after the training a temporary folder is deleted, and the log quieted.",
        today="It runs. There is nothing to delete; the loop prints how many files were left.",
        posted="s4_ex3_posted", repaired=None, steps=100,
    ),
    Example(
        id="5.a", title="Variables anew in each turn",
        says="A loop that gets slower: each turn makes a session and variables in one graph.",
        today="It runs, and each turn adds ops that stay. Repaired, all is made once, before the "
        "loop.",
        posted="s5_ex1_posted", repaired="s5_ex1_repaired", steps=60,
    ),
    Example(
        id="5.b", title="One session for all turns",
        says="The repair of 5.a: one session, and variables that are initialised once.",
        today="It is not Python: the body of its loop is only a comment. Repaired, the body uses "
        "the variable and adds no op.",
        posted="s5_ex2_posted", repaired="s5_ex2_repaired", steps=100, error="IndentationError",
    ),
    Example(
        id="5.c", title="A tf.function with variables",
        says="Another repair of 5.a: variables made once, and the work in a tf.function.",
        today="It ends in its first step: the function returns a name that was never set. "
        "Repaired, it returns what it computes.",
        posted="s5_ex3_posted", repaired="s5_ex3_repaired", steps=100, error="NameError",
    ),
)  # fmt: skip
