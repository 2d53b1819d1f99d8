"""One-time opening codes, which a lead reads out or writes down for a person."""

import secrets

# Without letters that look like digits or like each other.
_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
_GROUPS, _GROUP_LENGTH = 5, 5
_LOOK_ALIKES = str.maketrans({"O": "Q", "0": "Q", "I": "J", "1": "J", "L": "J", "U": "V"})


def new_opening_code() -> str:
    """Return a random code of 25 letters, about 122 bits, like `K7QWE-…`."""
    groups = (
        "".join(secrets.choice(_LETTERS) for _ in range(_GROUP_LENGTH)) for _ in range(_GROUPS)
    )
    return "-".join(groups)


def normalized_code(typed: str) -> str:
    """Return the code as it was made, however it was typed."""
    kept = "".join(character for character in typed.upper() if character.isalnum())
    return kept.translate(_LOOK_ALIKES)
