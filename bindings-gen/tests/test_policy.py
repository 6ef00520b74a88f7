"""policy.toml: an entry is complete, about an operator that exists, and there once; else it is named by its line."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import samples
from ctorchgen import lock, operators, schema
from ctorchgen.api import Enum
from ctorchgen.emit.c.tape_roles import TapeRolesCpp
from ctorchgen.policy import TAPE_ROLES, Group, NamedDefault, Policy, Substitute, TapeRole, read_policy
from ctorchgen.schema import GeneratorError, parse_schema

YAML = {"add.Tensor", "cat", "sin"}
LOCK = {"add.Tensor": "aten.lock:2", "cholesky": "aten.lock:3"}

LOCKED = {
    entry.schema.split("(")[0].removeprefix("aten::"): entry.location
    for entry in lock.read_all(samples.ROOT / "bindings-gen/abi", {"aten"})["aten"].values()
}

SKIP = '[[skip]]\noperator = "sin"\nreason = "r"\n'
CRASH = '[[upstream_crash]]\noperator = "add.Tensor"\npython = "torch.x()"\nreason = "r"\n'
STATEFUL = '[[stateful]]\noperator = "sin"\nreason = "r"\n'
SUBSTITUTE = '[[substitute]]\noperator = "cholesky"\ncall = "f()"\nreason = "r"\n'
OUT_OF_ABI = '[[out_of_abi]]\ntype = "Dimname"\nreason = "r"\n'
ADAPTED = '[[adapted]]\noperator = "cholesky"\nschema = "aten::cholesky() -> ()"\ncall = "f()"\nreason = "r"\n'


def policy(tmp_path, text: str, torch_version: str = "2.13.0") -> Policy:
    (tmp_path / "policy.toml").write_text(text)
    return read_policy(tmp_path / "policy.toml", YAML, LOCK, torch_version)


def test_every_kind_of_entry(tmp_path):
    guarded = CRASH.replace("add.Tensor", "cat") + 'guard = "g();"\n'
    assert policy(tmp_path, f"# head\n{SKIP}{CRASH}{guarded}{ADAPTED}{STATEFUL}{SUBSTITUTE}{OUT_OF_ABI}") == Policy(
        skip={"sin": "r"},
        guards={"cat": "g();"},
        out_of_abi={"Dimname": "r"},
        adapted={("cholesky", "aten::cholesky() -> ()"): "f()"},
        substitutes={"cholesky": Substitute("f()")},
        stateful={"sin": "r"},
    )


ENUM = '[[enum]]\ntype = "ctorch_reduction"\nargument = "reduction"\noperators = ["a", "b*"]\nreason = "r"\n'


def test_an_enumeration_is_of_one_argument_of_several_operators(tmp_path):
    (use,) = policy(tmp_path, f"\n{ENUM}").enums
    assert (use.type, use.argument, use.operators) == ("ctorch_reduction", "reduction", ("a", "b*"))
    assert use.where == "policy.toml:2: enum ctorch_reduction"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('reason = "r"\n', "", "needs"),
        ('reason = "r"\n', 'reason = " "\n', "every value is a text"),
        ('reason = "r"\n', 'reason = "r"\nextra = "x"\n', "needs"),
        ('["a", "b*"]', '"a"', "operators is a list"),
        ('["a", "b*"]', "[]", "operators is a list"),
        ('["a", "b*"]', '["a", ""]', "operators is a list"),
        ('"ctorch_reduction"', "7", "every value is a text"),
    ],
)
def test_an_enumeration_is_complete(tmp_path, old, new, problem):
    with pytest.raises(GeneratorError, match=problem):
        policy(tmp_path, ENUM.replace(old, new))


def test_no_entries(tmp_path):
    assert policy(tmp_path, "# nothing\n") == Policy()


def test_one_operator_may_be_adapted_to_several_schemas(tmp_path):
    both = policy(tmp_path, ADAPTED + ADAPTED.replace("cholesky()", "cholesky(int x)"))
    assert len(both.adapted) == 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (SKIP.replace("sin", "cos"), "policy.toml:3: skip cos: matches no operator"),
        (SKIP.replace("sin", "cholesky"), "policy.toml:3: skip cholesky: matches no operator"),
        (
            SKIP.replace("sin", "add.Tensor"),
            "policy.toml:3: skip add.Tensor: is in the ABI (aten.lock:2), and a function",
        ),
        (CRASH.replace("add.Tensor", "add"), "policy.toml:3: upstream_crash add: matches no operator"),
        (ADAPTED.replace('"cholesky"', '"qr"'), "policy.toml:3: adapted qr: matches no operator"),
        (STATEFUL.replace("sin", "cos"), "policy.toml:3: stateful cos: matches no operator"),
        (SKIP.replace('reason = "r"', ""), "policy.toml:3: skip sin: needs ['operator', 'reason'], may have ['until']"),
        (SKIP + 'since = "2"', "policy.toml:3: skip sin: needs ['operator', 'reason'], may have ['until']"),
        (SKIP.replace('operator = "sin"', ""), "policy.toml:3: skip without operator: needs"),
        (CRASH.replace('python = "torch.x()"', ""), "policy.toml:3: upstream_crash add.Tensor: needs"),
        (ADAPTED.replace('schema = "aten::cholesky() -> ()"', ""), "policy.toml:3: adapted cholesky: needs"),
        (SUBSTITUTE.replace("cholesky", "qr"), "policy.toml:3: substitute qr: matches no operator"),
        (SUBSTITUTE.replace('call = "f()"', ""), "policy.toml:3: substitute cholesky: needs"),
        (SKIP + 'until = "2"', "policy.toml:3: skip sin: until is a minor version, such as 2.12"),
        (OUT_OF_ABI + "\n" + OUT_OF_ABI, "policy.toml:7: out_of_abi Dimname: listed twice"),
        (OUT_OF_ABI.replace('reason = "r"', ""), "policy.toml:3: out_of_abi Dimname: needs"),
        (OUT_OF_ABI.replace("Dimname", "Tensor"), "policy.toml:3: out_of_abi Tensor: Tensor has a form in C"),
        (OUT_OF_ABI.replace("Dimname", "SymInt"), "policy.toml:3: out_of_abi SymInt: SymInt has a form in C"),
        (SKIP.replace('"r"', '" "'), "policy.toml:3: skip sin: every value is a text that is not empty"),
        (SKIP.replace('"sin"', "3"), "policy.toml:3: skip 3: every value is a text"),
        (SKIP + "\n" + SKIP, "policy.toml:7: skip sin: listed twice, first in line 3"),
        (ADAPTED + ADAPTED, "policy.toml:8: adapted cholesky: listed twice, first in line 3"),
        ('[[drop]]\noperator = "sin"', "policy.toml: unknown kind of entry [[drop]]"),
        (SKIP.replace("[[skip]]", "[skip]"), "policy.toml: entries are written [[skip]]"),
        ('skip = ["sin"]', "policy.toml: entries are written [[skip]]"),
        ("[[skip]\n", "policy.toml: "),
    ],
)
def test_an_entry_that_is_wrong_is_named_by_its_line(tmp_path, text, problem):
    with pytest.raises(GeneratorError) as error:
        policy(tmp_path, f"# head\n\n{text}\n")
    assert str(error.value).startswith(problem)


def test_what_newer_versions_lack_may_be_skipped_until_then(tmp_path):
    gone = SKIP.replace("sin", "align_as") + 'until = "2.12"\n'
    assert policy(tmp_path, gone, "2.13.0").skip == policy(tmp_path, gone, "2.14.1").skip == {"align_as": "r"}
    for version in ("2.12.1", "2.9.0"):
        with pytest.raises(GeneratorError, match="skip align_as: matches no operator"):
            policy(tmp_path, gone, version)


def test_a_form_that_cannot_be_adapted_has_no_call(tmp_path):
    text = ADAPTED.replace('call = "f()"\n', "")
    assert policy(tmp_path, text).adapted == {("cholesky", "aten::cholesky() -> ()"): None}


DEFAULT = '[[default]]\ntype = "int"\ntext = "Mean"\nconstant = "CTORCH_REDUCTION_MEAN"\nreason = "r"\n'
GROUP = '[[number_as_tensor]]\noperators = ["add", "mul.Tensor"]\nreason = "r"\n'


def test_entries_about_several_operators(tmp_path):
    found = policy(tmp_path, f"# head\n{DEFAULT}{GROUP}{GROUP.replace('number_as_tensor', 'never_negative')}")
    assert found.defaults == (NamedDefault("int", "Mean", "CTORCH_REDUCTION_MEAN"),)
    assert found.defaults[0].where == "policy.toml:2: default int"
    assert found.number_as_tensor == found.never_negative == (Group(("add", "mul.Tensor")),)
    assert found.number_as_tensor[0].where == "policy.toml:7: number_as_tensor"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (DEFAULT.replace('reason = "r"\n', ""), "policy.toml:1: default int: needs"),
        (DEFAULT.replace('"Mean"', "1"), "policy.toml:1: default int: every value is a text"),
        (GROUP.replace('reason = "r"', ""), "policy.toml:1: number_as_tensor: needs"),
        (GROUP.replace('["add", "mul.Tensor"]', "[]"), "policy.toml:1: number_as_tensor: operators is a list"),
        (GROUP.replace('["add", "mul.Tensor"]', '"add"'), "policy.toml:1: number_as_tensor: operators is a list"),
        (GROUP + 'type = "x"\n', "policy.toml:1: number_as_tensor: needs"),
    ],
)
def test_such_an_entry_is_complete(tmp_path, text, problem):
    with pytest.raises(GeneratorError) as error:
        policy(tmp_path, text)
    assert str(error.value).startswith(problem)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (GROUP, "policy.toml:1: number_as_tensor: no operator mul.Tensor"),
        (DEFAULT.replace("Mean", "Sum"), "policy.toml:1: default int: no int of a schema has the default Sum"),
        (
            DEFAULT.replace("_MEAN", "_AVERAGE"),
            "policy.toml:1: default int: no header has the constant CTORCH_",
        ),
        (DEFAULT + DEFAULT, "policy.toml:6: default int: Mean is listed twice"),
    ],
)
def test_such_an_entry_that_matches_nothing_is_an_error(tmp_path, text, problem):
    enums = (Enum("ctorch_reduction", (("CTORCH_REDUCTION_MEAN", 1),)),)
    schema = "add.Tensor(Tensor x, int reduction=Mean) -> Tensor"
    with pytest.raises(GeneratorError) as error:
        samples.build_one(schema, policy=policy(tmp_path, text if "Mean" in text else text + DEFAULT), enums=enums)
    assert str(error.value).startswith(problem)


def test_what_a_group_says_is_in_the_model(tmp_path):
    both = policy(tmp_path, GROUP.replace(', "mul.Tensor"', "") + GROUP.replace("number_as_tensor", "never_negative"))
    both = replace(both, never_negative=(Group(("size.*",)),))
    functions = samples.build(
        [
            parse_schema(s, f"small.yaml:{i}")
            for i, s in enumerate(("add.Tensor(Tensor x) -> Tensor", "size.int() -> int"))
        ],
        policy=both,
    )
    assert [(f.numbers_as_tensors, f.never_negative) for f in functions] == [(True, False), (False, True)]


TAPE = '[[tape]]\nrole = "constant"\noperators = ["add", "sin"]\nreason = "r"\n'


def test_the_roles_of_operators_for_tapes(tmp_path):
    found = policy(tmp_path, TAPE + TAPE.replace("constant", "opened").replace('"sin"', '"cat"'))
    assert found.tape == (TapeRole("constant", ("add", "sin")), TapeRole("opened", ("add", "cat")))
    roles = operators.tape_roles({*YAML, "add.out", "address"}, found)
    both = ("opened", "constant")  # in the order of the bits
    assert roles == {"add.Tensor": both, "add.out": both, "cat": ("opened",), "sin": ("constant",)}
    rows = TapeRolesCpp(roles).emit(None)["tape_roles.cpp"]
    assert '    {"aten::add", "out", OPENED | CONSTANT},\n' in rows and '    {"aten::sin", "", CONSTANT},\n' in rows


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (TAPE.replace("constant", "constent"), "policy.toml:1: tape: no role constent; the roles are reads_values, "),
        (TAPE.replace('reason = "r"\n', ""), "policy.toml:1: tape: needs"),
        (TAPE.replace('"add", "sin"', ""), "policy.toml:1: tape: operators is a list"),
        (TAPE + "until = 2\n", "policy.toml:1: tape: every value is a text"),
        (TAPE + 'until = "2"\n', "policy.toml:1: tape: until is a minor version"),
        (TAPE.replace("sin", "cos"), "policy.toml:1: tape: no operator cos"),
        (TAPE.replace("sin", "add.out"), "policy.toml:1: tape: no operator add.out"),
        (TAPE + TAPE.replace('"add", ', ""), "policy.toml:5: tape: sin has the role constant already"),
    ],
)
def test_a_role_that_is_wrong_is_named_by_its_line(tmp_path, text, problem):
    with pytest.raises(GeneratorError) as error:
        operators.tape_roles(YAML, policy(tmp_path, text))
    assert str(error.value).startswith(problem)


def test_a_name_that_ends_with_a_dot_is_the_overload_without_a_name(tmp_path):
    found = policy(tmp_path, TAPE.replace('"add", "sin"', '"sin."'))
    assert operators.tape_roles({"sin", "sin.out", "asin"}, found) == {"sin": ("constant",)}
    with pytest.raises(GeneratorError, match="tape: no operator add."):
        operators.tape_roles(YAML, policy(tmp_path, TAPE.replace('"add", "sin"', '"add."')))


def test_a_role_of_what_newer_versions_lack_ends_with_them(tmp_path):
    gone = TAPE.replace('"add", "sin"', '"rename_"') + 'until = "2.12"\n'
    assert policy(tmp_path, gone, "2.13.0").tape == ()
    with pytest.raises(GeneratorError, match="tape: no operator rename_"):
        operators.tape_roles(YAML, policy(tmp_path, gone, "2.12.1"))


def test_the_roles_are_those_of_the_header():
    header = (samples.ROOT / "shim/core/tape/roles.hpp").read_text()
    bits = re.findall(r"^  ([A-Z_]+) = 1U << (\d+),", header, re.MULTILINE)
    assert [(name.lower(), int(bit)) for name, bit in bits] == [(name, i) for i, name in enumerate(TAPE_ROLES)]


def test_a_constant_for_tapes_depends_on_no_values():
    """Tapes run these once: of a tensor they may take the layout alone, as `zeros_like` and `new_full` do."""
    ops = {op.name: op for op in schema.read_operators(schema.native_functions_path())}
    found = read_policy(samples.ROOT / "bindings-gen/policy.toml", ops, LOCKED, samples.TORCH_VERSION)
    constants = [n for n, roles in operators.tape_roles({*ops, *LOCKED}, found).items() if "constant" in roles]
    takers = {n for n in constants if n in ops for a in ops[n].arguments if a.type.base == "Tensor" and not a.mutated}
    assert {n for n in takers if not re.fullmatch(r"new_\w+(\.out)?|\w+_like(\.out)?", n)} == set()
