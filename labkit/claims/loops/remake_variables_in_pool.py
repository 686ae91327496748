"""Source 5's first example again, with all tensors in TensorFlow's own pool, which is looked at.

TensorFlow writes a map of its pool when a request finds no room. So at two turns this loop asks
for more than there is, while another thread stands ready to give some back.
"""

from labkit.cause import Cause, Expectation, Toggle

SIZE = 100
POOL_MEGABYTES = 128
# In numbers of four bytes. Beside the second one there is no room for the first one twice.
BALLAST, FILLING = 15 * 2**20, 4 * 2**20
LOOKS = (5, 59)  # turns after which the map is wanted
PATIENCE_SECONDS = 0.3


def make_step(toggles, *, seed=0):
    import threading

    import tensorflow as tf

    tf1 = tf.compat.v1
    graph = tf.Graph()
    ballast = [tf.zeros([BALLAST])]
    filling = tf.zeros([FILLING])
    turns = 0

    def turn():
        with graph.as_default(), tf1.Session() as session:
            weights = tf1.Variable(tf.random.normal([SIZE, SIZE], seed=seed))
            bias = tf1.Variable(tf.zeros([SIZE]))
            session.run(tf1.global_variables_initializer())
            return session.run(tf.reduce_mean(tf.matmul(tf.ones([1, SIZE]), weights) + bias))

    def step():
        nonlocal turns
        answer = turn()
        turns += 1
        if turns in LOOKS:
            rescue = threading.Timer(PATIENCE_SECONDS, ballast.clear)
            rescue.start()
            more = tf.zeros([BALLAST])  # waits until the ballast is gone
            rescue.join()
            ballast.append(more)
        return answer, filling

    return step


CAUSE = Cause(
    slug="remake_variables_in_pool",
    title="Variables made again each turn, in a pool",
    summary="One graph takes in new variables at every turn; the pool's map is taken twice.",
    make_step=make_step,
    toggles=(
        Toggle(
            "pool",
            "where tensors come from",
            default="one pool",
            choices=("one pool",),
            kind="launch",
            environment={
                "one pool": {
                    "TF_CPU_ALLOCATOR_USE_BFC": "1",
                    "TF_CPU_BFC_MEM_LIMIT_IN_MB": str(POOL_MEGABYTES),
                    "TF_BFC_MEMORY_DUMP": "{scratch}/pool/map",
                },
            },
        ),
    ),
    sizes=(),
    expectation=Expectation(shape="ramp", steps=60, growth=0.5),
    notebook="",
    probes=("allocator",),
)
