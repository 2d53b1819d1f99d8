"""Which device a process computes on, and on which others further processes are worth starting."""

import os

import torch

from labeler.core.errors import RefusedError

AUTO_DEVICE = "auto"


def devices_for(wanted: str) -> list[str]:
    """The devices for a wish like auto, cpu, cuda, cuda:1 or mps; for the CPU one per core."""
    kind = _best() if wanted == AUTO_DEVICE else wanted
    if kind == "cpu":
        return ["cpu"] * usable_cores()
    if kind == "mps":
        _require(torch.backends.mps.is_available(), "This machine has no Apple GPU that torch sees")
        return ["mps"]
    if kind.startswith("cuda"):
        _require(torch.cuda.is_available(), "torch sees no CUDA GPU here")
        return _gpus(kind)
    raise RefusedError(f"'{wanted}' is no device: say auto, cpu, cuda, cuda:0 or mps.")


def configure_device(device: torch.device) -> None:
    """Have a GPU compute as precisely as it is reported to, with the fastest kernels for one
    shape."""
    if device.type == "cuda":
        # TF32 would be half precision under the name of a full one.
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = True


def describe_device(device: torch.device) -> str:
    """The device as provenance names it."""
    if device.type == "cuda":
        return f"{device} ({torch.cuda.get_device_name(device)})"
    return str(device)


def usable_cores() -> int:
    """The cores that this process may use, which a container limits."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _best() -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _gpus(kind: str) -> list[str]:
    count = torch.cuda.device_count()
    if kind == "cuda":
        return [f"cuda:{number}" for number in range(count)]
    number = kind.partition(":")[2]
    if not number.isdigit() or int(number) >= count:
        raise RefusedError(f"There is no GPU '{kind}': torch sees {count}, counted from 0.")
    return [kind]


def _require(there: bool, problem: str) -> None:
    if not there:
        raise RefusedError(
            f"{problem}: use the CPU, or install the torch build for your GPU.",
            by_command="`--device cpu` uses the CPU.",
        )
