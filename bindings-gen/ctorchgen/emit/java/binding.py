"""The Java binding: `org.ctorch`, over the raw layer of raw.py.

Aten.java       every operator, by the name of its schema: `Aten.add_Tensor(x, y, Options.with().alpha(2))`
Options.java    the arguments that the schemas have defaults for, each a method
<Handle>.java   the opaque types, with the functions whose name begins with theirs as methods
Ctorch.java     the other functions of the runtime
<Enum>.java, Results.java, Failures.java
Stubs.java      the C functions that call back
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...api import Api, Enum, Opaque
from ...names import PREFIX, operator_part, python_namespace, short
from ...schema import GeneratorError
from ...surface import Argument, Result, Surface
from ...vocabulary import (
    BUILT_IN,
    DEVICE,
    DTYPE,
    ERROR_KIND,
    FLAGS,
    GENERATOR,
    ITERATOR,
    LR_SCHEDULER,
    MEMORY_PRESSURE,
    MODULE,
    OPTIMIZER,
    SAMPLER,
    SAVED_TENSORS_DESTROY,
    SCALAR,
    STREAM,
    STRING,
    TENSOR,
    TENSOR_LIST,
    TRANSFORM,
    VALUE,
    functions_of,
    named,
)
from .raw import JavaRaw, identifier, raw_class, upper_camel
from .stubs import Stubs, stub_class

HANDLE_NAMES = {ITERATOR: "ValueIterator"}  # Iterator is java.util's
ENUM_NAMES = {DTYPE: "DType", MEMORY_PRESSURE: "MemoryPressureReason"}
# Written by hand, because they are about C memory or about C's payloads, or give a dict or list.
BY_HAND = frozenset(
    named(
        """
        tensor_from_buffer tensor_from_storage tensor_from_dltensor tensor_to_dltensor tensor_sizes tensor_strides
        autograd_context_payload optimizer_defaults optimizer_state optimizer_state_dict lr_scheduler_last_lr
        lr_scheduler_state_dict grad_scaler_state_dict writer_data weights_metadata dataset_get dataset_attribute
        dataset_iterate sampler_iterate loader_iterate iterator_next iterator_from_callback iterator_state_dict
        iterator_from_stateful_callback loader_worker_info loader_statistics transform_call trainer_evaluate
        trainer_history
        """
    )
)
# Their last list, if left out, is not an empty one: no `T...`, so that its user says which of the two.
NO_VARARGS = frozenset(named("autograd_backward func_hessian random_fork"))
OBJECT_METHODS = {
    "wait",
    "notify",
    "notifyAll",
    "getClass",
    "hashCode",
    "equals",
    "toString",
    "clone",
    "finalize",
    "close",
}
NUMBERS = {"int64_t": "long", "size_t": "long", "uint64_t": "long", "int32_t": "int", "uint32_t": "int"}
BOXED = {"long": "Long", "int": "Integer", "double": "Double", "boolean": "Boolean"}


def namespace_class(namespace: str) -> str:
    """`nn` -> `NN`, `init` -> `Init`, `lr_scheduler` -> `LrSchedulers`, as `LrScheduler` is what it makes."""
    name = namespace.upper() if len(namespace) == 2 else upper_camel(namespace)
    return f"{name}s" if PREFIX + namespace == LR_SCHEDULER else name


@dataclass(frozen=True)
class Given:
    """An argument in Java: its type, null if it has to be left to `Options`, and how C gets it."""

    type: str
    c: tuple[str, ...]


EXTENDED = (
    "Tensor",
    "Module",
    "Optimizer",
    "LrScheduler",
    "GradScaler",
    "Reader",
    "Writer",
    "Weights",
    "Dataset",
    "Sampler",
    "Loader",
    "ValueIterator",
    "Transform",
    "Trainer",
)  # handles whose class is written by hand, on the emitted methods


class Java:
    """Emits the whole binding but for what is written by hand in languages/java."""

    functions = BY_HAND | NO_VARARGS

    def emit(self, api: Api) -> dict[str, str]:
        files = JavaRaw(api).emit() | {f"src/org/ctorch/{n}.java": t for n, t in _Typed(api).files().items()}
        return {f"bindings/java/{path}": text for path, text in files.items()}


class _Typed:
    def __init__(self, api: Api) -> None:
        self._api = api
        self._enums = {e.name: enum_class(e.name) for e in api.enums if e.name not in FLAGS}
        self._handles = {
            o.name: HANDLE_NAMES.get(o.name) or upper_camel(short(o.name))
            for o in api.opaque
            if not o.name.startswith("struct ") and o.name not in BUILT_IN
        }
        self._large = {s.name: str(s.size) for s in api.structs if s.size > 8}  # than the room for a result
        self._counting = {name for o in api.opaque for name in (o.release, o.retain)}
        self._raw_classes = {f.name: raw_class(f) for f in api.functions}
        surfaces = [Surface.of(f, api) for f in api.functions]
        self._described = {kind: [s for s in surfaces if s.function.kind == kind] for kind in ("aten", *api.namespaces)}
        self._runtime = [s for s in surfaces if s.function.kind == "core" and self._has_method(s)]
        self._tuples: dict[
            tuple[tuple[str, str], ...], str
        ] = {}  # (type, name) of each component -> name of the record

    def files(self) -> dict[str, str]:
        methods = self._methods_by_class()
        files = {enum_class(e.name): list(self._enum(e)) for e in self._api.enums}
        files["Failures"] = list(self._failures())
        for opaque in self._api.opaque:
            if opaque.name in self._handles:
                name = self._handles[opaque.name]
                lines = self._handle(opaque, name, methods.pop(name, []))
                files[f"{name}Methods" if name in EXTENDED else name] = list(lines)
        files["Ctorch"] = [
            "/** The functions of the runtime that belong to no object. */",
            "public final class Ctorch {",
            "  private Ctorch() {}",
            *methods.pop("Ctorch"),
            "}",
        ]
        files["Aten"] = list(self._aten())
        for namespace in self._api.namespaces:
            files[namespace_class(namespace)] = list(self._namespace(namespace))
        files["Options"] = list(self._options())
        files["Results"] = list(self._results())  # last: what the others returned
        head = f"// ctorch {self._api.version}: generated.\npackage org.ctorch;\n\n"
        imports = "import org.ctorch.raw.*;\n\n"
        plain = set(map(enum_class, (e.name for e in self._api.enums))) | {"Failures", "Options", "Results"}
        texts = {n: head + ("" if n in plain else imports) + "\n".join(lines) + "\n" for n, lines in files.items()}
        return texts | {"Stubs": Stubs(self._api, self._handles, self._enums).text()}

    # Constants and exceptions.

    def _enum(self, enum: Enum) -> Iterator[str]:
        name = enum_class(enum.name)
        yield f"/** {_first_sentence(enum.doc)} */"
        yield f"public enum {name} implements Code {{"
        constants = [f"  {constant.upper()}({number})" for constant, number in enum.short_values.items()]
        yield ",\n".join(constants) + ";"
        yield ""
        yield f"  private static final {name}[] ALL = values();"
        yield ""
        yield "  private final int code;"
        yield ""
        yield f"  {name}(int code) {{"
        yield "    this.code = code;"
        yield "  }"
        yield ""
        yield "  /** The number that C has for it. */"
        yield "  @Override"
        yield "  public int code() {"
        yield "    return code;"
        yield "  }"
        yield ""
        yield "  /** The constant with that number; null if there is none. */"
        yield f"  public static {name} of(int code) {{"
        yield f"    for ({name} constant : ALL) {{"
        yield "      if (constant.code == code) {"
        yield "        return constant;"
        yield "      }"
        yield "    }"
        yield "    return null;"
        yield "  }"
        yield "}"

    def _failures(self) -> Iterator[str]:
        kinds = next(e for e in self._api.enums if e.name == ERROR_KIND)
        classes = [(constant.upper(), upper_camel(constant)) for constant in kinds.short_values]
        yield "/** An exception for each kind of error. */"
        yield "public final class Failures {"
        yield "  private Failures() {}"
        yield ""
        yield "  static CtorchException of(CtorchException.Details details) {"
        yield "    ErrorKind kind = ErrorKind.of(details.code);"
        yield "    if (kind == null) {"
        yield "      return new CtorchException(null, details);"
        yield "    }"
        yield "    switch (kind) {"
        for constant, name in classes:
            yield f"      case {constant}:"
            yield f"        return new {name}(details);"
        yield "      default:"
        yield "        return new CtorchException(kind, details);"
        yield "    }"
        yield "  }"
        for constant, name in classes:
            yield ""
            yield f"  /** The kind {{@link ErrorKind#{constant}}}. */"
            yield f"  public static final class {name} extends CtorchException {{"
            yield "    private static final long serialVersionUID = 1;"
            yield ""
            yield f"    {name}(Details details) {{"
            yield f"      super(ErrorKind.{constant}, details);"
            yield "    }"
            yield "  }"
        yield "}"

    # Handles and the runtime.

    def _has_method(self, surface: Surface) -> bool:
        name = surface.function.name
        of_other = functions_of(BUILT_IN, name)
        by_hand = name in BY_HAND or name in self._counting
        foreign = any(a.type in BUILT_IN for a in surface.arguments)
        return not (of_other or by_hand or foreign)

    def _methods_by_class(self) -> dict[str, list[str]]:
        """The methods of each class, and those of `Ctorch`, as lines."""
        methods: dict[str, list[str]] = {}
        for surface in self._runtime:
            plain = short(surface.function.name)
            owners = [o for o in self._handles if functions_of((o,), surface.function.name)]
            owner = max(owners, key=len, default=None)
            if owner:
                plain = plain.removeprefix(f"{short(owner)}_")
            is_self = [a for a in surface.arguments if a.name == "self" and a.type == owner and a.kind == "handle"]
            into = self._handles[owner] if owner else "Ctorch"
            name = lower_camel(plain)
            name = "create" if name == "new" else f"{name}_" if name in OBJECT_METHODS else identifier(name)
            lines = self._runtime_method(surface, name, is_self[0] if is_self else None)
            methods.setdefault(into, []).extend(["", *lines])
        return methods

    def _handle(self, opaque: Opaque, name: str, methods: list[str]) -> Iterator[str]:
        raw = self._raw_classes
        releasing = f"{raw[opaque.release]}::{opaque.release}"
        yield f"/** {_first_sentence(opaque.doc)} */"
        if name in EXTENDED:
            yield f"abstract class {name}Methods extends Handle {{"
            yield f"  {name}Methods(long address) {{"
        else:
            yield f"public final class {name} extends Handle {{"
            yield f"  {name}(long address) {{"
        yield f"    super(address, {releasing});"
        yield "  }"
        if opaque.retain:
            yield ""
            yield "  @Override"
            yield "  void retain(long address) {"
            yield f"    {raw[opaque.retain]}.{opaque.retain}(address);"
            yield "  }"
            yield ""
            yield "  /** One more reference to what C lends; null for none. */"
            yield f"  static {name} retained(long address) {{"
            yield "    if (address == 0) {"
            yield "      return null;"
            yield "    }"
            yield f"    {raw[opaque.retain]}.{opaque.retain}(address);"
            yield f"    return new {name}(address);"
            yield "  }"
        yield from methods
        yield "}"

    def _runtime_method(self, surface: Surface, name: str, self_: Argument | None) -> Iterator[str]:
        parameters: list[str] = []
        c_arguments: dict[str, str] = {}
        filled: str | None = None
        callbacks = [a for a in surface.arguments if a.kind == "callback"]
        kept = any(a.kind == "destroy" for a in surface.arguments)
        users = [a for a in callbacks if a.type != SAVED_TENSORS_DESTROY]
        for a in surface.arguments:
            if a is self_:
                c_arguments[a.name] = "call.handle(this)"
            elif a.kind == "callback":
                stub = stub_class(a.type)
                given = f"Stubs.{stub}.ADDRESS"
                if a in users:
                    parameters.append(f"Callbacks.{stub} {lower_camel(a.name)}")
                    given = f"{lower_camel(a.name)} == null ? 0 : {given}"
                c_arguments[a.name] = given
            elif a.kind == "destroy":
                c_arguments[a.name] = "payload == 0 ? 0 : Stubs.Destroy.ADDRESS" if users else "0"
            elif a.kind == "payload":
                c_arguments[a.name] = "payload" if users else "0"
            else:
                given = self._given(a)
                parameters.append(f"{given.type} {identifier(lower_camel(a.name))}")
                c_arguments[a.name] = given.c[0]
                if len(given.c) == 2:
                    c_arguments[a.length.name] = given.c[1]
        for r in surface.results:
            if r.kind == "buffer":
                filled = identifier(lower_camel(r.name))
                parameters.append(f"byte[] {filled}")
                c_arguments[r.name] = f"{r.name}_ = call.room({filled}.length)"
                c_arguments[r.length.name] = "call.length()"
        results = [r for r in surface.results if r.kind != "buffer"]
        returned, reading = self._returning(surface, results)
        if parameters and not filled and surface.function.name not in NO_VARARGS:
            parameters[-1] = parameters[-1].replace("[] ", "... ")
        static = "" if self_ else "static "
        doc = _first_sentence(surface.function.doc)
        yield f"  /** {doc} */" if doc else f"  /** {{@code {surface.function.name}}}. */"
        yield f"  public {static}{returned} {name}({', '.join(parameters)}) {{"
        if users:
            given = ", ".join(lower_camel(a.name) for a in users)
            empty = " && ".join(f"{lower_camel(a.name)} == null" for a in users)
            yield f"    long payload = {empty} ? 0 : Registry.add(new Object[] {{{given}}});"
        if users and kept:
            yield "    boolean given = false; // C then has the payload, and gives it back"
        yield "    Call call = Call.begin();"
        yield "    try {"
        call = self._c_call(surface, c_arguments, results)
        body = list(call)
        if filled:
            buffer = next(r for r in surface.results if r.kind == "buffer")
            body.insert(0, f"long {buffer.name}_;")
        if users and kept:
            # The error is looked at first: a call that fails has not taken the payload.
            i = next(i for i, line in enumerate(body) if line.startswith("call.check("))
            body.insert(i + 1, "given = true;")
        if filled:
            body.append(f"Call.getBytes({buffer.name}_, {filled});")
        yield from (f"      {line}" for line in [*body, *reading])
        yield "    } finally {"
        yield "      call.end();"
        if users:
            if kept:
                yield "      if (!given) {"
                yield "        Registry.remove(payload);"
                yield "      }"
            else:
                yield "      Registry.remove(payload);"
        yield "    }"
        yield "  }"

    def _c_call(self, surface: Surface, c_arguments: dict[str, str], results: list[Result]) -> Iterator[str]:
        """The lines that make room for the results and call C. Results lie in `<name>_`."""
        lengths = {r.length.name for r in results if r.length}
        for r in results:
            bytes_ = "Scalar.BYTES" if r.type == SCALAR else self._large.get(r.type, "")
            yield f"long {r.name}_ = call.out({bytes_});"
            if r.length:
                yield f"long {r.length.name}_ = call.out();"
        given = []
        for p in surface.function.params:
            is_result = p.name in lengths or any(r.name == p.name for r in results)
            given.append(f"{p.name}_" if is_result else c_arguments[p.name])
        function = f"{raw_class(surface.function)}.{surface.function.name}({', '.join(given)})"
        if surface.returned == "error":
            yield f"call.check({function});"
        elif surface.returned == "nothing":
            yield f"{function};"
        else:
            yield f"{self._c_type(surface)} returned = {function};"

    def _c_type(self, surface: Surface) -> str:
        if surface.returned != "value":
            return "long"
        plain = {"bool": "byte", "double": "double", "uint8_t": "byte", "uint16_t": "short"}
        enums = {e.name: "int" for e in self._api.enums}
        return (plain | NUMBERS | enums)[surface.returned_type]

    def _returning(self, surface: Surface, results: list[Result]) -> tuple[str, list[str]]:
        """The Java type of what a method returns, and the lines that return it."""
        read = [self._read(r) for r in results]
        if [r.kind for r in results] == ["string", "value"] and results[1].name == "out_len":  # may have NUL in it
            return "String", ["return call.getText(out_, out_len_);"]
        if surface.returned in ("error", "nothing"):
            if not results:
                return "void", []
            if len(results) == 1:
                return read[0][0], [f"return {read[0][1]};"]
            type_ = self._tuple([r.name for r in results], [t for t, _ in read])
            return type_, [f"return new {type_}({', '.join(code for _, code in read)});"]
        if results:  # `bool f(…, out)`: whether there is one
            if surface.returned_type != "bool" or len(results) > 1:
                raise GeneratorError(f"{surface.function.name}: no Java for a result beside a returned value")
            type_, code = read[0]
            return BOXED.get(type_, type_), [f"return returned == 0 ? null : {code};"]
        if surface.returned == "string":
            return "String", ["return Bridge.getText(returned);"]
        if surface.returned == "address":
            return "long", ["return returned;"]
        if surface.returned != "value":
            raise GeneratorError(f"{surface.function.name}: no Java for {surface.function.returns}")
        type_ = surface.returned_type
        if type_ in self._enums:
            return self._enums[type_], [f"return {self._enums[type_]}.of(returned);"]
        if type_ == "bool":
            return "boolean", ["return returned != 0;"]
        if type_ in ("uint8_t", "uint16_t"):
            return "int", [f"return returned & {'0xff' if type_ == 'uint8_t' else '0xffff'};"]
        return self._c_type(surface), ["return returned;"]

    # Operators.

    def _aten(self) -> Iterator[str]:
        yield "/**"
        yield " * Every operator of PyTorch, by the name of its schema with {@code .} as {@code _}. What a schema has a"
        yield " * default for is given by {@link Options}; an argument that may be None takes null. An operator that"
        yield " * returns what it was given, in place or as {@code out}, returns that very object; a record of several."
        yield " */"
        yield "public final class Aten {"
        yield "  private Aten() {}"
        for surface in self._described["aten"]:
            yield from self._operator(surface)
        yield "}"

    def _namespace(self, namespace: str) -> Iterator[str]:
        yield "/**"
        yield f" * What Python has as {python_namespace(namespace)}, an overload with its name behind: Conv2d_padding."
        yield " * What a schema has a default for is given by {@link Options}."
        yield " */"
        yield f"public final class {namespace_class(namespace)} {{"
        yield f"  private {namespace_class(namespace)}() {{}}"
        for surface in self._described[namespace]:
            yield from self._operator(surface)
        yield "}"

    def _operator(self, surface: Surface) -> Iterator[str]:
        name = identifier("_".join(surface.path[1:]) or operator_part(surface.function.name))
        positional = [a for a in surface.arguments if not a.has_default]
        optional = [a for a in surface.arguments if a.has_default]
        taken = {"call", "options", *(f"{r.name}_" for r in surface.results)} & {a.name for a in positional}
        if taken:
            raise GeneratorError(f"{surface.function.name}: the Java method has a variable of the name of {taken}")
        c_arguments: dict[str, str] = {}
        types: list[str] = []
        for a in surface.arguments:
            given = self._optional(a) if a.has_default else self._given(a)
            c_arguments[a.name] = given.c[0]
            if len(given.c) == 2:
                c_arguments[a.length.name] = given.c[1]
            if not a.has_default:
                types.append(given.type)
        results = list(surface.results)
        returned, reading = self._returning(surface, results)
        if not results:
            returned, reading = self._same_objects(surface)
        names = [identifier(a.name) for a in positional]
        parameters = [f"{t} {n}" for t, n in zip(types, names)]
        spread = list(parameters)
        if positional and not (positional[-1].param.type or "").endswith("?"):  # where None is not an empty list
            spread[-1] = spread[-1].replace("[] ", "... ")
        schema = (surface.function.schema or "").replace("*/", "*&#47;")
        about = f"{_first_sentence(surface.function.doc)} " if surface.path else ""
        if optional:
            yield ""
            yield f"  /** {about}{{@code {schema}}}. */"
            yield f"  public static {returned} {name}({', '.join(spread)}) {{"
            back = "" if returned == "void" else "return "
            yield f"    {back}{name}({', '.join([*names, 'null'])});"
            yield "  }"
        yield ""
        yield f"  /** {about}{{@code {schema}}}. */"
        full = [*parameters, "Options options"] if optional else spread
        yield f"  public static {returned} {name}({', '.join(full)}) {{"
        allowed = "".join(f"{a.name}|" for a in optional)
        yield f'    Call call = Call.begin(options, "|{allowed}");' if optional else "    Call call = Call.begin();"
        yield "    try {"
        yield from (f"      {line}" for line in self._c_call(surface, c_arguments, results))
        yield from (f"      {line}" for line in reading)
        yield "    } finally {"
        yield "      call.end();"
        yield "    }"
        yield "  }"

    def _same_objects(self, surface: Surface) -> tuple[str, list[str]]:
        """`-> Tensor(a!)`: what was changed is returned."""
        names = [identifier(a.name) for a in surface.returned_arguments]
        if len(names) < 2:
            return ("Tensor", [f"return {names[0]};"]) if names else ("void", [])
        type_ = self._tuple([a.name for a in surface.returned_arguments], ["Tensor"] * len(names))
        return type_, [f"return new {type_}({', '.join(names)});"]

    def _given(self, a: Argument) -> Given:
        """An argument that the method has a parameter for."""
        name = identifier(a.name if a.param.type is not None else lower_camel(a.name))
        kind, type_ = a.kind, a.type
        if kind == "value":
            if type_ == "bool":
                return Given("boolean", (f"call.flag({name})",))
            if type_ in self._enums:
                return Given(self._enums[type_], (f'call.code({name}, "{name}")',))
            if type_ in ("uint8_t", "uint16_t"):
                return Given("int", (f"({'byte' if type_ == 'uint8_t' else 'short'}) {name}",))
            return Given({"double": "double", **NUMBERS, **dict.fromkeys(FLAGS, "int")}[type_], (name,))
        if kind == "pointer":
            if type_ in self._enums:
                return Given(self._enums[type_], (f"call.codePointer({name})",))
            java, method = {
                "bool": ("Boolean", "flagPointer"),
                "int64_t": ("Long", "longPointer"),
                "uint64_t": ("Long", "longPointer"),
                "int32_t": ("Integer", "intPointer"),
                "double": ("Double", "doublePointer"),
                SCALAR: ("Number", "scalar"),
                DEVICE: ("Device", "device"),
                STREAM: ("Stream", "stream"),
            }[type_]
            return Given(java, (f"call.{method}({name})",))
        if kind == "list" and type_ in self._enums:
            return Given(f"{self._enums[type_]}[]", (f"call.codes({name})", "call.length()"))
        if kind == "list":
            java, method = {
                "bool": ("boolean[]", "flags"),
                "int64_t": ("long[]", "longs"),
                "uint64_t": ("long[]", "longs"),
                "int32_t": ("int[]", "ints"),
                "double": ("double[]", "doubles"),
                SCALAR: ("Number[]", "scalars"),
                DEVICE: ("Device[]", "devices"),
            }[type_]
            return Given(java, (f"call.{method}({name})", "call.length()"))
        if kind == "handle":
            return Given(self._handles[type_], (f"call.handle({name})",))
        if kind == "handles":
            return Given(f"{self._handles[type_]}[]", (f"call.handles({name})", "call.length()"))
        if kind == "string":
            return Given("String", (f"call.text({name})",))
        if kind == "strings":
            return Given("String[]", (f"call.texts({name})", "call.length()"))
        if kind == "bytes":
            return Given("byte[]", (f"call.bytes({name})", "call.length()"))
        if kind == "address":
            return Given("long", (name,))
        raise GeneratorError(f"{a.name}: no Java for an argument of the kind {kind}")

    def _optional(self, a: Argument) -> Given:
        """An argument that `Options` has a method for."""
        quoted = f'"{a.name}"'
        if a.kind == "value":
            default = str(a.param.default)
            if a.type == "bool":
                return Given("boolean", (f"call.optionFlag({quoted}, {default.lower()})",))
            if a.type in self._enums:
                return Given(self._enums[a.type], (f"call.optionCode({quoted}, {default})",))
            if a.type == "double":
                return Given("double", (f"call.optionValue({quoted}, {float(a.param.default)})",))
            return Given("long", (f"call.optionValue({quoted}, {default}L)",))
        if a.kind == "pointer" and a.type in self._enums:
            return Given(self._enums[a.type], (f"call.optionCodePointer({quoted})",))
        java, method = {
            ("pointer", "bool"): ("boolean", "optionFlagPointer"),
            ("pointer", "int64_t"): ("long", "optionLongPointer"),
            ("pointer", "double"): ("double", "optionDoublePointer"),
            ("pointer", SCALAR): ("Number", "optionScalar"),
            ("pointer", DEVICE): ("Device", "optionDevice"),
            ("string", "char"): ("String", "optionText"),
            ("list", "bool"): ("boolean...", "optionFlags"),
            ("list", "int64_t"): ("long...", "optionLongs"),
            ("list", "double"): ("double...", "optionDoubles"),
            ("list", SCALAR): ("Number...", "optionScalars"),
            ("handle", TENSOR): ("Tensor", "optionHandle"),
            ("handle", GENERATOR): ("Generator", "optionHandle"),
            ("handle", MODULE): ("Module", "optionHandle"),
            ("handle", OPTIMIZER): ("Optimizer", "optionHandle"),
            ("handle", SAMPLER): ("Sampler", "optionHandle"),
            ("handle", TRANSFORM): ("Transform", "optionHandle"),
            ("handle", VALUE): ("Object", "optionAny"),
            ("handles", TENSOR): ("Tensor...", "optionHandles"),
        }[a.kind, a.type]
        given = f"{quoted}, {java}.class" if method == "optionHandle" else quoted
        lists = ("call.length()",) if a.length else ()
        return Given(java, (f"call.{method}({given})", *lists))

    def _options(self) -> Iterator[str]:
        names: dict[str, set[str]] = {}
        for surface in (s for surfaces in self._described.values() for s in surfaces):
            for a in surface.arguments:
                if a.has_default:
                    names.setdefault(a.name, set()).add(self._optional(a).type)
        yield "import java.util.ArrayList;"
        yield "import java.util.List;"
        yield ""
        yield "/**"
        yield " * Arguments that the schemas of the operators have defaults for, by name:"
        yield " *"
        yield " * <pre>{@code Aten.conv2d(x, weight, Options.with().bias(b).padding(1, 1))}</pre>"
        yield " *"
        yield " * <p>An operator that has no argument of a name that is given refuses the call; null stands for the"
        yield " * default. An object may be used for many calls, and by many threads once it is complete."
        yield " */"
        yield "public final class Options {"
        yield "  private final List<String> names = new ArrayList<>(4);"
        yield "  private final List<Object> values = new ArrayList<>(4);"
        yield ""
        yield "  private Options() {}"
        yield ""
        yield "  /** No argument yet. */"
        yield "  public static Options with() {"
        yield "    return new Options();"
        yield "  }"
        for name, types in sorted(names.items()):
            # `alpha(2)` must not become 2.0 because some other operator has an `alpha` that is a double
            numbers = {"long", "double"} if "Number" in types else set()
            for type_ in sorted(types - numbers):
                value = f"{identifier(name)}"
                yield ""
                yield f"  public Options {identifier(name)}({type_} {value}) {{"
                yield f'    return set("{name}", {value});'
                yield "  }"
        yield ""
        yield "  private Options set(String name, Object value) {"
        yield "    int at = names.indexOf(name);"
        yield "    if (at >= 0) {"
        yield "      names.remove(at);"
        yield "      values.remove(at);"
        yield "    }"
        yield "    if (value != null) {"
        yield "      names.add(name);"
        yield "      values.add(value);"
        yield "    }"
        yield "    return this;"
        yield "  }"
        yield ""
        yield "  Object get(String name) {"
        yield "    for (int i = names.size() - 1; i >= 0; i--) {"
        yield "      if (names.get(i).equals(name)) {"
        yield "        return values.get(i);"
        yield "      }"
        yield "    }"
        yield "    return null;"
        yield "  }"
        yield ""
        yield "  /** Throws if something is given that is not among {@code allowed}, names between bars. */"
        yield "  void check(String allowed) {"
        yield "    for (String name : names) {"
        yield '      if (!allowed.contains("|" + name + "|")) {'
        yield "        throw new IllegalArgumentException("
        yield '            "no option " + name + ": it has " + String.join(", ", allowed.substring(1).split("\\\\|")));'
        yield "      }"
        yield "    }"
        yield "  }"
        yield "}"

    # Results.

    def _read(self, r: Result) -> tuple[str, str]:
        """The Java type of a result, and the expression that reads it from `<name>_`."""
        at = f"{r.name}_"
        if r.kind == "value":
            if r.type in self._enums:
                return self._enums[r.type], f"{self._enums[r.type]}.of(call.getInt({at}))"
            return {
                "bool": ("boolean", f"call.getFlag({at})"),
                "double": ("double", f"call.getDouble({at})"),
                "uint8_t": ("int", f"call.getByte({at}) & 0xff"),
                "uint16_t": ("int", f"call.getShort({at}) & 0xffff"),
                **{t: (j, f"call.get{j.capitalize()}({at})") for t, j in NUMBERS.items()},
                **{t: ("int", f"call.getInt({at})") for t in FLAGS},
            }[r.type]
        if r.kind == "struct":
            java = upper_camel(short(r.type))
            return java, f"call.get{java}({at})"
        if r.kind == "handle":
            if r.type == TENSOR:
                return "Tensor", f"call.getTensor({at})"
            if r.type == TENSOR_LIST:
                return "Tensor[]", f"call.getTensors({at})"
            if r.type == STRING:
                return "String", f"call.getString({at})"
            name = self._handles[r.type]
            return name, f"call.getHandle({at}, {name}::{'of' if name == 'Module' else 'new'})"
        if r.kind == "string":
            return "String", f"call.getText({at})"
        if r.kind == "list":
            return "long[]", f"call.getLongs({at}, {r.length.name}_)"
        if r.kind == "address":
            return "long", f"call.getLong({at})"
        raise GeneratorError(f"{r.name}: no Java for a result of the kind {r.kind}")

    def _tuple(self, names: list[str], types: list[str]) -> str:
        """The record for results of these names and types: `Results.ValuesIndices`."""
        names = [n.removeprefix("out_").removeprefix("result_") for n in names]
        names = [f"value{n[3:]}" if n.startswith("out") and n[3:].isdigit() else n for n in names]
        names = [identifier(lower_camel(n) if "_" in n else n) for n in names]
        key = tuple(zip(types, names))
        if key not in self._tuples:
            name = "".join(n[:1].upper() + n[1:] for n in names)
            if names == [f"value{i}" for i in range(len(names))]:
                name = "Values" + "".join("Tensors" if t == "Tensor[]" else upper_camel(t) for t in types)
            while any(name.lower() == other.lower() for other in self._tuples.values()):
                name += "_"
            self._tuples[key] = name
        return f"Results.{self._tuples[key]}"

    def _results(self) -> Iterator[str]:
        yield "/** What functions with several results return. Closing one closes the tensors in it. */"
        yield "public final class Results {"
        yield "  private Results() {}"
        yield ""
        yield "  private static void closeAll(Object... values) {"
        yield "    for (Object value : values) {"
        yield "      if (value instanceof Handle) {"
        yield "        ((Handle) value).close();"
        yield "      } else if (value instanceof Object[]) {"
        yield "        closeAll((Object[]) value);"
        yield "      }"
        yield "    }"
        yield "  }"
        for key, name in sorted(self._tuples.items(), key=lambda item: item[1]):
            components = ", ".join(f"{type_} {component}" for type_, component in key)
            yield ""
            yield f"  public record {name}({components}) implements AutoCloseable {{"
            yield "    @Override"
            yield "    public void close() {"
            yield f"      closeAll({', '.join(component for _, component in key)});"
            yield "    }"
            yield "  }"
        yield "}"


def enum_class(name: str) -> str:
    return ENUM_NAMES.get(name) or upper_camel(short(name))


def lower_camel(name: str) -> str:
    """`register_hook` -> `registerHook`. An underscore at the end stays: `detach_`."""
    words = name.split("_")
    rest = "".join(word[:1].upper() + word[1:] for word in words[1:] if word)
    return words[0] + rest + ("_" if name.endswith("_") else "")


def _first_sentence(doc: str) -> str:
    text = " ".join(doc.split("\n\n")[0].split())
    for old, new in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("*/", "*&#47;"), ("@", "&#64;"), ("`", "")):
        text = text.replace(old, new)
    return text.encode("ascii", "xmlcharrefreplace").decode()  # a compiler may take any encoding for the sources
