"""What the demo is called and who takes part in it, apart from what builds it."""

from labeler.core.study import Role

NAME = "Demo study"
SEED = 20200713
PEOPLE = (
    ("A", Role.LABELER, "first labeler"),
    ("B", Role.LABELER, "second labeler"),
    ("R", Role.REVIEWER, "reviewer"),
    ("L", Role.LEAD, "lead"),
)
SIGN_IN_HINT = "This is the demo: be A or B, who are labelers, R the reviewer, or L the lead."


def is_demo(*, name: str, seed: int) -> bool:
    """Whether a study is the demo, whose people are nobody and may be named to everybody."""
    return name == NAME and seed == SEED
