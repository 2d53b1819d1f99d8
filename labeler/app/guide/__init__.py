"""Reading and writing the guide of a study: its versions, drafts and merges."""
