"""What torch.nn.parameter has: `from ctorch.nn.parameter import Parameter`."""

from ..parameters import Buffer, Parameter

__all__ = ["Buffer", "Parameter"]
