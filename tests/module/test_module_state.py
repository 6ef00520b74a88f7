"""State dicts beside Python's: names, order, versions, what fits and what does not, and hooks on both ways."""

from __future__ import annotations

import re

import pytest
import torch
from torch import nn

from tests.module.test_module import both, is_same
from tests.nn.net import make, plain, raw, sequential
from tests.nn.test_nn import ctorch, theirs
from tests.nn_utils.test_utils import ours, same


def small():
    """Two convolutions and a buffer."""
    torch.manual_seed(5)
    expected = nn.Sequential(nn.Conv2d(1, 2, 1), nn.Sequential(nn.Conv2d(2, 1, (1, 2), bias=False)))
    expected[1].register_buffer("steps", torch.tensor(3.0))
    mine = sequential(make("Conv2d", 1, 2, 1), sequential(make("Conv2d", 2, 1, (1, 2), bias=False)))
    mine[1].register_buffer("steps", ctorch.tensor(0.0))
    return expected, mine


def equal(found: dict, expected: dict) -> bool:
    return list(found) == list(expected) and all(same(found[k], expected[k]) for k in expected)


@pytest.mark.parametrize("prefix", ["", "model.", "odd"])
def test_names_order_and_versions(prefix):
    expected, mine = both()
    wanted = expected.state_dict(prefix=prefix)
    assert equal(mine.state_dict(prefix), wanted)
    assert mine.metadata(prefix) == wanted._metadata
    assert "hidden" not in mine.state_dict()  # it is not persistent


def test_with_and_without_gradients():
    expected, mine = both()
    assert not any(t.requires_grad for t in mine.state_dict().values())
    kept = mine.state_dict(keep_vars=True)
    assert all(is_same(kept[n], p) for n, p in mine.named_parameters(remove_duplicate=False))
    theirs(mine.state_dict()["mean"]).fill_(9)  # the memory is the module's
    assert theirs(mine.get_buffer("mean")).tolist() == [9, 9, 9]


def test_python_loads_what_ctorch_gives_and_the_other_way_round():
    expected, mine = small()
    mine.load_state_dict({k: ours(v) for k, v in expected.state_dict().items()})
    assert equal(mine.state_dict(), expected.state_dict())
    again, _ = small()
    for p in again.parameters():
        p.data.zero_()
    again.load_state_dict({k: theirs(v) for k, v in mine.state_dict().items()})
    assert equal(mine.state_dict(), again.state_dict())


def test_values_are_copied_and_the_parameters_stay():
    expected, mine = small()
    before = mine.parameters()
    given = {k: ours(v.double()) for k, v in expected.state_dict().items()}  # converted on the way
    assert mine.load_state_dict(given) == ([], [])
    assert all(
        is_same(a, b) and a.dtype == ctorch.float32 and a.requires_grad for a, b in zip(before, mine.parameters())
    )
    assert equal(mine.state_dict(), expected.state_dict())
    assert list(given) == list(expected.state_dict())


def test_assigned():
    expected, mine = small()
    mine[0].requires_grad_(False)
    given = {k: ours(v.double()) for k, v in expected.state_dict().items()}
    leaf = given["1.0.weight"].requires_grad_()
    mine.load_state_dict(given, assign=True)
    assert all(t.dtype == ctorch.float64 for t in mine.state_dict().values())
    assert [p.requires_grad for p in mine.parameters()] == [False, False, True]
    assert is_same(mine.get_parameter("1.0.weight"), leaf) and is_same(mine.get_buffer("1.steps"), given["1.steps"])
    meta = make("Conv2d", 1, 1, 1, device="meta")
    meta.load_state_dict({"weight": ctorch.ones([1, 1, 1, 1]), "bias": ctorch.ones([1])}, assign=True)
    assert [p.device.type for p in meta.parameters()] == ["cpu", "cpu"] and all(
        p.requires_grad for p in meta.parameters()
    )


def test_values_for_a_meta_module_are_lost_with_a_warning():
    meta = make("Conv2d", 1, 1, 1, device="meta")
    raw.warnings_push()
    meta.load_state_dict({"weight": ctorch.ones([1, 1, 1, 1]), "bias": ctorch.ones([1])})
    collected = raw.warnings_pop()
    messages = [raw.warnings_message(collected, i) for i in range(raw.warnings_len(collected))]
    assert len(messages) == 2 and all("no-op" in m and "assign" in m for m in messages)


def changed(state: dict, case: str) -> dict:
    state = dict(state)
    if "missing" in case:
        del state["0.bias"], state["1.steps"]
    if "unexpected" in case:
        state |= {
            "2.weight": torch.ones(1),
            "1.0.bias": torch.ones(1),
            "1.0.weight.x": torch.ones(1),
            "a": torch.ones(1),
        }
    if "shape" in case:
        state |= {"0.weight": torch.ones(3, 1, 1), "1.0.weight": torch.ones(2, 1, 1, 2)}
    if "vector" in case:
        state["1.steps"] = torch.tensor([7.0])
    if "longer" in case:
        state["1.steps"] = torch.tensor([7.0, 8.0])
    return state


CASES = ["missing", "unexpected", "shape", "missing, unexpected", "missing, unexpected, shape", "vector", "longer"]


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_what_does_not_fit(case, strict):
    expected, mine = small()
    given = changed({k: v + 1 for k, v in expected.state_dict().items()}, case)
    own = {k: ours(v) for k, v in given.items()}
    try:
        wanted = expected.load_state_dict(given, strict=strict)
    except RuntimeError as error:
        with pytest.raises(RuntimeError, match=f"^{re.escape(str(error))}$"):
            mine.load_state_dict(own, strict)
    else:
        assert mine.load_state_dict(own, strict) == (wanted.missing_keys, wanted.unexpected_keys)
    for key in set(given) & set(expected.state_dict()):  # what fits is loaded all the same
        if given[key].shape == expected.state_dict()[key].shape:
            assert same(mine.state_dict()[key], expected.state_dict()[key])


def test_what_is_no_tensor():
    _, mine = small()
    state = {**mine.state_dict(), "0.weight": 3, "1.steps": "three"}
    with pytest.raises(RuntimeError) as caught:
        mine.load_state_dict(state)
    text = str(caught.value)
    assert text.startswith(
        'Error(s) in loading state_dict for Sequential:\n\tWhile copying the parameter named "0.weight"'
    )
    assert "expected a tensor from the checkpoint but received int" in text and '"1.steps"' in text
    for wrong in (3, [], {3: ctorch.ones([1])}, {"a": 1, None: 2}):
        with pytest.raises(TypeError, match="state_dict"):
            mine.load_state_dict(wrong)
        with pytest.raises(TypeError, match="metadata"):
            mine.load_state_dict(mine.state_dict(), metadata=wrong)


def test_values_that_cannot_be_copied():
    expected, mine = small()
    sparse = expected.state_dict()["0.bias"].to_sparse()
    for net, given in ((expected, sparse), (mine, ctorch.aten.to_sparse(ctorch.ones([2]), layout=None))):
        with pytest.raises(RuntimeError, match='While copying the parameter named "0.bias", whose dimensions in the '):
            net.load_state_dict({**net.state_dict(), "0.bias": given})


def test_extra_state_of_modules_without_one_is_unexpected():
    expected, mine = small()
    for net in (expected, mine):
        state = {**net.state_dict(), "_extra_state": 3, "1._extra_state": 4}
        with pytest.raises(RuntimeError, match='Unexpected key.* "_extra_state", "1._extra_state"'):
            net.load_state_dict(state)


def test_versions_are_handed_to_hooks():
    _, mine = small()
    seen = []

    def look(module, state_dict, prefix, version, missing, unexpected):
        seen.append((prefix, version, sorted(plain(state_dict))))

    raw.module_register_load_state_dict_pre_hook(mine.module, look)
    raw.module_register_load_state_dict_pre_hook(mine[1].module, look)
    names = sorted(mine.state_dict())
    inner = [n for n in names if n.startswith("1.")]
    for metadata, versions in (
        (None, (-1, -1)),
        (mine.metadata(), (1, 1)),
        ({"": {"version": 7}, "1": {}}, (7, -1)),
        ({"": 3, "1": {"version": "x"}}, (-1, -1)),
        ({"1": {"version": 2}}, (-1, 2)),
    ):
        seen.clear()
        mine.load_state_dict(mine.state_dict(), metadata=metadata)
        assert seen == [("", versions[0], names), ("1.", versions[1], inner)]


def test_a_hook_may_change_what_is_loaded():
    """As for names of an older version."""
    expected, mine = small()

    def rename(module, state_dict, prefix, *others):
        entries = plain(state_dict)
        raw.value_dict_put(state_dict, prefix + "weight", entries[prefix + "w"])
        raw.value_dict_remove(state_dict, prefix + "w")

    hook = raw.module_register_load_state_dict_pre_hook(mine[0].module, rename)
    given = {k.replace("0.weight", "0.w", 1) if k[0] == "0" else k: ours(v) for k, v in expected.state_dict().items()}
    mine.load_state_dict(given)
    assert equal(mine.state_dict(), expected.state_dict()) and "0.w" in given
    raw.hook_remove(hook)
    with pytest.raises(RuntimeError, match='Missing key.* "0.weight"'):
        mine.load_state_dict(given)


def test_a_hook_may_forgive():
    _, mine = small()
    seen = []

    def forgive(module, missing, unexpected):
        seen.append((plain(missing), plain(unexpected)))
        raw.value_clear(missing)
        raw.value_clear(unexpected)

    raw.module_register_load_state_dict_post_hook(mine.module, forgive)
    assert mine.load_state_dict({"x": ctorch.ones([1])}) == ([], [])
    assert seen == [(list(mine.state_dict()), ["x"])]


def test_hooks_on_what_is_saved():
    expected, mine = small()
    order = []
    for net, name in ((expected, "theirs"), (mine, "mine")):
        if net is expected:
            net[1].register_state_dict_pre_hook(lambda m, prefix, keep: order.append(("before", prefix, keep)))
            net.register_state_dict_post_hook(lambda m, state, prefix, meta: state.__delitem__("0.bias"))
        else:
            raw.module_register_state_dict_pre_hook(
                net[1].module, lambda m, prefix, keep: order.append(("before", prefix, keep))
            )
            raw.module_register_state_dict_hook(
                net.module, lambda m, state, prefix, meta: raw.value_dict_remove(state, to("0.bias"))
            )
    assert (
        list(mine.state_dict(keep_vars=True))
        == list(expected.state_dict(keep_vars=True))
        == ["0.weight", "1.steps", "1.0.weight"]
    )
    assert order == [("before", "1.", True)] * 2


def to(key):
    from ctorch.values import to_value

    return to_value(key)


def test_what_hooks_fail_with_is_the_calls_error():
    _, mine = small()

    def fail(*arguments):
        raise ZeroDivisionError

    for register, call in (
        (raw.module_register_state_dict_pre_hook, mine.state_dict),
        (raw.module_register_state_dict_hook, mine.state_dict),
        (raw.module_register_load_state_dict_pre_hook, lambda: mine.load_state_dict({}, strict=False)),
        (raw.module_register_load_state_dict_post_hook, lambda: mine.load_state_dict({}, strict=False)),
    ):
        hook = register(mine[1].module, fail)
        with pytest.raises(ZeroDivisionError):
            call()
        raw.hook_remove(hook)
        call()
