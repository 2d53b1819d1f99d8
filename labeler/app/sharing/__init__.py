"""Packs, bundles, results and merging, without their screens."""
