"""native_functions.yaml -> our frozen dataclasses.

torchgen, which ships with PyTorch, does the parsing; nothing after this file sees torchgen. The generated `out=` and
functional variants are included: every overload that `at::_ops` has is here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


class GeneratorError(Exception):
    """An error that names the operator and the line of the yaml (or of our own file) it is about."""


class Located(Protocol):
    """What a message can be about: an operator, an entry of a schema file."""

    def error(self, message: str) -> GeneratorError: ...


@dataclass(frozen=True)
class Type:
    """A schema type: `base` with up to one list and one or two `?`, as `Tensor?[]` or `int[2]?`."""

    base: str
    is_list: bool = False
    size: int | None = None  # int[2]
    optional: bool = False  # the whole may be None
    optional_elements: bool = False  # Tensor?[]

    def __str__(self) -> str:
        text = self.base + ("?" if self.optional_elements else "")
        if self.is_list:
            text += f"[{'' if self.size is None else self.size}]"
        return text + ("?" if self.optional else "")


@dataclass(frozen=True)
class Enumerated:
    """An enumeration whose numbers are 0 to `last`."""

    name: str  # ctorch_reduction
    last: int


@dataclass(frozen=True)
class Argument:
    name: str
    type: Type
    default: str | None  # as the schema writes it
    mutated: bool
    keyword_only: bool = False  # after the `*`
    enum: Enumerated | None = None  # `int`s alone: what the number means, which no schema says (policy.toml does)
    constant: int | None = None  # the number behind a default that is a word (policy.toml says which constant)


@dataclass(frozen=True)
class Return:
    name: str | None
    type: Type
    argument: str | None  # Tensor(a!): the mutated argument that it is, which the caller has already


@dataclass(frozen=True)
class Operator:
    """One overload. `name` is the schema's (`add_.Tensor`); `struct` is its class in `at::_ops`."""

    name: str
    struct: str
    root: str  # ATen/ops/<root>_ops.h
    schema: str  # without the `aten::`
    arguments: tuple[Argument, ...]
    returns: tuple[Return, ...]
    tensor_list_ref: bool  # the C++ signature takes ITensorListRef
    location: str
    follows_default_device: bool = False  # where the caller names no device (policy.toml says of which operators)

    def error(self, message: str) -> GeneratorError:
        return GeneratorError(f"{self.location}: aten::{self.name}: {message}")


@dataclass(frozen=True)
class Structured:
    """A structured CPU kernel: a class whose `meta` checks the arguments and whose `impl` computes."""

    kernel: str  # at::native::structured_ufunc_add_CPU
    root: str  # ATen/ops/<root>_native.h
    overloads: tuple[str, ...]  # the operators that it is the kernel of: `add.Tensor`, `add_.Tensor`, `add.out`
    # What `impl` takes before the outputs, where that differs from what `meta` takes: the number of an argument, or the
    # name of a value that `meta` gives.
    sources: tuple[int | str, ...] | None


@contextlib.contextmanager
def _located(what: str) -> Iterator[None]:
    try:
        yield
    except GeneratorError:
        raise
    except Exception as error:  # torchgen reports bad yaml by assertions and KeyErrors
        raise GeneratorError(f"{what}: {str(error) or type(error).__name__}") from error


def native_functions_path() -> Path:
    """The yaml that belongs to the installed torchgen."""
    try:
        import torchgen
    except ImportError as error:
        raise GeneratorError(
            "torchgen is not importable: it comes with the Python package of PyTorch (pip install torch); "
            "a LibTorch without it needs PYTHONPATH to name a folder with the torchgen of the same version"
        ) from error
    return Path(torchgen.__file__).parent / "packaged/ATen/native/native_functions.yaml"


def read_operators(yaml: Path, tags: Path | None = None) -> list[Operator]:
    """Every overload of the yaml, sorted by name."""
    from torchgen.gen import parse_native_yaml

    with _located(str(yaml)):
        parsed = parse_native_yaml(str(yaml), str(tags or yaml.parent / "tags.yaml"))
    operators = [
        _operator(f.func, f"{Path(f.loc.file).name}:{f.loc.line}", f.part_of_structured_group)
        for f in parsed.native_functions
    ]
    return sorted(operators, key=lambda op: op.name)


def read_structured(yaml: Path, tags: Path | None = None) -> list[Structured]:
    """Every structured kernel for the CPU, sorted by its first overload."""
    from torchgen.api import structured
    from torchgen.gen import get_grouped_native_functions, parse_native_yaml
    from torchgen.model import DispatchKey, NativeFunctionsGroup

    with _located(str(yaml)):
        parsed = parse_native_yaml(str(yaml), str(tags or yaml.parent / "tags.yaml"))
    kernels = []
    for group in get_grouped_native_functions(parsed.native_functions):
        if not isinstance(group, NativeFunctionsGroup) or not group.structured:
            continue
        kernel = parsed.backend_indices[DispatchKey.CPU].get_kernel(group)
        if kernel is None or not kernel.structured:
            continue
        sources = None
        if group.out.precomputed:
            given = {a.name for elements in group.out.precomputed.replace.values() for a in elements}
            given |= {a.name for a in group.out.precomputed.add}
            arguments = [a.name for a in structured.meta_arguments(group)]
            outputs = len(structured.out_arguments(group))
            wanted = [a.name for a in structured.impl_arguments(group)][:-outputs]
            sources = tuple(name if name in given else arguments.index(name) for name in wanted)
        kernels.append(
            Structured(
                f"{kernel.cpp_namespace}::structured_{kernel.kernel}",
                group.functional.func.name.name.base,
                tuple(sorted(str(f.func.name) for f in group.functions())),
                sources,
            )
        )
    return sorted(kernels, key=lambda k: k.overloads)


def parse_schema(schema: str, location: str) -> Operator:
    """An operator from its text alone, as the lock keeps it."""
    from torchgen.model import FunctionSchema

    with _located(f"{location}: aten::{schema.split('(')[0]}"):
        return _operator(FunctionSchema.parse(schema), location, structured=False)


def _operator(func, location: str, structured: bool) -> Operator:
    name = str(func.name)
    with _located(f"{location}: aten::{name}"):
        keyword_only = {a.name for a in (*func.arguments.flat_kwarg_only, *func.arguments.out)}
        mutated = {
            alias: a.name
            for a in func.schema_order_arguments()
            if a.annotation is not None and a.annotation.is_write
            for alias in a.annotation.alias_set
        }
        return Operator(
            name=name,
            struct=func.name.unambiguous_name(),
            root=func.name.name.base,
            schema=str(func),
            arguments=tuple(
                Argument(
                    a.name,
                    _type(a.type),
                    a.default,
                    a.annotation is not None and a.annotation.is_write,
                    a.name in keyword_only,
                )
                for a in func.schema_order_arguments()
            ),
            returns=tuple(
                Return(r.name, _type(r.type), _returned_argument(r.annotation, mutated)) for r in func.returns
            ),
            tensor_list_ref=structured,
            location=location,
        )


def _returned_argument(annotation, mutated: dict[str, str]) -> str | None:
    if annotation is None or not annotation.is_write:
        return None
    return next((mutated[alias] for alias in annotation.alias_set if alias in mutated), None)


def _type(t) -> Type:
    from torchgen.model import BaseType, ListType, OptionalType

    if isinstance(t, BaseType):
        return Type(t.name.name)
    if isinstance(t, OptionalType):
        inner = _type(t.elem)
        return Type(inner.base, inner.is_list, inner.size, True, inner.optional_elements)
    if isinstance(t, ListType):
        inner = _type(t.elem)
        if inner.is_list:
            raise ValueError(f"unknown type {t}")
        return Type(inner.base, True, t.size, False, inner.optional)
    raise ValueError(f"unknown type {t}")
