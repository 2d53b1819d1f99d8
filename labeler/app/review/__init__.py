"""The blind review: planning it, giving verdicts, settling and resolving them."""
