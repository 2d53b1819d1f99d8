"""Commands for crowd tasks and for building datasets, below `labeler crowd`."""
