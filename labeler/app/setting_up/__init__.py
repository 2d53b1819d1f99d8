"""Setting a study up in the window: what the commands do, by the same use cases."""
