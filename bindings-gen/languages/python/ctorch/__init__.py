"""ctorch: LibTorch's tensors, operators and gradients through its C ABI, without importing torch.

    import ctorch

    x = ctorch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = (x @ x.T).sum()
    y.backward()
    print(x.grad, ctorch.aten.add(x, 1, alpha=2))

`ctorch.aten` has every operator, `ctorch.nn` modules and `ctorch.init` their initial values, `ctorch.raw` every other
function of the C API, `ctorch.autograd` functions of your own, `ctorch.errors` the exceptions. Where C takes a value of
any type, Python objects stand for it; `ctorch.from_value` gives them back.
"""

from . import aten, autograd, dlpack, errors, init, nn, raw
from .autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from .constants import *  # noqa: F403 the dtypes, layouts and memory formats
from .constants import __all__ as _constants
from .construction import from_numpy, frombuffer, tensor
from .dlpack import from_dlpack
from .errors import Error
from .memory import collect_under_pressure, ignore_pressure
from .plain_data import Stream, device, dtype, layout, memory_format
from .raw import Generator
from .tensor import Tensor
from .values import PythonObject, from_value, to_value

__all__ = [
    "Error",
    "Generator",
    "PythonObject",
    "Stream",
    "Tensor",
    "aten",
    "autograd",
    "collect_under_pressure",
    "device",
    "dlpack",
    "dtype",
    "enable_grad",
    "errors",
    "from_dlpack",
    "from_numpy",
    "from_value",
    "frombuffer",
    "get_num_threads",
    "ignore_pressure",
    "inference_mode",
    "init",
    "initial_seed",
    "is_grad_enabled",
    "layout",
    "manual_seed",
    "memory_format",
    "nn",
    "no_grad",
    "raw",
    "set_grad_enabled",
    "set_num_threads",
    "tensor",
    "to_value",
    "version",
    *(name for name in _constants if name[0].islower() and name != "bool"),
]


def version() -> str:
    """The version of ctorch: "0.1.0"."""
    return raw.version()


def manual_seed(seed: int) -> Generator:
    """Seed the default generators of the CPU and of every device; gives that of the CPU."""
    raw.random_manual_seed(seed % 2**64 if isinstance(seed, int) else seed)
    return raw.generator_default()


def initial_seed() -> int:
    """What the default generator of the CPU was last seeded with."""
    return raw.random_initial_seed()


def set_num_threads(number: int) -> None:
    """How many threads an operator may use on the CPU."""
    raw.threads_set_num(number)


def get_num_threads() -> int:
    """How many threads an operator uses on the CPU."""
    return raw.threads_num()
