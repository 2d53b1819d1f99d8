"""Images that came by name only are measured before anything depends on them."""

from labeler.app.datasets.image_measurement import measure_images
from labeler.app.progress import NoProgress
from labeler.core.study.entities import DatasetRole, ImageKey
from labeler.images.identify import identify_image
from labeler.images.unreadable import UnreadableReason
from labeler.store.datasets.datasets import DatasetDefinition, NewImage

FISH = "n01440764"


def test_hash_and_size_are_filled_in_and_what_can_not_be_read_is_reported(store, pictures) -> None:
    folder = pictures("val")
    facts = identify_image(folder.add("a.JPEG"))
    folder.write("b.JPEG", b"")
    with store.write() as study:
        role, root = DatasetRole.EVALUATION, str(folder.path)
        study.datasets.add(DatasetDefinition(name="val", role=role, root=root), complete=True)
        names = ("a.JPEG", "b.JPEG", "c.JPEG")
        study.datasets.append("val", [NewImage(name=name, target=FISH) for name in names])

    problems = measure_images(store, "val", NoProgress())

    assert problems == [
        (ImageKey("val", "b.JPEG"), UnreadableReason.EMPTY),
        (ImageKey("val", "c.JPEG"), UnreadableReason.MISSING),
    ]
    with store.read() as study:
        [a, b, c] = study.datasets.files("val")
        assert (a.content_hash, a.byte_count) == (facts.content_hash, facts.byte_count)
        assert b.content_hash is c.content_hash is None


def test_what_is_measured_is_not_read_again(store, pictures, imported) -> None:
    folder = pictures("val").fill(FISH, each=2)
    imported(store, "val", folder.path)
    for file in (folder.path / FISH).iterdir():
        file.unlink()

    assert measure_images(store, "val", NoProgress()) == []
