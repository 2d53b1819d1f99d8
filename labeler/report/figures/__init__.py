"""The figures of a report, drawn without a screen; matplotlib is imported with them only."""
