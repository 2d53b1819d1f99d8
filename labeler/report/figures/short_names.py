"""Names as long as a figure has room for: one that is longer would leave none for the figure."""

LONGEST = 40
LONGEST_LABEL = 64


def short(name: str, longest: int = LONGEST) -> str:
    """The name, its middle left out where it is too long: its ends tell it from others."""
    if len(name) <= longest:
        return name
    head = (longest - 1) // 2
    tail = longest - 1 - head
    return f"{name[:head]}…{name[-tail:]}"
