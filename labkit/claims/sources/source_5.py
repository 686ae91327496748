"""Source 5: "Why does initializing TensorFlow graph variables repeatedly become progressively
slower?"
"""

from __future__ import annotations

from labkit.claims.claim import Claim, Play
from labkit.claims.sources.rulings_5 import (
    allocator_suffers,
    compiled_calls,
    down_to_paging,
    fragments,
    new_variables,
    one_session,
    sessions_are_expensive,
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="5.1", title="New variables each turn",
        says="Making and initialising variables anew in one graph gets slower and slower.",
        experiment="Eighty turns, each with new variables: all are initialised, and the new ones.",
        plays={
            "all": Play("session_churn", steps=80),
            "new": Play("session_churn", steps=80, settings={"initialise": "new"}),
        },
        decide=new_variables,
        fair="It says rightly that running the initialiser is not all of it.",
    ),
    Claim(
        id="5.2", title="Fragmented memory",
        says="Variables that are made and dropped again and again fragment memory.",
        experiment="Sixty turns with new variables in TensorFlow's own pool, mapped twice; free "
        "blocks of the heap with one graph for all turns and with a graph for each.",
        plays={
            "pool": Play("remake_variables_in_pool", steps=60),
            "one_graph": Play("session_churn", steps=50),
            "own_graph": Play("session_churn", steps=50, settings={"fresh_graph": "on"}),
        },
        decide=fragments,
        fair="It speaks of large models on a graphics card, too; these variables are small.",
    ),
    Claim(
        id="5.3", title="Sessions are expensive",
        says="Making sessions again and again is expensive, and delays what comes after.",
        experiment="A session each turn on a graph that is complete, and one that is kept.",
        plays={
            "each": Play("open_sessions", steps=300),
            "kept": Play("session_churn", steps=300, settings={"reuse": "on"}),
        },
        decide=sessions_are_expensive,
    ),
    Claim(
        id="5.4", title="One session, initialised once",
        says="With one session, and variables initialised once, turns stay fast.",
        experiment="Five thousand turns in one session, with nothing made anew.",
        plays={"once": Play("session_churn", steps=5_000, settings={"reuse": "on"})},
        decide=one_session,
    ),
    Claim(
        id="5.5", title="The same with tf.function",
        says="With variables made once and a tf.function, calls stay fast.",
        experiment="Five thousand calls of one tf.function with the same two variables.",
        plays={"calls": Play("call_compiled", steps=5_000)},
        decide=compiled_calls,
        fair="As posted the function returns a name that nobody defined; here it returns a result.",
    ),
    Claim(
        id="5.6", title="The system's allocator",
        says="The operating system's memory allocator gets under strain, and delays each turn.",
        experiment="Eighty turns with new variables; the pages the system hands out are counted.",
        plays={"churn": Play("session_churn", steps=80)},
        decide=allocator_suffers,
    ),
    Claim(
        id="5.7", title="Down to paging",
        says="In the end memory has to be paged, which makes turns slow.",
        experiment="Eighty turns with new variables, and a loop whose data outgrow the memory it "
        "may take; waits for a disk are counted.",
        plays={
            "churn": Play("remake_variables", steps=80),
            "full": Play("memory_limit"),
        },
        decide=down_to_paging,
        fair="With a large model the kept graphs and variables may fill the memory.",
    ),
)  # fmt: skip
