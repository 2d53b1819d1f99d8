"""The labeling guide: its pages, parsed."""
