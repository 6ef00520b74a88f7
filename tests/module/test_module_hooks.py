"""Hooks around the call of a module beside Python's: what they see, in which order, and what they put in its place."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from tests.nn.net import Net, make, plain, raw, sequential
from tests.nn.test_nn import ctorch, theirs
from tests.nn_utils.test_utils import ours, same


def pair():
    torch.manual_seed(2)
    expected = nn.Conv2d(1, 2, 2)
    torch.manual_seed(2)
    return expected, make("Conv2d", 1, 2, 2)


def image(requires_grad=False):
    torch.manual_seed(4)
    x = torch.randn(1, 1, 4, 4, requires_grad=requires_grad)
    return x, ours(x)


def test_before_and_after():
    expected, mine = pair()
    x, own = image()
    hooks = [
        raw.module_register_forward_pre_hook(mine.module, lambda m, args, kwargs: plain(args)[0] * 2, False, False),
        raw.module_register_forward_hook(
            mine.module, lambda m, args, kwargs, y: plain(y) + plain(args)[0].sum(), False, False
        ),
    ]
    removable = [
        expected.register_forward_pre_hook(lambda m, args: args[0] * 2),
        expected.register_forward_hook(lambda m, args, y: y + args[0].sum()),
    ]
    assert same(mine(own), expected(x))
    assert same(plain(mine.call(own)), expected(x))
    outer, outer_expected = sequential(mine), nn.Sequential(expected)
    assert same(outer(own), outer_expected(x))
    for hook, handle in zip(hooks, removable):
        raw.hook_remove(hook)
        handle.remove()
        assert same(mine(own), expected(x))
        raw.hook_remove(hook)  # a second time is harmless


def test_the_order():
    expected, mine = pair()
    x, own = image()
    called: list = []

    def note(name):
        return lambda *arguments: called.append(name)

    def python():
        handles = [
            nn.modules.module.register_module_forward_pre_hook(note("all before")),
            nn.modules.module.register_module_forward_hook(note("all after")),
        ]
        expected.register_forward_pre_hook(note("before 1"))
        expected.register_forward_pre_hook(note("before 0"), prepend=True)
        expected.register_forward_hook(note("after 1"))
        expected.register_forward_hook(note("after 0"), prepend=True)
        expected.register_forward_hook(note("after 2"))
        expected(x)
        for handle in handles:
            handle.remove()

    python()
    wanted = list(called)
    called.clear()
    handles = [
        raw.module_hooks_register_global_forward_pre_hook(note("all before"), False),
        raw.module_hooks_register_global_forward_hook(note("all after"), False),
    ]
    raw.module_register_forward_pre_hook(mine.module, note("before 1"), False, False)
    raw.module_register_forward_pre_hook(mine.module, note("before 0"), False, True)
    raw.module_register_forward_hook(mine.module, note("after 1"), False, False)
    raw.module_register_forward_hook(mine.module, note("after 0"), False, True)
    raw.module_register_forward_hook(mine.module, note("after 2"), False, False)
    mine(own)
    assert called == wanted and len(called) == 7
    for handle in handles:
        raw.hook_remove(handle)
    called.clear()
    mine(own)
    assert called == wanted[1:-1] or called == [n for n in wanted if not n.startswith("all")]


def test_a_hook_gets_the_module_and_its_arguments():
    _, mine = pair()
    _, own = image()
    seen = []
    raw.module_register_forward_pre_hook(mine.module, lambda *given: seen.append(given), False, False)
    mine.call(input=own)
    module, args, kwargs = seen[0]
    assert repr(Net(module)) == repr(mine) and plain(args) == ()
    assert list(plain(kwargs)) == ["input"]


def test_keyword_arguments():
    expected, mine = pair()
    x, own = image()
    expected.register_forward_pre_hook(lambda m, args, kwargs: ((), {"input": args[0] * 3}), with_kwargs=True)
    raw.module_register_forward_pre_hook(
        mine.module, lambda m, args, kwargs: ((), {"input": plain(args)[0] * 3}), True, False
    )
    assert same(mine(own), expected(x))
    for wrong in (3, ((),), ((), 3)):
        hook = raw.module_register_forward_pre_hook(mine.module, lambda *_, wrong=wrong: wrong, True, False)
        with pytest.raises(RuntimeError, match="forward pre-hook"):
            mine(own)
        raw.hook_remove(hook)


def test_hooks_that_are_always_called():
    expected, mine = pair()
    outcomes: dict = {"theirs": [], "mine": []}
    expected.register_forward_hook(lambda m, args, y: outcomes["theirs"].append(("never", y)))
    expected.register_forward_hook(lambda m, args, y: outcomes["theirs"].append(("always", y)), always_call=True)
    raw.module_register_forward_hook(
        mine.module, lambda m, a, k, y: outcomes["mine"].append(("never", y)), False, False
    )
    raw.module_register_forward_hook(
        mine.module, lambda m, a, k, y: outcomes["mine"].append(("always", y)), True, False
    )
    with pytest.raises(RuntimeError, match="channels"):
        expected(torch.randn(1, 3, 4, 4))
    with pytest.raises(RuntimeError, match="channels"):
        mine(ctorch.randn([1, 3, 4, 4]))
    assert outcomes["mine"] == outcomes["theirs"] == [("always", None)]


@pytest.mark.parametrize("kind", ["pre", "post", "global pre", "global post"])
def test_what_a_hook_fails_with_is_the_calls_error(kind):
    _, mine = pair()
    _, own = image()

    def fail(*arguments):
        raise ZeroDivisionError

    if "global" in kind:
        register = (
            raw.module_hooks_register_global_forward_pre_hook
            if "pre" in kind
            else raw.module_hooks_register_global_forward_hook
        )
        hook = register(fail, False)
    else:
        register = raw.module_register_forward_pre_hook if kind == "pre" else raw.module_register_forward_hook
        hook = register(mine.module, fail, False, False)
    with pytest.raises(ZeroDivisionError):
        mine(own)
    raw.hook_remove(hook)
    mine(own)


def gradients_of(net, x, run) -> list:
    y = net(x)
    run(y.sum() if isinstance(y, torch.Tensor) else ctorch.aten.sum(y))
    return [x.grad, *(p.grad for p in net.parameters())]


@pytest.mark.parametrize("needs_grad", [True, False])
@pytest.mark.parametrize("scope", ["module", "global"])
@pytest.mark.filterwarnings("ignore:Full backward hook is firing")
def test_backward(scope, needs_grad):
    expected, mine = pair()
    x, own = image(needs_grad)
    seen: dict = {"theirs": [], "mine": []}

    def python(name, scale):
        def hook(module, *grads):
            seen["theirs"].append((name, [[None if g is None else g.clone() for g in each] for each in grads]))
            return tuple(None if g is None else g * scale for g in grads[0]) if needs_grad or len(grads) == 1 else None

        return hook

    def own_hook(name, scale):
        def hook(module, *grads):
            seen["mine"].append((name, [[None if g is None else theirs(g).clone() for g in each] for each in grads]))
            return [None if g is None else g * scale for g in grads[0]] if needs_grad or len(grads) == 1 else None

        return hook

    if scope == "module":
        handles = [
            expected.register_full_backward_pre_hook(python("before", 2)),
            expected.register_full_backward_hook(python("after", 3)),
        ]
        hooks = [
            raw.module_register_backward_pre_hook(mine.module, own_hook("before", 2), False),
            raw.module_register_backward_hook(mine.module, own_hook("after", 3), False),
        ]
    else:
        handles = [
            nn.modules.module.register_module_full_backward_pre_hook(python("before", 2)),
            nn.modules.module.register_module_full_backward_hook(python("after", 3)),
        ]
        hooks = [
            raw.module_hooks_register_global_backward_pre_hook(own_hook("before", 2)),
            raw.module_hooks_register_global_backward_hook(own_hook("after", 3)),
        ]
    wanted = gradients_of(expected, x, lambda loss: loss.backward())
    found = gradients_of(mine, own, lambda loss: loss.backward())
    for handle, hook in zip(handles, hooks):
        handle.remove()
        raw.hook_remove(hook)
    assert all(b is None and a is None or same(a, b) for a, b in zip(found, wanted))
    assert [name for name, _ in seen["mine"]] == [name for name, _ in seen["theirs"]] == ["before", "after"]
    for (_, a), (_, b) in zip(seen["mine"], seen["theirs"]):
        assert [len(each) for each in a] == [len(each) for each in b]
        flat = [(m, t) for ms, ts in zip(a, b) for m, t in zip(ms, ts)]
        assert all((m is None) == (t is None) and (m is None or torch.equal(m, t)) for m, t in flat)


def test_backward_hooks_that_answer_too_much():
    for pre in (True, False):
        expected, mine = pair()
        x, own = image(True)
        if pre:
            expected.register_full_backward_pre_hook(lambda m, grads: (*grads, None))
            raw.module_register_backward_pre_hook(mine.module, lambda m, grads: [*grads, None], False)
        else:
            expected.register_full_backward_hook(lambda m, grads, outs: (*grads, None))
            raw.module_register_backward_hook(mine.module, lambda m, grads, outs: [*grads, None], False)
        for net, value in ((expected, x), (mine, own)):
            with pytest.raises(RuntimeError, match="invalid number of grad_.*, got 2, but expected 1"):
                net(value).sum().backward()


def test_hooks_without_gradients():
    _, mine = pair()
    _, own = image()
    called = []
    raw.module_register_backward_hook(mine.module, lambda *given: called.append(given), False)
    raw.grad_mode_push(False)
    y = mine(own)
    raw.grad_mode_pop()
    assert not y.requires_grad and called == []


def test_a_copy_has_the_hooks_and_its_own_list():
    _, mine = pair()
    _, own = image()
    called = []
    hook = raw.module_register_forward_hook(mine.module, lambda *given: called.append(1), False, False)
    copy = Net(raw.module_copy(mine.module))
    copy(own)
    assert called == [1]
    raw.hook_remove(hook)
    mine(own)
    assert called == [1]
    copy(own)
    assert called == [1, 1]


def test_a_hook_may_remove_itself_and_the_module():
    _, mine = pair()
    _, own = image()
    net = sequential(mine, make("Conv2d", 2, 1, 1))
    hooks = []

    def leave(*given):
        raw.hook_remove(hooks[0])
        del net[0]

    hooks.append(raw.module_register_forward_hook(mine.module, leave, False, False))
    mine.module.close()
    del mine
    net(own)
    assert len(net) == 1


def test_arguments_in_a_list_are_arguments_with_hooks_too():
    module, x = ctorch.nn.Bilinear(2, 3, 1), [ctorch.aten.ones([1, 2]), ctorch.aten.ones([1, 3])]
    without = raw.module_call(module, x, None)
    hook = raw.module_register_forward_hook(module, lambda *_: None, False, False)
    for args in (x, tuple(x)):
        assert torch.equal(theirs(plain(raw.module_call(module, args, None))), theirs(plain(without)))
    raw.hook_remove(hook)
