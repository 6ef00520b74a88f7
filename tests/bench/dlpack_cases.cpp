#include <ATen/DLConvertor.h>
#include <ATen/ops/ones.h>
#include <stdio.h>
#include <stdlib.h>

#include "cases.hpp"
#include "ctorch.h"

namespace {

void check(ctorch_error *error) {
  if (__builtin_expect(error != nullptr, false)) {
    fprintf(stderr, "%s\n", ctorch_error_message(error));
    abort();
  }
}

template <class Direct, class Ctorch>
Case make_case(const char *name, Direct direct, Ctorch ctorch) {
  return {name, {{"direct", repeat(direct)}, {"ctorch", repeat(ctorch)}}};
}

}  // namespace

std::vector<Case> dlpack_cases() {
  static at::Tensor tensor = at::ones({2, 3, 4});
  auto *handle = reinterpret_cast<ctorch_tensor *>(tensor.unsafeGetTensorImpl());
  // Another library's tensor, which is imported over and over.
  static DLManagedTensorVersioned foreign = *at::toDLPackVersioned(tensor);
  foreign.deleter = [](DLManagedTensorVersioned *) {};

  return {
      make_case(
          "export, release",
          [] {
            DLManagedTensorVersioned *managed = at::toDLPackVersioned(tensor);
            use(managed);
            managed->deleter(managed);
          },
          [=] {
            DLManagedTensorVersioned *managed;
            check(ctorch_tensor_to_dlpack(&managed, handle, nullptr, nullptr, nullptr, false));
            use(managed);
            managed->deleter(managed);
          }),
      make_case(
          "export unversioned, release",
          [] {
            DLManagedTensor *managed = at::toDLPack(tensor);
            use(managed);
            managed->deleter(managed);
          },
          [=] {
            DLManagedTensor *managed;
            check(ctorch_tensor_to_dlpack_unversioned(&managed, handle, nullptr, nullptr, nullptr));
            use(managed);
            managed->deleter(managed);
          }),
      make_case(
          "import, release", [] { use(at::fromDLPackVersioned(&foreign)); },
          [] {
            ctorch_tensor *out;
            check(ctorch_tensor_from_dlpack(&out, nullptr, &foreign));
            ctorch_tensor_release(out);
          }),
      make_case(
          "export, import, release", [] { use(at::fromDLPackVersioned(at::toDLPackVersioned(tensor))); },
          [=] {
            DLManagedTensorVersioned *managed;
            ctorch_tensor *out;
            check(ctorch_tensor_to_dlpack(&managed, handle, nullptr, nullptr, nullptr, false));
            check(ctorch_tensor_from_dlpack(&out, nullptr, managed));
            ctorch_tensor_release(out);
          }),
      make_case(
          "DLTensor of a tensor",
          [] {
            DLTensor view;
            at::toDLPackNonOwning(tensor, &view);
            use(view);
          },
          [=] {
            DLTensor view;
            check(ctorch_tensor_to_dltensor(&view, handle, false));
            use(view);
          }),
      // What a call that takes a tensor costs whichever way it is described: LibTorch's two allocations.
      make_case(
          "two allocations and nothing else",
          [] {
            c10::Storage storage(
                c10::Storage::use_byte_size_t(), size_t{96}, at::DataPtr(foreign.dl_tensor.data, at::kCPU));
            use(at::detail::make_tensor<at::TensorImpl>(
                std::move(storage), c10::DispatchKey::CPU, caffe2::TypeMeta::Make<float>()));
          },
          [] {
            ctorch_tensor *out;
            check(ctorch_tensor_from_dltensor(&out, &foreign.dl_tensor, nullptr, nullptr));
            ctorch_tensor_release(out);
          }),
  };
}
