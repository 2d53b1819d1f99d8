"""The classes and the taxonomy above them: groups, look-alikes, neighbourhoods, search."""
