"""What the generator knows of ctorch by name: each type once, and nothing that the headers do not have.

Nearly all that an emitter writes follows from the model: roles, kinds, the function that releases a handle. But it has
to know that a `ctorch_tensor` is the Tensor of its language and a `ctorch_string` a text. The types that mean something
stand here. A function that an emitter treats in its own way stands with that emitter, in its attribute `functions`,
because the hand-written layer of the language has the rest of it. `check` compares all of them with the API: a name
that a header lost stops the generator with one line, and neither vanishes from a binding nor breaks its build.

Operators are not checked here: they are in the lock, which never loses one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from .api import Api
from .names import OPERATOR_PREFIX, PREFIX
from .schema import GeneratorError


def named(names: str) -> tuple[str, ...]:
    """`tensor string` -> (`ctorch_tensor`, `ctorch_string`)"""
    return tuple(PREFIX + name for name in names.split())


HANDLES = ERROR, GENERATOR, MODULE, SCOPE, STORAGE, STRING, TENSOR, TENSOR_LIST, VALUE = named(
    "error generator module scope storage string tensor tensor_list value"
)
LR_SCHEDULER, OPTIMIZER = named("lr_scheduler optimizer")  # schema files may speak of them already
DATASET, ITERATOR, LOADER, SAMPLER, TRAINER, TRANSFORM = named("dataset iterator loader sampler trainer transform")
(METRIC,) = named("metric")
STRUCTS = DEVICE, SCALAR, STREAM = named("device scalar stream")
ELEMENTS = DTYPE, LAYOUT, MEMORY_FORMAT = named("dtype layout memory_format")
KINDS = CALLBACK_STATUS, DEVICE_TYPE, ERROR_KIND, SCALAR_KIND = named(
    "callback_status device_type error_kind scalar_kind"
)
FLAGS = DLPACK_FLAG, IMAGE_FLAGS, PROFILER_OPTIONS, SAVE_FLAGS = named(  # their constants are added up
    "dlpack_flag image_flags profiler_options save_flags"
)
(MEMORY_PRESSURE,) = named("memory_pressure")
(QSCHEME,) = named("qscheme")
CALLBACKS = KERNEL_CALLBACK, SAVED_TENSORS_DESTROY, TENSORS_CALLBACK = named(
    "kernel_callback saved_tensors_destroy_callback tensors_callback"
)

# Handles that are something else in a language that has it: an exception, a block, a text, a list.
BUILT_IN = frozenset((ERROR, SCOPE, STRING, TENSOR_LIST))


def functions_of(types: Iterable[str], function: str) -> bool:
    """Whether the name of a function begins with that of one of these types: `ctorch_tensor_list_len` of a list."""
    return any(function.startswith(f"{type_}_") for type_ in types)


def names_in(text: str) -> frozenset[str]:
    """The names of ctorch that a text of another language spells."""
    return frozenset(re.findall(rf"\b{PREFIX}\w+", text))


def check(api: Api, emitters: Iterable[Any] = ()) -> None:
    """Every name that is known here, or by one of these emitters, is one of the API."""
    known = {
        "handle type": (HANDLES, {o.name for o in api.opaque}),
        "struct": (STRUCTS, {s.name for s in api.structs}),
        "enumeration": ((*ELEMENTS, *KINDS, *FLAGS, MEMORY_PRESSURE), {e.name for e in api.enums}),
        "callback": (CALLBACKS, {c.name for c in api.callbacks}),
    }
    for kind, (names, present) in known.items():
        for name in sorted(set(names) - present):
            raise GeneratorError(f"no header has the {kind} {name}, which vocabulary.py knows: rename it there too")
    functions = {f.name for f in api.functions}
    constants = {name for e in api.enums for name, _ in e.values}
    for emitter in emitters:
        where = type(emitter).__module__.partition(".")[2].replace(".", "/")
        asked = getattr(emitter, "functions", frozenset()) - functions
        asked |= getattr(emitter, "constants", frozenset()) - constants
        for name in sorted(asked):
            if not name.startswith(OPERATOR_PREFIX):
                raise GeneratorError(f"no header has {name}, which {where}.py knows: rename it there too")
