"""Record real calls of PyTorch's operators as cases: writes generated/recorded.txt.

    python -m parity.harvest (needs torch's own test dependencies: expecttest, hypothesis)

PyTorch ships a database of sample inputs for its public functions (OpInfo, module and optimizer infos). They run here,
forward and backward, under a dispatch mode that sees the operators below autograd, and once more in inference mode,
where composite operators stay whole. What the mode sees becomes text (encode.py); the few smallest calls of each
operator with different types that can be repeated from that text are kept.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections import defaultdict
from functools import partial
from pathlib import Path

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.operators import values  # noqa: E402
from tests.operators.encode import Unencodable, encode_call  # noqa: E402

OUTPUT = Path(__file__).parent / "generated" / "recorded.txt"
SAMPLES_PER_DTYPE = 10
OPTIMIZER_OPTIONS = (
    {"fused": True},
    {"foreach": True},
    {"fused": True, "amsgrad": True},
    {"fused": True, "momentum": 0.9},
    {"fused": True, "lr": torch.tensor(0.1)},
)
CASES = 3  # kept of each operator
SIGNATURES = 24  # candidates kept of each operator while recording


def name_of(overload: torch._ops.OpOverload) -> str:
    name = overload._schema.name.removeprefix("aten::")
    return name if not overload._schema.overload_name else f"{name}.{overload._schema.overload_name}"


class Recorder(TorchDispatchMode):
    """Keeps, for each operator and signature, the smallest call that it saw."""

    def __init__(self):
        super().__init__()
        self.calls: dict[str, dict[tuple, tuple[int, str, str]]] = defaultdict(dict)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func.namespace == "aten":
            self.record(func, args, kwargs)
            if torch.is_inference_mode_enabled() and func._can_decompose():
                with self:
                    result = func.decompose(*args, **kwargs)
                if result is not NotImplemented:
                    return result
        return func(*args, **kwargs)

    def record(self, func, args, kwargs):
        flat = tree_flatten((args, kwargs))[0]
        signature = tuple(_kind(x) for x in flat)
        size = (
            sum(x.numel() for x in flat if isinstance(x, torch.Tensor))
            if not any(isinstance(x, torch.Tensor) and x.is_nested for x in flat)
            else 50
        )
        seen = self.calls[name_of(func)]
        if signature in seen and seen[signature][0] <= max(size, 4):
            return
        if signature not in seen and len(seen) >= SIGNATURES:
            return
        try:
            literal = encode_call(args, kwargs, literal=True) if size <= 64 else ""
            seen[signature] = (size, encode_call(args, kwargs), literal)
        except (Unencodable, RuntimeError, NotImplementedError):
            return


def _kind(x):
    if isinstance(x, torch.Tensor):
        return (str(x.dtype), x.dim(), str(x.layout), x.numel() == 0)
    return "n" if isinstance(x, int | float) else str(type(x))


def run(function):
    try:
        return function()
    except Exception:  # a sample that does not run here is not our concern
        return None


def backward(result):
    outputs = [t for t in tree_flatten(result)[0] if isinstance(t, torch.Tensor) and t.requires_grad]
    if outputs:
        torch.autograd.backward(outputs, [torch.ones_like(t) for t in outputs])


def exercise(recorder, call, requires_grad):
    def recorded(mode):
        with mode, recorder:
            result = call(False)
        return result

    run(lambda: recorded(torch.inference_mode()))

    def with_backward():
        with recorder:
            backward(call(True))

    if requires_grad:
        run(with_backward)


def leaves(sample, requires_grad):
    def leaf(x):
        if not isinstance(x, torch.Tensor):
            return x
        x = x.detach().clone()
        return x.requires_grad_(requires_grad and (x.is_floating_point() or x.is_complex()))

    return tree_map(leaf, sample)


def harvest_opinfos(recorder):
    from torch.testing._internal import common_methods_invocations as database

    everything = list(database.op_db)
    everything += database.foreach_unary_op_db + database.foreach_binary_op_db + database.foreach_pointwise_op_db
    everything += database.foreach_reduce_op_db + database.foreach_other_op_db
    dtypes = (torch.float32, torch.complex64, torch.int64, torch.bool, torch.bfloat16)
    for info in everything:
        for dtype in dtypes:
            if dtype not in info.supported_dtypes("cpu"):
                continue
            for samples in _sample_lists(info, dtype):
                for sample in samples:
                    variants = [info.op, info.method_variant, info.inplace_variant]
                    variants += [a.op for a in info.aliases]
                    for variant in filter(None, variants):

                        def call(grad, variant=variant, sample=sample):
                            x, args, kwargs = leaves((sample.input, sample.args, sample.kwargs), grad)
                            return variant(x, *args, **kwargs)

                        exercise(recorder, call, dtype.is_floating_point or dtype.is_complex)


def _sample_lists(info, dtype):
    def take(sampler, **options):
        samples = []
        try:
            for sample in sampler("cpu", dtype, requires_grad=False, **options):
                samples.append(sample)
                if len(samples) >= SAMPLES_PER_DTYPE:
                    break
        except Exception:  # the database says "none" with an exception
            pass
        return samples

    yield take(info.sample_inputs, num_input_tensors=[2]) if "foreach" in info.name else take(info.sample_inputs)
    if dtype == torch.float32:
        for layout in ("coo", "csr", "csc", "bsr", "bsc"):
            flag = "supports_sparse" if layout == "coo" else f"supports_sparse_{layout}"
            if getattr(info, flag, False):
                yield take(getattr(info, f"sample_inputs_sparse_{layout}"))


def harvest_modules(recorder):
    from torch.testing._internal.common_modules import module_db

    for info in module_db:
        for training in (True, False):
            options = {"device": "cpu", "dtype": torch.float32, "requires_grad": False, "training": training}
            inputs = run(partial(info.module_inputs_func, info, **options))
            for sample in (inputs or [])[:SAMPLES_PER_DTYPE]:

                def call(grad, sample=sample, training=training):
                    constructor = sample.constructor_input
                    made = info.module_cls(*constructor.args, **constructor.kwargs).train(training)
                    args, kwargs = leaves((sample.forward_input.args, sample.forward_input.kwargs), grad)
                    return made(*args, **kwargs)

                exercise(recorder, call, True)


def harvest_optimizers(recorder):
    for name in ("Adam", "AdamW", "SGD", "Adagrad", "Adadelta", "RMSprop", "NAdam", "RAdam", "Adamax", "ASGD", "Rprop"):
        for options in OPTIMIZER_OPTIONS:

            def call(name=name, options=options):
                parameters = [torch.nn.Parameter(torch.randn(3, 2)) for _ in range(2)]
                optimizer = getattr(torch.optim, name)(parameters, **{"lr": 0.1} | options)
                for _ in range(2):
                    for p in parameters:
                        p.grad = torch.randn_like(p)
                    with recorder:
                        optimizer.step()

            run(call)


def select(name: str, seen: dict[tuple, tuple[int, str, str]]) -> list[str]:
    """The cases of an operator that are worth keeping: small, of different types, and accepted when repeated."""
    base, _, overload = name.partition(".")
    operator = getattr(getattr(torch.ops.aten, base), overload or "default")
    kept: dict[tuple, str] = {}

    def preference(item):
        signature, (size, _, _) = item
        hollow = size < 4 or any(k[3] for k in signature if isinstance(k, tuple))
        return hollow, "torch.float32" not in str(signature), size

    order = sorted(seen.items(), key=preference)
    for signature, (_, text, literal) in order:
        types = tuple(sorted({k[0] if isinstance(k, tuple) else k for k in signature}))
        if types in kept:
            continue
        accepted = next((t for t in (text, literal) if t and len(t) < 1500 and _accepts(operator, t)), None)
        if accepted:
            kept[types] = accepted
        if len(kept) == CASES:
            break
    return [name + text for text in kept.values()]


def _accepts(operator, text: str) -> bool:
    try:
        args, kwargs = values.evaluate(text)
        made = (values.Generator, values.Storage, values.Stream)
        args = [a.reference() if isinstance(a, made) else a for a in args]
        operator(*args, **{k: v.reference() if isinstance(v, made) else v for k, v in kwargs.items()})
    except Exception:
        return False
    return True


def select_apart(name: str, seen) -> list[str]:
    """`select` in a process of its own: a random index can crash PyTorch."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, "\n".join(select(name, seen)).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as pipe:
        lines = pipe.read().splitlines()
    return lines if os.waitpid(child, 0)[1] == 0 else []


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.manual_seed(0)
    recorder = Recorder()
    harvest_opinfos(recorder)
    harvest_modules(recorder)
    harvest_optimizers(recorder)
    lines = [line for name, seen in sorted(recorder.calls.items()) for line in select_apart(name, seen)]
    header = f"# Recorded by harvest.py from the test samples of PyTorch {torch.__version__.partition('+')[0]}.\n"
    OUTPUT.write_text(header + "".join(line + "\n" for line in lines), encoding="utf-8")
    print(f"{len(recorder.calls)} operators seen, {len(lines)} cases kept")


if __name__ == "__main__":
    main()
