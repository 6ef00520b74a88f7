"""Write the calls that sequence.c draws from: a C function for each function of api.json that fills its arguments out
of the pool, calls, and puts what comes out into the pool.

    sequence_calls.py --api api.json --output sequence_calls.h

A new function of the headers joins by itself. One with an argument that nothing here can fill is an error, until
exclusions.toml leaves it out with a reason.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.fuzz.calls import Exclusions, bare, callable_functions, callable_operators, load  # noqa: E402

STRUCTS = {"ctorch_scalar", "ctorch_device", "ctorch_stream"}
NUMBERS = {"int64_t", "uint64_t", "size_t", "double", "bool", "int32_t", "uint32_t", "uint16_t", "uint8_t"}
DESTROY = "void (*)(void *payload)"
# Arguments that are always the same. A gradient that has a graph, and hangs on its own leaf, is a cycle of references
# that LibTorch never frees; Python's backward warns of it.
FIXED = {
    ("ctorch_tensor_backward", "create_graph"): "false",
    ("ctorch_autograd_backward", "create_graph"): "false",
}
# One in so many operators: there are twice as many of them as of everything else.
OPERATOR_SHARE = 3


class Unfillable(Exception):
    pass


class Call:
    """The C function for one entry of api.json."""

    def __init__(self, entry: dict, api: dict) -> None:
        self.entry = entry
        self.name = entry["name"]
        self.opaque = {o["name"] for o in api["opaque"] if not o["name"].startswith("struct ")}
        self.enums = {e["name"] for e in api["enums"]}
        self.callbacks = {c["name"] for c in api["callbacks"]}
        self.lengths = {p["len_of"]: p["name"] for p in entry["params"] if p["role"] == "len"}
        self.before: list[str] = []
        self.outs: list[tuple[str, str | None]] = []  # variable, and the kind of handle that it is
        self.arguments = [self.argument(p) for p in entry["params"]]

    def argument(self, param: dict) -> str:
        if (self.name, param["name"]) in FIXED:
            return FIXED[self.name, param["name"]]
        name, type_, role = f"a_{param['name']}", param["c_type"], param["role"]
        base = bare(type_)
        stars = type_.count("*")
        if param["owned"] and role == "in":
            raise Unfillable(f"{param['name']} is taken over")
        if role == "len":
            return f"a_{param['name']}"
        if role == "payload":
            return "s"
        if role == "callback":
            return "destroy_payload" if type_ == DESTROY else self.callback(base)
        if role == "out":
            return self.out(name, type_, base, stars, param)
        return self.input(name, type_, base, stars, param)

    def callback(self, base: str) -> str:
        if base not in self.callbacks:
            raise Unfillable(f"callback {base}")
        return "run_" + base.removeprefix("ctorch_")

    def out(self, name: str, type_: str, base: str, stars: int, param: dict) -> str:
        if param["name"] in self.lengths or (base == "void" and stars == 1):
            raise Unfillable(f"{param['name']} is memory of the caller's")
        inner = type_.rstrip()[:-1].rstrip()  # what the pointer points at
        self.before.append(f"{inner} {name};")
        self.before.append(f"memset(&{name}, 0xa5, sizeof {name});")
        kind = base if stars == 2 and base in self.opaque and param["owned"] else None
        if stars == 2 and base in self.opaque and not param["owned"]:
            raise Unfillable(f"{param['name']} is borrowed")
        self.outs.append((name, kind))
        return f"&{name}"

    def input(self, name: str, type_: str, base: str, stars: int, param: dict) -> str:
        length = self.lengths.get(param["name"])
        optional = "true" if param["nullable"] else "false"
        if base in self.opaque and stars == 1:
            self.before.append(f"{base} *{name} = draw_handle(s, KIND_{base}, {optional});")
            if not param["nullable"]:
                self.before.append(f"if ({name} == NULL) {{\n    return;\n  }}")
            return name
        if base in self.opaque and stars == 2 and length:
            self.before.append(f"const {base} *{name}[LIST];")
            self.before.append(f"const size_t a_{length} = draw_handles(s, KIND_{base}, (const void **){name});")
            return name if type_.startswith("const") else f"({base} *const *){name}"
        kind = "of a module" if self.name.startswith("ctorch_module_") else param["name"]
        if base == "char" and stars == 1 and length is None:
            self.before.append(f'const char *{name} = draw_text(s, "{kind}", {optional});')
            return name
        if base == "char" and length:
            text = f'draw_text(s, "{kind}", false)'
            if stars == 1:
                self.before.append(f"const char *{name} = {text};\n  const size_t a_{length} = strlen({name});")
            else:
                self.before.append(f"const char *const {name}[] = {{{text}}};\n  const size_t a_{length} = 1;")
            return name
        plain = base in NUMBERS or base in self.enums
        if not plain and base not in STRUCTS:
            raise Unfillable(f"{param['name']} is {type_}")
        draw = f"draw_enum(s, ENUM_{base})" if base in self.enums else f"draw_{base}(s)"
        if base == "int64_t" and not stars and param["name"].split("_")[-1] in ("dim", "dims", "axis"):
            draw = "draw_dim(s)"
        if stars == 0:
            self.before.append(f"const {base} {name} = {draw};")
            return name
        if length:
            self.before.append(f"{base} {name}[LIST];\n  const size_t a_{length} = draw_below(s, LIST + 1);")
            self.before.append(f"for (size_t i = 0; i < a_{length}; i++) {{\n    {name}[i] = {draw};\n  }}")
            return f"(a_{length} == 0 && draw_bool(s) ? NULL : {name})"
        self.before.append(f"const {base} {name} = {draw};")
        return f"({optional} && draw_below(s, 3) != 0 ? NULL : &{name})"

    def text(self) -> str:
        call = f"{self.name}({', '.join(self.arguments)})"
        lines = [*self.before, f'begin(s, "{self.name}");']
        if self.entry["returns"].startswith("ctorch_error"):
            lines.append(f"ctorch_error *error = {call};")
            if self.outs:
                slots = ", ".join(f"{{&{n}, sizeof {n}}}" for n, _ in self.outs)
                lines.append(f"const out_slot slots[] = {{{slots}}};")
                succeeded = f"finish(s, error, slots, {len(self.outs)})"
            else:
                succeeded = "finish(s, error, NULL, 0)"
            kept = [f"keep(s, KIND_{kind}, {name});" for name, kind in self.outs if kind]
            lines.append(f"if ({succeeded}) {{\n    {' '.join(kept) or 's->succeeded++;'}\n  }}")
        elif self.entry["returns"] == "void":
            lines.append(f"{call};")
        else:
            lines.append(f"(void)!{call};")
        return f"static void call_{self.name}(sequence *s) {{\n  " + "\n  ".join(lines) + "\n}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--api", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    api, exclusions = load(args.api), Exclusions()
    text = ["/* Made by tests/fuzz/sequence_calls.py. */", "enum {"]
    opaque = [o for o in api["opaque"] if not o["name"].startswith("struct ")]
    text += [f"  KIND_{o['name']}," for o in opaque] + ["  KINDS", "};"]
    for o in opaque:
        release = o["release"]
        text.append(f"static void give_back_{o['name']}(void *self) {{ {release}(({o['name']} *)self); }}")
    text.append("static void (*const GIVE_BACK[KINDS])(void *) = {")
    text += [f"  give_back_{o['name']}," for o in opaque] + ["};"]
    for e in api["enums"]:
        values = ", ".join(str(v) for v in e["values"].values())
        text.append(f"static const int32_t {e['name']}_values[] = {{{values}}};")
        text.append(f"static const enumeration ENUM_{e['name']} = {{{e['name']}_values, {len(e['values'])}}};")
    names, missing = [], []
    functions = callable_functions(api, exclusions)
    operators = callable_operators(api, exclusions)
    chosen = functions + [o for number, o in enumerate(operators) if number % OPERATOR_SHARE == 0]
    for entry in chosen:
        try:
            text.append(Call(entry, api).text())
            names.append(entry["name"])
        except Unfillable as reason:
            missing.append(f"{entry['name']}: {reason}")
    exclusions.check()
    if missing:
        raise SystemExit(
            "sequence_calls.py cannot call, and exclusions.toml does not leave out:\n" + "\n".join(missing)
        )
    text.append("static const sequence_call CALLS[] = {")
    text += [f'  {{"{name}", call_{name}}},' for name in names] + ["};"]
    text.append(f"enum {{ FUNCTIONS_LEN = {len(functions)} }};")
    args.output.write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
