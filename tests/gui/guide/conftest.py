"""A labeler at the guide's screen: reading, and writing where the phases allow it."""

import pytest

from tests.gui.guide_session import GuideSession, allow_writing, at_the_guide
from tests.gui.small_study import SmallStudy
from tests.gui.window_session import WindowSession


@pytest.fixture
def reading(looking_at_home: WindowSession) -> GuideSession:
    """Labeler A at the guide while the evaluation is open, when it can only be read."""
    return at_the_guide(looking_at_home)


@pytest.fixture
def may_write(study: SmallStudy) -> None:
    allow_writing(study.folder)


@pytest.fixture
def guide(may_write: None, at_home: WindowSession) -> GuideSession:
    """Labeler A at the guide in training."""
    return at_the_guide(at_home)


@pytest.fixture
def writing(guide: GuideSession) -> GuideSession:
    return guide.edit()
