"""The evaluation workbench."""
