"""What docs/diagnosis_figures.md promises: how right a diagnosis is, and what it costs."""
