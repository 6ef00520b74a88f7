"""What each binding has of the API: some have nothing yet of data sets, their files, transforms and the trainer."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from .api import Api

# Headers and namespaces of schema files, and the emitters that know them.
DATA = frozenset(
    "csv data dataset datasets idx image iterator loader sampler trainer transform transforms transforms_functional "
    "tv_tensor tv_tensors wav".split()
)
WITH_DATA: frozenset[str] = frozenset(
    ("Fortran", "Go", "Java", "LuaJit", "Node", "Python", "PythonStubs", "Ruby", "Rust", "Simple", "WordC", "WordTable")
)


def bound(api: Api, emitter: str = "") -> Api:
    """What an emitter, named as its class, sees of it."""
    if emitter in WITH_DATA:
        return api
    functions = tuple(f for f in api.functions if Path(f.header).stem not in DATA)
    used = {name for f in functions for p in f.params for name in re.findall(r"\bctorch_\w+", p.c_type)}
    hidden = {f"ctorch_{name}" for name in DATA} - used
    callbacks = tuple(c for c in api.callbacks if not any(c.name.startswith(f"{name}_") for name in hidden))
    opaque = tuple(o for o in api.opaque if o.name not in hidden)
    enums = tuple(e for e in api.enums if not any(e.name.startswith(f"{name}_") for name in hidden))
    return replace(api, functions=functions, callbacks=callbacks, opaque=opaque, enums=enums)
