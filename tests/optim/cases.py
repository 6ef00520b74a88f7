"""What the tests of optimizers go through: each optimizer with its options, ways to compute, and parameters."""

from __future__ import annotations

import itertools

import torch

torch.set_num_threads(1)  # tensors are small, and threads in the way of each other

F32, F64, BF16, C64 = torch.float32, torch.float64, torch.bfloat16, torch.complex64

WAYS = [{}, {"foreach": True}, {"foreach": False}]
FUSED = ("SGD", "Adam", "AdamW", "Adagrad")
LOOP_ONLY = ("Muon", "SparseAdam", "LBFGS")
REAL_ONLY = ("Muon", "Adafactor", "SparseAdam")

RATE = {"lr": 0.05}
DECAY, MAXIMIZE = {"weight_decay": 0.1}, {"maximize": True}

# Options that are tried alone and in pairs.
OPTIONS = {
    "SGD": [RATE, DECAY, MAXIMIZE, {"momentum": 0.9}, {"momentum": 0.9, "nesterov": True}, {"dampening": 0.1}],
    "Adam": [RATE, DECAY, MAXIMIZE, {"amsgrad": True}, {"betas": (0.8, 0.9), "eps": 1e-3}],
    "AdamW": [RATE, {"weight_decay": 0.3}, MAXIMIZE, {"amsgrad": True}, {"betas": (0.8, 0.9), "eps": 1e-3}],
    "Adamax": [RATE, DECAY, MAXIMIZE, {"betas": (0.8, 0.9)}, {"eps": 1e-3}],
    "NAdam": [RATE, DECAY, MAXIMIZE, {"decoupled_weight_decay": True}, {"momentum_decay": 0.1}, {"betas": (0.8, 0.9)}],
    "RAdam": [RATE, DECAY, MAXIMIZE, {"decoupled_weight_decay": True}, {"betas": (0.9, 0.7)}, {"eps": 1e-3}],
    "Adagrad": [RATE, DECAY, MAXIMIZE, {"lr_decay": 0.1}, {"initial_accumulator_value": 0.5}, {"eps": 0.1}],
    "Adadelta": [RATE, DECAY, MAXIMIZE, {"rho": 0.5}, {"eps": 1e-3}],
    "Adafactor": [RATE, DECAY, MAXIMIZE, {"beta2_decay": -0.5}, {"eps": (1e-2, 1e-2)}, {"d": 1.5}],
    "ASGD": [RATE, DECAY, MAXIMIZE, {"lambd": 0.1}, {"alpha": 0.5}, {"t0": 5}],
    "RMSprop": [RATE, DECAY, MAXIMIZE, {"momentum": 0.9}, {"centered": True}, {"alpha": 0.8, "eps": 1e-3}],
    "Rprop": [RATE, MAXIMIZE, {"etas": (0.3, 1.5)}, {"step_sizes": (1e-3, 1)}],
    "SparseAdam": [RATE, MAXIMIZE, {"betas": (0.8, 0.9)}, {"eps": 1e-3}],
    "Muon": [
        RATE,
        {"weight_decay": 0.3},
        {"momentum": 0.5},
        {"nesterov": False},
        {"adjust_lr_fn": "match_rms_adamw"},
        {"ns_steps": 2, "eps": 1e-3},
        {"ns_coefficients": (3.0, -4.0, 2.0)},
    ],
}
# Those whose parameters go one by one, and with gradients that are not sparse.
DENSE = [name for name in OPTIONS if name != "SparseAdam"]


def combinations(name):
    """No option, each alone, each pair of different ones."""
    options = OPTIONS[name]
    pairs = [{**a, **b} for a, b in itertools.combinations(options, 2) if not set(a) & set(b)]
    return [{}, *options, *pairs]


def accepted(name, kwargs):
    """Whether Python's constructor takes it."""
    try:
        getattr(torch.optim, name)([torch.zeros(2, 2, requires_grad=True)], **kwargs)
    except (ValueError, RuntimeError):
        return False
    return True


def ways(name):
    if name in LOOP_ONLY:
        return [{}]
    return [*WAYS, {"fused": True}] if name in FUSED else WAYS


def dtypes(name):
    return [F32, F64, BF16] if name in REAL_ONLY else [F32, F64, BF16, C64]


def parameters(name, dtype, way):
    """Of many forms: without elements, without dimensions, with other orders and with gaps in memory."""
    generator = torch.Generator().manual_seed(3)

    def random(*shape):
        return torch.randn(shape, dtype=dtype, generator=generator)

    if name == "Muon":
        tensors = [random(3, 4), random(5, 2), random(0, 3), random(4, 4), random(6, 8)[::2, 1::3]]
    else:
        tensors = [random(3, 4), random(5), random(), random(0), random(2, 3, 4, 5)]
        tensors.append(random(2, 3, 4, 5).to(memory_format=torch.channels_last))
        tensors.append(random(4, 3).T)
        tensors.append(random(6, 8)[::2, 1::3])
    if name == "Adafactor":
        tensors = [t for t in tensors if t.numel()]  # Python divides by the number of elements
    if fuses(name, way):
        tensors = tensors[:-1]  # fused kernels of Python's read gaps as if they were elements
    return [t.detach().requires_grad_() for t in tensors]


def fuses(name, way):
    """Whether ctorch's first choice is a fused kernel."""
    return name in FUSED and way != {"foreach": True} and way != {"foreach": False}


def gradients(params, generator):
    """New ones in the parameters' memory format."""
    return [torch.empty_like(p).copy_(torch.randn(p.shape, dtype=p.dtype, generator=generator)) for p in params]


def steps(pair, count, name="", way=None, seed=1, first=0):
    """Steps of both optimizers, some parameters without a gradient in some of them."""
    generator = torch.Generator().manual_seed(seed)
    misses = not (name == "SGD" and (way or {}).get("fused"))  # where Python's fused SGD fails
    for number in range(first + count):
        grads = gradients(pair.torch_params, generator)
        if misses and len(grads) > 1 and number % 3 == 0:
            grads[1] = None
        if number >= first:
            pair.step(grads)
