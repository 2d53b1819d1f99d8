"""What is looked back at may tell an answered image's labels, and nothing of where it is."""

from pathlib import Path

import pytest

from labeler.app.chart_views import TrainingImagesView, TrainingProgressView
from labeler.app.training.discussion import DiscussionView
from labeler.app.training.discussion_facts import DiscussionFacts
from labeler.app.training.progress_facts import AnsweredImage, ProgressFacts
from tests.unit.app.training.test_blind_types import reachable

FORBIDDEN = ("dataset", "path", "file", "folder", "root", "hash", "ordinal", "model")


@pytest.mark.parametrize(
    "kind",
    [
        TrainingProgressView,
        TrainingImagesView,
        DiscussionView,
        ProgressFacts,
        AnsweredImage,
        DiscussionFacts,
    ],
)
def test_no_view_tells_where_an_image_lies(kind: type) -> None:
    kinds = reachable(kind)
    assert Path not in kinds
    fields = [name for part in kinds for name in getattr(part, "__dataclass_fields__", ())]
    assert not [name for name in fields if any(word in name for word in FORBIDDEN)]
