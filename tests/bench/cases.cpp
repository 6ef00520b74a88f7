#include "cases.hpp"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/add_ops.h>
#include <ATen/ops/cat_ops.h>
#include <ATen/ops/conv2d_ops.h>
#include <ATen/ops/item_ops.h>
#include <ATen/ops/max_ops.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/split_ops.h>
#include <ATen/ops/sum_ops.h>
#include <ATen/ops/view_ops.h>
#include <stdio.h>
#include <stdlib.h>

#include "ctorch.h"
#include "heap_handles.h"

namespace {

void check(ctorch_error *error) {
  if (__builtin_expect(error != nullptr, false)) {
    fprintf(stderr, "%s\n", ctorch_error_message(error));
    abort();
  }
}

/// One tensor for all three: a ctorch_tensor * is the c10::TensorImpl *. Inputs live as long as the program, and loops
/// capture these pointers, so that each variant finds its argument with one load.
struct Input {
  at::Tensor *tensor;
  ctorch_tensor *handle;
  heap_tensor *heap;
};

Input ones(at::IntArrayRef sizes, bool requires_grad = false) {
  auto *tensor = new at::Tensor(at::ones(sizes).set_requires_grad(requires_grad));
  at::TensorImpl *impl = tensor->unsafeGetTensorImpl();
  return {tensor, reinterpret_cast<ctorch_tensor *>(impl), heap_tensor_of(impl)};
}

template <class Direct, class Ctorch, class Heap>
Case make_case(const char *name, Direct direct, Ctorch ctorch, Heap heap, size_t counted_calls = 1000) {
  return {name, {{"direct", repeat(direct)}, {"ctorch", repeat(ctorch)}, {"heap", repeat(heap)}}, counted_calls};
}

/// Every loop of a case with gradients recorded or not.
Case with_grad_mode(bool enabled, Case the_case) {
  for (Variant &variant : the_case.variants) {
    variant.loop = [enabled, loop = std::move(variant.loop)](size_t calls) {
      c10::AutoGradMode mode(enabled);
      loop(calls);
    };
  }
  return the_case;
}

Case add_case(const char *name, Input a, Input b) {
  return make_case(
      name, [=] { use(at::_ops::add_Tensor::call(*a.tensor, *b.tensor, 1)); },
      [=] {
        ctorch_tensor *out;
        check(ctorch_aten_add_Tensor(&out, a.handle, b.handle, nullptr));
        ctorch_tensor_release(out);
      },
      [=] {
        heap_tensor *out;
        heap_add(&out, a.heap, b.heap);
        heap_release(out);
      });
}

Case add_alpha_case(Input a, Input b) {
  static const ctorch_scalar alpha = {CTORCH_SCALAR_FLOAT, 0, 0, 2.0, 0.0};
  return make_case(
      "add, alpha 2.0", [=] { use(at::_ops::add_Tensor::call(*a.tensor, *b.tensor, 2.0)); },
      [=] {
        ctorch_tensor *out;
        check(ctorch_aten_add_Tensor(&out, a.handle, b.handle, &alpha));
        ctorch_tensor_release(out);
      },
      [=] {
        heap_tensor *out;
        heap_add_alpha(&out, a.heap, b.heap, 2.0);
        heap_release(out);
      });
}

Case add_in_place_case(Input a, Input b) {
  return make_case(
      "add_ (in place)", [=] { use(at::_ops::add__Tensor::call(*a.tensor, *b.tensor, 1)); },
      [=] { check(ctorch_aten_add__Tensor(a.handle, b.handle, nullptr)); }, [=] { heap_add_(a.heap, b.heap); });
}

Case add_out_case(Input out, Input a, Input b) {
  return make_case(
      "add.out", [=] { use(at::_ops::add_out::call(*a.tensor, *b.tensor, 1, *out.tensor)); },
      [=] { check(ctorch_aten_add_out(a.handle, b.handle, nullptr, out.handle)); },
      [=] { heap_add_out(out.heap, a.heap, b.heap); });
}

Case cat_case() {
  static std::vector<at::Tensor> list;
  static std::vector<const ctorch_tensor *> handles;
  static std::vector<heap_tensor *> heaps;
  for (int i = 0; i < 8; i++) {
    Input input = ones({8});
    list.push_back(*input.tensor);
    handles.push_back(input.handle);
    heaps.push_back(input.heap);
  }
  return make_case(
      "cat of 8", [=] { use(at::_ops::cat::call(at::ITensorListRef(at::TensorList(list)), 0)); },
      [=] {
        ctorch_tensor *out;
        check(ctorch_aten_cat(&out, handles.data(), handles.size(), 0));
        ctorch_tensor_release(out);
      },
      [=] {
        heap_tensor *out;
        heap_cat(&out, heaps.data(), static_cast<int>(heaps.size()), 0);
        heap_release(out);
      });
}

Case sum_case(Input a) {
  static int64_t dims[] = {0, 1};
  return make_case(
      "sum.dim_IntList",
      [=] { use(at::_ops::sum_dim_IntList::call(*a.tensor, at::IntArrayRef(dims), false, std::nullopt)); },
      [=] {
        ctorch_tensor *out;
        check(ctorch_aten_sum_dim_IntList(&out, a.handle, dims, 2, false, nullptr));
        ctorch_tensor_release(out);
      },
      [=] {
        heap_tensor *out;
        heap_sum_dim(&out, a.heap, dims, 2, false);
        heap_release(out);
      });
}

Case conv2d_case(const char *name, Input input, Input weight, const Input *bias) {
  static int64_t ones[] = {1, 1}, zeros[] = {0, 0};
  auto ints = [](const int64_t *pair) { return at::IntArrayRef(pair, 2); };
  std::optional<at::Tensor> bias_tensor;
  if (bias != nullptr) {
    bias_tensor = *bias->tensor;
  }
  const ctorch_tensor *bias_handle = bias != nullptr ? bias->handle : nullptr;
  heap_tensor *bias_heap = bias != nullptr ? bias->heap : nullptr;
  return make_case(
      name,
      [=] {
        use(at::_ops::conv2d::call(
            *input.tensor, *weight.tensor, bias_tensor, c10::fromIntArrayRefSlow(ints(ones)),
            c10::fromIntArrayRefSlow(ints(zeros)), c10::fromIntArrayRefSlow(ints(ones)), 1));
      },
      [=] {
        ctorch_tensor *out;
        check(ctorch_aten_conv2d(&out, input.handle, weight.handle, bias_handle, ones, 2, zeros, 2, ones, 2, 1));
        ctorch_tensor_release(out);
      },
      [=] {
        heap_tensor *out;
        heap_conv2d(&out, input.heap, weight.heap, bias_heap, ones, 2, zeros, 2, ones, 2, 1);
        heap_release(out);
      },
      10);
}

Case view_case(Input a) {
  static int64_t sizes[] = {2, 4};
  return make_case(
      "view", [=] { use(at::_ops::view::call(*a.tensor, c10::fromIntArrayRefSlow(sizes))); },
      [=] {
        ctorch_tensor *out;
        check(ctorch_aten_view(&out, a.handle, sizes, 2));
        ctorch_tensor_release(out);
      },
      [=] {
        heap_tensor *out;
        heap_view(&out, a.heap, sizes, 2);
        heap_release(out);
      });
}

Case max_case(Input a) {
  return make_case(
      "max.dim (2 results)", [=] { use(at::_ops::max_dim::call(*a.tensor, 0, false)); },
      [=] {
        ctorch_tensor *values, *indices;
        check(ctorch_aten_max_dim(&values, &indices, a.handle, 0, false));
        ctorch_tensor_release(values);
        ctorch_tensor_release(indices);
      },
      [=] {
        heap_tensor *out[2];
        heap_max_dim(out, a.heap, 0, false);
        heap_release(out[0]);
        heap_release(out[1]);
      });
}

Case split_case(Input a) {
  return make_case(
      "split.Tensor (list of 4)", [=] { use(at::_ops::split_Tensor::call(*a.tensor, 2, 0)); },
      [=] {
        ctorch_tensor_list *out;
        check(ctorch_aten_split_Tensor(&out, a.handle, 2, 0));
        ctorch_tensor_list_release(out);
      },
      [=] {
        heap_tensor **out;
        int out_len;
        heap_split(&out, &out_len, a.heap, 2, 0);
        for (int i = 0; i < out_len; i++) {
          heap_release(out[i]);
        }
        free(out);
      });
}

Case item_case(Input scalar) {
  return make_case(
      "item", [=] { use(at::_ops::item::call(*scalar.tensor).toDouble()); },
      [=] {
        double value;
        check(ctorch_tensor_item_double(&value, scalar.handle));
        use(value);
      },
      [=] { use(heap_item(scalar.heap)); });
}

}  // namespace

std::vector<Case> operator_cases() {
  Input a = ones({8}), b = ones({8}), recorded = ones({8}, true), image = ones({8, 3, 32, 32});
  Input weight = ones({16, 3, 3, 3}), bias = ones({16});
  return {
      with_grad_mode(false, add_case("add of 8 floats, no-grad", a, b)),
      add_case("add of 8 floats, grad mode", a, b),
      add_case("add of 8 floats, recorded", recorded, b),
      add_alpha_case(a, b),
      add_in_place_case(ones({8}), b),
      add_out_case(ones({8}), a, b),
      cat_case(),
      sum_case(ones({8, 8})),
      with_grad_mode(false, conv2d_case("conv2d 8x3x32x32, no bias", image, weight, nullptr)),
      with_grad_mode(false, conv2d_case("conv2d 8x3x32x32, bias", image, weight, &bias)),
      view_case(a),
      max_case(ones({8, 8})),
      split_case(a),
      item_case(ones({})),
  };
}

// Operators called by name: ctorch_op_call with values made before, against the same operator called directly, and
// against LibTorch's own call of this kind.
std::vector<Case> boxed_cases() {
  Input a = ones({8}), b = ones({8});
  static ctorch_op *op;
  static ctorch_value *values[3];
  check(ctorch_op_find(&op, "aten::add.Tensor", nullptr));
  check(ctorch_value_from_tensor(&values[0], a.handle));
  check(ctorch_value_from_tensor(&values[1], b.handle));
  check(ctorch_value_from_int(&values[2], 1));
  static auto handle = c10::Dispatcher::singleton().findSchemaOrThrow("aten::add", "Tensor");
  static torch::jit::Stack stack;
  Loop direct = repeat([=] { use(at::_ops::add_Tensor::call(*a.tensor, *b.tensor, 1)); });
  Loop boxed = repeat([=] {
    stack.clear();
    stack.emplace_back(*a.tensor);
    stack.emplace_back(*b.tensor);
    stack.emplace_back(1);
    handle.callBoxed(stack);
    use(stack.front());
  });
  Loop ctorch = repeat([=] {
    ctorch_value *out;
    check(ctorch_op_call(&out, op, values, 3));
    ctorch_value_release(out);
  });
  Case grad_mode = {"add of 8 floats, grad mode", {{"direct", direct}, {"ctorch", ctorch}, {"callBoxed", boxed}}};
  Case no_grad = with_grad_mode(false, grad_mode);
  no_grad.name = "add of 8 floats, no-grad";
  return {no_grad, grad_mode};
}

std::vector<Case> accessor_cases() {
  Input a = ones({2, 4});
  return {
      make_case(
          "ndim", [=] { use(a.tensor->unsafeGetTensorImpl()->dim()); }, [=] { use(ctorch_tensor_ndim(a.handle)); },
          [=] { use(heap_ndim(a.heap)); }),
      make_case(
          "sizes", [=] { use(a.tensor->unsafeGetTensorImpl()->sizes().data()); },
          [=] { use(ctorch_tensor_sizes(a.handle)); }, [=] { use(heap_size(a.heap, 1)); }),
      make_case(
          "size", [=] { use(a.tensor->unsafeGetTensorImpl()->size(1)); },
          [=] {
            int64_t size;
            check(ctorch_tensor_size(&size, a.handle, 1));
            use(size);
          },
          [=] { use(heap_size(a.heap, 1)); }),
      make_case(
          "numel", [=] { use(a.tensor->unsafeGetTensorImpl()->numel()); }, [=] { use(ctorch_tensor_numel(a.handle)); },
          [=] { use(heap_numel(a.heap)); }),
      make_case(
          "dtype", [=] { use(c10::typeMetaToScalarType(a.tensor->unsafeGetTensorImpl()->dtype())); },
          [=] { use(ctorch_tensor_dtype(a.handle)); }, [=] { use(heap_dtype(a.heap)); }),
      make_case(
          "data", [=] { use(a.tensor->unsafeGetTensorImpl()->mutable_data()); },
          [=] {
            void *data;
            check(ctorch_tensor_data(&data, a.handle));
            use(data);
          },
          [=] { use(heap_data(a.heap)); }),
  };
}

std::vector<Case> error_cases() {
  Input three = ones({3}), four = ones({4});
  return {
      make_case(
          "shapes that do not fit",
          [=] {
            try {
              use(at::_ops::add_Tensor::call(*three.tensor, *four.tensor, 1));
            } catch (const c10::Error &e) {
              use(*e.what_without_backtrace());
            }
          },
          [=] {
            ctorch_tensor *out;
            ctorch_error *error = ctorch_aten_add_Tensor(&out, three.handle, four.handle, nullptr);
            use(*ctorch_error_message(error));
            ctorch_error_release(error);
          },
          [=] {
            heap_tensor *out;
            heap_add(&out, three.heap, four.heap);
            char *message = heap_last_error();
            use(*message);
            free(message);
          },
          0),
      {"an argument that is NULL",
       {{"ctorch", repeat([=] {
           ctorch_tensor *out;
           ctorch_error *error = ctorch_aten_add_Tensor(&out, three.handle, nullptr, nullptr);
           use(*ctorch_error_message(error));
           ctorch_error_release(error);
         })}},
       0},
  };
}

// With a scope, against the same without one; the first pair is the price of scopes that nobody opened.
std::vector<Case> scope_cases() {
  Input a = ones({8}), b = ones({8});
  constexpr size_t TENSORS = 32;  // of one scope
  return {
      {"retain and release, no scope open",
       {{"direct", repeat([=] {
           plain_retain(a.handle);
           plain_release(a.handle);
         })},
        {"ctorch", repeat([=] {
           ctorch_tensor_retain(a.handle);
           ctorch_tensor_release(a.handle);
         })}}},
      {"add and release in an open scope",
       {{"direct", add_case("", a, b).variants[1].loop},
        {"ctorch",
         [loop = add_case("", a, b).variants[1].loop](size_t calls) {
           ctorch_scope *scope;
           check(ctorch_scope_begin(&scope));
           loop(calls);
           ctorch_scope_end(scope);
         }}}},
      {"32 adds, released by a scope",
       {{"direct", repeat([=] {
           ctorch_tensor *out[TENSORS];
           for (ctorch_tensor *&each : out) {
             check(ctorch_aten_add_Tensor(&each, a.handle, b.handle, nullptr));
           }
           for (ctorch_tensor *each : out) {
             ctorch_tensor_release(each);
           }
         })},
        {"ctorch", repeat([=] {
           ctorch_scope *scope;
           check(ctorch_scope_begin(&scope));
           for (size_t i = 0; i < TENSORS; i++) {
             ctorch_tensor *out;
             check(ctorch_aten_add_Tensor(&out, a.handle, b.handle, nullptr));
           }
           ctorch_scope_end(scope);
         })}}},
  };
}
