"""The causes are tested on the real bench."""

from tests.bench.conftest import bench, no_process_left

__all__ = ["bench", "no_process_left"]
