"""C that makes a module from a struct of options and records them on it, for `module.kernel_size`.

Numbers, truths and texts are recorded; dtypes, devices, tensors and modules are not: a module tells what its tensors
are now. shim/module/options.h has the rest.
"""

from __future__ import annotations

import re

from ...api import Param
from ...constructors import Constructor
from ...schema import Argument
from ...vocabulary import ERROR, MODULE

KINDS = {"int": "int", "float": "double", "bool": "bool", "str": "text", "Scalar": "scalar"}
# Classes whose lists are tuples in Python even where one number was given for all.
EXPANDING = re.compile(r"(Lazy)?Conv(Transpose)?\dd|AvgPool1d|MaxUnpool\dd|FractionalMaxPool\dd|\w+Pad\dd")
# None is recorded as another option.
STANDS_FOR = {"stride": "kernel_size", "kdim": "embed_dim", "vdim": "embed_dim"}
KEEPS_NONE = re.compile(r"LPPool\dd")


def head(constructor: Constructor) -> str:
    name = constructor.identifier
    return (
        f"{ERROR} *{name}_new(const char *function, {MODULE} **out, const struct {name}_options *options) "
        "__attribute__((warn_unused_result))"
    )


def definition(constructor: Constructor, params: dict[str, Param]) -> str:
    lines = _Records(constructor, params).lines()
    signature = head(constructor).partition(" __attribute__")[0]
    name = constructor.identifier
    if not lines:
        return f"\n{signature} {{\n  return {name}(function, out, options);\n}}\n"
    return (
        f"\n{signature} {{\n  struct module_record record;\n"
        f"  CTORCH_TRY({name}(function, out, options));\n"
        f"  record_begin(&record, function, *out);\n{''.join(f'  {line};' + chr(10) for line in lines)}"
        "  return record_end(&record, out);\n}\n"
    )


class _Records:
    def __init__(self, constructor: Constructor, params: dict[str, Param]) -> None:
        self.class_name, _, self.overload = constructor.name.partition(".")
        self.arguments = {a.name: a for a in constructor.signature.arguments}
        self.params = params

    def lines(self) -> list[str]:
        return [self._record(a, a.name) for a in self.arguments.values() if self._is_recorded(a)]

    def _is_recorded(self, argument: Argument) -> bool:
        """A class method's own arguments, such as `freeze`, are none of the class."""
        return argument.type.base in KINDS and not argument.name.startswith("_") and argument.name != "freeze"

    def _record(self, argument: Argument, name: str) -> str:
        """The call that records an argument under a name."""
        kind, t = KINDS[argument.type.base], argument.type
        field, key = f"options->{argument.name}", f'&record, "{name}"'
        if not t.is_list:
            is_pointer = self.params[argument.name].c_type.endswith("*")
            some, is_given = f"record_{kind}({key}, {field if is_pointer else f'&{field}'})", f"{field} != NULL"
        elif t.size is None:
            some, is_given = f"record_{kind}s({key}, {field}, {field}_len)", f"{field} != NULL"
            if t.optional:
                some = f"{field}_len == 1 ? record_{kind}({key}, {field}) : {some}"
        else:
            some, is_given = f"record_{kind}s({key}, {field}, {t.size})", f"options->has_{argument.name}"
            if not EXPANDING.fullmatch(self.class_name):
                some = f"{field}_len <= 1 ? record_{kind}({key}, {field}) : {some}"
        if not t.optional:
            return some
        other = self.arguments.get(STANDS_FOR.get(name, ""))
        if other is None or KEEPS_NONE.fullmatch(self.class_name):
            otherwise = f"record_{kind}({key}, NULL)"
        else:
            otherwise = self._record(other, name)
        return f"{is_given} ? ({some}) : ({otherwise})"
