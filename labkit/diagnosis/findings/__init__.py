"""Findings: each file finds one kind of cause and says what proves it.

In: a run's observations, its verdict and its ledger. Out: `labkit.record.Finding` values.

What makes steps longer: `growth`, and where no patched function has it `own_work` and `pricing`.
Beside that `cost` (constant, but avoidable), `spikes`, `memory` and `paging`. Read
`growth.py` first, with the rules in `labkit/diagnosis/rules.py`.
"""
