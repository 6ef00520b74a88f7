"""What bindings have of the API: not yet what belongs to data sets, their files, transforms and the trainer."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from .api import Api

# Headers and namespaces of schema files that no binding has yet.
UNBOUND = frozenset(
    "csv data dataset datasets idx image iterator loader sampler trainer transform transforms transforms_functional "
    "tv_tensor tv_tensors wav".split()
)


def bound(api: Api) -> Api:
    """What bindings have of it."""
    functions = tuple(f for f in api.functions if Path(f.header).stem not in UNBOUND)
    used = {name for f in functions for p in f.params for name in re.findall(r"\bctorch_\w+", p.c_type)}
    hidden = {f"ctorch_{name}" for name in UNBOUND} - used
    callbacks = tuple(c for c in api.callbacks if not any(c.name.startswith(f"{name}_") for name in hidden))
    opaque = tuple(o for o in api.opaque if o.name not in hidden)
    enums = tuple(e for e in api.enums if not any(e.name.startswith(f"{name}_") for name in hidden))
    return replace(api, functions=functions, callbacks=callbacks, opaque=opaque, enums=enums)
