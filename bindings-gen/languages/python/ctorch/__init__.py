"""ctorch: LibTorch's tensors, operators and gradients through its C ABI, without importing torch.

    import ctorch

    x = ctorch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = (x @ x.T).sum()
    y.backward()
    print(x.grad, ctorch.aten.add(x, 1, alpha=2))

`ctorch.aten` has every operator, and so has `ctorch` itself but for the private ones; `ctorch.nn` has modules,
`ctorch.data` datasets, samplers and loaders, `ctorch.datasets` those of files, `ctorch.transforms` what is done to
images, `ctorch.optim` optimizers and learning rate schedulers, `ctorch.amp` a GradScaler, `ctorch.init` initial values,
`ctorch.functional` losses, `ctorch.utils` what training loops do to gradients and `ctorch.parametrize` weights that
modules compute (`ctorch.nn.init`, `.functional`, `.utils`, `.utils.parametrize` as in
torch; `ctorch.nn.functional` has operators too), `ctorch.save` and `ctorch.load` are torch's, `ctorch.safetensors`,
`.npy`, `.npz` and `.sharded` other formats, `ctorch.Weights` reads any of them, `ctorch.Snapshots` lets a training
run go on, `ctorch.Trainer` is the loop, `ctorch.capture` replays a step, `ctorch.jit` has TorchScript,
`ctorch.export` what torch.export writes and `ctorch.package` compiled models; `ctorch.text` has tokenizers,
`ctorch.metrics` metrics, `ctorch.summary` event files of TensorBoard and loggers; `ctorch.io`, `.wav`, `.csv` and
`.idx` have images, sounds, tables and arrays; `ctorch.raw` every other function of the C API, `ctorch.autograd`
functions of your own, `ctorch.errors` the exceptions.
Where C takes a value of any type, Python objects stand for it; `ctorch.from_value` gives them back.
"""

import sys as _sys
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import (
    amp,
    aten,
    autograd,
    csv,
    data,
    datasets,
    dlpack,
    errors,
    export,
    functional,
    idx,
    init,
    io,
    jit,
    metrics,
    nn,
    npy,
    npz,
    optim,
    package,
    parametrize,
    raw,
    return_types,
    safetensors,
    sharded,
    summary,
    text,
    transforms,
    transforms_functional,
    tv_tensors,
    utils,
    wav,
)
from . import packing as _packing
from . import prune as _prune
from . import weight_norms as _weight_norms
from .autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from .constants import *  # noqa: F403 the dtypes, layouts and memory formats
from .constants import __all__ as _constants
from .construction import from_numpy, frombuffer, tensor
from .creation import *  # noqa: F403 zeros, randn, arange, …
from .creation import __all__ as _creation
from .dlpack import from_dlpack
from .errors import Error
from .generators import Generator
from .memory import collect_under_pressure, ignore_pressure
from .memory import keep_heap as _keep_heap
from .nn import functional as _functional  # noqa: F401 makes it an attribute of nn
from .nn import parameter as _parameter  # noqa: F401
from .operators.names import NAMES as _NAMES
from .optim import lr_scheduler as _lr_scheduler  # noqa: F401 makes it an attribute of optim
from .optim import swa_utils as _swa_utils  # noqa: F401
from .plain_data import Stream, device, dtype, layout, memory_format
from .python_warnings import take_over as _take_over_warnings
from .serialization import load, save
from .settings import get_num_threads, initial_seed, manual_seed, set_num_threads, version
from .signals import take_over as _take_over_signals
from .snapshots import Snapshots
from .tape import Tape, capture
from .tensor import Tensor
from .trainer import Trainer
from .values import PythonObject, from_value, to_value
from .weights import Weights

if _TYPE_CHECKING:
    from .aten import *  # noqa: F403 what __getattr__ finds

nn.init, nn.utils, utils.parametrize = init, utils, parametrize
utils.data, transforms.functional = data, transforms_functional
_sys.modules |= {"ctorch.utils.data": data, "ctorch.transforms.functional": transforms_functional}
utils.rnn, utils.prune, utils.parametrizations = _packing, _prune, _weight_norms.parametrizations
for _name in ("weight_norm", "remove_weight_norm", "spectral_norm", "remove_spectral_norm"):
    setattr(utils, _name, getattr(_weight_norms, _name))
_sys.modules |= {"ctorch.nn.init": init, "ctorch.nn.utils": utils}
_sys.modules |= {
    f"ctorch.nn.utils.{_name}": getattr(utils, _name) for _name in ("parametrize", "parametrizations", "prune", "rnn")
}

# torch's short names of dtypes. Like `bool` they are not among what `from ctorch import *` brings.
half, float, double = float16, float32, float64  # noqa: A001, F405
chalf, cfloat, cdouble = complex32, complex64, complex128  # noqa: F405
short, int, long = int16, int32, int64  # noqa: A001, F405

__all__ = [
    "Error",
    "Generator",
    "PythonObject",
    "Snapshots",
    "Stream",
    "Tape",
    "Tensor",
    "Trainer",
    "Weights",
    "amp",
    "aten",
    "autograd",
    "capture",
    "collect_under_pressure",
    "csv",
    "data",
    "datasets",
    "device",
    "dlpack",
    "dtype",
    "enable_grad",
    "errors",
    "export",
    "from_dlpack",
    "from_numpy",
    "from_value",
    "frombuffer",
    "functional",
    "get_num_threads",
    "idx",
    "ignore_pressure",
    "inference_mode",
    "init",
    "initial_seed",
    "io",
    "jit",
    "metrics",
    "is_grad_enabled",
    "layout",
    "load",
    "manual_seed",
    "memory_format",
    "nn",
    "no_grad",
    "npy",
    "npz",
    "optim",
    "package",
    "parametrize",
    "raw",
    "return_types",
    "safetensors",
    "save",
    "set_grad_enabled",
    "set_num_threads",
    "sharded",
    "summary",
    "text",
    "tensor",
    "to_value",
    "transforms",
    "tv_tensors",
    "utils",
    "version",
    "wav",
    *_creation,
    *(name for name in _constants if name[0].islower() and name != "bool"),
]


def __getattr__(name: str) -> _Any:
    """Every operator that is not private is at hand under its name, as in torch: `ctorch.cat([a, b])`."""
    if name.startswith("_") or name not in _NAMES:
        raise AttributeError(f"module 'ctorch' has no attribute '{name}'")
    globals()[name] = operator = getattr(aten, name)
    return operator


def __dir__() -> list[str]:
    return sorted({*globals(), *(name for name in _NAMES if not name.startswith("_"))})


_keep_heap()
_take_over_warnings()
_take_over_signals()
