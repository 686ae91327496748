"""Source 5: "Why does initializing TensorFlow graph variables repeatedly become progressively
slower?"
"""

from __future__ import annotations

from labkit.claims.claim import MORE, OPEN, Claim, Play, Ruling, by_growth
from labkit.claims.played import Played
from labkit.claims.words import course, usual
from labkit.record import LabkitError, quantity
from labkit.record.memory_map import KIND

# TensorFlow's own measure of a pool's fragmentation goes from 0 to 1; so much more is called a
# change. In pieces a few requests find no room, and none of them waits for it.
FRAGMENTED = 0.1


def new_variables(played: Played) -> Ruling:
    played.check_ended()
    told = (
        f"All variables initialised each turn: {course(played, 'all')}; the last turn initialised "
        f"{played.last('all', 'initialised'):,.0f} of them to use two. Only the two new ones "
        f"initialised: {course(played, 'new')}."
    )
    return by_growth(played.slows("all"), told)


def fragments(played: Played) -> Ruling:
    played.check_ended()
    run = played.runs["pool"]
    maps = [each.detail for each in run.events if each.kind == KIND]
    if len(maps) < 2:
        told = "The map of the pool could not be read."
        return Ruling(OPEN, told, to_decide="a TensorFlow that writes the map of its pool")
    free = [int(str(each["free_chunks"])) for each in (maps[0], maps[-1])]
    # TensorFlow's own measure: what of the free memory lies outside its largest block.
    split = [float(str(each["fragmentation"])) for each in (maps[0], maps[-1])]
    told = (
        f"Fragmented means here: the largest free block has a tenth less of all free memory. It "
        f"had {1 - split[0]:.1%} of it at first, in {free[0]} blocks, and {1 - split[1]:.1%} after "
        f"{len(run.steps)} turns, in {free[1]}."
    )
    told += _heap(played)
    return Ruling("holds" if split[1] - split[0] > FRAGMENTED else "does not hold", told)


def _heap(played: Played) -> str:
    try:
        one, own = (played.rise(name, "holes") for name in ("one_graph", "own_graph"))
    except LabkitError:  # only glibc counts them
        return ""
    return (
        f" The heap, where graphs lie, got {one:,.0f} free blocks more with one graph for all "
        f"turns, and {own:,.0f} with a graph for each of as many."
    )


def sessions_are_expensive(played: Played) -> Ruling:
    played.check_ended()
    told = (
        f"{played.rise('each', 'sessions'):,.0f} sessions, and nothing new in the graph: "
        f"{course(played, 'each')}. One session kept: {usual(played, 'kept')}."
    )
    if played.usual_seconds("each") < 2 * played.usual_seconds("kept"):
        return Ruling("does not hold", told)
    slows = played.slows("each")
    if slows is False:
        return Ruling("holds only if", told, "a constant cost is meant, which delays nothing later")
    return by_growth(slows, told)


def one_session(played: Played) -> Ruling:
    played.check_ended()
    told = (
        f"In one session: {course(played, 'once')}; ops added: "
        f"{played.rise('once', 'graph_ops'):,.0f}, sessions opened: "
        f"{played.rise('once', 'sessions'):,.0f}."
    )
    return stays_fast(played.slows("once"), told)


def compiled_calls(played: Played) -> Ruling:
    played.check_ended()
    told = (
        f"Calls: {course(played, 'calls')}; traces after the first call: "
        f"{played.rise('calls', 'traces'):,.0f}."
    )
    return stays_fast(played.slows("calls"), told)


def stays_fast(slows: bool | None, told: str) -> Ruling:
    """Rule on a claim that something does not get slower."""
    if slows is None:
        return Ruling(OPEN, told, to_decide=MORE)
    return Ruling("does not hold" if slows else "holds", told)


def allocator_suffers(played: Played) -> Ruling:
    played.check_ended()
    early, late = played.fifths("churn", "page_faults")
    first, last = played.fifths("churn", "seconds")
    told = (
        f"Turns: {course(played, 'churn')}. The system handed a turn {early:,.0f} pages of memory "
        f"at first and {late:,.0f} at last."
    )
    if not played.slows("churn") or last <= first or early <= 0:
        return Ruling(OPEN, told, to_decide=MORE)
    # Had the allocator made the turns slow, its work would have grown as they did.
    follows = late / early - 1 > 0.5 * (last / first - 1)
    return Ruling("holds" if follows else "does not hold", told)


def down_to_paging(played: Played) -> Ruling:
    played.check_ended()
    waits = {name: played.rise(name, "disk_faults") for name in ("churn", "full")}
    more = played.rise("churn", "memory_bytes")
    turns = len(played.runs["churn"].steps)
    told = (
        f"Variables made anew: {course(played, 'churn')}, with {quantity.size(more)} more memory "
        f"and {waits['churn']:,.0f} waits for a disk in {turns} turns. Data larger than the memory "
        f"they may take: {course(played, 'full')}, with {waits['full']:,.0f} waits."
    )
    if waits["churn"] >= turns:
        return by_growth(played.slows("churn"), told)
    if (
        played.slows("churn")
        and played.slows("full")
        and waits["full"] > 0.1 * len(played.runs["full"].steps)
    ):
        return Ruling("holds only if", told, "memory is full; it was not what slowed these turns")
    return Ruling(OPEN, told, to_decide=MORE)


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
            "each": Play("open_sessions", steps=300, rounds=2),
            "kept": Play("session_churn", steps=300, settings={"reuse": "on"}),
        },
        decide=sessions_are_expensive,
    ),
    Claim(
        id="5.4", title="One session, initialised once",
        says="With one session, and variables initialised once, turns stay fast.",
        experiment="Five thousand turns in one session, with nothing made anew.",
        plays={"once": Play("session_churn", 5_000, {"reuse": "on"}, rounds=2)},
        decide=one_session,
    ),
    Claim(
        id="5.5", title="The same with tf.function",
        says="With variables made once and a tf.function, calls stay fast.",
        experiment="Five thousand calls of one tf.function with the same two variables.",
        plays={"calls": Play("call_compiled", steps=5_000, rounds=2)},
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
