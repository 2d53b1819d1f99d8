"""Training without its screens: choosing images, the session, feedback, repetition."""
