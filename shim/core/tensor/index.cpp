// index.h: building an index and applying it.
#include "ctorch/tensor/index.h"

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"
#include "core/tensor/index.hpp"

using namespace ctorch;
using indexing::Index;
using indexing::Integer;
using indexing::Item;

struct ctorch_index final : ctorch::Object {
  explicit ctorch_index(Index &&index) : index(std::move(index)) {}
  const char *type_name() const noexcept override { return "index"; }

  Index index;
};

namespace {

Index parse(
    const char *text, const int64_t *ints, size_t ints_len, const ctorch_tensor *const *tensors, size_t tensors_len) {
  return indexing::parse(
      from::string(text, "text"), from::ints(ints, ints_len, "ints"), from::tensors(tensors, tensors_len, "tensors"));
}

void push(ctorch_index *self, Item &&item) { from::object(self, "self").index.items.push_back(std::move(item)); }

Item bound(const int64_t *value) { return value == nullptr ? Item{indexing::None{}} : Item{Integer(*value)}; }

}  // namespace

ctorch_error *ctorch_index_new(ctorch_index **out) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(c10::make_intrusive<ctorch_index>(Index()), out);
  });
}

ctorch_error *ctorch_index_from_text(
    ctorch_index **out,
    const char *text,
    const int64_t *ints,
    size_t ints_len,
    const ctorch_tensor *const *tensors,
    size_t tensors_len) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(c10::make_intrusive<ctorch_index>(parse(text, ints, ints_len, tensors, tensors_len)), out);
  });
}

void ctorch_index_retain(const ctorch_index *self) { retain_object(self); }

void ctorch_index_release(ctorch_index *self) { release_object(self); }

size_t ctorch_index_len(const ctorch_index *self) { return is_there(self) ? self->index.items.size() : 0; }

ctorch_error *ctorch_index_push_int(ctorch_index *self, int64_t value) {
  return guard(__func__, [&] { push(self, Item{Integer(value)}); });
}

ctorch_error *ctorch_index_push_slice(
    ctorch_index *self, const int64_t *start, const int64_t *stop, const int64_t *step) {
  return guard(__func__, [&] { push(self, Item{indexing::Slice{{bound(start), bound(stop), bound(step)}}}); });
}

ctorch_error *ctorch_index_push_none(ctorch_index *self) {
  return guard(__func__, [&] { push(self, Item{indexing::None{}}); });
}

ctorch_error *ctorch_index_push_ellipsis(ctorch_index *self) {
  return guard(__func__, [&] { push(self, Item{indexing::Ellipsis{}}); });
}

ctorch_error *ctorch_index_push_bool(ctorch_index *self, bool value) {
  return guard(__func__, [&] { push(self, Item{value}); });
}

ctorch_error *ctorch_index_push_tensor(ctorch_index *self, const ctorch_tensor *value) {
  return guard(__func__, [&] {
    from::object(self, "self");
    push(self, Item{at::Tensor(from::tensor(value, "value"))});
  });
}

ctorch_error *ctorch_index_push_ints(ctorch_index *self, const int64_t *values, size_t values_len) {
  return guard(__func__, [&] {
    from::object(self, "self");
    indexing::Sequence list{{}, /*is_tuple=*/false};
    for (int64_t value : from::ints(values, values_len, "values")) {
      list.items.push_back(Item{Integer(value)});
    }
    push(self, Item{std::move(list)});
  });
}

ctorch_error *ctorch_index_push_bools(ctorch_index *self, const bool *values, size_t values_len) {
  return guard(__func__, [&] {
    from::object(self, "self");
    from::check_list(values, values_len, "values");
    indexing::Sequence list{{}, /*is_tuple=*/false};
    for (size_t i = 0; i < values_len; i++) {
      list.items.push_back(Item{from::flag(values + i)});
    }
    push(self, Item{std::move(list)});
  });
}

ctorch_error *ctorch_tensor_index(ctorch_tensor **out, const ctorch_tensor *self, const ctorch_index *index) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(indexing::get(from::tensor(self, "self"), from::object(index, "index").index), out);
  });
}

ctorch_error *ctorch_tensor_index_put(ctorch_tensor *self, const ctorch_index *index, const ctorch_tensor *value) {
  return guard(__func__, [&] {
    indexing::set(from::tensor(self, "self"), from::object(index, "index").index, from::tensor(value, "value"));
  });
}

ctorch_error *ctorch_tensor_index_put_scalar(
    ctorch_tensor *self, const ctorch_index *index, const ctorch_scalar *value) {
  return guard(__func__, [&] {
    indexing::set(from::tensor(self, "self"), from::object(index, "index").index, from::scalar(value, "value"));
  });
}

ctorch_error *ctorch_tensor_index_text(
    ctorch_tensor **out,
    const ctorch_tensor *self,
    const char *text,
    const int64_t *ints,
    size_t ints_len,
    const ctorch_tensor *const *tensors,
    size_t tensors_len) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const at::Tensor &tensor = from::tensor(self, "self");
    to::give(indexing::get(tensor, parse(text, ints, ints_len, tensors, tensors_len)), out);
  });
}

ctorch_error *ctorch_tensor_index_put_text(
    ctorch_tensor *self,
    const char *text,
    const int64_t *ints,
    size_t ints_len,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    const ctorch_tensor *value) {
  return guard(__func__, [&] {
    const at::Tensor &tensor = from::tensor(self, "self");
    const Index index = parse(text, ints, ints_len, tensors, tensors_len);
    indexing::set(tensor, index, from::tensor(value, "value"));
  });
}

ctorch_error *ctorch_tensor_index_put_scalar_text(
    ctorch_tensor *self,
    const char *text,
    const int64_t *ints,
    size_t ints_len,
    const ctorch_tensor *const *tensors,
    size_t tensors_len,
    const ctorch_scalar *value) {
  return guard(__func__, [&] {
    const at::Tensor &tensor = from::tensor(self, "self");
    const Index index = parse(text, ints, ints_len, tensors, tensors_len);
    indexing::set(tensor, index, from::scalar(value, "value"));
  });
}
