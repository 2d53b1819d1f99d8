"""Lead keys, packs, bundles, results files, and merging them."""
