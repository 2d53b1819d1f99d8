"""The demo: composed pictures, simulated people, and the command that builds it."""
