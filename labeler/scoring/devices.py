"""Choose and describe the devices on which models run."""

import os

import torch

from labeler.core.errors import RefusedError

AUTO_DEVICE = "auto"


def devices_for(wanted: str) -> list[str]:
    """Return the devices for auto, cpu, cuda, cuda:1 or mps; for the CPU one per core."""
    kind = _best() if wanted == AUTO_DEVICE else wanted
    if kind == "cpu":
        return ["cpu"] * usable_cores()
    if kind == "mps":
        _require(torch.backends.mps.is_available(), "torch finds no Apple GPU on this machine")
        return ["mps"]
    if kind.startswith("cuda"):
        _require(torch.cuda.is_available(), "torch finds no CUDA GPU on this machine")
        return _gpus(kind)
    raise RefusedError(f"'{wanted}' isn't a device. Use auto, cpu, cuda, cuda:0 or mps.")


def configure_device(device: torch.device) -> None:
    """Set a GPU to true float32 precision and to the fastest kernels for one shape."""
    if device.type == "cuda":
        # TF32 would compute with less than the reported precision.
        torch.backends.cuda.matmul.allow_tf32 = False
        torch.backends.cudnn.allow_tf32 = False
        torch.backends.cudnn.benchmark = True


def describe_device(device: torch.device) -> str:
    """Return the device's name for the stored provenance."""
    if device.type == "cuda":
        return f"{device} ({torch.cuda.get_device_name(device)})"
    return str(device)


def usable_cores() -> int:
    """Return the number of cores that this process may use, which a container can limit."""
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
        raise RefusedError(f"There is no GPU '{kind}'. torch finds {count}, numbered from 0.")
    return [kind]


def _require(available: bool, problem: str) -> None:
    if not available:
        raise RefusedError(
            f"{problem}. Use the CPU, or install the torch build for your GPU.",
            by_command="Use `--device cpu`.",
        )
