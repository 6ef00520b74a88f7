// Tables of functions by which libraries exchange tensors: the one of ours, and calls through those of others.
#include <ATen/core/Tensor.h>

#include <ATen/ops/empty_ops.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/abi/utf8.hpp"
#include "core/dlpack/dlpack.hpp"
#include "core/torch/accelerator.hpp"

using namespace ctorch;
using namespace ctorch::dlpack;

namespace {

// Our table -----------------------------------------------------------------------------------------------------------

const char *python_name(ctorch_error_kind code) {
  switch (code) {
    case CTORCH_ERROR_BUFFER:
      return "BufferError";
    case CTORCH_ERROR_OUT_OF_MEMORY:
      return "MemoryError";
    case CTORCH_ERROR_NULL_ARGUMENT:
    case CTORCH_ERROR_INVALID_ARGUMENT:
    case CTORCH_ERROR_VALUE:
      return "ValueError";
    default:
      return "RuntimeError";
  }
}

int status_of(ctorch_error *error) {
  if (error == nullptr) {
    return 0;
  }
  ctorch_error_release(error);
  return -1;
}

int allocate(
    DLTensor *prototype,
    DLManagedTensorVersioned **out,
    void *error_ctx,
    void (*set_error)(void *error_ctx, const char *kind, const char *message)) {
  ctorch_error *error = guard("managed_tensor_allocator", [&] {
    to::require(prototype, "prototype");
    to::require(out, "out");
    at::Device device = requested_device(prototype->device, "prototype");
    require_device(device, "prototype");
    at::ScalarType dtype = dtype_of(prototype->dtype, 0);
    at::IntArrayRef sizes = shape_of(*prototype, "prototype");
    *out = export_tensor<DLManagedTensorVersioned>(
        at::_ops::empty_memory_format::call(
            c10::fromIntArrayRefSlow(sizes), dtype, at::kStrided, device, false, std::nullopt),
        {});
  });
  if (error != nullptr && set_error != nullptr) {
    set_error(error_ctx, python_name(ctorch_error_kind_of(error)), ctorch_error_message(error));
  }
  return status_of(error);
}

int export_handle(void *object, DLManagedTensorVersioned **out) {
  return status_of(guard("managed_tensor_from_py_object_no_sync", [&] {
    to::require(out, "out");
    ExportOptions options;
    options.with_gradient = true;
    *out =
        export_tensor<DLManagedTensorVersioned>(from::tensor(static_cast<ctorch_tensor *>(object), "object"), options);
  }));
}

int import_handle(DLManagedTensorVersioned *managed, void **out) {
  return status_of(ctorch_tensor_from_dlpack(reinterpret_cast<ctorch_tensor **>(out), nullptr, managed));
}

int describe_handle(void *object, DLTensor *out) {
  return status_of(ctorch_tensor_to_dltensor(out, static_cast<ctorch_tensor *>(object), false));
}

int current_stream(int32_t device_type, int32_t device_id, void **out) {
  return status_of(guard("current_work_stream", [&] {
    to::require(out, "out");
    if (device_type == ONE_API) {
      fail(CTORCH_ERROR_UNSUPPORTED, "the devices of oneAPI are known by their memory");
    }
    at::Device device = device_of({device_type, device_id}, nullptr, "device_id");
    require_device(device, "device_id");
    bool has_streams = device.is_cuda() || device.is_hip();
    *out =
        has_streams ? libtorch::native_handle(c10::impl::VirtualGuardImpl(device.type()).getStream(device)) : nullptr;
  }));
}

constexpr DLPackExchangeAPI TABLE = {
    {VERSION, nullptr}, allocate, export_handle, import_handle, describe_handle, current_stream,
};

// Tables of others ----------------------------------------------------------------------------------------------------

// Older tables hang behind a newer one; no library keeps this many.
constexpr int MAX_OLDER = 16;

const DLPackExchangeAPI &table(const DLPackExchangeAPI *api) {
  if (api == nullptr) {
    fail_null("api");
  }
  const DLPackExchangeAPIHeader *header = &api->header;
  for (int i = 0; i < MAX_OLDER && header != nullptr; i++, header = header->prev_api) {
    if (header->version.major == VERSION.major) {
      return *reinterpret_cast<const DLPackExchangeAPI *>(header);
    }
  }
  const DLPackVersion &version = api->header.version;
  fail(
      CTORCH_ERROR_UNSUPPORTED, "the table is of DLPack " + std::to_string(version.major) + "." +
                                    std::to_string(version.minor) + ", only 1.x is understood");
}

template <class Function>
Function present(Function function, const char *name) {
  if (function == nullptr) {
    fail(CTORCH_ERROR_UNSUPPORTED, std::string("the table has no ") + name);
  }
  return function;
}
#define FUNCTION_OF(table, name) present((table).name, #name)

/// What a function of the table answered, and what it was to write.
void check_answer(int status, const void *result, const char *name) {
  if (status != 0) {
    fail(CTORCH_ERROR_PYTHON, std::string(name) + " of the table failed with status " + std::to_string(status));
  }
  if (result == nullptr) {
    fail(CTORCH_ERROR_PYTHON, std::string(name) + " of the table succeeded, but returned nothing");
  }
}

/// What an allocator says when it fails.
struct Reason {
  std::string text;

  static void set(void *self, const char *kind, const char *message) noexcept {
    try {
      std::string text = std::string(kind == nullptr ? "error" : kind) + ": " + (message == nullptr ? "" : message);
      static_cast<Reason *>(self)->text = is_utf8(text) ? text : "a reason that is not UTF-8";
    } catch (...) {  // out of memory: the failure is reported without its reason
    }
  }
};

at::Device optional_cpu(const ctorch_device *device) {
  return device == nullptr ? at::Device(at::kCPU) : from::device(device, "device");
}

}  // namespace

const struct DLPackExchangeAPI *ctorch_dlpack_exchange_api(void) { return &TABLE; }

ctorch_error *ctorch_dlpack_exchange_import(
    ctorch_tensor **out, uint64_t *out_flags, const struct DLPackExchangeAPI *api, void *object) {
  return guard(__func__, [&] {
    to::require(out, "out");
    auto convert = FUNCTION_OF(table(api), managed_tensor_from_py_object_no_sync);
    to::require(object, "object");
    DLManagedTensorVersioned *managed = nullptr;
    int status = convert(object, &managed);
    check_answer(status, managed, "managed_tensor_from_py_object_no_sync");
    Owned<DLManagedTensorVersioned> owned(managed);
    uint64_t flags = 0;
    to::give(import_tensor(owned, flags, "object"), out);
    if (out_flags != nullptr) {
      *out_flags = flags;
    }
  });
}

ctorch_error *ctorch_dlpack_exchange_borrow(ctorch_tensor **out, const struct DLPackExchangeAPI *api, void *object) {
  return guard(__func__, [&] {
    to::require(out, "out");
    auto describe = FUNCTION_OF(table(api), dltensor_from_py_object_no_sync);
    to::require(object, "object");
    DLTensor description = {};
    check_answer(describe(object, &description), &description, "dltensor_from_py_object_no_sync");
    to::give(borrow_tensor(description, "object"), out);
  });
}

ctorch_error *ctorch_dlpack_exchange_export(void **out, const struct DLPackExchangeAPI *api, ctorch_tensor *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const DLPackExchangeAPI &theirs = table(api);
    auto convert = FUNCTION_OF(theirs, managed_tensor_to_py_object_no_sync);
    ExportOptions options;
    options.padding_is_known = theirs.header.version.minor >= 1;
    auto *managed = export_tensor<DLManagedTensorVersioned>(from::tensor(self, "self"), options);
    void *object = nullptr;
    int status = convert(managed, &object);  // it is theirs, also if this fails
    check_answer(status, object, "managed_tensor_to_py_object_no_sync");
    *out = object;
  });
}

ctorch_error *ctorch_dlpack_exchange_empty(
    ctorch_tensor **out,
    const struct DLPackExchangeAPI *api,
    const int64_t *sizes,
    size_t sizes_len,
    ctorch_dtype dtype,
    const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    auto allocate = FUNCTION_OF(table(api), managed_tensor_allocator);
    at::IntArrayRef shape = from::ints(sizes, sizes_len, "sizes");
    DLTensor prototype = {};
    prototype.device = device_of(optional_cpu(device));
    prototype.ndim = static_cast<int32_t>(shape.size());
    prototype.dtype = element_type(from::dtype(dtype, "dtype")).type;
    prototype.shape = const_cast<int64_t *>(shape.data());
    shape_of(prototype, "sizes");

    Reason reason;
    DLManagedTensorVersioned *managed = nullptr;
    if (int status = allocate(&prototype, &managed, &reason, Reason::set); status != 0 || managed == nullptr) {
      fail(CTORCH_ERROR_CALLBACK, "the table's allocator failed: " + (reason.text.empty() ? "no reason" : reason.text));
    }
    Owned<DLManagedTensorVersioned> owned(managed);
    uint64_t flags = 0;
    to::give(import_tensor(owned, flags, "api"), out);
  });
}

ctorch_error *ctorch_dlpack_exchange_stream(
    void **out, const struct DLPackExchangeAPI *api, const ctorch_device *device) {
  return guard(__func__, [&] {
    to::require(out, "out");
    auto current = FUNCTION_OF(table(api), current_work_stream);
    DLDevice where = device_of(optional_cpu(device));
    void *stream = nullptr;
    check_answer(current(where.device_type, where.device_id, &stream), &stream, "current_work_stream");
    *out = stream;
  });
}
