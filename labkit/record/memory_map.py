"""A map of a memory pool: which stretches of it are in use, and which are free.

A plain value that travels in an event's detail as one short string; who made it and how it is
drawn is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from labkit.record.errors import RunFileError
from labkit.record.run import Event, Plain

KIND = "memory_map"
UNIT_BYTES = 256  # TensorFlow's pools hand out multiples of this
MOST_PIECES = 8_000
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
SHARES = ".ABCDEFGHI#"  # free, 10 % to 90 % in use where small pieces were merged, in use
_PIECE = re.compile(rf"([0-9a-z]+)([{re.escape(SHARES)}])")

Block = tuple[int, int]


@dataclass(frozen=True)
class MemoryMap:
    """A memory pool at one moment.

    Args:
        regions: The pool's regions in order of address; each is a row of pieces, and each piece is
            ``(bytes, bytes in use)``. Neighbours of one kind are one piece.
        pool_bytes: All regions together.
        in_use_bytes: How much of the pool is in use.
        largest_free_bytes: The largest stretch that one request could have.
        free_chunks: How many free stretches there are.
    """

    regions: tuple[tuple[Block, ...], ...]
    pool_bytes: int
    in_use_bytes: int
    largest_free_bytes: int
    free_chunks: int

    @classmethod
    def of_blocks(cls, regions: Iterable[Sequence[tuple[int, bool]]]) -> MemoryMap:
        """Return the map of some regions.

        Args:
            regions: Each a row of ``(bytes, whether in use)`` in order of address.
        """
        rows = [tuple(region) for region in regions]
        blocks = [block for row in rows for block in row]
        free = [size for size, used in blocks if not used]
        cell = 0
        merged = tuple(_merged(row, cell) for row in rows)
        pool = sum(size for size, _ in blocks)
        if sum(map(len, merged)) > MOST_PIECES:
            # A piece smaller than this is drawn together with its neighbours.
            cell = 2 * pool // MOST_PIECES
            merged = tuple(_merged(row, cell) for row in rows)
        return cls(
            regions=merged,
            pool_bytes=pool,
            in_use_bytes=pool - sum(free),
            largest_free_bytes=max(free, default=0),
            free_chunks=len(free),
        )

    @property
    def free_bytes(self) -> int:
        return self.pool_bytes - self.in_use_bytes

    @property
    def fragmentation(self) -> float:
        """The share of the free bytes that the largest request possible could not have.

        The measure of TensorFlow's own ``stats.fragmentation_metric``; 0 where nothing is free.
        """
        return 1 - self.largest_free_bytes / self.free_bytes if self.free_bytes else 0.0

    def detail(self) -> dict[str, Plain]:
        """Return what an event carries: the numbers, and the map as ``3f#1q.…/…``.

        Each piece is its number of 256-byte units in base 36 and a mark: ``#`` in use, ``.`` free,
        ``A`` to ``I`` for 10 % to 90 % in use; ``/`` parts the regions.
        """
        return {
            "map": "/".join("".join(map(_written, row)) for row in self.regions),
            "pool_bytes": self.pool_bytes,
            "in_use_bytes": self.in_use_bytes,
            "largest_free_bytes": self.largest_free_bytes,
            "free_chunks": self.free_chunks,
            "fragmentation": self.fragmentation,
        }

    @classmethod
    def of_event(cls, event: Event) -> MemoryMap:
        """Return the map that an event carries.

        Raises:
            RunFileError: If it carries none that can be read.
        """
        try:
            numbers = [
                int(str(event.detail[name]))
                for name in ("pool_bytes", "in_use_bytes", "largest_free_bytes", "free_chunks")
            ]
            regions = tuple(_read(row) for row in str(event.detail["map"]).split("/"))
        except (KeyError, ValueError) as error:
            raise RunFileError(
                f"The {event.kind} event at step {event.step} holds no map that can be read "
                f"({error}); take the run again."
            ) from error
        return cls(regions, *numbers)


def _merged(row: Sequence[tuple[int, bool]], cell: int) -> tuple[Block, ...]:
    """Join neighbours of one kind, and pieces smaller than a cell with what follows them."""
    pieces: list[Block] = []
    open_piece = False  # the last piece is a mixture and still smaller than a cell
    for size, used in row:
        in_use = size if used else 0
        if pieces:
            last, last_used = pieces[-1]
            alike = last_used == (last if used else 0)
            if alike or (open_piece and size < cell):
                pieces[-1] = (last + size, last_used + in_use)
                open_piece = open_piece and pieces[-1][0] < cell
                continue
        pieces.append((size, in_use))
        open_piece = size < cell
    return tuple(pieces)


def _written(piece: Block) -> str:
    size, used = piece
    units, digits = -(-size // UNIT_BYTES), ""
    while units:
        units, digit = divmod(units, len(DIGITS))
        digits = DIGITS[digit] + digits
    if 0 < used < size:  # a mixture never looks pure
        return digits + SHARES[min(9, max(1, round(10 * used / size)))]
    return digits + SHARES[10 if used else 0]


def _read(row: str) -> tuple[Block, ...]:
    pieces = list(_PIECE.finditer(row))
    if "".join(piece.group() for piece in pieces) != row:
        raise ValueError("the map has letters that mean nothing")
    sizes = [(int(piece[1], 36) * UNIT_BYTES, SHARES.index(piece[2])) for piece in pieces]
    return tuple((size, size * share // 10) for size, share in sizes)
