// Python's indexing: what torch/csrc/autograd/python_variable_indexing.cpp and, for lists, tensor_new.cpp do with
// Python objects. What ATen/TensorIndexing.h does for both languages is left to it. The order of the checks is
// Python's, so that an index with two faults gets the same error.
#include "core/tensor/index.hpp"

#include <ATen/DeviceGuard.h>
#include <ATen/EmptyTensor.h>
#include <ATen/TensorIndexing.h>
#include <ATen/TracerMode.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/alias_ops.h>
#include <ATen/ops/is_nonzero_ops.h>
#include <ATen/ops/lift_fresh_ops.h>
#include <ATen/ops/to_ops.h>

#include <limits>
#include <optional>

#include "core/abi/text_stream.hpp"

namespace ctorch::indexing {

namespace {

using at::indexing::TensorIndex;

constexpr int64_t MOST = std::numeric_limits<int64_t>::max();
constexpr int64_t LEAST = std::numeric_limits<int64_t>::min();

const char *type_name(const Item &item) {
  struct Name {
    const char *operator()(const None &) const { return "NoneType"; }
    const char *operator()(const Ellipsis &) const { return "ellipsis"; }
    const char *operator()(bool) const { return "bool"; }
    const char *operator()(const Integer &) const { return "int"; }
    const char *operator()(double) const { return "float"; }
    const char *operator()(const at::Tensor &) const { return "Tensor"; }
    const char *operator()(const Slice &) const { return "slice"; }
    const char *operator()(const Sequence &sequence) const { return sequence.is_tuple ? "tuple" : "list"; }
  };
  return std::visit(Name{}, item.value);
}

/// What `Tensor.__index__` answers.
int64_t index_of(const at::Tensor &tensor) {
  TORCH_CHECK_TYPE(
      at::isIntegralType(tensor.scalar_type(), /*includeBool=*/true) && tensor.sym_numel() == 1,
      "only integer tensors of a single element can be converted to an index");
  return tensor.item<int64_t>();
}

// Lists ---------------------------------------------------------------------------------------------------------------

/// The dtype that torch.tensor would choose.
at::ScalarType dtype_of(const Item &item) {
  if (item.as<bool>() != nullptr) {
    return at::kBool;
  }
  if (item.as<Integer>() != nullptr) {
    return at::kLong;
  }
  if (item.as<double>() != nullptr) {
    return at::kDouble;
  }
  if (const auto *tensor = item.as<at::Tensor>()) {
    return tensor->scalar_type();
  }
  const auto *sequence = item.as<Sequence>();
  TORCH_CHECK(sequence != nullptr, "Could not infer dtype of ", type_name(item));
  std::optional<at::ScalarType> dtype;
  for (const Item &element : sequence->items) {
    at::ScalarType next = dtype_of(element);
    dtype = dtype ? at::promoteTypes(*dtype, next) : next;
  }
  return dtype.value_or(at::kDouble);
}

/// As many dimensions as the first items are lists within each other.
std::vector<int64_t> sizes_of(const Sequence &sequence) {
  std::vector<int64_t> sizes;
  for (const Sequence *level = &sequence; level != nullptr;) {
    sizes.push_back(static_cast<int64_t>(level->items.size()));
    level = level->items.empty() ? nullptr : level->items.front().as<Sequence>();
  }
  return sizes;
}

int64_t position_of(const Item &item) {
  if (const auto *flag = item.as<bool>()) {
    return *flag ? 1 : 0;
  }
  if (const auto *integer = item.as<Integer>()) {
    return integer->checked();
  }
  if (const auto *number = item.as<double>()) {
    return c10::checked_convert<int64_t, double>(*number, "int64");
  }
  if (const auto *tensor = item.as<at::Tensor>()) {
    return index_of(*tensor);
  }
  TORCH_CHECK_TYPE(false, "'", type_name(item), "' object cannot be interpreted as an integer");
}

bool is_true(const Item &item) {
  if (const auto *tensor = item.as<at::Tensor>()) {
    return at::_ops::is_nonzero::call(*tensor);
  }
  return position_of(item) != 0;
}

/// Write the elements of a sequence row by row, and answer where the next ones go.
template <class T, class Convert>
T *store(T *data, const Item &item, at::IntArrayRef sizes, size_t dim, Convert &&convert) {
  if (dim == sizes.size()) {
    *data = static_cast<T>(convert(item));
    return data + 1;
  }
  const auto *sequence = item.as<Sequence>();
  TORCH_CHECK_TYPE(sequence != nullptr, "not a sequence");
  TORCH_CHECK_VALUE(
      static_cast<int64_t>(sequence->items.size()) == sizes[dim], "expected sequence of length ", sizes[dim],
      " at dim ", dim, " (got ", sequence->items.size(), ")");
  for (const Item &element : sequence->items) {
    data = store(data, element, sizes, dim + 1, convert);
  }
  return data;
}

/// A list as an index tensor, or as a mask if all of it is bool (or uint8).
at::Tensor tensor_of(const Item &item, at::Device device) {
  const std::vector<int64_t> sizes = sizes_of(*item.as<Sequence>());
  at::ScalarType dtype = dtype_of(item);
  if (dtype != at::kBool && dtype != at::kByte) {
    dtype = at::kLong;
  }
  at::Tensor tensor = at::detail::empty_cpu(sizes, dtype);  // not by the dispatcher: functorch would wrap it
  if (tensor.numel() != 0) {
    if (dtype == at::kBool) {
      store(tensor.mutable_data_ptr<bool>(), item, sizes, 0, is_true);
    } else if (dtype == at::kByte) {
      store(tensor.mutable_data_ptr<uint8_t>(), item, sizes, 0, position_of);
    } else {
      store(tensor.mutable_data_ptr<int64_t>(), item, sizes, 0, position_of);
    }
  }
  return device.is_cpu() ? tensor : at::_ops::to_device::call(tensor, device, dtype, false, false, std::nullopt);
}

// Slices --------------------------------------------------------------------------------------------------------------

/// A bound as `__index__` gives it, cut off where Python cuts it off.
std::optional<c10::SymInt> bound_of(const Item &item) {
  if (item.as<None>() != nullptr) {
    return std::nullopt;
  }
  int64_t value = 0;
  if (const auto *tensor = item.as<at::Tensor>()) {
    value = index_of(*tensor);
  } else if (const auto *integer = item.as<Integer>()) {
    value = integer->saturated();
  } else {
    const auto *flag = item.as<bool>();
    TORCH_CHECK_TYPE(flag != nullptr, "slice indices must be integers or None or have an __index__ method");
    value = *flag ? 1 : 0;
  }
  if (value < at::indexing::INDEX_MIN) {
    TORCH_WARN(
        "Truncating the start/stop/step of slice. This is likely because of saved old models when the "
        "start/stop/step were larger.");
    value = at::indexing::INDEX_MIN;
  }
  return value;
}

/// The end of a slice is Python's, not that of at::indexing::Slice, which is smaller.
TensorIndex tensor_index_of(const Slice &slice) {
  const c10::SymInt step = bound_of(slice.bounds[2]).value_or(1);
  TORCH_CHECK_VALUE(step != 0, "slice step cannot be zero");
  const c10::SymInt start = bound_of(slice.bounds[0]).value_or(step < 0 ? MOST : 0);
  const c10::SymInt stop = bound_of(slice.bounds[1]).value_or(step < 0 ? at::indexing::INDEX_MIN : MOST);
  return at::indexing::Slice(start, stop, step);
}

// Items ---------------------------------------------------------------------------------------------------------------

struct ToTensorIndex {
  TensorIndex operator()(const None &) const { return at::indexing::None; }
  TensorIndex operator()(const Ellipsis &) const { return at::indexing::Ellipsis; }
  TensorIndex operator()(bool flag) const { return flag; }
  TensorIndex operator()(const Integer &integer) const { return integer.checked(); }
  TensorIndex operator()(double) const {
    TORCH_CHECK_INDEX(
        false,
        "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got float)");
  }
  TensorIndex operator()(const at::Tensor &tensor) const { return tensor; }
  TensorIndex operator()(const Slice &slice) const { return tensor_index_of(slice); }
  TensorIndex operator()(const Sequence &) const { return tensor_of(item, device); }

  const Item &item;
  at::Device device;
};

TensorIndex tensor_index_of(const Item &item, at::Device device) {
  return std::visit(ToTensorIndex{item, device}, item.value);
}

/// Integers, slices, None, `...` and bools, each alone, are what ATen/TensorIndexing.h has shortcuts for.
bool is_simple(const Index &index) {
  return !index.is_tuple() && index.items[0].as<Sequence>() == nullptr && index.items[0].as<at::Tensor>() == nullptr &&
         index.items[0].as<double>() == nullptr;
}

/// NumPy's old heuristics for a list on its own, which Python's PyTorch still has: x[[[0], [1]]] is x[[0], [1]].
bool is_like_a_tuple(const Sequence &list) {
  if (list.items.size() >= 32) {
    return false;
  }
  for (const Item &item : list.items) {
    if (item.as<at::Tensor>() != nullptr || item.as<Sequence>() != nullptr || item.as<Ellipsis>() != nullptr ||
        item.as<None>() != nullptr) {
      TORCH_WARN(
          "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; "
          "use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, "
          "x[torch.tensor(seq)], which will result either in an error or a different result");
      return true;
    }
  }
  return false;
}

const std::vector<Item> &tuple_of(const Index &index) {
  if (!index.is_tuple()) {
    const auto *list = index.items[0].as<Sequence>();
    if (list != nullptr && is_like_a_tuple(*list)) {
      return list->items;
    }
  }
  return index.items;
}

/// Dimensions that the items use up.
int64_t count_dimensions(const std::vector<Item> &items) {
  int64_t count = 0;
  for (const Item &item : items) {
    if (const auto *tensor = item.as<at::Tensor>()) {
      bool is_mask = tensor->scalar_type() == at::kByte || tensor->scalar_type() == at::kBool;
      count += is_mask ? tensor->dim() : 1;
    } else if (item.as<None>() == nullptr && item.as<Ellipsis>() == nullptr && item.as<bool>() == nullptr) {
      count++;
    }
  }
  return count;
}

/// Do what gives views, and collect the tensors that remain, each at its dimension.
at::Tensor apply_views(const at::Tensor &self, const std::vector<Item> &items, std::vector<at::Tensor> &tensors) {
  const bool tracing = at::tracer::impl::is_dispatch_enabled();  // a trace keeps slices that do nothing today
  int64_t dim = 0;
  int64_t specified = count_dimensions(items);
  TORCH_CHECK_INDEX(specified <= self.dim(), "too many indices for tensor of dimension ", self.dim());
  at::Tensor result = self;
  for (size_t i = 0; i < items.size(); i++) {
    const at::Tensor previous = std::move(result);
    std::optional<c10::SymIntArrayRef> sizes;
    if (!previous.is_nested()) {
      sizes = previous.sym_sizes();
    }
    result = at::indexing::handleDimInMultiDimIndexing(
        previous, self, tensor_index_of(items[i], self.device()), &dim, &specified, static_cast<int64_t>(i), tensors,
        tracing, self.device(), sizes);
  }
  return result;
}

at::Tensor value_of(const at::Scalar &number, const at::Tensor &self) {
  at::AutoDispatchBelowADInplaceOrView guard;
  at::tracer::impl::NoTracerDispatchMode tracer_guard;
  at::TensorOptions options = self.options();
  at::Device device = self.is_cuda() ? at::Device(at::kCPU) : self.device();
  if (c10::isQIntType(self.scalar_type())) {
    options = at::device(at::kCPU).dtype(at::kFloat);
    device = at::kCPU;
  }
  at::Tensor value = at::indexing::scalarToTensor(number, options, device);
  return device.is_cpu() ? at::_ops::lift_fresh::call(value) : value;
}

void check_assignable(const at::Tensor &self) {
  const at::Layout layout = self.layout();
  TORCH_CHECK_TYPE(
      layout != at::kSparse && layout != at::kSparseCsr && layout != at::kSparseCsc && layout != at::kSparseBsr &&
          layout != at::kSparseBsc,
      "Cannot assign to a sparse tensor");
}

}  // namespace

Integer::Integer(int64_t value)
    : magnitude(value < 0 ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value)), negative(value < 0) {}

int64_t Integer::checked() const {
  const auto limit = static_cast<uint64_t>(MOST) + (negative ? 1 : 0);
  TORCH_CHECK_VALUE(magnitude <= limit, "Overflow when unpacking long long");
  return saturated();
}

int64_t Integer::saturated() const {
  if (magnitude > static_cast<uint64_t>(MOST)) {
    return negative ? LEAST : MOST;
  }
  const auto value = static_cast<int64_t>(magnitude);
  return negative ? -value : value;
}

at::Tensor get(const at::Tensor &self, const Index &index) {
  const at::OptionalDeviceGuard guard(at::device_of(self));
  if (is_simple(index)) {
    return at::indexing::get_item(self, {tensor_index_of(index.items[0], self.device())});
  }
  std::vector<at::Tensor> tensors;
  at::Tensor view = apply_views(self, tuple_of(index), tensors);
  if (!tensors.empty()) {
    return at::indexing::dispatch_index(view, std::move(tensors));
  }
  return view.is_same(self) ? at::_ops::alias::call(view) : view;
}

void set(const at::Tensor &self, const Index &index, const at::Tensor &value) {
  check_assignable(self);
  const at::OptionalDeviceGuard guard(at::device_of(self));
  if (is_simple(index)) {
    if (const auto *flag = index.items[0].as<bool>(); flag != nullptr && !*flag) {
      return;  // nothing is selected, of whatever kind of tensor
    }
    at::indexing::set_item(
        self, {tensor_index_of(index.items[0], self.device())}, value, at::tracer::impl::is_dispatch_enabled());
    return;
  }
  std::vector<at::Tensor> tensors;
  at::Tensor view = apply_views(self, tuple_of(index), tensors);
  if (tensors.empty()) {
    at::indexing::copy_to(view, value);
    return;
  }
  const c10::SymIntArrayRef sizes = at::indexing::slicePrefix1sSize(value.sym_sizes());
  at::indexing::dispatch_index_put_(
      view, std::move(tensors), sizes.equals(value.sym_sizes()) ? value : value.view_symint(sizes));
}

void set(const at::Tensor &self, const Index &index, const at::Scalar &value) {
  check_assignable(self);
  const at::OptionalDeviceGuard guard(at::device_of(self));
  set(self, index, value_of(value, self));
}

}  // namespace ctorch::indexing
