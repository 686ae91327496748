"""What docs/benchmarks.md promises: the speed of the kit, and how right its verdicts are."""
