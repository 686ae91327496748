"""How the claims of source 5 are ruled on."""

from __future__ import annotations

from labkit.claims.claim import Ruling
from labkit.claims.played import Played
from labkit.claims.sources.by_growth import MORE, OPEN, by_growth
from labkit.record import LabkitError, quantity
from labkit.record.memory_map import KIND


def new_variables(played: Played) -> Ruling:
    played.check_ended()
    told = (
        f"All variables initialised each turn: {played.told('all')}; the last turn initialised "
        f"{played.last('all', 'initialised'):,.0f} of them to use two. Only the two new ones "
        f"initialised: {played.told('new')}."
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
        f"Free memory of TensorFlow's pool lay in {free[0]} blocks at first and in {free[1]} after "
        f"{len(run.steps)} turns; the largest had {1 - split[0]:.1%} of it at first, and "
        f"{1 - split[1]:.1%} at last."
    )
    told += _heap(played)
    return Ruling("holds" if split[1] - split[0] > 0.1 else "does not hold", told)


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
        f"{played.told('each')}. One session kept: {played.usual('kept')}."
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
        f"In one session: {played.told('once')}; ops added: "
        f"{played.rise('once', 'graph_ops'):,.0f}, sessions opened: "
        f"{played.rise('once', 'sessions'):,.0f}."
    )
    return stays_fast(played.slows("once"), told)


def compiled_calls(played: Played) -> Ruling:
    played.check_ended()
    told = (
        f"Calls: {played.told('calls')}; traces after the first call: "
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
        f"Turns: {played.told('churn')}. The system handed a turn {early:,.0f} pages of memory at "
        f"first and {late:,.0f} at last."
    )
    if not played.slows("churn") or last <= first or early <= 0:
        return Ruling(OPEN, told, to_decide=MORE)
    # Had the allocator made the turns slow, its work would have grown as they did.
    follows = late / early - 1 > 0.5 * (last / first - 1)
    return Ruling("holds" if follows else "does not hold", told)


def down_to_paging(played: Played) -> Ruling:
    played.check_ended()
    waits = {name: played.rise(name, "disk_faults") for name in ("churn", "full")}
    more = played.rise("churn", "resident_bytes")
    turns = len(played.runs["churn"].steps)
    told = (
        f"Variables made anew: {played.told('churn')}, with {quantity.size(more)} more memory and "
        f"{waits['churn']:,.0f} waits for a disk in {turns} turns. Data larger than the memory "
        f"they may take: {played.told('full')}, with {waits['full']:,.0f} waits."
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
