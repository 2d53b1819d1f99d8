"""Under which name a labeler's marks are kept among the drafts."""

# No trial's id looks like it.
MARKED_TRIALS_SUBJECT = "marked trials"
