"""The same lines between the processes that torchrun started, as tensors of bytes over gloo.

torch would send Python objects as pickles; lines can't run anything at the other end.
"""

import os
from datetime import timedelta

import torch
from torch import distributed

from labeler.scoring import wire_protocol
from labeler.scoring.wire_protocol import WireLine

# Rank 0 may be busy with the database, or a large model be loading; a dead peer is reported at
# once.
_TIMEOUT = timedelta(hours=12)


def join_group() -> None:
    """Meet the other processes, where that hasn't happened yet."""
    if not distributed.is_initialized():
        distributed.init_process_group("gloo", timeout=_TIMEOUT)


def leave_group() -> None:
    distributed.destroy_process_group()


def own_rank() -> int:
    return int(distributed.get_rank())


def world_size() -> int:
    return int(distributed.get_world_size())


def local_rank() -> int:
    """This process's number on its own machine, by which it chooses its GPU."""
    return int(os.environ.get("LOCAL_RANK", "0"))


def broadcast_line(line: WireLine) -> None:
    """Send a line from rank 0 to every other."""
    data = _line_tensor(line)
    distributed.broadcast(torch.tensor([len(data)]), src=0)
    distributed.broadcast(data, src=0)


def receive_line() -> WireLine:
    """The next line that rank 0 tells all."""
    length = torch.zeros(1, dtype=torch.int64)
    distributed.broadcast(length, src=0)
    data = torch.zeros(int(length), dtype=torch.uint8)
    distributed.broadcast(data, src=0)
    return wire_protocol.load(data.numpy().tobytes())


def gather_lines(line: WireLine) -> list[WireLine]:
    """One line from each process, by rank; every process gets all of them."""
    data = _line_tensor(line)
    lengths = [torch.zeros(1, dtype=torch.int64) for _ in range(world_size())]
    distributed.all_gather(lengths, torch.tensor([len(data)]))
    longest = int(max(lengths))
    padded = torch.zeros(longest, dtype=torch.uint8)
    padded[: len(data)] = data
    parts = [torch.zeros(longest, dtype=torch.uint8) for _ in lengths]
    distributed.all_gather(parts, padded)
    return [
        wire_protocol.load(part[: int(length)].numpy().tobytes())
        for part, length in zip(parts, lengths, strict=True)
    ]


def _line_tensor(line: WireLine) -> torch.Tensor:
    return torch.frombuffer(bytearray(wire_protocol.dump(line).encode()), dtype=torch.uint8)
