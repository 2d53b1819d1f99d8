"""Names as long as a figure has room for: one that is longer would leave none for the figure."""

MAX_NAME_LENGTH = 40
MAX_AXIS_LABEL_LENGTH = 64


def shorten_name(name: str, longest: int = MAX_NAME_LENGTH) -> str:
    """The name, its middle left out where it is too long: its ends tell it from others."""
    if len(name) <= longest:
        return name
    head = (longest - 1) // 2
    tail = longest - 1 - head
    return f"{name[:head]}…{name[-tail:]}"
