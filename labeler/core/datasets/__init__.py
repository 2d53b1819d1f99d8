"""Images as data: sampling, exposure and washout."""
