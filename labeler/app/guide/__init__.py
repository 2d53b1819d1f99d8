"""Read and edit the guide of a study: versions, drafts and merges."""
