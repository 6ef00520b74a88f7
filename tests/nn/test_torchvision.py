"""torchvision's models, its own source run on ctorch, beside the same on torch: parameters, text, training steps."""

from __future__ import annotations

import pytest
import torch

from tests.harness.vision import has_torchvision
from tests.nn.compare import one_thread, ours
from tests.nn.models import Model
from tests.nn.test_models import compare_states, train, value
from tests.nn.test_nn import ctorch
from tests.nn.torchvision_models import builder

pytestmark = pytest.mark.skipif(not has_torchvision(), reason="no torchvision for this torch")

# The least size of images that a model takes, and how many steps are made: a step is a second or more for some.
MODELS = {
    "alexnet": (64, 5),
    "densenet121": (64, 2),
    "googlenet": (32, 2),
    "inception_v3": (107, 1),
    "mnasnet0_5": (64, 3),
    "mobilenet_v2": (32, 3),
    "mobilenet_v3_small": (32, 3),
    "resnet18": (32, 20),
    "resnext50_32x4d": (64, 2),
    "shufflenet_v2_x0_5": (32, 3),
    "squeezenet1_1": (32, 5),
    "vgg11_bn": (32, 2),
    "vit_b_32": (224, 1),
    "efficientnet_b0": (64, 2),
    "efficientnet_v2_s": (64, 1),
    "regnet_y_400mf": (64, 2),
    "regnet_x_400mf": (64, 2),
    "convnext_tiny": (64, 1),
    "swin_t": (64, 1),
    "swin_v2_t": (64, 1),
    "maxvit_t": (224, 1),
}
# Two classifiers besides the one that counts.
AUXILIARY = {"googlenet": {"aux_logits": False}, "inception_v3": {"aux_logits": False}}


def loss(t, model, x, target):
    return t.nn.CrossEntropyLoss()(model(x), target)


@pytest.mark.turns
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore:The default weight initialization")
@one_thread()
def test_a_model_is_torchvisions(name):
    size, steps = MODELS[name]
    options = {"num_classes": 10, **AUXILIARY.get(name, {})}
    models = []
    for t in (torch, ctorch):
        torch.manual_seed(5)  # both draw from the same generator
        models.append(builder(t, name)(**options))
    wanted, mine = models
    assert repr(mine) == repr(wanted)
    compare_states(mine, wanted)
    torch.manual_seed(3)
    batch = torch.randn(2, 3, size, size), torch.randint(10, (2,))
    own_batch = [ours(x) for x in batch]
    model = Model(builder, lambda: batch, loss, lr=0.001)
    losses = train(torch, model, wanted, batch, steps)
    assert str(train(ctorch, model, mine, own_batch, steps)) == str(losses)  # NaN on some processors, in both
    compare_states(mine, wanted)
    assert str(value(ctorch, model, mine, own_batch)) == str(value(torch, model, wanted, batch))
