// Tensors that carry an object of C: c/mark.h.
#include "core/c/mark.h"

#include <ATen/ops/alias.h>

#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"

using namespace ctorch;

namespace {

/// What LibTorch keeps beside a tensor for a backend. Views and shallow copies ask for a copy of it, and get none.
struct Mark final : c10::BackendMeta {
  explicit Mark(const void *object) : object(object_ref(object)) {}
  ~Mark() override { object_unref(object); }
  Mark(const Mark &) = delete;
  Mark &operator=(const Mark &) = delete;
  c10::intrusive_ptr<c10::BackendMeta> clone(const c10::intrusive_ptr<c10::BackendMeta> &) const override { return {}; }

  void *object;
};

}  // namespace

ctorch_error *tensor_mark(const char *function, ctorch_tensor **out, const ctorch_tensor *tensor, const void *object) {
  return guard(function, [&] {
    to::require(out, "out");
    at::Tensor made = at::alias(from::tensor(tensor, "tensor"));
    made.unsafeGetTensorImpl()->set_backend_meta(c10::make_intrusive<Mark>(object));
    to::give(std::move(made), out);
  });
}

const void *tensor_marked(const ctorch_tensor *self, const object_class *type) {
  if (self == nullptr) {
    return nullptr;
  }
  const auto *mark = dynamic_cast<const Mark *>(impl(self)->get_backend_meta());
  return mark != nullptr && object_class_of(mark->object) == type ? mark->object : nullptr;
}
