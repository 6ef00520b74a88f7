"""The extern functions of Simple's runtime that the binding and its example use, beside those of the transport."""

from __future__ import annotations

import math
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from .transport import Transport


def runtime(transport: Transport, arguments: list[str], program: str = "program.spl") -> dict[str, Callable]:
    return {
        **transport.functions(),
        "rt_cli_get_args": lambda: [program, *arguments],
        "rt_file_exists": lambda path: Path(path).exists(),
        "rt_env_get": os.environ.get,
        "rt_file_write_text": _write,
        "rt_math_sqrt": math.sqrt,
        "rt_process_run": _run,
    }


def _run(command: str, arguments: list[str]) -> tuple[str, str, int]:
    try:
        done = subprocess.run([command, *arguments], capture_output=True, text=True)
    except OSError as fault:
        return "", str(fault), -1
    return done.stdout, done.stderr, done.returncode


def _write(path: str, content: str) -> bool:
    try:
        Path(path).write_text(content)
    except OSError:
        return False
    return True
