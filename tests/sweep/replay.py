"""The same call from Python: how PyTorch itself answers the arguments of a case, in a child process of its own.

`torch.ops.aten` takes the same schema, so a crash of both is PyTorch's; a crash of ctorch alone is ctorch's.
"""

from __future__ import annotations

import keyword
import os
import resource
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.sweep.values import python  # noqa: E402

HANG_SIGNALS = (signal.SIGVTALRM, signal.SIGALRM)
PROOF_SECONDS = 4


def heap_check() -> dict[str, str]:
    """Environment in which glibc checks each block when it is freed, so that a write beyond one kills at once."""
    name = "libc_malloc_debug.so.0"
    for folder in map(Path, ("/lib64", "/usr/lib64", "/lib", "/usr/lib")):
        for library in (*folder.glob(name), *folder.glob("*/" + name)):
            return {"LD_PRELOAD": str(library), "GLIBC_TUNABLES": "glibc.malloc.check=3"}
    return {}


def call_text(schema, args: dict[str, tuple]) -> str | None:
    """The case as a Python expression; None if Python cannot say it (an unknown enum, a length that lies)."""
    name = schema.name.removeprefix("aten::")
    parts = []
    named = False
    for argument in schema.arguments:
        value = args[argument.name]
        if value == ("absent", None):
            if argument.has_default_value():
                named = True
                continue
            text = "None" if argument.type.kind() != "ListType" else "[]"
        else:
            text = python(value, str(argument.type))
        if text is None:
            return None
        if keyword.iskeyword(argument.name) and (named or argument.kwarg_only):
            parts.append(f"**{{{argument.name!r}: {text}}}")
        else:
            parts.append(f"{argument.name}={text}" if named or argument.kwarg_only else text)
    overload = schema.overload_name or "default"
    if keyword.iskeyword(overload):
        return f"getattr(torch.ops.aten.{name}, {overload!r})({', '.join(parts)})"
    return f"torch.ops.aten.{name}.{overload}({', '.join(parts)})"


def schema_of(function: dict):
    """The schema that torch has registered for a function of api.json."""
    import torch

    name, _, overload = function["schema"].partition("(")[0].removeprefix("aten::").partition(".")
    return getattr(getattr(torch.ops.aten, name), overload or "default")._schema


def limit_memory(extra: int = 4 << 30) -> None:
    """Let an absurd allocation fail at once instead of filling the machine."""
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + extra, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_time(seconds: int) -> None:
    """Kill this process if it computes for so long, or sleeps for four times as long. Call again to start anew."""
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)  # SIGVTALRM
    signal.alarm(4 * seconds)  # SIGALRM


def fate(text: str) -> tuple[int, str]:
    """What becomes of a child process that executes `text`: its signal, or 0, and the error that Python raised."""
    import torch

    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        limit_memory()
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        limit_time(PROOF_SECONDS)
        raised = ""
        try:
            exec(text, {"torch": torch})  # text that call_text made, or a line of policy.toml
        except Exception as error:
            raised = f"{type(error).__name__}: {str(error)[:300]}"
        os.write(writer, raised.encode(errors="replace"))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, errors="replace") as pipe:
        raised = pipe.read()
    _, status = os.waitpid(child, 0)
    return (os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0), raised


def serve() -> None:
    """Answer lines of JSON on standard input: a list [function of api.json, arguments] or the text of a call."""
    import json
    import warnings

    import torch

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    for line in sys.stdin:
        request = json.loads(line)
        if isinstance(request, str):
            text = request
        else:
            function, args = request
            text = call_text(schema_of(function), {k: _tuples(v) for k, v in args.items()})
        number, raised = fate(text) if text is not None else (0, "Python cannot express the call")
        print(json.dumps([text, number, raised]), flush=True)


def _tuples(value):
    """JSON's lists back as the tuples they were, and its text as the bytes."""
    if isinstance(value, list) and len(value) == 2 and value[0] == "string":
        return "string", value[1].encode("latin-1")
    if isinstance(value, list):
        return tuple(_tuples(v) for v in value)
    return value


if __name__ == "__main__":
    serve()
