"""Training below the screen: what to train on, the desk, feedback after answers, repetition."""
