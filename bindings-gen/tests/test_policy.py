"""policy.toml: an entry is complete, about an operator that exists, and there once; else it is named by its line."""

from __future__ import annotations

from dataclasses import replace

import pytest
import samples
from ctorchgen.api import Enum
from ctorchgen.policy import Group, NamedDefault, Policy, Substitute, read_policy
from ctorchgen.schema import GeneratorError, parse_schema

YAML = {"add.Tensor", "cat", "sin"}
LOCK = {"add.Tensor": "aten.lock:2", "cholesky": "aten.lock:3"}

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
