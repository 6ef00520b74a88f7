"""The Python function for one C function: its signature, the conversion of its arguments, the call, the results."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...api import Api, Opaque
from ...schema import GeneratorError
from ...surface import Argument, Result, Surface
from ...vocabulary import SAVED_TENSORS_DESTROY, TENSOR, TENSOR_LIST, VALUE
from .modules import CONTIGUOUS, GIVEN, MARKED, MODULES, TAKEN
from .names import (
    CELLS,
    CONSTANTS,
    STRUCTS,
    WIDTH,
    class_name,
    docstring,
    parameter_name,
    python_name,
    result_names,
    slot,
)


class Body:
    """The Python function for one C function."""

    def __init__(self, surface: Surface, api: Api) -> None:
        self.surface = surface
        self.function = surface.function
        self.described = bool(getattr(self.function, "schema", None))  # a schema says its defaults and keywords
        self.operator = getattr(self.function, "is_operator", False)
        self.api = api
        self.enums = {e.name for e in api.enums}
        self.used: set[str] = set()
        self.callbacks = [a for a in surface.arguments if a.kind == "callback"]
        self.by_param = {a.name: a for a in surface.arguments}
        self.results = [r for r in surface.results if not self._is_memory(r)]
        self.memory = {r.name: r for r in surface.results if self._is_memory(r)}

    def use(self, name: str) -> str:
        self.used.add(name)
        return name

    @staticmethod
    def _is_memory(result: Result) -> bool:
        """Memory that the caller provides is an argument in Python: a buffer, or the address of a foreign struct."""
        return result.kind == "buffer" or (result.kind == "address" and result.param.c_type == "void *")

    def lines(self) -> Iterator[str]:
        name = python_name(self.surface)
        if name in MODULES or name.startswith("as_") and not self.described:
            raise GeneratorError(f"{self.function.name}: its name is one that the emitted code uses itself")
        special = self._special(name)
        if special:
            yield from special
            return
        result = "" if self.described else f" -> {self._result_type()}"
        yield from self._call("def", name, self._parameters(), f"{result}:")
        yield from self._doc()
        yield from self._cells()
        yield from self._keep()
        arguments = list(self._arguments())
        checks = bool(self.by_param) or bool(self.memory)
        target = {"error": "error = ", "nothing": ""}.get(self.surface.returned, "value = ")
        call = f"{target}{self.use('native')}.{self.function.name}"
        indent = "        " if checks else "    "
        if checks:
            yield "    try:"
        yield from self._call(indent + call, "", arguments, "")
        if checks:
            yield f"    except {self.use('NOT_AN_ARGUMENT')}:"
            if self._keeps and not self._temporary():
                yield f"        {self.use('forget')}(payload_)"
            handler = "with_numbers" if self._takes_numbers() else "mismatch"
            verb = "return" if handler == "with_numbers" else "raise"
            tail = "" if verb == "return" else " from None"
            yield f"        {verb} {self.use(handler)}({name}, locals()){tail}"
            if self._keeps and self._temporary():
                yield "    finally:"
                yield f"        {self.use('forget')}(payload_)"
        yield from self._result()

    def _call(self, head: str, name: str, items: list[str], tail: str) -> Iterator[str]:
        """`head name(items)tail`, on one line or with a line for each item."""
        start = f"{head} {name}(" if name else f"{head}("
        line = f"{start}{', '.join(items)}){tail}"
        if len(line) <= WIDTH:
            yield line
            return
        indent = " " * (len(start) - len(start.lstrip()))
        yield start
        yield from (f"{indent}    {item}," for item in items)
        yield f"{indent}){tail}"

    # The signature

    def parameters(self) -> list[tuple[str, Argument | Result, str | None]]:
        """What a Python caller gives: name, what it is, and the text of its default."""
        order = {p.name: i for i, p in enumerate(self.function.params)}
        visible = [a for a in self.surface.arguments if self._visible(a)]
        given: list[Argument | Result] = sorted([*visible, *self.memory.values()], key=lambda a: order[a.name])
        if self.described:
            return [(parameter_name(a.name), a, self._default(a)) for a in visible]
        required = max((i for i, a in enumerate(given) if not a.optional or a.name == "self"), default=-1)
        return [(parameter_name(a.name), a, None if i <= required else "None") for i, a in enumerate(given)]

    def _visible(self, argument: Argument) -> bool:
        if argument.kind == "destroy" or argument.type == SAVED_TENSORS_DESTROY:
            return False
        return argument.kind != "payload" or not (self.callbacks or self._copied)

    @property
    def _copied(self) -> bool:
        """Memory that C can keep has no `destroy`: it is copied, since Python's may go or change."""
        kinds = {a.kind for a in self.surface.arguments}
        return {"bytes", "destroy"} <= kinds and not self.callbacks

    def _parameters(self) -> list[str]:
        texts: list[str] = []
        for name, argument, default in self.parameters():
            if self.described and argument.keyword_only and "*" not in texts:
                texts.append("*")
            annotation = "" if self.described else f": {self._annotation(argument)}"
            equals = " = " if annotation else "="
            texts.append(name + annotation + ("" if default is None else f"{equals}{default}"))
        return texts

    def _annotation(self, argument: Argument | Result) -> str:
        """The type of an argument in Python, which is also what wrong_arguments.py checks."""
        if isinstance(argument, Result):
            text = "WritableBuffer" if argument.kind == "buffer" else "address"
        else:
            text = self._python_type(argument)
        return f"{text} | None" if argument.optional else text

    def _python_type(self, argument: Argument) -> str:
        kind, type_ = argument.kind, argument.type
        names = {"address": "address", "bytes": "Buffer", "string": "str", "strings": "Sequence[str]"}
        if kind in ("callback", "payload"):
            return "Callable" if kind == "callback" else "object"
        if kind in names:
            return names[kind]
        if type_ == VALUE and argument.name != "self":
            return "object" if kind == "handle" else "Sequence[object]"
        if kind == "handle":
            return class_name(type_)
        if kind == "handles":
            return f"Sequence[{class_name(type_)} | None]"
        word = CONSTANTS.get(type_) or {"scalar": "number", "device": "device", "stream": "Stream"}.get(
            STRUCTS.get(type_, "")
        )
        word = word or {"bool": "bool", "double": "float"}.get(type_, "int")
        return f"Sequence[{word}]" if kind == "list" else word

    def _default(self, argument: Argument) -> str | None:
        if not argument.has_default:
            return None
        param = argument.param
        if argument.kind == "value":
            return self.use(CONTIGUOUS) if param.type == "MemoryFormat" else repr(param.default)
        return "None" if param.default_text == "None" else self.use("DEFAULT")

    def _doc(self) -> Iterator[str]:
        if not self.operator:
            schema = f"\n\n    {self.function.schema}" if self.described else ""
            yield from docstring(self.function.doc + schema)
            return
        schema = self.function.schema.removeprefix("aten::").replace("\\", "\\\\")
        if len(schema) + 10 <= WIDTH:
            yield f'    """{schema}"""'
        else:
            yield '    """'
            yield f"    {schema}"
            yield '    """'

    def _result_type(self) -> str:
        returned, type_ = self.surface.returned, self.surface.returned_type
        if returned in ("error", "nothing") or self.results:
            lengths = {id(self._counted(r)) for r in self.results if r.kind == "string"}
            types = [self._result_hint(r) for r in self.results if id(r) not in lengths]
            text = "None" if not types else types[0] if len(types) == 1 else f"tuple[{', '.join(types)}]"
            return text if returned in ("error", "nothing") else f"{text} | None"
        hints = {"string": "str", "list": "tuple[int, ...] | None", "handles": "list[Tensor | None]"}
        if returned == "address":
            return "object" if type_ == "void" else "int"
        return hints.get(returned) or self._plain_hint(type_)

    def _result_hint(self, result: Result) -> str:
        if result.kind == "handle":
            return class_name(result.type) + ("" if result.type != TENSOR else " | None")
        hints = {"string": "str", "list": "tuple[int, ...]", "address": "int | None"}
        if result.kind == "struct":
            return {"scalar": "number", "device": "device", "stream": "Stream"}[STRUCTS[result.type]]
        return hints.get(result.kind) or self._plain_hint(result.type)

    @staticmethod
    def _plain_hint(type_: str) -> str:
        if type_ in CONSTANTS:
            return f"{CONSTANTS[type_]} | None"
        return {"bool": "bool", "double": "float"}.get(type_, "int")

    # The call

    def _arguments(self) -> Iterator[str]:
        skip: set[str] = {r.length.name for r in self.results if r.length is not None}
        for param in self.function.params:
            if param.name in skip or param.role == "len":
                continue
            if param.role == "out":
                if param.name in self.memory:
                    yield self._memory_argument(self.memory[param.name])
                    continue
                result = next(r for r in self.results if r.name == param.name)
                yield f"{self.use('byref')}({self._cell_name(result)})"
                if result.length is not None:
                    yield f"byref({self._cell_name(result)}_len)"
                continue
            argument = self.by_param[param.name]
            if argument.kind == "callback":
                yield self._callback(argument)
            elif argument.kind in ("destroy", "payload") and self._copied:
                yield "None"
            elif argument.kind == "destroy":
                yield self.use("DESTROY")
            elif argument.kind == "payload":
                yield "payload_"
            else:
                yield self._argument(argument)

    def _memory_argument(self, result: Result) -> str:
        if result.kind == "buffer":
            return f"*{self.use('as_buffer')}({result.name})"
        return f"{self.use('as_address')}({result.name})"

    def _callback(self, argument: Argument) -> str:
        if argument.type == SAVED_TENSORS_DESTROY:
            return self.use("FORGET_PACKED")
        return f'{self.use("trampoline")}("{argument.type}", {parameter_name(argument.name)})'

    def _temporary(self) -> bool:
        """What is kept is needed for the call alone."""
        return not any(a.kind == "destroy" for a in self.surface.arguments)

    @property
    def _keeps(self) -> bool:
        return any(a.kind == "payload" for a in self.surface.arguments) and not self._copied

    def _keep(self) -> Iterator[str]:
        """What C gets as a payload is a number for the Python objects."""
        if not self._keeps:
            return
        visible = [a for a in self.callbacks if self._visible(a)]
        pairs = [f'"{a.type}": {parameter_name(a.name)}' for a in visible]
        if not visible:
            yield f"    payload_ = {self.use('keep')}(payload)"
        elif len(pairs) == 1:
            yield f"    payload_ = {self.use('keep')}({{{pairs[0]}}})"
        else:
            yield f"    payload_ = {self.use('keep')}("
            yield "        {"
            yield from (f"            {pair}," for pair in pairs)
            yield "        }"
            yield "    )"

    def _argument(self, argument: Argument) -> str:
        """The conversion of one argument; with a `*` where it makes a pointer and a length."""
        name = parameter_name(argument.name)
        star = argument.length is not None
        convert = self._conversion(argument, name)
        if argument.kind == "value":
            return convert
        absent = self._absent(argument, name)
        if absent is None:
            return f"*{convert}" if star else convert
        if star:
            return f"*({self.use('NOTHING')} if {absent} else {convert})"
        return f"None if {absent} else {convert}"

    def _absent(self, argument: Argument, name: str) -> str | None:
        """When NULL is passed; None for never."""
        if not self.described:
            return f"{name} is None" if argument.optional else None
        default = self._default(argument)
        if argument.param.type.endswith("?"):
            return f"{name} is None" if default in (None, "None") else f"{name} is None or {name} is DEFAULT"
        return f"{name} is DEFAULT" if default is not None else None

    def _conversion(self, argument: Argument, name: str) -> str:
        kind, type_ = argument.kind, argument.type
        if type_ == VALUE and argument.name != "self":  # any Python object that a value can hold
            return f'{self.use("as_value" if kind == "handle" else "as_values")}({name}, "{name}")'
        if type_ in TAKEN and argument.name != "self":
            return f"{self.use(TAKEN[type_] + 's' * (kind == 'handles'))}({name})"
        if kind == "handle":
            return f"{name}.{slot(type_)}"
        if kind == "handles":
            if type_ != TENSOR:
                return f'{self.use("as_handles")}({name}, "{slot(type_)}")'
            element = (argument.param.type or "Tensor?[]").partition("[")[0]
            return f"{self.use('as_optional_tensors' if element == 'Tensor?' else 'as_tensors')}({name})"
        if kind == "value":
            return f"{self.use('as_' + self._word(type_))}({name})"
        if kind == "pointer":
            suffix = "" if type_ in STRUCTS else "_pointer"
            return f"{self.use('as_' + self._word(type_) + suffix)}({name})"
        if kind == "list":
            size = re.search(r"\[(\d+)\]", argument.param.type or "")
            converter = self.use(f"as_{self._word(type_)}_list")
            # A function of a schema file takes a number for a list of one: `nn.LayerNorm(6)`, and `nn.MaxPool2d(3)`,
            # which prints it as it was given.
            count = "1" if self.function.constructor else size and size[1]
            return f"{converter}({name}, {count})" if count else f"{converter}({name})"
        converters = {"string": "as_text", "strings": "as_texts", "bytes": "as_bytes", "address": "as_address"}
        return f"{self.use(converters[kind])}({name})"

    def _word(self, type_: str) -> str:
        if type_ in CONSTANTS:
            return CONSTANTS[type_]
        if type_ in STRUCTS:
            return STRUCTS[type_]
        if type_ in self.enums:
            return "int32"
        return type_.removesuffix("_t")

    def _takes_numbers(self) -> bool:
        return self.function.numbers_as_tensors

    # The results

    def _cell_name(self, result: Result) -> str:
        index = self.results.index(result)
        name = "result" if len(self.results) == 1 else f"result{index}"
        return name + "_" if name in self.by_param else name

    def _cell_type(self, result: Result) -> str:
        if result.kind == "handle":
            return self.use(class_name(result.type) + "Handle")
        if result.kind == "struct":
            return self.use("Cell" + STRUCTS[result.type].title())
        if result.kind == "string":
            return self.use("c_char_p" if self._counted(result) is None else "c_void_p")
        if result.kind == "address":
            return self.use("c_void_p")
        if result.kind == "list":
            return f"{self.use('POINTER')}({self.use(CELLS[result.type])})"
        return self.use(CELLS.get(result.type, "c_int32"))

    def _counted(self, result: Result) -> Result | None:
        """The length of a text that may have zeros in it."""
        return next((r for r in self.results if r.param.len_of == result.name), None)

    def _cells(self) -> Iterator[str]:
        for result in self.results:
            yield f"    {self._cell_name(result)} = {self._cell_type(result)}()"
            if result.length is not None:
                yield f"    {self._cell_name(result)}_len = {self.use('c_size_t')}()"

    def _value(self, result: Result) -> str:
        cell = self._cell_name(result)
        if result.type in GIVEN:
            return f"{self.use(GIVEN[result.type])}({cell})"
        if result.type == TENSOR and self.surface.path[:1] and self.surface.path[0] in MARKED:
            return f"{self.use('from_marked')}({cell})"
        if result.type == VALUE and self.described:
            return f"{self.use('from_value')}({self.use('Value')}({cell}))"
        if result.kind == "handle":
            if result.type == TENSOR_LIST and self.described:
                return f"{self.use('from_tensor_list')}({cell})"
            return f"{self.use(class_name(result.type))}({cell}) if {cell} else None"
        if result.kind == "struct":
            return f"{self.use('from_' + STRUCTS[result.type])}({cell})"
        if result.kind == "string":
            counted = self._counted(result)
            if counted is not None:
                return f"{self.use('from_bytes')}({cell}, {self._cell_name(counted)})"
            return f"{self.use('from_text')}({cell}.value)"
        if result.kind == "list":
            return f"{self.use('from_list')}({cell}, {cell}_len.value)"
        if result.type in CONSTANTS:
            return f"{self.use('from_' + CONSTANTS[result.type])}({cell}.value)"
        return f"{cell}.value"

    def _values(self) -> list[str]:
        lengths = {id(self._counted(r)) for r in self.results if r.kind == "string"}
        return [self._value(r) for r in self.results if id(r) not in lengths]

    def _result(self) -> Iterator[str]:
        returned = self.surface.returned
        if returned == "error":
            yield "    if error:"
            if self._keeps and not self._temporary():
                yield f"        {self.use('forget')}(payload_)  # a function that fails takes nothing over"
            yield f"        raise {self.use('failure')}(error)"
        if returned in ("error", "nothing"):
            yield from self._return(self._operator_values() if self.described else self._values())
        elif self.results:  # whether there is something
            values = self._values()
            yield "    if not value:"
            yield "        return None"
            yield from self._return(values)
        else:
            yield f"    return {self._returned()}"

    def _return(self, values: list[str]) -> Iterator[str]:
        if not values:
            return
        if len(values) == 1:
            yield f"    return {values[0]}"
            return
        if result_names(self.surface):
            self.use("return_types")
            yield from self._return_named(f"    return return_types.{self.surface.name}(", values)
            return
        line = f"    return {', '.join(values)}"
        if len(line) <= WIDTH:
            yield line
        else:
            yield "    return ("
            yield from (f"        {value}," for value in values)
            yield "    )"

    def _return_named(self, head: str, values: list[str]) -> Iterator[str]:
        entries = f"({', '.join(values)})"
        if len(head) + len(entries) + 1 <= WIDTH:
            yield f"{head}{entries})"
            return
        yield head
        if len(entries) + 9 <= WIDTH:
            yield f"        {entries}"
        else:
            yield from ("        (", *(f"            {value}," for value in values), "        ),")
        yield "    )"

    def _operator_values(self) -> list[str]:
        """All that the schema returns: the arguments that were changed, or the results."""
        return [parameter_name(a.name) for a in self.surface.returned_arguments] or self._values()

    def _returned(self) -> str:
        returned, type_ = self.surface.returned, self.surface.returned_type
        if returned == "string":
            return f"{self.use('from_text')}(value)"
        if returned == "handles":
            return f"{self.use('from_tensor_array')}(value, {self._length()})"
        if returned == "list":
            return f"{self.use('from_array')}(value, {self._length()})"
        if returned == "address" and type_ == "void":
            return f"{self.use('from_payload')}(value)"
        if type_ in CONSTANTS:
            return f"{self.use('from_' + CONSTANTS[type_])}(value)"
        return "value"

    def _length(self) -> str:
        first = self.surface.arguments[0]
        absent = f"None if {first.name} is None else {first.name}.{slot(first.type)}"
        return f"native.{self.function.returns_len}({absent})"

    # Counting references is what Python does itself

    def _special(self, name: str) -> Iterator[str] | None:
        handle = next((o for o in self.api.opaque if self.function.name in (o.release, o.retain)), None)
        if handle is None or handle.name.startswith("struct "):
            return None
        return self._release(name) if self.function.name == handle.release else self._retain(name, handle)

    def _release(self, name: str) -> Iterator[str]:
        yield f"def {name}(self):"
        yield from self._doc()
        yield "    if self is not None:"
        yield f"        {self.use('as_object')}(self, {self._class_of_self()}).close()"

    def _retain(self, name: str, handle: Opaque) -> Iterator[str]:
        yield f"def {name}(self):"
        yield from docstring(self.function.doc + "\n\nThe reference is a second object's, which is returned.")
        object_ = f"{self.use('as_object')}(self, {self._class_of_self()})"
        yield f"    return None if self is None else {self.use('as_another')}({object_})"

    def _class_of_self(self) -> str:
        return self.use(class_name(self.surface.arguments[0].type))
