"""NVML, with which NVIDIA's driver tells of its cards: their clock, heat, power and processes.

It is asked through the package nvidia-ml-py (module ``pynvml``), and nobody needs to have that.
Where the package, the driver's library or one of its answers is missing, nothing is measured there.
Source: NVIDIA's reference of NVML, "Device Queries" and "Clocks Event Reasons".
"""

from __future__ import annotations

import ctypes
import importlib
import math
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

CUDA = "libcuda.so.1"
BUS_ID_BYTES = 32
HEAT = 0x20 | 0x40  # slowed down for heat, by the driver or by the card itself
# The power limit of the driver, and the brake of the power supply. The bit 0x08 says that the
# card slowed itself down and not why; it is set while a clock changes, too, and counts for nothing.
POWER = 0x04 | 0x80
IDLE = 0x01


class NvidiaCard:
    """One card of NVIDIA's; what it does not tell is NaN.

    Args:
        nvml: The module ``pynvml``, begun.
        handle: The card's, from that module.
    """

    def __init__(self, nvml: Any, handle: Any) -> None:
        self._nvml = nvml
        self._handle = handle

    def clock_mhz(self) -> float:
        """Return the clock of its processors (SM) now."""
        return self._number("nvmlDeviceGetClockInfo", self._nvml.NVML_CLOCK_SM)

    def celsius(self) -> float:
        """Return its temperature."""
        # The first of the two is to go from the package.
        older = self._number("nvmlDeviceGetTemperature", self._nvml.NVML_TEMPERATURE_GPU)
        if not math.isnan(older):
            return older
        return self._number("nvmlDeviceGetTemperatureV", self._nvml.NVML_TEMPERATURE_GPU)

    def watts(self) -> float:
        """Return the power it takes."""
        return self._number("nvmlDeviceGetPowerUsage") / 1e3

    def limit_watts(self) -> float:
        """Return the power it may take."""
        return self._number("nvmlDeviceGetEnforcedPowerLimit") / 1e3

    def reasons(self) -> int | None:
        """Return what its clock depends on now, as bits; None where it does not say."""
        told = self._number("nvmlDeviceGetCurrentClocksEventReasons")
        if math.isnan(told):  # drivers before 535 call it so
            told = self._number("nvmlDeviceGetCurrentClocksThrottleReasons")
        return None if math.isnan(told) else int(told)

    def processes(self) -> float:
        """Return how many processes compute on it, this one included."""
        # Whose they are, their numbers do not tell: the driver's are not those of a container.
        told = self._ask("nvmlDeviceGetComputeRunningProcesses")
        return math.nan if told is None else float(len(told))

    def name(self) -> str:
        """Return what it calls itself; empty where it does not say."""
        told = self._ask("nvmlDeviceGetName")
        return told.decode() if isinstance(told, bytes) else str(told or "")

    def close(self) -> None:
        """End NVML; the card must not be asked any more."""
        _asked(self._nvml.nvmlShutdown)

    def _number(self, question: str, *arguments: object) -> float:
        told = self._ask(question, *arguments)
        return math.nan if told is None else float(told)

    def _ask(self, question: str, *arguments: object) -> Any:
        return _asked(lambda: getattr(self._nvml, question)(self._handle, *arguments))


def nvidia_card(name: str, cuda: str = CUDA) -> NvidiaCard | None:
    """Return TensorFlow's first card as NVML knows it; None where NVML does not know it.

    NVML counts cards in another order than CUDA, and by ``CUDA_VISIBLE_DEVICES`` some are hidden
    from CUDA alone. So CUDA is asked where on the bus its first card is. Without CUDA it is the
    only card of that name.

    Args:
        name: What TensorFlow calls it; of a part of a card (MIG) that begins with the card's name.
        cuda: The library of CUDA's driver. TensorFlow has begun it already.
    """
    nvml = _begun()
    if nvml is None:
        return None
    bus_id = _first_bus_id(cuda)
    if bus_id is None:
        count = _asked(nvml.nvmlDeviceGetCount) or 0
        handles = [_asked(partial(nvml.nvmlDeviceGetHandleByIndex, at)) for at in range(count)]
    else:
        handles = [_asked(partial(nvml.nvmlDeviceGetHandleByPciBusId, bus_id))]
    cards = [NvidiaCard(nvml, handle) for handle in handles if handle is not None]
    # A card of another maker is none of NVML's.
    named = [card for card in cards if card.name() and name.startswith(card.name())]
    if len(named) == 1:
        return named[0]
    _asked(nvml.nvmlShutdown)
    return None


def driver_version() -> str | None:
    """Return the version of NVIDIA's driver; None where NVML does not say."""
    nvml = _begun()
    if nvml is None:
        return None
    told = _asked(nvml.nvmlSystemGetDriverVersion)
    _asked(nvml.nvmlShutdown)
    return told.decode() if isinstance(told, bytes) else told


def _begun() -> Any:
    """Return the module ``pynvml``, begun; None where it or the driver's library is missing."""
    try:
        with warnings.catch_warnings():
            # An older package of the same module warns of itself, among the lines of the loop.
            warnings.simplefilter("ignore")
            nvml = importlib.import_module("pynvml")
        nvml.nvmlInit()
    except Exception:  # whatever is wrong with it, the loop can do without
        return None
    return nvml


def _asked(question: Callable[[], Any]) -> Any:
    """Return the answer; None where this card, driver or package has none."""
    try:
        return question()
    except Exception:  # besides the errors of pynvml: a name that this version lacks
        return None


def _first_bus_id(cuda: str) -> bytes | None:
    """Return where on the bus the card is that CUDA puts first; None where CUDA does not say."""
    device, bus_id = ctypes.c_int(), ctypes.create_string_buffer(BUS_ID_BYTES)
    try:
        driver = ctypes.CDLL(cuda)
        failed = (
            driver.cuInit(0)
            or driver.cuDeviceGet(ctypes.byref(device), 0)
            or driver.cuDeviceGetPCIBusId(bus_id, BUS_ID_BYTES, device)
        )
    except (OSError, AttributeError):
        return None
    return None if failed else bus_id.value
