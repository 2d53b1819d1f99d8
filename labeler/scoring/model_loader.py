"""Making the model that was asked for, with its weights in it."""

import difflib
from dataclasses import dataclass
from pathlib import Path

import timm
from torch import nn

from labeler.core.errors import EnvironmentFault, InputError, Refused
from labeler.core.models.scoring import ModelSpec
from labeler.scoring.checkpoint import Weights, by_order, content_hash, read_checkpoint
from labeler.scoring.offline_weights import PACKAGES, package_of, weights_file
from labeler.scoring.weight_sources import hub_if_it_answers, hub_name


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model ready to predict; `is_published` tells whether timm knows its outputs' order.

    `classes` are the wnids of the outputs that a checkpoint of the user's own names.
    """

    module: nn.Module
    weights: str
    weights_hash: str
    is_published: bool
    classes: tuple[str, ...] | None = None

    @property
    def outputs(self) -> int:
        return int(getattr(self.module, "num_classes", 0))

    @property
    def parameters(self) -> int:
        return sum(parameter.numel() for parameter in self.module.parameters())


def load_model(spec: ModelSpec) -> LoadedModel:
    """The model with the weights that its spec names, or where it names none the published ones."""
    _require_known(spec.model)
    if spec.checkpoint is not None:
        return _from_checkpoint(spec.model, Path(spec.checkpoint))
    file = weights_file(spec.model)
    return _from_hub(spec.model) if file is None else _from_package(spec.model, file)


def _require_known(name: str) -> None:
    if timm.is_model(name) or name.startswith("hf-hub:"):
        return
    near = difflib.get_close_matches(name.partition(".")[0], timm.list_models(), n=3)
    meant = f" Did you mean {', '.join(near)}?" if near else ""
    raise Refused(f"timm has no model '{name}'.{meant}", by_command="`labeler models` lists them.")


def _from_checkpoint(name: str, file: Path) -> LoadedModel:
    checkpoint = read_checkpoint(file)
    weights = checkpoint.weights
    module = timm.create_model(name, **_width(name, weights)).eval()
    wrong = _misfits(module, weights)
    if wrong:
        raise InputError(
            f"these aren't weights of {name}: {len(wrong):,} names differ, among them "
            f"{', '.join(wrong[:3])}.",
            file=file,
        )
    module.load_state_dict(weights)
    return LoadedModel(
        module,
        file.name,
        content_hash(weights),
        is_published=False,
        classes=checkpoint.classes,
    )


def _misfits(module: nn.Module, weights: Weights) -> list[str]:
    """The names that only one side has, or for which the shapes differ."""
    own = module.state_dict()
    return sorted(
        name
        for name in own.keys() | weights.keys()
        if name not in own or name not in weights or own[name].shape != weights[name].shape
    )


def _width(name: str, weights: Weights) -> dict[str, int]:
    """The number of outputs that the checkpoint's last layer has."""
    config = timm.get_pretrained_cfg(name, allow_unregistered=True)
    classifier = config.classifier if config is not None else None
    head = classifier[0] if isinstance(classifier, (list, tuple)) else classifier
    last = weights.get(f"{head}.weight")
    return {} if last is None else {"num_classes": int(last.shape[0])}


def _from_package(name: str, file: Path) -> LoadedModel:
    module = timm.create_model(name).eval()
    weights = by_order(read_checkpoint(file).weights, names=module.state_dict(), file=file)
    module.load_state_dict(weights)
    source = package_of(name) or file.name
    return LoadedModel(module, source, content_hash(weights), is_published=True)


def _from_hub(name: str) -> LoadedModel:
    with hub_if_it_answers() as answers:
        try:
            module = timm.create_model(name, pretrained=True).eval()
        except (OSError, RuntimeError, ValueError) as error:
            reason = _first_sentence(error) if answers else f"{hub_name()} doesn't answer"
            raise EnvironmentFault(
                f"The published weights of {name} can't be fetched here ({reason}). Fetch them "
                "where there is internet and give the file as a checkpoint, or take a model whose "
                f"weights are installed: {', '.join(PACKAGES)}.",
                by_command="`--checkpoint FILE` gives it.",
            ) from error
    return LoadedModel(module, "timm's hub", content_hash(module.state_dict()), is_published=True)


def _first_sentence(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text.partition(". ")[0][:200].rstrip(".") or type(error).__name__
