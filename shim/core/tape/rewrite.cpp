// What operators consist of, where that is not a matter of dispatch: rewrite.hpp.
#include "core/tape/rewrite.hpp"

#include <ATen/ScalarOps.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>

#include <functional>
#include <string>
#include <unordered_map>

#include "core/tape/tensors.hpp"

namespace ctorch::tape {

namespace {

using Rewrite = std::function<std::vector<Record>(const Record &)>;

c10::OperatorHandle operator_named(const char *name, const char *overload) {
  return c10::Dispatcher::singleton().findSchemaOrThrow(name, overload);
}

/// relu(x) is clamp_min(x, 0).
std::vector<Record> relu(const Record &record) {
  return {{operator_named("aten::clamp_min", ""), {record.args[0], at::Scalar(0)}, record.outs}};
}
std::vector<Record> relu_in_place(const Record &record) {
  return {{operator_named("aten::clamp_min_", ""), {record.args[0], at::Scalar(0)}, record.outs}};
}

/// A contiguous tensor with other sizes, on the same memory.
at::Tensor viewed(const at::Tensor &tensor, const std::vector<int64_t> &sizes) {
  at::Tensor view(tensor.unsafeGetTensorImpl()->shallow_copy_and_detach(c10::VariableVersion(0), true));
  view.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return view;
}

/// embedding(weight, indices) is index_select(weight, 0, indices), of a row of indices.
std::vector<Record> embedding(const Record &record) {
  const at::Tensor &weight = record.args[0].toTensor(), &indices = record.args[1].toTensor();
  const at::Tensor &out = record.outs[0].toTensor();
  if (!indices.is_contiguous() || !out.is_contiguous()) {
    return {};
  }
  return {
      {operator_named("aten::index_select", ""),
       {weight, int64_t{0}, viewed(indices, {indices.numel()})},
       {viewed(out, {indices.numel(), weight.size(1)})}}};
}

/// A loss reduced to one number is the mean, or sum, of the losses of the elements.
std::vector<Record> loss(const Record &record) {
  const int64_t reduction = record.args[2].toInt();
  const at::Tensor &out = record.outs[0].toTensor();
  if (reduction != at::Reduction::Mean && reduction != at::Reduction::Sum) {
    return {};
  }
  const at::Tensor &self = record.args[0].toTensor(), &target = record.args[1].toTensor();
  if (self.sizes() != target.sizes() || !self.is_contiguous() || !target.is_contiguous()) {
    return {};  // in whichever order the losses lie then
  }
  const at::Tensor losses = at::empty(self.sizes(), out.options());
  std::vector<c10::IValue> args = record.args;
  args[2] = static_cast<int64_t>(at::Reduction::None);
  const bool is_mean = reduction == at::Reduction::Mean;
  return {
      {record.op, std::move(args), {losses}},
      {operator_named(is_mean ? "aten::mean" : "aten::sum", is_mean ? "dim" : "dim_IntList"),
       {losses, std::vector<int64_t>(), false, c10::IValue()},
       {out}}};
}

c10::IValue wrapped_number(const at::Scalar &number) {
  at::Tensor tensor = c10::scalar_to_tensor(number);
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

/// `self * beta + a matrix product`, whose kernel copies `self` to the result first: the copy, and the call in place.
std::vector<Record> product(const Record &record, const char *in_place) {
  const at::Tensor &self = record.args[0].toTensor(), &out = record.outs[0].toTensor();
  if (out.numel() == 0 || record.args[3].toScalar().toComplexDouble() == 0.0) {  // then `self` may be anything
    return {};
  }
  std::vector<c10::IValue> args = record.args;
  args[0] = out;
  return {
      {operator_named("aten::copy_", ""), {out, self, false}, {out}},
      {operator_named(in_place, ""), std::move(args), {out}}};
}

/// An operator of a tensor and a number is the one of two tensors, of which the second is that number.
Rewrite numbered(const char *name, const char *overload = "Tensor") {
  return [name, overload](const Record &record) -> std::vector<Record> {
    std::vector<c10::IValue> args = record.args;
    args[1] = wrapped_number(args[1].toScalar());
    return {{operator_named(name, overload), std::move(args), record.outs}};
  };
}

/// other - self * alpha.
std::vector<Record> reversed_subtraction(const Record &record) {
  const c10::IValue &other = record.args[1];
  return {
      {operator_named("aten::sub", "Tensor"),
       {other.isTensor() ? other : wrapped_number(other.toScalar()), record.args[0], record.args[2]},
       record.outs}};
}

/// Over all dimensions.
Rewrite whole(const char *name, const char *overload) {
  return [name, overload](const Record &record) -> std::vector<Record> {
    return {
        {operator_named(name, overload), {record.args[0], std::vector<int64_t>(), false, record.args[1]}, record.outs}};
  };
}

/// One call for each tensor of a list. `rest(i)` are the arguments behind the tensor.
std::vector<Record> each(
    const Record &record, const char *name, const std::function<std::vector<c10::IValue>(size_t)> &rest) {
  const c10::OperatorHandle op = operator_named(name, "Tensor");
  const std::vector<at::Tensor> tensors = record.args[0].toTensorVector();
  std::vector<Record> calls;
  for (size_t i = 0; i < tensors.size(); i++) {
    std::vector<c10::IValue> args = rest(i);
    args.insert(args.begin(), tensors[i]);
    calls.push_back({op, std::move(args), {tensors[i]}});
  }
  return calls;
}

const std::unordered_map<std::string, Rewrite> &rewrites() {
  static const auto *all = new std::unordered_map<std::string, Rewrite>{
      {"aten::relu", relu},
      {"aten::relu_", relu_in_place},
      {"aten::embedding", embedding},
      {"aten::addmm", [](const Record &record) { return product(record, "aten::addmm_"); }},
      {"aten::baddbmm", [](const Record &record) { return product(record, "aten::baddbmm_"); }},
      {"aten::add.Scalar", numbered("aten::add")},
      {"aten::add_.Scalar", numbered("aten::add_")},
      {"aten::sub.Scalar", numbered("aten::sub")},
      {"aten::sub_.Scalar", numbered("aten::sub_")},
      {"aten::mul.Scalar", numbered("aten::mul")},
      {"aten::mul_.Scalar", numbered("aten::mul_")},
      {"aten::div.Scalar", numbered("aten::div")},
      {"aten::div_.Scalar", numbered("aten::div_")},
      {"aten::div.Scalar_mode", numbered("aten::div", "Tensor_mode")},
      {"aten::div_.Scalar_mode", numbered("aten::div_", "Tensor_mode")},
      {"aten::rsub.Tensor", reversed_subtraction},
      {"aten::rsub.Scalar", reversed_subtraction},
      {"aten::sum", whole("aten::sum", "dim_IntList")},
      {"aten::mean", whole("aten::mean", "dim")},
      {"aten::mse_loss", loss},
      {"aten::smooth_l1_loss", loss},
      {"aten::_foreach_add_.Scalar",
       [](const Record &record) {
         const c10::IValue number = wrapped_number(record.args[1].toScalar());
         return each(record, "aten::add_", [&](size_t) { return std::vector<c10::IValue>{number, at::Scalar(1)}; });
       }},
      {"aten::_foreach_mul_.Scalar",
       [](const Record &record) {
         // The number comes first, as where LibTorch multiplies by one: it is rounded to the tensor's dtype then.
         const c10::OperatorHandle op = operator_named("aten::mul", "out");
         const c10::IValue number = wrapped_number(record.args[1].toScalar());
         std::vector<Record> calls;
         for (const at::Tensor &tensor : record.args[0].toTensorVector()) {
           calls.push_back({op, {number, tensor, tensor}, {tensor}});
         }
         return calls;
       }},
      {"aten::_foreach_add_.List",
       [](const Record &record) {
         const std::vector<at::Tensor> others = record.args[1].toTensorVector();
         return each(
             record, "aten::add_", [&](size_t i) { return std::vector<c10::IValue>{others[i], record.args[2]}; });
       }},
  };
  return *all;
}

}  // namespace

std::vector<Record> rewritten(const Record &record) {
  const auto found = rewrites().find(name_of(record.op));
  return found == rewrites().end() ? std::vector<Record>() : found->second(record);
}

}  // namespace ctorch::tape
