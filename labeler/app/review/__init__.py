"""The blind review: plan it, give verdicts, settle disagreements and resolve verdicts."""
