"""Power cuts: what survives on a disk that keeps only what was synced."""
