"""The loop that everyone writes: timm's dataset and loader, batches of 32, two workers."""

import json
import sys
import time

import torch
from timm.data import create_dataset, create_loader, resolve_model_data_config

from labeler.core.models.scoring import ModelSpec
from labeler.scoring.model_loader import load_model
from tests.benchmarks.scoring import MODEL


def main() -> None:
    model = load_model(ModelSpec(model=MODEL, name=MODEL)).module
    config = resolve_model_data_config(model)
    dataset = create_dataset("", sys.argv[1])
    loader = create_loader(
        dataset,
        input_size=config["input_size"],
        batch_size=32,
        use_prefetcher=False,
        interpolation=config["interpolation"],
        mean=config["mean"],
        std=config["std"],
        num_workers=2,
        crop_pct=config["crop_pct"],
        device=torch.device("cpu"),
    )
    labels: list[int] = []
    begin = time.perf_counter()
    with torch.inference_mode():
        for images, _targets in loader:
            labels += model(images).argmax(1).tolist()
    seconds = time.perf_counter() - begin
    json.dump({"rate": len(labels) / seconds, "labels": labels}, sys.stdout)


if __name__ == "__main__":
    main()
