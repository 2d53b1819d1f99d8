"""A labeler's trial: its state, its answer, its time."""
