"""Create a timm model and load its weights."""

import difflib
from dataclasses import dataclass
from pathlib import Path

import timm
from torch import nn

from labeler.core.errors import EnvironmentFault, InputError, RefusedError
from labeler.core.models.scoring import ModelSpec
from labeler.scoring.checkpoint import Weights, hash_weights, match_by_order, read_checkpoint
from labeler.scoring.weight_sources import (
    WEIGHTS_PACKAGES,
    hub_host,
    hub_if_reachable,
    installed_weights,
    weights_package,
)

NO_PUBLISHED_WEIGHTS = (
    "The published weights of {model} can't be downloaded ({reason}). Download them on a computer "
    "with internet access and give the file as a checkpoint, or use a model with installed "
    "weights: {installed}."
)


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model with its weights; `is_published` means that timm knows the order of its outputs.

    `classes` are the wnids of the outputs if the user's checkpoint lists them.
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
    """Return the model with the weights of its checkpoint, or else the published weights."""
    _require_known(spec.model)
    if spec.checkpoint is not None:
        return _from_checkpoint(spec.model, Path(spec.checkpoint))
    file = installed_weights(spec.model)
    return _from_hub(spec.model) if file is None else _from_package(spec.model, file)


def _require_known(name: str) -> None:
    if timm.is_model(name) or name.startswith("hf-hub:"):
        return
    near = difflib.get_close_matches(name.partition(".")[0], timm.list_models(), n=3)
    meant = f" Did you mean {', '.join(near)}?" if near else ""
    raise RefusedError(
        f"timm has no model '{name}'.{meant}", by_command="`labeler models` lists all models."
    )


def _from_checkpoint(name: str, file: Path) -> LoadedModel:
    checkpoint = read_checkpoint(file)
    weights = checkpoint.weights
    module = timm.create_model(name, **_output_count(name, weights)).eval()
    wrong = _mismatched_names(module, weights)
    if wrong:
        raise InputError(
            f"these aren't weights of {name}. {len(wrong):,} names or shapes differ, for example "
            f"{', '.join(wrong[:3])}.",
            file=file,
        )
    module.load_state_dict(weights)
    return LoadedModel(
        module,
        file.name,
        hash_weights(weights),
        is_published=False,
        classes=checkpoint.classes,
    )


def _mismatched_names(module: nn.Module, weights: Weights) -> list[str]:
    """Return the names that only one side has or for which the shapes differ."""
    own = module.state_dict()
    return sorted(
        name
        for name in own.keys() | weights.keys()
        if name not in own or name not in weights or own[name].shape != weights[name].shape
    )


def _output_count(name: str, weights: Weights) -> dict[str, int]:
    """Return the number of outputs of the checkpoint's last layer."""
    config = timm.get_pretrained_cfg(name, allow_unregistered=True)
    classifier = config.classifier if config is not None else None
    head = classifier[0] if isinstance(classifier, (list, tuple)) else classifier
    last = weights.get(f"{head}.weight")
    return {} if last is None else {"num_classes": int(last.shape[0])}


def _from_package(name: str, file: Path) -> LoadedModel:
    module = timm.create_model(name).eval()
    weights = match_by_order(read_checkpoint(file).weights, names=module.state_dict(), file=file)
    module.load_state_dict(weights)
    source = weights_package(name) or file.name
    return LoadedModel(module, source, hash_weights(weights), is_published=True)


def _from_hub(name: str) -> LoadedModel:
    with hub_if_reachable() as answers:
        try:
            module = timm.create_model(name, pretrained=True).eval()
        except (OSError, RuntimeError, ValueError) as error:
            reason = _first_sentence(error) if answers else f"{hub_host()} doesn't answer"
            raise EnvironmentFault(
                NO_PUBLISHED_WEIGHTS.format(
                    model=name, reason=reason, installed=", ".join(WEIGHTS_PACKAGES)
                ),
                by_command="Use `--checkpoint FILE`.",
            ) from error
    return LoadedModel(module, "timm's hub", hash_weights(module.state_dict()), is_published=True)


def _first_sentence(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text.partition(". ")[0][:200].rstrip(".") or type(error).__name__
