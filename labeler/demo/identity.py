"""The names and people of the demos; imported without what builds them."""

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
# For each demo, what the sign-in page shows and the code it suggests. These aren't real people, so
# their codes can be shown to everyone.
_HINTS = {
    DEMO_NAME: SignInHint(
        "This is the demo. Sign in as A or B (labelers), R (reviewer) or L (lead).",
        "A",
    ),
    FINISHED_DEMO_NAME: SignInHint(
        "This is the finished demo, with simulated people. Sign in as L (lead).",
        DEMO_LEAD,
    ),
}


def demo_sign_in_hint(name: str, seed: int) -> SignInHint:
    """Return what the sign-in page shows for a demo; nothing for any other study."""
    return _HINTS[name] if seed == DEMO_SEED and name in _HINTS else SignInHint()


def require_demo(wanted: str, *, name: str, seed: int, place: Path) -> None:
    """Refuse to build a demo in the folder of another study or of the other demo."""
    if (name, seed) == (wanted, DEMO_SEED):
        return
    is_finished_demo = (name, seed) == (FINISHED_DEMO_NAME, DEMO_SEED)
    hint = " To open it, use --finished." if is_finished_demo else ""
    raise RefusedError(f"{place} contains another study, '{name}'.{hint} Choose another folder.")
