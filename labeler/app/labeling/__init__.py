"""The evaluation without its screens; nothing here has access to a target."""
