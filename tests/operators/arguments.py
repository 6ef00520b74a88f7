"""Arguments made from the schema alone, for overloads that no recorded or hand-written case reaches.

Each candidate is a case (values.py) in which every tensor is of one kind: first ordinary float tensors of several
shapes, then other dtypes and layouts. Numbers are chosen by the argument's name where the name says something. The
worker tries the candidates in order until PyTorch itself accepts enough of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch

TENSORS = (
    "f32(2, 3)",
    "f32(3, 3, spd=True)",
    "f32(4)",
    "f32(2, 3, 4)",
    "f32(2, 3, 4, 4)",
    "f32(2, 3, 4, 4, 4)",
    "f32()",
    "f32(2, 3, lo=0, hi=1)",
    "i64(2, 3)",
    "i64([0, 1, 2])",
    "b(2, 3)",
    "c64(2, 3)",
    "f64(2, 3)",
    "i32(2, 3)",
    "u8(2, 3)",
    "bf16(2, 3)",
    "coo(i64([[0, 1], [1, 2]]), f32(2), [2, 3], coalesced=True)",
    "compressed(sparse_csr, i64([0, 1, 3]), i64([1, 0, 2]), f32(3), [2, 3])",
    "compressed(sparse_csc, i64([0, 1, 2, 3]), i64([0, 1, 1]), f32(3), [2, 3])",
    "compressed(sparse_bsr, i64([0, 1, 2]), i64([0, 1]), f32(2, 2, 2), [4, 4])",
    "nested(f32(2, 3), f32(4, 3))",
    "quantized(f32(2, 3))",
    "quantized_channels(f32(2, 3), f64([0.1, 0.2]), i64([0, 1]))",
    "mkldnn(f32(2, 3))",
)
INDEX_NAMES = {"index", "indices", "target", "idx", "offsets", "batch_sizes", "lengths"}
INTS = {"dim": "0", "dim0": "0", "dim1": "1", "dim2": "1", "start_dim": "0", "end_dim": "1", "groups": "1", "n": "3"}
INTS |= {"end": "4", "start": "0", "step": "1", "low": "0", "high": "5", "axis": "0", "num_classes": "12", "N": "3"}
INTS |= {"window_length": "6", "steps": "5", "to": "6", "from": "1", "source": "0", "destination": "1", "size": "2"}
INT_LISTS = {"size": "[2, 3]", "dim": "[0]", "shape": "[2, 3]", "stride": "[3, 1]", "kernel_size": "[2, 2]"}
INT_LISTS |= {"padding": "[0, 0]", "dilation": "[1, 1]", "output_size": "[2, 2]", "dims": "[0, 1]"}
SCALARS = {"end": "4", "start": "0", "step": "1", "other": "2", "value": "0.5", "exponent": "2", "s": "1.5"}
STRINGS = {"reduce": "'sum'", "reduction": "'sum'", "mode": "'reduced'", "ord": "'fro'", "p": "'fro'", "side": "'left'"}
STRINGS |= {"indexing": "'ij'", "equation": "'ij->ji'", "rounding_mode": "'floor'", "approximate": "'none'"}
ENUMERATIONS = {
    "ScalarType": "float32",
    "Layout": "strided",
    "Device": "device('cpu')",
    "MemoryFormat": "contiguous_format",
    "Generator": "generator()",
    "Storage": "storage(96)",
    "Stream": "stream()",
    "DeviceIndex": "0",
    "QScheme": "0",
}


def value(name: str, schema_type: str, tensor: str) -> str:
    """One value for an argument of this schema type."""
    if schema_type.endswith("?"):
        schema_type = schema_type[:-1]
    if schema_type in ("Tensor", "Tensor(a)", "Tensor(a!)"):
        return "i64([0, 1])" if name in INDEX_NAMES and tensor.startswith("f32") else tensor
    if schema_type.startswith("Tensor"):
        return f"[{tensor}, {tensor}]"
    if schema_type in ("int", "SymInt"):
        return INTS.get(name, "1")
    if schema_type.startswith(("int[", "SymInt[")):
        return INT_LISTS.get(name, "[1, 1]")
    if schema_type == "float":
        return "0.5"
    if schema_type.startswith("float["):
        return "[0.5, 0.5]"
    if schema_type == "bool":
        return "False"
    if schema_type.startswith("bool["):
        return "[" + ", ".join(["True"] * int(schema_type[5:-1])) + "]"
    if schema_type == "Scalar":
        return SCALARS.get(name, "2")
    if schema_type.startswith("Scalar["):
        return "[1, 0.5]"
    if schema_type == "str":
        return STRINGS.get(name, "'mean'")
    return ENUMERATIONS[schema_type]


def candidates(schema: torch._C.FunctionSchema, types: dict[str, str]) -> Iterator[str]:
    """Argument texts for the inputs of a schema; `types` are the schema's types by argument name."""
    inputs = [a for a in schema.arguments if not a.is_out]
    has_tensors = any(types[a.name].startswith("Tensor") for a in inputs)
    seen = set()
    for tensor in TENSORS if has_tensors else TENSORS[:1]:
        for optionals in ("omitted", "given"):
            parts = []
            for argument in inputs:
                schema_type = types[argument.name]
                if argument.has_default_value() and (optionals == "omitted" or schema_type.startswith("Generator")):
                    continue
                text = value(argument.name, schema_type, tensor)
                if schema_type.endswith("?") and optionals == "omitted":
                    text = "None"
                parts.append(f"**{{'from': {text}}}" if argument.name == "from" else f"{argument.name}={text}")
            case = "(" + ", ".join(parts) + ")"
            if case not in seen:
                seen.add(case)
                yield case
