"""A module of ctorch under the names of Python's methods, so that one test can ask both."""

from __future__ import annotations

from tests.nn.test_nn import ctorch, raw

from ctorch.values import from_value as plain  # isort: skip


def named(pairs, length, name, get) -> list:
    return [(name(pairs, i), get(pairs, i)) for i in range(length(pairs))]


def tensors(pairs) -> list:
    return named(pairs, raw.named_tensors_len, raw.named_tensors_name, raw.named_tensors_get)


def modules(pairs) -> list:
    return [
        (name, Net(module))
        for name, module in named(pairs, raw.named_modules_len, raw.named_modules_name, raw.named_modules_get)
    ]


class Net:
    def __init__(self, module) -> None:
        self.module = module.module if isinstance(module, Net) else module

    def __call__(self, *args, **kwargs):
        return raw.module_forward(self.module, args[0]) if len(args) == 1 and not kwargs else self.call(*args, **kwargs)

    def call(self, *args, **kwargs):
        return raw.module_call(self.module, args, kwargs)

    def __repr__(self) -> str:
        return str(raw.module_repr(self.module))

    def __len__(self) -> int:
        return raw.module_len(self.module)

    def __getitem__(self, index):
        return Net(raw.module_at(self.module, index))

    @property
    def training(self) -> bool:
        return raw.module_training(self.module)

    def register_parameter(self, name, tensor):
        raw.module_register_parameter(self.module, name, tensor)

    def register_buffer(self, name, tensor, persistent=True):
        raw.module_register_buffer(self.module, name, tensor, persistent)

    def register_module(self, name, module):
        raw.module_register_module(self.module, name, getattr(module, "module", module))

    add_module = register_module

    def parameters(self, recurse=True) -> list:
        return list(raw.module_parameters(self.module, recurse))

    def buffers(self, recurse=True) -> list:
        return list(raw.module_buffers(self.module, recurse))

    def named_parameters(self, prefix="", recurse=True, remove_duplicate=True) -> list:
        return tensors(raw.module_named_parameters(self.module, prefix, recurse, remove_duplicate))

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True) -> list:
        return tensors(raw.module_named_buffers(self.module, prefix, recurse, remove_duplicate))

    def named_modules(self, prefix="", remove_duplicate=True) -> list:
        return modules(raw.module_named_modules(self.module, prefix, remove_duplicate))

    def named_children(self) -> list:
        return modules(raw.module_named_children(self.module))

    def get_submodule(self, target):
        return Net(raw.module_get_submodule(self.module, target))

    def set_submodule(self, target, module, strict=False):
        raw.module_set_submodule(self.module, target, module.module, strict)

    def get_parameter(self, target):
        return raw.module_get_parameter(self.module, target)

    def get_buffer(self, target):
        return raw.module_get_buffer(self.module, target)

    def train(self, mode=True):
        raw.module_train(self.module, mode)

    def eval(self):
        self.train(False)

    def requires_grad_(self, requires_grad=True):
        raw.module_requires_grad_(self.module, requires_grad)

    def zero_grad(self, set_to_none=True):
        raw.module_zero_grad(self.module, set_to_none)

    def to(self, device=None, dtype=None, non_blocking=False, memory_format=None):
        raw.module_to(self.module, device, dtype, non_blocking, memory_format)

    def to_empty(self, *, device, recurse=True):
        raw.module_to_empty(self.module, device, recurse)

    def state_dict(self, prefix="", keep_vars=False) -> dict:
        return plain(raw.module_state_dict(self.module, prefix, keep_vars)[0])

    def metadata(self, prefix="") -> dict:
        return plain(raw.module_state_dict(self.module, prefix, False)[1])

    def load_state_dict(self, state_dict, strict=True, assign=False, metadata=None) -> tuple:
        missing, unexpected = raw.module_load_state_dict(self.module, state_dict, metadata, strict, assign)
        return plain(missing), plain(unexpected)

    def append(self, module):
        raw.module_append(self.module, module.module)

    def insert(self, index, module):
        raw.module_insert(self.module, index, module.module)

    def __delitem__(self, index):
        raw.module_remove_at(self.module, index)

    def __delattr__(self, name):
        raw.module_unregister(self.module, name)


def make(name, *args, **kwargs) -> Net:
    return Net(getattr(ctorch.nn, name)(*args, **kwargs))


def sequential(*children) -> Net:
    net = make("Sequential")
    for child in children:
        net.append(child)
    return net
