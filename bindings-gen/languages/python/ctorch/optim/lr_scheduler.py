"""Learning rate schedulers under the name that they have in torch: `ctorch.optim.lr_scheduler.StepLR`."""

from ..lr_scheduler import *  # noqa: F403
from ..lr_scheduler import __all__ as __all__
