"""Write the table of functions that fuzz_word.c calls: those of rt_ctorch.h that take words and know no addresses.

word_calls.py --header rt_ctorch.h --api api.json --output word_calls.h
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.fuzz.calls import PREFIX, Exclusions, load  # noqa: E402

# Addresses cross as words only where somebody vouches for them, and the fuzzer cannot.
ADDRESSES = re.compile(r"_address|_memory_snapshot$")
# Operators whose words are of every kind; what the others compute is not the word ABI's.
OPERATORS = """
    add_Tensor add__Tensor mul_Scalar cat stack sum_dim_IntList view transpose_int split_Tensor topk where_self
    index_Tensor clamp full_like std_mean_correction equal max_dim slice_Tensor select_int to_dtype_layout empty_like
    """.split()
# What the program itself does with each handle that it has.
OWN = re.compile(r"_(release|retain)$|_scope_(begin|end)$")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--header", type=Path, required=True)
    parser.add_argument("--api", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    api, exclusions = load(args.api), Exclusions()
    known = {f["name"].removeprefix(PREFIX) for f in api["functions"]}
    operators = {f"aten_{name}" for name in OPERATORS}
    if unknown := operators - known:
        raise SystemExit(f"no such operators: {', '.join(sorted(unknown))}")
    lines = []
    for name, parameters in re.findall(r"^int64_t (rt_ctorch_\w+)\(([^)]*)\);", args.header.read_text(), re.M):
        bare = name.removeprefix("rt_" + PREFIX)
        arity = 0 if parameters == "void" else parameters.count("int64_t")
        if ADDRESSES.search(name) or OWN.search(name) or exclusions.has("function", bare):
            continue
        if bare.startswith("aten_") and bare not in operators:
            continue
        lines.append(f'    {{"{name}", {arity}, (word_function){name}}},')
    text = "/* Made by tests/fuzz/word_calls.py. */\nstatic const word_call CALLS[] = {\n" + "\n".join(lines) + "\n};\n"
    args.output.write_text(text)


if __name__ == "__main__":
    main()
