"""ctorch_autograd_function beside torch.autograd.Function: each scenario runs with both, what can be seen agrees."""

from __future__ import annotations

import warnings

import pytest
import torch
import torch.autograd.forward_ad as forward_ad

from tests.harness.functions import Ctorch, Torch, attempt, facts

SCENARIOS = []


def scenario(function):
    SCENARIOS.append(pytest.param(function, id=function.__name__))
    return function


def leaf(*values, dtype=torch.double):
    return torch.tensor(values, dtype=dtype, requires_grad=True)


def ones_like_grad(y):
    return torch.ones_like(y)


# Building blocks -----------------------------------------------------------------------------------------------------


def cube_forward(ctx, x):
    ctx.save_for_backward(x)
    return x**3


def cube_backward(ctx, grad):
    (x,) = ctx.saved_tensors
    return grad * 3 * x**2


def exp_forward(ctx, x):
    y = x.exp()
    ctx.save_for_backward(y)
    return y


def exp_backward(ctx, grad):
    (y,) = ctx.saved_tensors
    return grad * y


def double(ctx, x):
    return x * 2


def double_backward(ctx, grad):
    return grad * 2


# Values and what is saved --------------------------------------------------------------------------------------------


@scenario
def an_input_is_saved(implementation):
    x = leaf(1, -2, 3)
    y = implementation.function("Cube", cube_forward, cube_backward).apply(x)
    implementation.backward(y.sum())
    return y, x.grad, [f.name() for f, _ in y.grad_fn.next_functions]


@scenario
def an_output_is_saved(implementation):
    x = leaf(0.5, 1)
    y = implementation.function("Exp", exp_forward, exp_backward).apply(x)
    implementation.backward(y.sum())
    return y, x.grad


@scenario
def an_intermediate_is_saved(implementation):
    def forward(ctx, x):
        s = x.sin()
        ctx.save_for_backward(s, None)
        return s * s

    def backward(ctx, grad):
        s, nothing = ctx.saved_tensors
        assert nothing is None
        return grad * 2 * s * (1 - s * s).sqrt()

    x = leaf(0.3, 0.7)
    y = implementation.function("SinSquared", forward, backward).apply(x)
    implementation.backward(y.sum())
    return y, x.grad


@scenario
def the_last_save_counts(implementation):
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        ctx.save_for_backward(y)
        return x * y

    seen = []

    def backward(ctx, grad):
        seen.append(ctx.saved_tensors)
        return grad * ctx.saved_tensors[0], None

    x, y = leaf(2), leaf(3)
    implementation.backward(implementation.function("Last", forward, backward).apply(x, y))
    return seen, x.grad, y.grad


@scenario
def forward_sees_nothing_saved(implementation):
    seen = []

    def forward(ctx, x):
        ctx.save_for_backward(x)
        seen.append(ctx.saved_tensors)
        ctx.save_for_forward(x)
        return x * 2

    return implementation.function("Early", forward, double_backward).apply(leaf(1)), seen


@scenario
def two_inputs_two_outputs(implementation):
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y, x + y

    def backward(ctx, grad_product, grad_sum):
        x, y = ctx.saved_tensors
        return grad_product * y + grad_sum, grad_product * x + grad_sum

    x, y = leaf(1, 2), leaf(5, 7)
    product, total = implementation.function("Both", forward, backward).apply(x, y)
    implementation.backward((product * total).sum())
    return product, total, x.grad, y.grad


@scenario
def only_asked_for_gradients_flow(implementation):
    seen = []

    def forward(ctx, x, y, z):
        seen.append(ctx.needs_input_grad)
        return x * y * z

    def backward(ctx, grad):
        seen.append(ctx.needs_input_grad)
        return grad * 3, None, grad * 5

    x, y, z = leaf(1), torch.tensor([2.0], dtype=torch.double), leaf(4)
    f = implementation.function("Needs", forward, backward)
    implementation.backward(f.apply(x, y, z))
    return seen, x.grad, y.grad, z.grad


@scenario
def an_input_may_be_missing(implementation):
    def forward(ctx, x, nothing, y):
        assert nothing is None
        return x + y

    def backward(ctx, grad):
        return grad, None, grad * 2

    x, y = leaf(1), leaf(2)
    z = implementation.function("Gap", forward, backward).apply(x, None, y)
    implementation.backward(z)
    return z, x.grad, y.grad, len(z.grad_fn.next_functions)


@scenario
def an_output_may_be_missing(implementation):
    seen = []

    def forward(ctx, x):
        return None, x * 2, None

    def backward(ctx, *grads):
        seen.append(grads)
        return grads[1] * 2

    x = leaf(1)
    outputs = implementation.function("Holes", forward, backward).apply(x)
    implementation.backward(outputs[1])
    return outputs, seen, x.grad


@scenario
def there_may_be_no_output(implementation):
    return implementation.function("Nothing", lambda ctx, x: (), double_backward).apply(leaf(1))


@scenario
def there_may_be_no_input(implementation):
    return implementation.function("Constant", lambda ctx: torch.ones(2), lambda ctx, grad: ()).apply()


@scenario
def the_same_tensor_may_be_returned_twice(implementation):
    seen = []

    def forward(ctx, x):
        y = x * 2
        return y, y

    def backward(ctx, first, second):
        seen.append((first, second))
        return first * 2 + second * 2

    x = leaf(1, 2)
    y, z = implementation.function("Twice", forward, backward).apply(x)
    implementation.backward((y + z).sum())
    return y is z, y, z, seen, x.grad


@scenario
def the_same_tensor_may_be_given_twice(implementation):
    x = leaf(3)
    y = implementation.function("Square", lambda ctx, a, b: a * b, lambda ctx, grad: (grad * 3, grad * 30)).apply(x, x)
    implementation.backward(y)
    return y, x.grad


@scenario
def complex_numbers(implementation):
    def forward(ctx, z):
        ctx.save_for_backward(z)
        return z * z

    def backward(ctx, grad):
        (z,) = ctx.saved_tensors
        return grad * (2 * z).conj()

    z = leaf(1 + 2j, dtype=torch.cdouble)
    w = implementation.function("ComplexSquare", forward, backward).apply(z)
    implementation.backward(w, torch.tensor([1 + 1j], dtype=torch.cdouble))
    return w, z.grad


# When nothing is recorded --------------------------------------------------------------------------------------------


@scenario
def nothing_is_recorded_without_grad_mode(implementation):
    seen = []

    def forward(ctx, x):
        seen.append((torch.is_grad_enabled(), ctx.needs_input_grad))
        ctx.save_for_backward(x)
        return x * 2

    f = implementation.function("Quiet", forward, double_backward)
    x = leaf(1)
    with torch.no_grad():
        y = f.apply(x)
    with torch.inference_mode():
        z = f.apply(x)
    return y, z, z.is_inference(), seen


@scenario
def nothing_is_recorded_for_constants(implementation):
    x = torch.ones(2)
    y = implementation.function("Quiet", double, double_backward).apply(x)
    return y, attempt(lambda: implementation.backward(y.sum()))


@scenario
def forward_runs_with_grad_mode_off(implementation):
    seen = []

    def forward(ctx, x):
        y = x * 2
        seen.append((torch.is_grad_enabled(), y.requires_grad))
        with torch.enable_grad():
            z = x * 3
        seen.append(z.requires_grad)
        return y

    def backward(ctx, grad):
        seen.append((torch.is_grad_enabled(), grad.requires_grad))
        return grad * 2

    x = leaf(1)
    f = implementation.function("Modes", forward, backward)
    implementation.backward(f.apply(x))
    (gradient,) = torch.autograd.grad(f.apply(x), x, create_graph=True)
    return seen, x.grad, gradient


# What outputs are ----------------------------------------------------------------------------------------------------


@scenario
def integer_outputs_are_not_differentiable(implementation):
    seen = []

    def forward(ctx, x):
        values, indices = x.sort()
        ctx.mark_non_differentiable(indices)
        ctx.save_for_backward(x, indices)
        return values, indices

    def backward(ctx, grad, grad_indices):
        seen.append(grad_indices)
        x, indices = ctx.saved_tensors
        return torch.zeros_like(x).index_add(0, indices, grad)

    x = leaf(3, 1, 2)
    values, indices = implementation.function("Sort", forward, backward).apply(x)
    implementation.backward((values * torch.tensor([1.0, 10, 100])).sum())
    return values, indices, seen, x.grad


@scenario
def integer_outputs_need_no_mark(implementation):
    seen = []

    def backward(ctx, grad, grad_indices):
        seen.append(grad_indices)
        return grad

    x = leaf(3, 1, 2)
    values, indices = implementation.function("Sort", lambda ctx, x: tuple(x.sort()), backward).apply(x)
    implementation.backward(values.sum())
    return values, indices, seen, x.grad


@scenario
def outputs_may_be_marked_non_differentiable(implementation):
    seen = []

    def forward(ctx, x):
        y, z = x * 2, x * 3
        ctx.mark_non_differentiable(z)
        return y, z

    def backward(ctx, grad, grad_z):
        seen.append(grad_z)
        return grad * 2

    x = leaf(1, 2)
    y, z = implementation.function("Half", forward, backward).apply(x)
    implementation.backward((y + z).sum())
    return y, z, seen, x.grad


@scenario
def an_input_may_come_out_unchanged_and_non_differentiable(implementation):
    def forward(ctx, x, y):
        ctx.mark_non_differentiable(x, y)
        return x, y, x * 2

    x, y = leaf(1), torch.ones(1)
    a, b, c = implementation.function("Pass", forward, lambda ctx, a, b, c: (c * 2, None)).apply(x, y)
    implementation.backward(c)
    return a is x, b is y, a, b, c, x, y, x.grad


@scenario
def an_input_that_is_returned_becomes_a_view_of_itself(implementation):
    x = leaf(1, 2)
    y = implementation.function("Same", lambda ctx, x: x, double_backward).apply(x)
    implementation.backward(y.sum())
    return y is x, y.data_ptr() == x.data_ptr(), y, y._base is x, x, x.grad


@scenario
def an_input_that_is_returned_may_be_saved(implementation):
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x, x * y

    def backward(ctx, grad_x, grad):
        x, y = ctx.saved_tensors
        return grad_x + grad * y, grad * x

    x, y = leaf(1, 2), leaf(5, 7)
    a, b = implementation.function("SameSaved", forward, backward).apply(x, y)
    implementation.backward((a * b).sum())
    return a, b, x.grad, y.grad


@scenario
def an_output_may_be_a_view_of_an_input(implementation):
    x = leaf(1, 2, 3, 4)
    f = implementation.function("View", lambda ctx, x: x.view(2, 2), lambda ctx, grad: grad.reshape(4) * 2)
    y = f.apply(x)
    implementation.backward(y.sum())
    z = f.apply(x * 1)
    return y, x.grad, y._base is x, attempt(lambda: z.mul_(2))


@scenario
def views_among_several_outputs_may_not_be_changed(implementation):
    f = implementation.function(
        "Views", lambda ctx, x: (x[:2], x[2:]), lambda ctx, first, second: torch.cat([first, second])
    )
    x = leaf(1, 2, 3, 4)
    first, second = f.apply(x)
    implementation.backward((first * second).sum())
    return first, second, x.grad, attempt(lambda: first.add_(1))


@scenario
def an_output_may_be_a_view_of_something_else(implementation):
    x = leaf(1, 2)
    y = implementation.function("Fresh", lambda ctx, x: (x * 2)[:1], lambda ctx, grad: grad.expand(2)).apply(x)
    implementation.backward(y)
    return y, x.grad


# In place ------------------------------------------------------------------------------------------------------------


def add_one_in_place(ctx, x):
    x.add_(1)
    ctx.mark_dirty(x)
    return x


@scenario
def an_input_may_be_changed_in_place(implementation):
    x = leaf(1, 2)
    y = x * 1
    z = implementation.function("AddOne", add_one_in_place, double_backward).apply(y)
    implementation.backward(z.sum())
    return z is y, y, x.grad, y._version


@scenario
def a_change_in_place_is_noticed_by_what_was_saved_before(implementation):
    x = leaf(1, 2)
    y = x * 1
    square = y * y
    implementation.function("AddOne", add_one_in_place, double_backward).apply(y)
    return attempt(lambda: implementation.backward(square.sum()))


@scenario
def a_leaf_may_not_be_changed_in_place(implementation):
    x = leaf(1, 2)

    def forward(ctx, x):
        x.detach().add_(1)
        ctx.mark_dirty(x)
        return x

    f = implementation.function("AddOne", forward, double_backward)
    return attempt(lambda: f.apply(x)), x


@scenario
def a_constant_may_be_changed_in_place(implementation):
    x, y = torch.ones(2), leaf(1, 2)

    def forward(ctx, x, y):
        x.mul_(y)
        ctx.mark_dirty(x)
        ctx.save_for_backward(y)
        return x

    z = implementation.function("MulInto", forward, lambda ctx, grad: (None, grad * 10)).apply(x, y)
    implementation.backward(z.sum())
    return z is x, x, y.grad


@scenario
def a_view_may_be_changed_in_place(implementation):
    x = leaf(1, 2, 3)
    base = x * 1
    part = base[1:]
    changed = implementation.function("AddOne", add_one_in_place, double_backward).apply(part)
    implementation.backward((base * torch.tensor([1.0, 10, 100])).sum())
    return changed is part, base, part, x.grad


@scenario
def a_view_may_be_changed_only_as_the_single_output(implementation):
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x, x * 2

    part = (leaf(1, 2, 3) * 1)[1:]
    return attempt(lambda: implementation.function("Two", forward, double_backward).apply(part))


@scenario
def what_is_dirty_must_be_returned(implementation):
    def forward(ctx, x):
        x.add_(1)
        ctx.mark_dirty(x)
        return x * 2

    return attempt(lambda: implementation.function("Lost", forward, double_backward).apply(leaf(1) * 1))


@scenario
def what_is_dirty_must_be_an_input(implementation):
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python's handler is asked only while Python's own bindings run
        return implementation.function("Own", forward, double_backward).apply(leaf(1) * 1)


@scenario
def several_inputs_may_be_changed_in_place(implementation):
    def forward(ctx, x, y):
        x.add_(1)
        y.mul_(2)
        ctx.mark_dirty(x, y)
        return x, y

    x, y = leaf(1), leaf(2)
    a, b = implementation.function("Swap", forward, lambda ctx, a, b: (a * 3, b * 5)).apply(x * 1, y * 1)
    implementation.backward(a + b)
    return a, b, x.grad, y.grad


@scenario
def the_last_mark_counts(implementation):
    def forward(ctx, x, y):
        x.add_(1)
        ctx.mark_dirty(x, y)
        ctx.mark_dirty(x)
        ctx.mark_non_differentiable(x)
        ctx.mark_non_differentiable()
        return x, y

    x, y = leaf(1), leaf(2)
    a, b = implementation.function("Marks", forward, lambda ctx, a, b: (a, b)).apply(x * 1, y * 1)
    return a, b


@scenario
def a_change_in_place_may_be_saved_as_output(implementation):
    def forward(ctx, x):
        x.exp_()
        ctx.mark_dirty(x)
        ctx.save_for_backward(x)
        return x

    x = leaf(0.5)
    y = implementation.function("ExpInPlace", forward, exp_backward).apply(x * 1)
    implementation.backward(y)
    return y, x.grad


# Gradients that do not fit -------------------------------------------------------------------------------------------


@scenario
def too_few_gradients(implementation):
    f = implementation.function("Few", lambda ctx, x, y: x * y, double_backward)
    y = f.apply(leaf(1), leaf(2))
    return attempt(lambda: implementation.backward(y))


@scenario
def too_many_gradients(implementation):
    f = implementation.function("Many", double, lambda ctx, grad: (grad, None, grad, None))
    return attempt(lambda: implementation.backward(f.apply(leaf(1))))


@scenario
def too_many_gradients_are_fine_if_they_are_none(implementation):
    x = leaf(1)
    implementation.backward(implementation.function("Padded", double, lambda ctx, grad: (grad, None, None)).apply(x))
    return x.grad


@scenario
def a_gradient_for_a_missing_input(implementation):
    f = implementation.function("Extra", lambda ctx, x, y: x * 2, lambda ctx, grad: (grad, grad))
    return attempt(lambda: implementation.backward(f.apply(leaf(1), None)))


@scenario
def a_gradient_of_another_shape(implementation):
    f = implementation.function("Shape", double, lambda ctx, grad: torch.ones(3))
    return attempt(lambda: implementation.backward(f.apply(leaf(1, 2)).sum()))


@scenario
def a_gradient_that_was_broadcast_is_summed(implementation):
    x = leaf(1, 2)
    f = implementation.function("Broadcast", double, lambda ctx, grad: torch.ones(3, 2, dtype=torch.double))
    implementation.backward(f.apply(x).sum())
    return x.grad


@scenario
def a_gradient_of_another_dtype_is_converted(implementation):
    x = leaf(1, 2)
    implementation.backward(implementation.function("Dtype", double, lambda ctx, grad: grad.float()).apply(x).sum())
    return x.grad


@scenario
def a_complex_gradient_of_a_real_input(implementation):
    f = implementation.function("Real", double, lambda ctx, grad: grad * (2 + 3j))
    return attempt(lambda: implementation.backward(f.apply(leaf(1, 2)).sum()))


@scenario
def no_gradient_at_all(implementation):
    x = leaf(1, 2)
    implementation.backward(implementation.function("None", double, lambda ctx, grad: None).apply(x).sum())
    return x.grad


@scenario
def a_gradient_on_another_device(implementation):
    f = implementation.function("Device", double, lambda ctx, grad: grad.to("meta"))
    return attempt(lambda: implementation.backward(f.apply(leaf(1, 2)).sum()))


# Gradients that are missing ------------------------------------------------------------------------------------------


@scenario
def unused_outputs_have_gradients_of_zeros(implementation):
    seen = []

    def backward(ctx, *grads):
        seen.append(grads)
        return sum(grads)

    x = leaf(1, 2)
    f = implementation.function("Unused", lambda ctx, x: (x * 2, x.float(), x[:1] > 0), backward)
    implementation.backward(f.apply(x)[0].sum())
    return seen, x.grad


@scenario
def unused_outputs_may_have_no_gradients(implementation):
    seen = []

    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    def backward(ctx, first, second):
        seen.append((first, second))
        return (first if first is not None else 0) + (second if second is not None else 0)

    x = leaf(1, 2)
    outputs = implementation.function("Unused", forward, backward).apply(x)
    implementation.backward(outputs[1].sum())
    return seen, x.grad


@scenario
def undefined_gradients_flow_through(implementation):
    seen = []

    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2

    def backward(ctx, grad):
        seen.append(grad)
        return None

    inner = implementation.function("Inner", forward, backward)
    outer = implementation.function("Outer", double, lambda ctx, grad: None)
    x = leaf(1)
    implementation.backward(outer.apply(inner.apply(x)))
    return seen, x.grad


# The life of the graph -----------------------------------------------------------------------------------------------


@scenario
def a_second_backward_needs_what_was_saved(implementation):
    x = leaf(2)
    y = implementation.function("Cube", cube_forward, cube_backward).apply(x)
    implementation.backward(y)
    return x.grad, attempt(lambda: implementation.backward(y))


@scenario
def a_second_backward_needs_no_more_than_that(implementation):
    x = leaf(2)
    y = implementation.function("Double", double, double_backward).apply(x)
    implementation.backward(y)
    implementation.backward(y)
    return x.grad


@scenario
def a_retained_graph_can_be_used_again(implementation):
    x = leaf(2)
    y = implementation.function("Cube", cube_forward, cube_backward).apply(x)
    implementation.backward(y, retain_graph=True)
    implementation.backward(y, retain_graph=True)
    implementation.backward(y)
    return x.grad, attempt(lambda: implementation.backward(y))


@scenario
def a_saved_input_may_not_change(implementation):
    x = leaf(2) * 1
    y = implementation.function("Cube", cube_forward, cube_backward).apply(x)
    x.add_(1)
    return attempt(lambda: implementation.backward(y))


@scenario
def a_saved_output_may_not_change(implementation):
    y = implementation.function("Exp", exp_forward, exp_backward).apply(leaf(2))
    y.add_(1)
    return attempt(lambda: implementation.backward(y))


@scenario
def a_saved_leaf_may_not_change(implementation):
    x = leaf(2)
    y = implementation.function("Cube", cube_forward, cube_backward).apply(x)
    with torch.no_grad():
        x.add_(1)
    return attempt(lambda: implementation.backward(y))


@scenario
def saved_tensors_may_be_unpacked_more_than_once(implementation):
    seen = []

    def backward(ctx, grad):
        seen.append([ctx.saved_tensors[0] for _ in range(3)])
        return grad

    implementation.backward(implementation.function("Cube", cube_forward, backward).apply(leaf(2)))
    return seen


# Higher derivatives --------------------------------------------------------------------------------------------------


@scenario
def backward_can_be_differentiated(implementation):
    x = leaf(2, 3)
    y = implementation.function("Cube", cube_forward, cube_backward).apply(x)
    (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
    (third,) = torch.autograd.grad(second.sum(), x)
    return first, second, third


@scenario
def backward_can_be_differentiated_through_a_saved_output(implementation):
    x = leaf(0.5)
    y = implementation.function("Exp", exp_forward, exp_backward).apply(x)
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    implementation.backward(first)
    return first, x.grad


@scenario
def create_graph_records_backward(implementation):
    x = leaf(2)
    implementation.backward(implementation.function("Cube", cube_forward, cube_backward).apply(x), create_graph=True)
    gradient = x.grad
    x.grad = None
    implementation.backward(gradient)
    return gradient, x.grad


@scenario
def once_differentiable_works_once(implementation):
    seen = []

    def backward(ctx, grad):
        seen.append((torch.is_grad_enabled(), grad.requires_grad))
        return cube_backward(ctx, grad)

    x = leaf(2)
    f = implementation.function("CubeOnce", cube_forward, backward, once_differentiable=True)
    implementation.backward(f.apply(x))
    return seen, x.grad


@scenario
def once_differentiable_refuses_a_second_time(implementation):
    x = leaf(2)
    f = implementation.function("CubeOnce", cube_forward, cube_backward, once_differentiable=True)
    y = f.apply(x)
    weight = leaf(3)
    (first,) = torch.autograd.grad(y * weight, x, create_graph=True)
    return first, attempt(lambda: implementation.backward(first))


@scenario
def once_differentiable_without_anything_to_differentiate(implementation):
    x = leaf(2)
    f = implementation.function("CubeOnce", cube_forward, cube_backward, once_differentiable=True)
    (first,) = torch.autograd.grad(f.apply(x), x, create_graph=True)
    return first, attempt(lambda: implementation.backward(first))


@scenario
def once_differentiable_with_gradients_left_out(implementation):
    def forward(ctx, x, y):
        return x * y

    x, y = leaf(2), leaf(3)
    f = implementation.function("Once", forward, lambda ctx, grad: (None, grad), once_differentiable=True)
    z = f.apply(x, y) * leaf(5)
    first = torch.autograd.grad(z, [x, y], create_graph=True, allow_unused=True)
    return first, attempt(lambda: implementation.backward(first[1]))


# Functions in functions ----------------------------------------------------------------------------------------------


@scenario
def a_forward_may_apply_a_function(implementation):
    cube = implementation.function("Cube", cube_forward, cube_backward)
    x = leaf(2)
    outer = implementation.function("Outer", lambda ctx, x: cube.apply(x) * 2, lambda ctx, grad: grad * 100)
    y = outer.apply(x)
    implementation.backward(y)
    return y, x.grad


@scenario
def a_backward_may_apply_a_function(implementation):
    cube = implementation.function("Cube", cube_forward, cube_backward)
    needs = []

    def forward(ctx, x):
        needs.append(ctx.needs_input_grad)
        return x * 5

    inner = implementation.function("Inner", forward, lambda ctx, grad: grad * 5)

    def backward(ctx, grad):
        return inner.apply(grad) + cube.apply(grad)

    x, w = leaf(2), leaf(3)
    y = implementation.function("Outer", double, backward).apply(x)
    (first,) = torch.autograd.grad(y * w, x, create_graph=True)
    implementation.backward(first)
    return first, w.grad, needs


@scenario
def a_backward_may_run_backward(implementation):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        with torch.enable_grad():
            return (x.detach() ** 2).sum()

    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            inner = x.detach().requires_grad_()
            value = (inner**2).sum()
        implementation.backward(value)
        return grad * inner.grad

    x = leaf(1, 2)
    y = implementation.function("Reentrant", forward, backward).apply(x)
    implementation.backward(y * 3)
    return y, x.grad


@scenario
def a_backward_may_run_backward_through_its_own_node(implementation):
    depth = []

    def backward(ctx, grad):
        depth.append(len(depth))
        (x,) = ctx.saved_tensors
        if len(depth) < 4:
            implementation.backward(kept[0], retain_graph=True)
        return grad * 3 * x**2

    x = leaf(2)
    kept = [implementation.function("Again", cube_forward, backward).apply(x)]
    implementation.backward(kept[0], retain_graph=True)
    return depth, x.grad


@scenario
def many_reentrant_levels(implementation):
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        if x.item() < 100:
            with torch.enable_grad():
                y = f.apply((x + 1).detach().requires_grad_())
            implementation.backward(y)
        return grad

    f = implementation.function("Deep", lambda ctx, x: (ctx.save_for_backward(x), x * 2)[1], backward)
    x = leaf(0)
    implementation.backward(f.apply(x))
    return x.grad


@scenario
def an_error_crosses_reentrant_levels(implementation):
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        if x.item() == 70:
            raise ValueError("seventy is enough")
        with torch.enable_grad():
            y = f.apply((x + 1).detach().requires_grad_())
        implementation.backward(y)
        return grad

    f = implementation.function("Deep", lambda ctx, x: (ctx.save_for_backward(x), x * 2)[1], backward)
    return attempt(lambda: implementation.backward(f.apply(leaf(0))))


@scenario
def a_function_in_a_checkpoint(implementation):
    from torch.utils.checkpoint import checkpoint

    cube = implementation.function("Cube", cube_forward, cube_backward)
    calls = []

    def run(x):
        calls.append(1)
        return cube.apply(x.sin()).exp()

    x = leaf(0.5, 1)
    y = checkpoint(run, x, use_reentrant=False)
    implementation.backward(y.sum())
    return y, x.grad, len(calls)


@scenario
def saved_tensors_pass_through_hooks(implementation):
    log = []

    def pack(x):
        log.append(("pack", x))
        return x * 10

    def unpack(x):
        log.append(("unpack", x))
        return x / 10

    x = leaf(2)
    with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
        y = implementation.function("Cube", cube_forward, cube_backward).apply(x)
        z = implementation.function("Exp", exp_forward, exp_backward).apply(y)
    implementation.backward(z)
    return log, x.grad


# Failures ------------------------------------------------------------------------------------------------------------


def raises(exception):
    def fail(ctx, *values):
        raise exception

    return fail


@scenario
def forward_fails(implementation):
    f = implementation.function("Fails", raises(IndexError("no such thing")), double_backward)
    x = leaf(1)
    return attempt(lambda: f.apply(x)), x


@scenario
def backward_fails(implementation):
    f = implementation.function("Fails", double, raises(ValueError("backward says no")))
    x = leaf(1)
    return attempt(lambda: implementation.backward(f.apply(x))), x.grad


@scenario
def forward_fails_in_libtorch(implementation):
    f = implementation.function("Fails", lambda ctx, x: x.view(7), double_backward)
    return attempt(lambda: f.apply(leaf(1)))


@scenario
def backward_fails_in_libtorch(implementation):
    f = implementation.function("Fails", double, lambda ctx, grad: grad @ torch.ones(5, 5, dtype=torch.double))
    kind, code, message = attempt(lambda: implementation.backward(f.apply(leaf(1, 2)).sum()))
    return kind, message  # the code is refined: SHAPE_MISMATCH


@scenario
def nan_is_found_by_anomaly_mode(implementation):
    f = implementation.function("Nan", double, lambda ctx, grad: grad * float("nan"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.detect_anomaly():
            y = f.apply(leaf(1))
            return attempt(lambda: implementation.backward(y))


# Forward mode --------------------------------------------------------------------------------------------------------


def dual(value, tangent):
    return forward_ad.make_dual(torch.tensor(value, dtype=torch.double), torch.tensor(tangent, dtype=torch.double))


def cube_forward_both(ctx, x):
    ctx.save_for_backward(x)
    ctx.save_for_forward(x)
    return x**3


def cube_jvp(ctx, tangent):
    (x,) = ctx.saved_tensors
    return 3 * x**2 * tangent


@scenario
def a_tangent_flows_through_jvp(implementation):
    f = implementation.function("Cube", cube_forward_both, cube_backward, cube_jvp)
    with forward_ad.dual_level():
        y = f.apply(dual([1.0, 2.0], [10.0, 100.0]))
        return list(forward_ad.unpack_dual(y))


@scenario
def jvp_without_backward(implementation):
    f = implementation.function("Cube", cube_forward_both, None, cube_jvp)
    with forward_ad.dual_level():
        return list(forward_ad.unpack_dual(f.apply(dual([2.0], [1.0]))))


@scenario
def jvp_sees_nothing_of_what_is_for_backward(implementation):
    seen = []

    def jvp(ctx, tangent):
        seen.append(ctx.saved_tensors)
        return tangent

    f = implementation.function("Cube", cube_forward, cube_backward, jvp)
    with forward_ad.dual_level():
        f.apply(dual([2.0], [1.0]))
    return seen


@scenario
def missing_tangents_are_zeros(implementation):
    seen = []

    def jvp(ctx, *tangents):
        seen.append(tangents)
        return tangents[0] + tangents[1]

    f = implementation.function("Sum", lambda ctx, x, y, i, n: x + y, None, jvp)
    with forward_ad.dual_level():
        y = f.apply(dual([2.0], [1.0]), torch.ones(1, dtype=torch.double), torch.tensor([7]), None)
        return list(forward_ad.unpack_dual(y)), seen


@scenario
def missing_tangents_may_be_left_out(implementation):
    seen = []

    def forward(ctx, x, y):
        ctx.set_materialize_grads(False)
        return x + y, x * 2

    def jvp(ctx, *tangents):
        seen.append(tangents)
        return tangents[0], tangents[0] * 2

    f = implementation.function("Sum", forward, None, jvp)
    with forward_ad.dual_level():
        y, z = f.apply(dual([2.0], [1.0]), torch.ones(1, dtype=torch.double))
        return [list(forward_ad.unpack_dual(v)) for v in (y, z)], seen


@scenario
def jvp_runs_without_forward_mode_and_with_grad_mode(implementation):
    seen = []

    def jvp(ctx, tangent):
        seen.append((torch.is_grad_enabled(), torch._C._is_fwd_grad_enabled()))
        return tangent * 2

    def forward(ctx, x):
        seen.append((torch.is_grad_enabled(), torch._C._is_fwd_grad_enabled()))
        return x * 2

    f = implementation.function("Double", forward, double_backward, jvp)
    with forward_ad.dual_level():
        f.apply(dual([2.0], [1.0]))
    return seen


@scenario
def jvp_of_a_change_in_place(implementation):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    f = implementation.function("DoubleInPlace", forward, double_backward, lambda ctx, tangent: tangent.mul_(2))
    with forward_ad.dual_level():
        x = dual([2.0], [1.0])
        y = f.apply(x)
        return y is x, list(forward_ad.unpack_dual(y))


@scenario
def jvp_of_a_change_in_place_must_be_in_place(implementation):
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    f = implementation.function("DoubleInPlace", forward, double_backward, lambda ctx, tangent: tangent * 2)
    with forward_ad.dual_level():
        return attempt(lambda: f.apply(dual([2.0], [1.0])))


@scenario
def jvp_of_a_view_must_be_a_view(implementation):
    with forward_ad.dual_level():
        f = implementation.function("View", lambda ctx, x: x[:1], None, lambda ctx, tangent: tangent[:1].clone())
        g = implementation.function("View", lambda ctx, x: x[:1], None, lambda ctx, tangent: tangent[:1])
        return (
            attempt(lambda: f.apply(dual([1.0, 2.0], [3.0, 4.0]))),
            list(forward_ad.unpack_dual(g.apply(dual([1.0, 2.0], [3.0, 4.0])))),
        )


@scenario
def jvp_of_an_input_that_is_returned(implementation):
    f = implementation.function("Same", lambda ctx, x: x, None, lambda ctx, tangent: tangent.view_as(tangent))
    g = implementation.function("Same", lambda ctx, x: x, None, lambda ctx, tangent: tangent * 1)
    with forward_ad.dual_level():
        return (
            list(forward_ad.unpack_dual(f.apply(dual([1.0], [3.0])))),
            attempt(lambda: g.apply(dual([1.0], [3.0]))),
        )


@scenario
def outputs_that_are_not_differentiable_have_no_tangent(implementation):
    def forward(ctx, x):
        values, indices = x.sort()
        constant = x * 3
        ctx.mark_non_differentiable(constant)
        return values, indices, constant, None

    f = implementation.function("Sort", forward, None, lambda ctx, tangent: (tangent, None, None, None))
    g = implementation.function("Sort", forward, None, lambda ctx, tangent: (tangent, tangent, None, None))
    with forward_ad.dual_level():
        outputs = f.apply(dual([2.0, 1.0], [1.0, 3.0]))
        return (
            [list(forward_ad.unpack_dual(y)) for y in outputs[:3]],
            attempt(lambda: g.apply(dual([2.0, 1.0], [1.0, 3.0]))),
        )


@scenario
def jvp_hands_over_another_number_of_tangents(implementation):
    f = implementation.function("Two", double, None, lambda ctx, tangent: (tangent, tangent))
    with forward_ad.dual_level():
        return attempt(lambda: f.apply(dual([1.0], [3.0])))


@scenario
def jvp_hands_over_a_tangent_of_another_shape(implementation):
    f = implementation.function("Shape", double, None, lambda ctx, tangent: torch.ones(3, dtype=torch.double))
    with forward_ad.dual_level():
        return attempt(lambda: f.apply(dual([1.0], [3.0])))


@scenario
def jvp_fails(implementation):
    f = implementation.function("Fails", double, double_backward, raises(ValueError("jvp says no")))
    with forward_ad.dual_level():
        return attempt(lambda: f.apply(dual([1.0], [3.0])))


@scenario
def forward_over_reverse(implementation):
    f = implementation.function("Cube", cube_forward_both, cube_backward, cube_jvp)
    with forward_ad.dual_level():
        x = forward_ad.make_dual(leaf(2), torch.ones(1, dtype=torch.double))
        (gradient,) = torch.autograd.grad(f.apply(x), x)
        return list(forward_ad.unpack_dual(gradient))


@scenario
def reverse_over_forward(implementation):
    f = implementation.function("Cube", cube_forward_both, cube_backward, cube_jvp)
    x = leaf(2)
    with forward_ad.dual_level():
        tangent = forward_ad.unpack_dual(f.apply(forward_ad.make_dual(x, torch.ones(1, dtype=torch.double)))).tangent
        implementation.backward(tangent)
    return tangent, x.grad


# Both ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("run", SCENARIOS)
def test_it_goes_as_with_python(run):
    expected, got = facts(run(Torch)), facts(run(Ctorch))
    assert got == in_terms_of_c(expected)


def in_terms_of_c(value):
    """Python translates the names of tensor types in messages."""
    if isinstance(value, tuple) and value[:1] == ("error",):
        return tuple(v.replace("torch.DoubleTensor", "CPUDoubleType") for v in value)
    if isinstance(value, (list, tuple)):
        return type(value)(in_terms_of_c(v) for v in value)
    return value


# What has no counterpart in a scenario -------------------------------------------------------------------------------


def test_gradients_and_tangents_agree_with_finite_differences():
    f = Ctorch.function("Cube", cube_forward_both, cube_backward, cube_jvp)
    x = torch.randn(3, 2, dtype=torch.double, generator=torch.Generator().manual_seed(1), requires_grad=True)
    assert torch.autograd.gradcheck(f.apply, x, check_forward_ad=True)
    assert torch.autograd.gradgradcheck(f.apply, x)


def test_a_pass_asks_only_for_what_it_needs():
    """Python's ctx.needs_input_grad does not know which inputs torch.autograd.grad was asked for; LibTorch does."""
    seen = []

    def backward(ctx, grad):
        seen.append(ctx.needs_input_grad)
        return grad * 3, grad * 2

    x, y = leaf(2), leaf(3)
    z = Ctorch.function("Product", lambda ctx, x, y: x * y, backward).apply(x, y)
    assert torch.equal(torch.autograd.grad(z, x, retain_graph=True)[0], torch.tensor([3.0]).double())
    torch.autograd.grad(z, [x, y])
    assert seen == [(True, False), (True, True)]


def test_a_differentiable_output_needs_a_tangent():
    """Where Python ends in an internal assertion of LibTorch's."""
    f = Ctorch.function("Double", double, None, lambda ctx, tangent: None)
    g = Ctorch.function("Two", lambda ctx, x: (x, x[:1]), None, lambda ctx, tangent: (tangent.view_as(tangent), None))
    with forward_ad.dual_level():
        x = dual([1.0], [1.0])
        assert attempt(lambda: f.apply(x))[1:] == (
            "RUNTIME",
            "Double: jvp returned no tangent for output 0, which is differentiable",
        )
        assert "no tangent for output 1" in attempt(lambda: g.apply(x))[2]


def test_reverse_and_forward_mode_need_their_callbacks():
    f = Ctorch.function("Double", double)
    y = f.apply(leaf(1))
    assert attempt(lambda: Ctorch.backward(y))[1] == "NOT_IMPLEMENTED"
    with forward_ad.dual_level():
        kind, message = attempt(lambda: f.apply(dual([1.0], [1.0])))[1:]
    assert (kind, "Double: You must implement the jvp" in message) == ("NOT_IMPLEMENTED", True)


def test_function_transforms_are_refused():
    f = Ctorch.function("Double", double, double_backward)
    with pytest.raises(Exception, match="functorch transforms"):
        torch.func.grad(lambda x: f.apply(x).sum())(torch.ones(2))
    with pytest.raises(Exception, match="functorch transforms"):
        torch.vmap(f.apply)(torch.ones(2))


def test_the_profiler_sees_forward_and_backward():
    f = Ctorch.function("Visible", cube_forward, cube_backward)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        f.apply(leaf(1)).backward()
    names = {event.key for event in profile.key_averages()}
    assert {"Visible", "VisibleBackward"} <= names


def test_python_sees_the_node():
    y = Ctorch.function("Named", double, double_backward).apply(leaf(1))
    assert y.grad_fn.name() == "NamedBackward"
    assert "NamedBackward" in repr(y)
    seen = []
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append((inputs, outputs)))
    y.backward()
    assert facts(seen) == facts([((torch.tensor([2.0]).double(),), (torch.ones(1).double(),))])
