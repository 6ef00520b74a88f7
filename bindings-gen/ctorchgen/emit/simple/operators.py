"""ops.spl and the methods of Tensor: every operator with Simple's own types, its defaults, and errors as values; and
nn.spl, init.spl …, which are alike for the functions of schema files.

A slot of the word function becomes a parameter: `handle` a Tensor, `ints` an [i64], `number` an optional. What has to
be made for a call (lists, doubles, texts) is made first and released after it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...names import operator_part, python_namespace
from ...schema import GeneratorError
from ...vocabulary import (
    DATASET,
    DTYPE,
    GENERATOR,
    LOADER,
    LR_SCHEDULER,
    MODULE,
    OPTIMIZER,
    SAMPLER,
    SCALAR,
    STORAGE,
    TENSOR,
    TRANSFORM,
    VALUE,
)
from ...word import Slot, WordApi, WordFunction
from .names import operator_name, unreserved
from .tensor import (
    TENSOR_CALLS,
    TENSOR_CLASS,
    TENSOR_CONSTANTS,
    TENSOR_EXPORTS,
    TENSOR_FUNCTIONS,
    TENSOR_HEAD,
    TENSOR_WORDS,
)

# The overload that gets the plain name, if it is not the one without a name.
PREFERRED = (
    "Tensor int using_ints List self src Tensor_Scalar Tensor_Tensor Scalar sections memory_format input".split()
)
WIDTH = 116  # and four more in a class


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str
    word: str  # the expression that makes its word
    made: bool  # the word is made for the call, and released after it
    default: str | None


@dataclass(frozen=True)
class Operator:
    """A word function as a user of Simple sees it."""

    function: WordFunction
    member: str  # without what says where it is from
    parameters: tuple[Parameter, ...]

    @property
    def name(self) -> str:
        """`aten_add`, `nn_Conv2d`: all functions of a program share one table, so none has a general name."""
        return f"{self.function.function.kind}_{self.member}"

    @property
    def method(self) -> str:
        return operator_name(self.member)

    @property
    def returned(self) -> list[str]:
        """The arguments that the operator returns, by their names here."""
        names = {s.name: p.name for p, s in zip(self.parameters, self.function.slots)}
        return [names[a.name] for a in self.function.surface.returned_arguments]

    @property
    def is_method(self) -> bool:
        """Public, of a tensor, and not the form that writes into other tensors."""
        slots = self.function.slots
        return (
            not self.function.surface.name.startswith("_")
            and bool(slots)
            and (slots[0].name, slots[0].kind, slots[0].optional) == ("self", "handle", False)
            and not any(s.argument.param.mutated for s in slots[1:])
        )


def readable(words: WordApi) -> list[Operator]:
    """The operators in the order of the API, each with a name that no other has."""
    aten = [f for f in words.functions if f.function.kind == "aten"]
    families: dict[str, list[WordFunction]] = {}
    for function in aten:
        families.setdefault(function.surface.name, []).append(function)
    spelled = {_spelled(f) for f in aten}
    out = []
    for function in aten:
        family = function.surface.name
        name = _spelled(function)
        if function is _preferred(families[family]) and (name == family or family not in spelled):
            name = family
        out.append(Operator(function, name, _parameters(function)))
    names = [o.method for o in out]
    if len(set(names)) < len(names):
        raise GeneratorError(f"Simple: {', '.join(sorted({n for n in names if names.count(n) > 1}))} is there twice")
    return out


def _spelled(function: WordFunction) -> str:
    if function.surface.path:
        return "_".join(function.surface.path[1:])
    return operator_part(function.function.name)


def described(words: WordApi, namespace: str) -> list[Operator]:
    """The functions of a schema file."""
    found = [f for f in words.functions if f.function is not None and f.function.kind == namespace]
    return [Operator(f, _spelled(f), _parameters(f)) for f in found]


def _preferred(family: list[WordFunction]) -> WordFunction | None:
    by_overload = {f.surface.overload: f for f in family}
    forms = [f for f in family if "out" not in f.surface.overload.split("_")]
    chosen = next((by_overload[o] for o in ("", *PREFERRED) if o in by_overload), None)
    return chosen or (forms[0] if len(forms) == 1 else None)


def _parameters(function: WordFunction) -> tuple[Parameter, ...]:
    names = unreserved([s.name for s in function.slots], function.name)
    found = [_parameter(name, slot) for name, slot in zip(names, function.slots)]
    # A default is possible only where all that follow have one.
    out: list[Parameter] = []
    defaults = True
    for parameter in reversed(found):
        defaults = defaults and parameter.default is not None
        default = parameter.default if defaults else None
        out.append(Parameter(parameter.name, parameter.type, parameter.word, parameter.made, default))
    return tuple(reversed(out))


_HANDLES = {
    TENSOR: ("Tensor", "optional_tensor"),
    GENERATOR: ("Generator", "optional_generator"),
    STORAGE: ("Storage", None),
    MODULE: ("Module", None),
    OPTIMIZER: ("Optimizer", None),
    LR_SCHEDULER: ("LRScheduler", None),
    DATASET: ("Dataset", None),
    LOADER: ("Loader", None),
    SAMPLER: ("Sampler", "optional_sampler"),
    TRANSFORM: ("Transform", "optional_transform"),
    VALUE: ("Value", "optional_value"),
}
_HANDLE_LISTS = {
    LR_SCHEDULER: ("[LRScheduler]", "schedulers"),
    DATASET: ("[Dataset]", "datasets"),
    TRANSFORM: ("[Transform]", "transforms"),
}
_NUMBERS = {
    "double": ("f64?", "optional_double"),
    "bool": ("bool?", "optional_flag"),
    DTYPE: ("DType?", "optional_dtype"),
}
_LISTS = {
    "tensors": ("[Tensor]", "tensors"),
    "scalars": ("[Scalar]", "scalars"),
    "doubles": ("[f64]", "doubles"),
    "ints": ("[i64]", "ints"),
}


def _parameter(name: str, slot: Slot) -> Parameter:
    param = slot.argument.param
    leave_out = param.default_text is not None
    none = "nil" if leave_out else None
    kind = slot.kind
    if kind == "handle":
        type_, optional = _HANDLES[slot.type]
        if slot.optional and optional:
            return Parameter(name, f"{type_}?", f"word_of_{optional}({name})", False, none)
        return Parameter(name, type_, f"{name}.handle", False, None)
    if kind == "handles" and slot.type in _HANDLE_LISTS:
        type_, maker = _HANDLE_LISTS[slot.type]
        return Parameter(name, type_, f"word_of_{maker}({name})", True, None)
    if kind == "flag":
        default = None if slot.default is None else str(bool(slot.default)).lower()
        return Parameter(name, "bool", f"word_of_flag({name})", False, default)
    if slot.type == DTYPE and kind == "enum":
        if slot.default is not None:
            raise GeneratorError(f"Simple: a default for a dtype ({name})")
        return Parameter(name, "DType", f"dtype_number({name})", False, None)
    if kind in ("int", "enum"):
        return Parameter(name, "i64", name, False, None if slot.default is None else str(int(slot.default)))
    if kind == "double":
        default = None if slot.default is None else repr(float(slot.default))
        return Parameter(name, "f64", f"word_of_double({name})", True, default)
    if kind == "number":
        type_, maker = _NUMBERS.get(slot.type, ("i64?", "optional_integer"))
        return Parameter(name, type_, f"word_of_{maker}({name})", True, none)
    if kind == "scalar":
        if slot.optional:
            return Parameter(name, "Scalar?", f"word_of_optional_scalar({name})", True, none)
        return Parameter(name, "Scalar", f"word_of_scalar({name})", True, None)
    if kind == "device":
        if slot.optional:
            return Parameter(name, "Device?", f"word_of_optional_device({name})", False, none)
        return Parameter(name, "Device", f"{name}.word()", False, None)
    if kind == "text":
        if slot.optional:
            return Parameter(name, "text?", f"word_of_optional_text({name})", True, none)
        return Parameter(name, "text", f"word_of_text({name})", True, None)
    if kind == "stream":
        return Parameter(name, "Stream", f"{name}.handle", False, None)
    if kind in _LISTS:
        type_, maker = _LISTS[kind]
        if kind == "ints" and slot.type == "bool":
            return Parameter(name, "[bool]", f"word_of_flags({name})", True, None)
        if kind in ("ints", "doubles") and (leave_out or param.type.endswith("?")):
            return Parameter(name, f"{type_}?", f"word_of_optional_{maker}({name})", True, none)
        return Parameter(name, type_, f"word_of_{maker}({name})", True, None)
    raise GeneratorError(f"Simple: no type for a slot of kind {kind} ({name})")


_RESULTS = {
    "flag": ("bool", "flag_result"),
    "count": ("i64", "word_result"),
    "enum": ("i64", "word_result"),
    "tuple": ("[Tensor]", "tuple_of_tensors_result"),
}
_HANDLE_RESULTS = {
    "TENSOR": ("Tensor", "tensor_result"),
    "TENSOR_LIST": ("[Tensor]", "tensors_result"),
    "MODULE": ("Module", "module_result"),
    "OPTIMIZER": ("Optimizer", "optimizer_result"),
    "LR_SCHEDULER": ("LRScheduler", "scheduler_result"),
    "DATASET": ("Dataset", "dataset_result"),
    "LOADER": ("Loader", "loader_result"),
    "SAMPLER": ("Sampler", "sampler_result"),
    "TRANSFORM": ("Transform", "transform_result"),
    "METRIC": ("Metric", "metric_result"),
    "VALUE": ("Value", "value_result"),
}
# What is written by hand of the types of schema files, by the module that has it.
_BY_HAND = {
    "ml.torch.nn.module": ("Module", "module_result"),
    "ml.torch.optim.optimizer": ("Optimizer", "optimizer_result"),
    "ml.torch.optim.scheduler": ("LRScheduler", "scheduler_result", "word_of_schedulers"),
    "ml.torch.data.dataset": ("Dataset", "dataset_result", "word_of_datasets"),
    "ml.torch.data.loader": ("Loader", "loader_result"),
    "ml.torch.data.sampler": ("Sampler", "sampler_result", "word_of_optional_sampler"),
    "ml.vision.transforms.transform": (
        "Transform",
        "transform_result",
        "word_of_optional_transform",
        "word_of_transforms",
    ),
    "ml.torch.metrics.metric": ("Metric", "metric_result"),
    "ml.torch.values": ("Value", "value_result", "word_of_optional_value"),
}
_NUMBER_RESULTS = {
    "int64_t": ("i64", "integer_result"),
    "double": ("f64", "double_result"),
    SCALAR: ("Scalar", "scalar_result"),
}


def _result(operator: Operator, own: str | None) -> tuple[str, str]:
    """Type of the value, and the beginning of the call that makes it of a word. `own` is the parameter that is self."""
    result = operator.function.result
    if result.kind == "status":
        changed = ["self" if name == own else name for name in operator.returned]
        if len(changed) > 1:
            return "[Tensor]", f"all_changed_result([{', '.join(changed)}], "
        return ("Tensor", f"changed_result({changed[0]}, ") if changed else ("bool", "done_result(")
    if result.kind == "handle":
        type_, maker = _HANDLE_RESULTS[result.handle_kind]
    elif result.kind == "enum" and result.type == DTYPE:
        type_, maker = "DType", "dtype_result"
    elif result.kind == "number":
        type_, maker = _NUMBER_RESULTS[result.type]
    elif result.kind == "tuple" and any(i.kind != "handle" or i.handle_kind != "TENSOR" for i in result.items):
        type_, maker = "Tuple", "tuple_result"
    else:
        type_, maker = _RESULTS[result.kind]
    return type_, f"{maker}("


def _comment(function: WordFunction) -> Iterator[str]:
    """The schema, on as many lines as it needs."""
    line = "#"
    for word in function.function.schema.split(" "):
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = "#  "
        line += f" {word}"
    yield line


def _documented(doc: str, namespaces: Sequence[str]) -> Iterator[str]:
    """What a schema file says of a function, with the names that its functions have here."""
    if not doc:
        return
    text = re.sub(rf"\b({'|'.join(namespaces)})\.(\w+)", r"\1_\2", doc.strip().replace("\\", "/"))
    paragraphs = []
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        laid_out = any(line.startswith((" ", "- ")) for line in lines)
        paragraphs.append(lines if laid_out else textwrap.wrap(" ".join(lines), WIDTH - 3))
    lines = [line for p in paragraphs for line in (*p, "")][:-1]
    if len(lines) == 1:
        yield f'    """{lines[0]}"""'
        return
    yield f'    """{lines[0]}'
    yield from (f"    {line}" if line else "" for line in lines[1:])
    yield '    """'


def _function(operator: Operator, method: bool, namespaces: Sequence[str] = ()) -> Iterator[str]:
    function = operator.function
    own = operator.parameters[0].name if method else None
    given = operator.parameters[1:] if method else operator.parameters
    type_, make = _result(operator, own)
    signature = [f"{p.name}: {p.type}" + (f" = {p.default}" if p.default is not None else "") for p in given]
    made = [p for p in operator.parameters if p.made]
    place = {p.name: f"made[{i}]" for i, p in enumerate(made)}
    words = [place.get(p.name, "self.handle" if p.name == own else p.word) for p in operator.parameters]
    call = f"{function.function.name}("
    end = ")"
    if made:
        make, end = f"{make}release_after(made, ", "))"
    yield from _wrapped(
        f"fn {operator.method if method else operator.name}(", signature, f") -> Result<{type_}, TorchError>:", ""
    )
    if namespaces:
        yield from _documented(function.function.doc, namespaces)
    if made:
        yield from _wrapped("val made = [", [p.word for p in made], "]", "    ")
    if function.packed:
        yield from _wrapped("val arguments = word_of_pack([", words, "])", "    ")
        yield f"    val answer = release_after([arguments], {call}arguments))"
        yield f"    {make}answer{end}"
    else:
        yield from _wrapped(f"{make}{call}", words, f"){end}", "    ")


def _wrapped(start: str, items: list[str], end: str, indent: str, inner: str = "") -> Iterator[str]:
    """A list in brackets: on one line, or if that is too long on as many as it needs, between the brackets."""
    line = f"{indent}{start}{inner}{', '.join(items)}{inner}{end}"
    if len(line) <= WIDTH:
        yield line
        return
    yield f"{indent}{start}"
    line = f"{indent}   "
    for number, item in enumerate(items):
        item += "," if number < len(items) - 1 else ""
        if len(line) + 1 + len(item) > WIDTH:
            yield line
            line = f"{indent}   "
        line += f" {item}"
    yield line
    yield f"{indent}{end}"


_TYPES = ("Scalar", "Device", "Generator", "Storage", "Stream")


def _makers(operators: list[Operator]) -> list[str]:
    """The functions of words.spl that make the words of these operators."""
    elsewhere = {"word_of_optional_tensor", "word_of_tensors"}.union(*_BY_HAND.values())
    found = {p.word.split("(")[0] for o in operators for p in o.parameters if p.word.startswith("word_of_")}
    return sorted(found - elsewhere - {"word_of_text"}) + ["word_of_pack", "release_after"]


_OPERATORS_HEAD = '''
"""Every operator of PyTorch: `matmul(a, b)`, `conv2d(x, weight, bias, padding: [1, 1])`.

Names are PyTorch's. Where an operator has several forms, the plain name is the usual one and the others have the name
of their form after it: `add(x, y)`, `add_Scalar(x, Scalar.Int(1))`. Names that begin with `_` are PyTorch's own, and
may change with it. `self` is called `input`, and `out` `result`. A layout or memory format is a number of
constants.spl. An operator that changes a tensor gives that tensor back; one with several results gives a list of
tensors, or a Tuple where they are of several kinds. Tensor.undefined() stands for None in a list of tensors.
"""
'''


def operators(words: WordApi) -> Iterator[str]:
    yield from _OPERATORS_HEAD.strip("\n").split("\n")
    found = readable(words)
    yield ""
    yield from _use("ml.torch.ffi", ["word_of_text", *(o.function.function.name for o in found)])
    yield from _use("ml.torch.words", [*_TYPES, *_makers(found)])
    yield from _use("ml.torch.dtypes", ["DType", "dtype_number"])
    yield "use ml.torch.errors.{ TorchError }"
    yield from _use("ml.torch.tensor", ["Tensor", "Tuple", "word_of_optional_tensor", "word_of_tensors", *_MAKERS])
    yield ""
    yield from exports([o.name for o in found])
    for operator in found:
        yield ""
        yield from _comment(operator.function)
        yield from _function(operator, method=False)


def namespace(words: WordApi, name: str) -> Iterator[str]:
    """A module for each schema file."""
    found = described(words, name)
    body = [line for o in found for line in ("", *_comment(o.function), *_function(o, False, words.api.namespaces))]
    words_of_body = set(re.findall(r"\w+", "\n".join(body)))

    def used(names: Sequence[str]) -> list[str]:
        return [n for n in names if n in words_of_body]

    yield f'"""What Python has as {python_namespace(name)}. An overload has its name behind: Conv2d_padding."""'
    yield ""
    makers = used(["word_of_text", "word_or_code", *(o.function.function.name for o in found)])
    yield from _use("ml.torch.ffi", makers)
    yield from _use("ml.torch.words", used([*_TYPES, *_makers(found)]))
    yield from _use("ml.torch.dtypes", used(["DType", "dtype_number"]))
    yield "use ml.torch.errors.{ TorchError }"
    for module, names in _BY_HAND.items():
        yield from _use(module, used(names))
    if tensors := used(["Tensor", "Tuple", "word_of_optional_tensor", "word_of_tensors", *_MAKERS]):
        yield from _use("ml.torch.tensor", tensors)
    yield ""
    yield from exports([o.name for o in found])
    yield from body


_MAKERS = (
    "all_changed_result changed_result done_result double_result dtype_result flag_result integer_result scalar_result "
    "tensor_result tensors_result tuple_result tuple_of_tensors_result word_result"
).split()


def tensor(words: WordApi) -> Iterator[str]:
    by_hand = {line.split("(")[0].split("fn ")[1] for line in TENSOR_CLASS.split("\n") if "fn " in line.split("(")[0]}
    methods = [o for o in readable(words) if o.is_method and o.method not in by_hand]
    head, _, imports = TENSOR_HEAD.strip("\n").partition("<imports>")
    yield from head.rstrip("\n").split("\n")
    yield ""
    calls = {*TENSOR_CALLS, *(o.function.function.name for o in methods)}
    yield from _use("ml.torch.ffi", ["word_of_text", "word_or_code", *sorted(calls)])
    yield from _use("ml.torch.words", [*_TYPES, *sorted({*_makers(methods), *TENSOR_WORDS})])
    yield from _use("ml.torch.dtypes", ["DType", "dtype_number", "dtype_of_number"])
    yield "use ml.torch.errors.{ TorchError }"
    yield from _use("ml.torch.constants", TENSOR_CONSTANTS)
    yield ""
    yield from exports(TENSOR_EXPORTS)
    yield ""
    yield from imports.strip("\n").split("\n")
    yield ""
    yield from TENSOR_CLASS.strip("\n").split("\n")
    for operator in methods:
        yield ""
        yield from (f"    {line}" for line in (*_comment(operator.function), *_function(operator, method=True)))
    yield ""
    yield from TENSOR_FUNCTIONS.strip("\n").split("\n")


def exports(names: Sequence[str]) -> Iterator[str]:
    """`export a, b`, on as many lines as it needs: what is not exported cannot be imported."""
    line = "export"
    for name in names:
        if len(line) + len(name) + 2 > WIDTH and line != "export":
            yield line.removesuffix(",")
            line = "export"
        line += f" {name},"
    yield line.removesuffix(",")


def _use(module: str, names: Sequence[str]) -> Iterator[str]:
    if not names:
        return
    yield from _wrapped(f"use {module}.{{", list(names), "}", "", " ")
