"""The images behind a number, as rows of a list, and one of them with everybody's answer."""

from typing import TYPE_CHECKING

from labeler.app.presenters.picture_rows import PictureRow, Tone
from labeler.app.presenters.results_views import METRICS, ImageDetails, ImagesView

if TYPE_CHECKING:
    from labeler.app.report.chosen_table import Behind
    from labeler.app.report.desk import Results
    from labeler.app.report.images_behind import ImageBehind, Said


def images_view(results: "Results", shown: "Behind") -> ImagesView:
    """The images that the accuracies count, the wrong ones first."""
    images = results.images(shown)
    correct = sum(image.counts for image in images)
    first = shown[0]
    where = " and ".join(dict.fromkeys(row.dataset for row in shown))
    subset = results.titles[first.subset].lower()
    return ImagesView(
        heading=f"{results.cells.called(first.participant)} on {where}",
        caption=f"{METRICS[first.metric]}, {subset}: {correct:,} of {len(images):,} correct; "
        "the wrong ones first",
        rows=tuple(map(_row, images)),
        images=images,
    )


def image_details(results: "Results", image: "ImageBehind") -> ImageDetails:
    """What is known of the image."""
    from labeler.report.table import Table, text_column

    said = results.said_of(image.key)
    columns = ("Participant", "Answer", "Judged", "Target")
    return ImageDetails(
        title=f"{image.key.dataset}: {image.key.image}",
        facts=f"Target: {image.target}. Accepted: {_accepted(image)}.",
        said=Table(
            key="said",
            title="",
            note="",
            columns=tuple(map(text_column, columns)),
            rows=tuple(
                (
                    results.cells.called(one.participant),
                    _answer(one),
                    one.judged,
                    "yes" if one.is_target else "no",
                )
                for one in said
            ),
        ),
    )


def _row(image: "ImageBehind") -> PictureRow:
    return PictureRow(
        image=image.number,
        answer=image.answer,
        tone=Tone.RIGHT if image.counts else Tone.WRONG,
        word="correct" if image.counts else "wrong",
        accepted=_accepted(image),
        caption=f"target: {image.target} · judged: {image.judged} · {image.key.dataset}",
    )


def _accepted(image: "ImageBehind") -> str:
    return ", ".join(image.accepted) or "not judged"


def _answer(one: "Said") -> str:
    hatch = f" (escape hatch, meant: {one.alternative})" if one.alternative else ""
    return f"{one.answer}{hatch}"
