"""The processes of one training: one, or as many as torchrun has started."""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import Any

import torch
from torch import distributed, nn


class World:
    """The number of this process, the number of processes, and the device."""

    def __init__(self, threads: int | None = None) -> None:
        keep_memory()
        if threads:
            torch.set_num_threads(threads)
        self.rank = int(os.environ.get("RANK", 0))
        self.size = int(os.environ.get("WORLD_SIZE", 1))
        self.device = torch.device("cpu")
        if torch.cuda.is_available():
            self.device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
            torch.cuda.set_device(self.device)
        if self.size > 1:
            distributed.init_process_group("nccl" if self.device.type == "cuda" else "gloo")

    def wrapped(self, model: nn.Module) -> Any:
        """The model, with gradients averaged over the processes."""
        if self.size == 1:
            return model
        return nn.parallel.DistributedDataParallel(model, forward_sync_buffers=False)

    def sum(self, number: float) -> float:
        if self.size == 1:
            return number
        whole = torch.tensor([number], dtype=torch.float64, device=self.device)
        distributed.all_reduce(whole)
        return float(whole.item())

    def gather(self, part: dict[int, str]) -> dict[int, str]:
        """The parts of all processes together."""
        if self.size == 1:
            return part
        parts: list[Any] = [None] * self.size
        distributed.all_gather_object(parts, part)
        return {number: text for each in parts for number, text in each.items()}

    def wait(self) -> None:
        if self.size > 1:
            distributed.barrier()

    def __enter__(self) -> World:
        return self

    def __exit__(self, *error: object) -> None:
        if self.size > 1 and distributed.is_initialized():
            distributed.destroy_process_group()


def bf16_pays(device: torch.device) -> bool:
    """Whether hardware computes bfloat16: Ampere and later, a CPU with AMX or AVX512_BF16."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    try:
        flags = Path("/proc/cpuinfo").read_text("utf-8").split()
    except OSError:
        return False
    return "amx_bf16" in flags or "avx512_bf16" in flags


def usual_device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def keep_memory() -> None:
    """Let glibc keep large freed blocks, because every step asks for the same ones again.

    Otherwise each of them is given back, requested and filled with zeros again, which takes a fifth
    of a step or more (benchmarks/README.md). Only Linux with glibc has this setting.
    """
    mmap_max, trim_threshold = -4, -1  # Constants of malloc.h.
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        if hasattr(library, "mallopt"):
            library.mallopt(mmap_max, 0)
            library.mallopt(trim_threshold, 2**31 - 1)
