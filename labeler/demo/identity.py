"""What the demo is called and who takes part in it, apart from what builds it."""

from pathlib import Path

from labeler.core.errors import Refused
from labeler.core.study.entities import Role

NAME, FINISHED_NAME = "Demo study", "Finished demo, with simulated people"
SEED = 20200713
PEOPLE = (
    ("A", Role.LABELER, "first labeler"),
    ("B", Role.LABELER, "second labeler"),
    ("R", Role.REVIEWER, "reviewer"),
    ("L", Role.LEAD, "lead"),
)
LEAD = PEOPLE[-1][0]
# By the demo's name: what the sign-in page says, and who usually signs in. Its people are nobody,
# and may be named to everybody.
_HINTS = {
    NAME: ("This is the demo: be A or B, who are labelers, R the reviewer, or L the lead.", "A"),
    FINISHED_NAME: ("This demo is finished, and its people are simulated: be L, the lead.", LEAD),
}


def hint_of(*, name: str, seed: int) -> str:
    """What the sign-in page says of a demo; nothing of any other study."""
    return _HINTS[name][0] if seed == SEED and name in _HINTS else ""


def usual_code_of(*, name: str, seed: int) -> str:
    return _HINTS[name][1] if seed == SEED and name in _HINTS else ""


def require_demo(wanted: str, *, name: str, seed: int, place: Path) -> None:
    """Refuse to make a demo of another study, or one demo of the other."""
    if (name, seed) == (wanted, SEED):
        return
    other = " It is opened with --finished." if (name, seed) == (FINISHED_NAME, SEED) else ""
    raise Refused(f"{place} holds another study, '{name}'.{other} Choose another folder.")
