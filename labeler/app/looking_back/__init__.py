"""Looking back at training: one's own progress, and the group's answers side by side."""
