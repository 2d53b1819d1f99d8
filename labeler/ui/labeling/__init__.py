"""The workbench of the evaluation."""
