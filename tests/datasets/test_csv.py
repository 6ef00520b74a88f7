"""CSV files and lines beside Python's csv and str."""

from __future__ import annotations

import csv
import io
import math
import random

import pytest
import torch

from tests.datasets.files import SOURCES, reader
from tests.harness.capi import CtorchError, fails, ffi, lib, ok, out
from tests.harness.values import python


def texts(items) -> tuple:
    if items is None:
        return ffi.NULL, 0
    kept = [ffi.new("char[]", item.encode()) for item in items]
    return ffi.gc(ffi.new("char *[]", kept), lambda _, k=kept: None), len(kept)


def read(
    data: bytes | str, delimiter=None, header=True, types=None, missing=None, fill=None, source: str = "memory"
) -> dict:
    data = data.encode() if isinstance(data, str) else data
    result, file = out("ctorch_value *"), reader(data, source)
    arguments = [
        file,
        ffi.NULL if delimiter is None else delimiter.encode(),
        header,
        *texts(types),
        *texts(missing),
        ffi.NULL if fill is None else ffi.new("double *", fill),
    ]
    ok(lib.ctorch_csv_read(result, *arguments))
    owned = ffi.gc(result[0], lib.ctorch_value_release)
    return python(owned)


def same(table: dict, expected: dict) -> None:
    assert list(table) == list(expected)
    for name, column in expected.items():
        if isinstance(column, list):
            assert table[name] == column, name
        else:
            assert table[name].dtype == column.dtype, name
            assert torch.equal(
                table[name].nan_to_num(nan=7e77) if column.dtype == torch.float64 else table[name],
                column.nan_to_num(nan=7e77) if column.dtype == torch.float64 else column,
            ), name


def refused(data, **options) -> str:
    with pytest.raises(CtorchError) as failure:
        read(data, **options)
    assert failure.value.kind == "FORMAT" and failure.value.function == "ctorch_csv_read"
    assert failure.value.message.startswith("data: ")
    return failure.value.message


F64, I64 = torch.float64, torch.int64


@pytest.mark.parametrize("source", SOURCES)
def test_types_are_inferred(source):
    table = read("a,b,c,d\n1,1.5,x,\n-2,3,y,\n+3,1e3,,\n", source=source)
    same(
        table,
        {
            "a": torch.tensor([1, -2, 3]),
            "b": torch.tensor([1.5, 3, 1000], dtype=F64),
            "c": ["x", "y", ""],
            "d": torch.full((3,), math.nan, dtype=F64),
        },
    )


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ("9223372036854775807", I64),
        ("-9223372036854775808", I64),
        ("9223372036854775808", F64),
        (" 12 ", I64),
        ("1.", F64),
        (".5", F64),
        ("-inf", F64),
        ("Infinity", F64),
        ("NaN", F64),
        ("1e400", F64),
        ("1e-400", F64),
        ("0.1", F64),
        ("2.5e-324", F64),
        ("123456789.123456789", F64),
        ("0x10", None),
        ("0x1p3", None),
        ("nan(1)", None),
        ("1_000", None),
        ("1,5", None),
        ("--1", None),
        ("1 2", None),
        ("1e", None),
        ("+", None),
        (".", None),
        ("1\u00a0", None),
        ("١", None),
    ],
)
def test_fields(field, expected):
    (column,) = read(f'"{field}"\n', header=False).values()
    if expected is None:
        assert column == [field]
    else:
        value = (int if expected == I64 else float)(field)
        assert column.dtype == expected
        assert column.item() == value or (math.isnan(value) and math.isnan(column.item()))


def test_missing_fields():
    data = "a,b\n1,2\nNA,x\n,NA\n"
    same(read(data), {"a": ["1", "NA", ""], "b": ["2", "x", "NA"]})
    same(read(data, missing=["NA"]), {"a": torch.tensor([1, math.nan, math.nan], dtype=F64), "b": ["2", "x", "NA"]})
    same(read(data, missing=["NA"], fill=-1.0), {"a": torch.tensor([1, -1, -1]), "b": ["2", "x", "NA"]})
    same(read(data, missing=["NA"], fill=0.5)["a"].tolist() and {}, {})
    assert read(data, missing=["NA"], fill=0.5)["a"].tolist() == [1, 0.5, 0.5]
    assert read("a\n\n", types=["int64"])["a"].shape == (0,)


def test_given_types():
    data = "a,b\n1,2\n3,\n"
    same(
        read(data, types=["float64", "string"]),
        {"a": torch.tensor([1, 3], dtype=F64), "b": ["2", ""]},
    )
    assert 'line 3: field 2, "", is no int64' in refused(data, types=["infer", "int64"])
    assert read(data, types=["infer", "int64"], fill=9.0)["b"].tolist() == [2, 9]
    assert 'line 2: field 1, "x", is no float64' in refused("a\nx\n", types=["float64"])
    for types, text in [(["int64"], "expected 2"), (["int32", "int64"], "types[0]"), (["int64"] * 3, "got 3")]:
        with pytest.raises(CtorchError, match="VALUE") as failure:
            read(data, types=types)
        assert text in failure.value.message


ALPHABET = ["a", "b", ",", ";", '"', '""', "\n", "\r\n", "\r", " ", "1", "ä", "𝄞", ""]


@pytest.mark.parametrize("seed", range(200))
def test_what_python_writes_is_read(seed):
    rng = random.Random(seed)
    columns = rng.randint(1, 4)
    rows = [["".join(rng.choices(ALPHABET, k=rng.randint(1, 5))) + "x" for _ in range(columns)] for _ in range(5)]
    delimiter = rng.choice([",", ";", "\t", "|"])
    text = io.StringIO(newline="")
    # Python quotes a line's end alone that it writes itself.
    quoting, end = rng.choice([(csv.QUOTE_MINIMAL, "\r\n")] + [(csv.QUOTE_ALL, end) for end in ("\n", "\r\n", "\r")])
    csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)
    data = rng.choice(["", "\ufeff"]) + text.getvalue()
    table = read(data, delimiter=delimiter, header=False, types=["string"] * columns)
    assert list(table) == [str(i) for i in range(columns)]
    assert [list(row) for row in zip(*table.values(), strict=True)] == rows


@pytest.mark.parametrize("seed", range(300))
def test_what_is_not_well_formed_is_read_as_python_does(seed):
    rng = random.Random(seed)
    data = "".join(rng.choices(["a", ",", '"', "\n", "\r\n", "b"], k=rng.randint(1, 14)))
    rows = [row for row in csv.reader(io.StringIO(data, newline="")) if row]
    ends = list(csv.reader(io.StringIO(data + "\nz", newline="")))[-1] == ["z"]  # and not within quotes
    if not ends or len({len(row) for row in rows}) > 1:
        refused(data, header=False)
        return
    table = read(data, header=False, types=["string"] * len(rows[0]) if rows else None)
    assert [list(row) for row in zip(*table.values(), strict=True)] == rows


def test_what_is_refused():
    assert "line 3: expected 2 fields, as in the first row, got 3" in refused("a,b\n1,2\n1,2,3\n")
    assert "line 4" in refused('a,b\n"1\n",2\n1\n')
    assert "line 2: a quote that does not end" in refused('a\n"1\n\n')
    assert 'two columns are called "a"' in refused("a,b,a\n1,2,3\n")
    assert "line 2: byte 0x00 is no UTF-8" in refused(b"a\n\0\n")
    assert "line 1: byte 0xff is no UTF-8" in refused(b"\xff\n")
    assert "has no header" in refused("")
    for data in (b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80", b"\xe0\x80\x80", b"\xf5aaa"):
        refused(data, header=False)


def test_nothing():
    assert read("", header=False) == {}
    assert read("\n\r\n\n", header=False) == {}
    same(read("a,b\n"), {"a": torch.zeros(0, dtype=F64), "b": torch.zeros(0, dtype=F64)})


def test_delimiters():
    assert read("a b\n1 2\n", delimiter=" ")["b"].tolist() == [2]
    for delimiter in ("", ",,", '"', "\n", "\r", "ä"):
        with pytest.raises(CtorchError, match="VALUE: delimiter"):
            read("a\n", delimiter=delimiter)


def test_arguments():
    result, file = out("ctorch_value *"), reader(b"a\n")
    null = ffi.new("char *[]", 1)
    assert (
        fails(lib.ctorch_csv_read(result, file, ffi.NULL, True, null, 1, ffi.NULL, 0, ffi.NULL))[0] == "NULL_ARGUMENT"
    )
    assert fails(lib.ctorch_csv_read(result, file, ffi.NULL, True, ffi.NULL, 1, ffi.NULL, 0, ffi.NULL))[0] == (
        "NULL_ARGUMENT"
    )
    bad = ffi.new("char *[]", [ffi.new("char[]", b"\xff")])
    assert (
        fails(lib.ctorch_csv_read(result, file, ffi.NULL, True, ffi.NULL, 0, null, 1, ffi.NULL))[0] == "NULL_ARGUMENT"
    )
    del bad
    assert fails(lib.ctorch_csv_read_file(result, b"/no/such", ffi.NULL, True, *[ffi.NULL, 0] * 2, ffi.NULL))[0] == "IO"


def test_files(tmp_path):
    path, result = tmp_path / "a.csv", out("ctorch_value *")
    path.write_text("a\n1\n")
    ok(lib.ctorch_csv_read_file(result, str(path).encode(), ffi.NULL, True, *[ffi.NULL, 0] * 2, ffi.NULL))
    assert python(ffi.gc(result[0], lib.ctorch_value_release))["a"].tolist() == [1]
    path.write_text("a\n1,2\n")
    error = lib.ctorch_csv_read_file(result, str(path).encode(), ffi.NULL, True, *[ffi.NULL, 0] * 2, ffi.NULL)
    assert fails(error, "ctorch_csv_read_file")[1].startswith(f"{path}: line 2")


@pytest.mark.parametrize("source", SOURCES)
def test_lines(source):
    rng = random.Random(3)
    for _ in range(200):
        data = "".join(rng.choices(["a", "ä", "\n", "\r", "\r\n", " ", "\u2028"], k=rng.randint(0, 9)))
        result, file = out("ctorch_value *"), reader(data.encode(), source)
        ok(lib.ctorch_csv_read_lines(result, file))
        lines = python(ffi.gc(result[0], lib.ctorch_value_release))
        assert lines == [line.removesuffix("\n") for line in io.StringIO(data, newline=None)]
