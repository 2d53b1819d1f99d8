"""What takes too long for `make test`, run by `make soak`."""
