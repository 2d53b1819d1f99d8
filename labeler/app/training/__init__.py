"""Training without its screens: image selection, sessions, feedback, spaced repetition."""
