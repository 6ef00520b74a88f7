"""What torch.nn.parameter has: `from ctorch.nn.parameter import Parameter`."""

from ..parameters import Parameter

__all__ = ["Parameter"]
