"""Use a bit of everything, forget it, and print how many handles are left; and whether torch or NumPy was imported."""

import gc
import sys

import ctorch
from ctorch import aten, raw


class Double(ctorch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def work():
    a = ctorch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    Double.apply(a).sum().backward()
    hook = a.register_hook(lambda gradient: gradient)
    (a * a).sum().backward()
    hook.remove()
    for failing in (lambda: a[9], lambda: aten.matmul(a, "x"), lambda: a.view(99), lambda: ctorch.tensor("x")):
        try:
            failing()
            raise SystemExit("that should have failed")
        except (IndexError, TypeError, RuntimeError):
            pass
    aten.split(a, 1), aten.svd(a), aten.cat([a, a]), a[:, [0]], a.tolist(), repr(a), str(raw.build_config())
    capsule = a.detach().__dlpack__()
    ctorch.from_dlpack(a.detach()).close()
    raw.generator_new()
    raw.tensor_retain(a)
    raw.tensor_list_new([a, None, a])
    try:
        (a * a).register_hook(lambda gradient: 1 // 0)
        b = a * 3
        b.register_hook(lambda gradient: 1 // 0)
        b.sum().backward()
    except ZeroDivisionError:
        pass
    del capsule


work()
Double._definition = None
gc.collect()
print(raw.debug_live_handles())
if raw.debug_live_handles():
    print(raw.debug_report(), file=sys.stderr)
print("torch", "torch" in sys.modules, "numpy", "numpy" in sys.modules)
