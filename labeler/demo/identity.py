"""What the demo is called and who takes part in it, apart from what builds it."""

from pathlib import Path

from labeler.app.study.demo_support import SignInHint
from labeler.core.errors import RefusedError
from labeler.core.study.entities import Role

DEMO_NAME, FINISHED_DEMO_NAME = "Demo study", "Finished demo, with simulated people"
DEMO_SEED = 20200713
DEMO_PEOPLE = (
    ("A", Role.LABELER, "first labeler"),
    ("B", Role.LABELER, "second labeler"),
    ("R", Role.REVIEWER, "reviewer"),
    ("L", Role.LEAD, "lead"),
)
DEMO_LEAD = DEMO_PEOPLE[-1][0]
# By the demo's name: what the sign-in page says, and who usually signs in. Its people are no one,
# and may be named to everyone.
_HINTS = {
    DEMO_NAME: SignInHint(
        "This is the demo: be A or B, who are labelers, R the reviewer, or L the lead.",
        "A",
    ),
    FINISHED_DEMO_NAME: SignInHint(
        "This demo is finished, and its people are simulated: be L, the lead.",
        DEMO_LEAD,
    ),
}


def demo_sign_in_hint(name: str, seed: int) -> SignInHint:
    """What the sign-in page says of a demo; nothing of any other study."""
    return _HINTS[name] if seed == DEMO_SEED and name in _HINTS else SignInHint()


def require_demo(wanted: str, *, name: str, seed: int, place: Path) -> None:
    """Refuse to make a demo of another study, or one demo of the other."""
    if (name, seed) == (wanted, DEMO_SEED):
        return
    other = (
        " It is opened with --finished." if (name, seed) == (FINISHED_DEMO_NAME, DEMO_SEED) else ""
    )
    raise RefusedError(f"{place} holds another study, '{name}'.{other} Choose another folder.")
