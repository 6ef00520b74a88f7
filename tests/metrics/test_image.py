"""Metrics of images beside torchmetrics."""

from __future__ import annotations

import itertools

import pytest
import torch

from tests.harness.capi import CtorchError
from tests.metrics.measures import agree, ours

REDUCTIONS = ("elementwise_mean", "sum", "none")


def image_batches(seed: int, sizes: tuple[int, ...], dtype: torch.dtype):
    generator = torch.Generator().manual_seed(seed)
    for _ in range(2):
        target = torch.rand(sizes, generator=generator, dtype=torch.float64)
        preds = (target + 0.2 * torch.randn(sizes, generator=generator, dtype=torch.float64)).clamp(-0.2, 1.3)
        if not dtype.is_floating_point:
            preds, target = preds.clamp(0, 1) * 255, target * 255
        yield preds.to(dtype), target.to(dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.uint8])
@pytest.mark.parametrize("data_range", [1.0, 255.0, (0.0, 1.0)])
@pytest.mark.filterwarnings("ignore:The `reduction")
def test_psnr(dtype, data_range):
    if dtype == torch.uint8 and isinstance(data_range, tuple):
        return  # ends are floats, and clamp of integers would make them that
    for base, reduction, dim in itertools.product((10.0, 2.0), REDUCTIONS, (None, [1, 2, 3], [-1, -2])):
        batches = list(image_batches(1, (3, 2, 8, 9), dtype))
        agree("PeakSignalNoiseRatio", batches, data_range=data_range, base=base, reduction=reduction, dim=dim)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("gaussian", [True, False])
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_ssim(dtype, gaussian, reduction):
    cases = itertools.product((None, 1.0, (0.0, 1.0)), (1.5, [0.8, 1.1]), (11, 5, [7, 3]))
    for data_range, sigma, kernel_size in cases:
        agree(
            "StructuralSimilarityIndexMeasure",
            list(image_batches(2, (2, 3, 20, 24), dtype)),
            1e-5 if dtype == torch.float32 else 1e-10,
            gaussian_kernel=gaussian,
            sigma=sigma,
            kernel_size=kernel_size,
            data_range=data_range,
            reduction=reduction,
        )


@pytest.mark.parametrize("gaussian", [True, False])
def test_ssim_of_volumes(gaussian):
    for data_range, kernel_size in itertools.product((None, 1.0), (5, [7, 3, 5])):
        agree(
            "StructuralSimilarityIndexMeasure",
            list(image_batches(3, (2, 2, 14, 15, 16), torch.float64)),
            1e-10,
            gaussian_kernel=gaussian,
            sigma=0.8,
            kernel_size=kernel_size,
            data_range=data_range,
            k1=0.02,
        )


@pytest.mark.parametrize("output", ["return_full_image", "return_contrast_sensitivity"])
@pytest.mark.parametrize("sizes", [(2, 3, 14, 16), (2, 1, 9, 10, 11)])
def test_ssim_with_a_second_result(output, sizes):
    cases = itertools.product((True, False), REDUCTIONS, (5, [7, 3, 5][: len(sizes) - 2]))
    for gaussian, reduction, kernel_size in cases:
        agree(
            "StructuralSimilarityIndexMeasure",
            list(image_batches(4, sizes, torch.float64)),
            1e-10,
            gaussian_kernel=gaussian,
            sigma=0.8,
            kernel_size=kernel_size,
            data_range=None if gaussian else (0.0, 1.0),
            reduction=reduction,
            **{output: True},
        )


def test_contrast_of_images_that_are_not_padded_is_nan():
    """As torchmetrics has it: x[0:-0] is empty."""
    image = torch.rand(2, 3, 16, 16, generator=torch.Generator().manual_seed(0))
    made = {"gaussian_kernel": False, "kernel_size": 1, "data_range": 1.0, "return_contrast_sensitivity": True}
    agree("StructuralSimilarityIndexMeasure", [(image, image * 0.9)], **made)
    metric = ours("StructuralSimilarityIndexMeasure", **made)
    metric.update(image, image * 0.9)
    assert metric.compute()[1].isnan().all()


def test_the_second_results_of_ssim_exclude_each_other():
    with pytest.raises(CtorchError, match="mutually exclusive") as caught:
        ours("StructuralSimilarityIndexMeasure", return_full_image=True, return_contrast_sensitivity=True)
    assert caught.value.kind == "VALUE"


def test_the_same_image_is_similar_to_itself():
    image = torch.rand(2, 3, 16, 16, generator=torch.Generator().manual_seed(0))
    agree("StructuralSimilarityIndexMeasure", [(image, image.clone())], data_range=1.0)
