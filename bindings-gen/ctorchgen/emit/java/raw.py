"""The raw layer of the Java binding: a static Java method for each C function, for both ways that a JVM has to call C.

`jna/` is for JDK 17 and up with the JNA library, `panama/` for JDK 22 and up with `java.lang.foreign`. Both have the
same classes with the same methods, so the rest of the binding exists once: pointers, sizes and 64-bit numbers are
`long`, a `bool` is a `byte`. Nothing is bound before it is needed: with JNA a class of functions, with Panama a single
one.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...api import Api, Callback, Function, Param
from ...names import operator_part, short

PACKAGE = "org/ctorch/raw"
PLAIN = {
    "void": "void",
    "bool": "byte",
    "double": "double",
    "int32_t": "int",
    "int64_t": "long",
    "size_t": "long",
    "uint8_t": "byte",
    "uint16_t": "short",
    "uint32_t": "int",
    "uint64_t": "long",
}
LETTERS = {"void": "V", "byte": "B", "short": "S", "int": "I", "long": "J", "double": "D"}  # as in a JVM descriptor
KEYWORDS = frozenset(
    """
    abstract assert boolean break byte case catch char class const continue default do double else enum extends final
    finally float for goto if implements import instanceof int interface long native new null package private
    protected public return short static strictfp super switch synchronized this throw throws transient try void
    volatile while true false
    """.split()
)


def identifier(name: str) -> str:
    """A name that Java allows for a variable or method."""
    return f"{name}_" if name in KEYWORDS else name


def upper_camel(name: str) -> str:
    """`tensor_list` -> `TensorList`."""
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def raw_class(function: Function) -> str:
    """The class that holds a function: `RawTensorList` for tensor_list.h, `RawAtenA` for operators with that letter."""
    if not function.is_operator:
        return "Raw" + upper_camel(function.unit)
    name = operator_part(function.name)
    return f"RawAten{'Private' if name.startswith('_') else ''}{name.lstrip('_')[0].upper()}"


def callback_interface(name: str) -> str:
    """`ctorch_tensor_hook_callback` -> `TensorHookCallback`."""
    return upper_camel(short(name))


class JavaRaw:
    def __init__(self, api: Api) -> None:
        self._api = api
        self._types = {**PLAIN, **{e.name: "int" for e in api.enums}}

    def emit(self) -> dict[str, str]:
        classes: dict[str, list[Function]] = {}
        for function in self._api.functions:
            classes.setdefault(raw_class(function), []).append(function)
        files: dict[str, list[str]] = {}
        for name, functions in classes.items():
            files[f"jna/{PACKAGE}/{name}.java"] = self._jna(name, functions)
            files[f"panama/{PACKAGE}/{name}.java"] = self._panama(name, functions)
        files[f"panama/{PACKAGE}/Signatures.java"] = list(self._signatures())
        for callback in self._api.callbacks:
            files[f"src/{PACKAGE}/{callback_interface(callback.name)}.java"] = self._callback(callback)
        head = [f"// ctorch {self._api.version}: generated.", "package org.ctorch.raw;", ""]
        return {path: "\n".join([*head, *lines]) + "\n" for path, lines in files.items()}

    def _type(self, c_type: str) -> str:
        return "long" if "*" in c_type else self._types.get(c_type, "long")  # a callback's type has no star

    def _parameters(self, params: tuple[Param, ...]) -> str:
        return ", ".join(f"{self._type(p.c_type)} {identifier(p.name)}" for p in params)

    def _signature(self, function: Function) -> str:
        letters = "".join(LETTERS[self._type(p.c_type)] for p in function.params)
        return f"{letters}_{LETTERS[self._type(function.returns)]}"

    def _jna(self, name: str, functions: list[Function]) -> list[str]:
        lines = [f"/** {_contents(functions)} */", f"public final class {name} {{"]
        lines += ["  static {", f"    Bridge.register({name}.class);", "  }", "", f"  private {name}() {{}}"]
        for f in functions:
            lines += ["", f"  public static native {self._type(f.returns)} {f.name}({self._parameters(f.params)});"]
        return [*lines, "}"]

    def _panama(self, name: str, functions: list[Function]) -> list[str]:
        lines = [f"/** {_contents(functions)} */", f"public final class {name} {{"]
        lines += [f"  private static final long[] ADDRESSES = new long[{len(functions)}];", ""]
        lines += [f"  private {name}() {{}}", "", "  private static long at(int index, String name) {"]
        lines += ["    long address = ADDRESSES[index];"]
        lines += ["    return address != 0 ? address : (ADDRESSES[index] = Bridge.symbol(name));", "  }"]
        for i, f in enumerate(functions):
            result = self._type(f.returns)
            given = "".join(f", {identifier(p.name)}" for p in f.params)
            call = f'Signatures.{self._signature(f)}.call(at({i}, "{f.name}"){given});'
            lines += ["", f"  public static {result} {f.name}({self._parameters(f.params)}) {{"]
            lines += [f"    {'' if result == 'void' else 'return '}{call}", "  }"]
        return [*lines, "}"]

    def _signatures(self) -> Iterator[str]:
        yield "import java.lang.foreign.MemorySegment;"
        yield "import java.lang.invoke.MethodHandle;"
        yield ""
        yield "/** A method handle for each C signature, made when a function that has it is called first. */"
        yield "final class Signatures {"
        yield "  private Signatures() {}"
        java_types = {letter: java for java, letter in LETTERS.items()}
        for signature in sorted({self._signature(f) for f in self._api.functions}):
            letters, result = signature.split("_")
            parameters = "".join(f", {java_types[c]} p{i}" for i, c in enumerate(letters))
            given = "".join(f", p{i}" for i in range(len(letters)))
            type_ = java_types[result]
            yield ""
            yield f"  static final class {signature} {{"
            yield f'    private static final MethodHandle HANDLE = Bridge.handle("{signature}");'
            yield ""
            yield f"    static {type_} call(long function{parameters}) {{"
            yield "      try {"
            invoke = f"HANDLE.invokeExact(MemorySegment.ofAddress(function){given});"
            yield f"        {'' if type_ == 'void' else f'return ({type_}) '}{invoke}"
            yield "      } catch (Throwable failure) {"
            yield "        throw Bridge.impossible(failure);"
            yield "      }"
            yield "    }"
            yield "  }"
        yield "}"

    def _callback(self, callback: Callback) -> list[str]:
        name = callback_interface(callback.name)
        returns = self._type(callback.returns)
        return [
            f"/** The C callback {{@code {callback.name}}}. Whatever it throws is a failure to C. */",
            "@FunctionalInterface",
            f"public interface {name} extends NativeCallback {{",
            f"  {returns} call({self._parameters(callback.params)});",
            "}",
        ]


def _contents(functions: list[Function]) -> str:
    first = functions[0]
    return f"The functions of {first.header}" + ("." if first.kind == "core" else " with this letter.")
