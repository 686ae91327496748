"""The plain values every room of the kit speaks, and the file format of a saved run.

Standard library only; this room must know nothing of TensorFlow, of widgets or of processes.
"""

from labkit.record.diagnosis import UNEXPLAINED, Diagnosis, Finding, Ledger, LedgerRow, Memory
from labkit.record.errors import ChoiceError, LabkitError, RunFileError
from labkit.record.file import load_run, run_file_name, save_run
from labkit.record.format.reader import run_from_lines
from labkit.record.format.writer import run_to_lines
from labkit.record.run import STATES, Event, Plain, Run, State, Stretch, ToggleValue
from labkit.record.steps import Column, Step, Steps
from labkit.record.verdict import LABELS, Verdict

__all__ = [
    "LABELS",
    "STATES",
    "UNEXPLAINED",
    "ChoiceError",
    "Column",
    "Diagnosis",
    "Event",
    "Finding",
    "LabkitError",
    "Ledger",
    "LedgerRow",
    "Memory",
    "Plain",
    "Run",
    "RunFileError",
    "State",
    "Step",
    "Steps",
    "Stretch",
    "ToggleValue",
    "Verdict",
    "load_run",
    "run_file_name",
    "run_from_lines",
    "run_to_lines",
    "save_run",
]
