"""The commands of the command line, one file a group; they wire the parts together."""
