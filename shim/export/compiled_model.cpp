// Models that AOTInductor compiled: c/compiled_model.h, over LibTorch's runner, which opens the library and knows
// its functions. The few that the runner does not pass on are asked of the library.
#include "core/c/compiled_model.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <dlfcn.h>

#include <map>
#include <memory>
#include <set>
#include <string>

#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/torch/aoti.hpp"
#include "core/value/value.hpp"
#include "core/value/value_dict.hpp"
#include "core/value/value_key.hpp"

using namespace ctorch;

namespace {

struct CloseLibrary {
  void operator()(void *library) const { dlclose(library); }
};

using Tensors = std::unordered_map<std::string, at::Tensor>;

}  // namespace

struct compiled_model {
  std::unique_ptr<void, CloseLibrary> library;   // as the runner has it, too
  std::shared_ptr<libtorch::AotiRunner> runner;  // is destroyed before it
  std::map<std::string, std::string> names;      // of constants in the compiled code, by those in Python
  Tensors shared[2];                             // constants whose memory is the caller's: active, inactive
  bool is_swapped = false;                       // which of the two is which
  int64_t num_inputs = -1, num_outputs = -1;
};

namespace {

std::string device_type(const std::string &device) { return device.substr(0, device.find(':')); }

std::shared_ptr<libtorch::AotiRunner> new_runner(const compiled_model_options &options) {
  const auto &registry = torch::inductor::getAOTIModelRunnerRegistry();
  const auto found = registry.find(device_type(options.device));
  if (found == registry.end()) {
    fail(
        CTORCH_ERROR_UNSUPPORTED,
        std::string("a package for the device '") + options.device + "', for which this LibTorch has no runner");
  }
  const std::string library = options.library;
  return libtorch::new_aoti_runner(
      found->second, library, options.num_runners, options.device, library.substr(0, library.rfind('/')),
      options.single_threaded);
}

using CountFunction = AOTIRuntimeError (*)(AOTInductorModelContainerHandle, size_t *);

/// What a function of the library counts; -1 without that function.
int64_t count(const compiled_model &model, const char *name) {
  const auto function = reinterpret_cast<CountFunction>(dlsym(model.library.get(), name));
  size_t number = 0;
  if (function == nullptr || function(libtorch::AotiRunnerInside::container(*model.runner), &number) != 0) {
    return -1;
  }
  return static_cast<int64_t>(number);
}

/// Names of what the code computes of other constants by itself.
std::set<std::string> folded_names(const compiled_model &model) {
  const auto container = libtorch::AotiRunnerInside::container(*model.runner);
  const auto is_folded = reinterpret_cast<AOTIRuntimeError (*)(AOTInductorModelContainerHandle, size_t, bool *)>(
      dlsym(model.library.get(), "AOTInductorModelContainerGetConstantFromFolded"));
  const auto name_of = reinterpret_cast<AOTIRuntimeError (*)(AOTInductorModelContainerHandle, size_t, const char **)>(
      dlsym(model.library.get(), "AOTInductorModelContainerGetConstantName"));
  std::set<std::string> names;
  const int64_t len = count(model, "AOTInductorModelContainerGetNumConstants");
  for (int64_t i = 0; is_folded != nullptr && name_of != nullptr && i < len; i++) {
    bool folded = false;
    const char *name = nullptr;
    if (is_folded(container, i, &folded) == 0 && folded && name_of(container, i, &name) == 0) {
      names.insert(name);
    }
  }
  return names;
}

/// The code reads memory by addresses and strides.
void check_is_memory(const at::Tensor &tensor, const std::string &argument) {
  if (tensor.layout() != at::kStrided || !tensor.has_storage()) {
    fail_argument(argument.c_str(), "compiled code takes tensors with memory and strides alone");
  }
  if (tensor.is_conj() || tensor.is_neg()) {
    fail_argument(
        argument.c_str(), "it is conjugated or negated lazily: give what resolve_conj and resolve_neg make of it");
  }
}

Tensors &shared_of(compiled_model &model, bool is_inactive) { return model.shared[is_inactive != model.is_swapped]; }

}  // namespace

ctorch_error *compiled_model_open(const char *function, compiled_model **out, const compiled_model_options *options) {
  return guard(function, [&] {
    auto model = std::make_unique<compiled_model>();
    model->runner = new_runner(*options);
    model->library.reset(dlopen(options->library, RTLD_LAZY | RTLD_NOLOAD));
    if (model->library == nullptr) {
      fail(CTORCH_ERROR_RUNTIME, "the library that LibTorch opened is not there");
    }
    model->num_inputs = count(*model, "AOTInductorModelContainerGetNumInputs");
    model->num_outputs = count(*model, "AOTInductorModelContainerGetNumOutputs");
    const std::set<std::string> folded = folded_names(*model);
    for (const auto &[name, python_name] : model->runner->getConstantNamesToOriginalFQNs()) {
      if (folded.count(name) == 0) {
        model->names.emplace(python_name.empty() ? name : python_name, name);
      }
    }
    *out = model.release();
  });
}

void compiled_model_close(compiled_model *self) { delete self; }

int64_t compiled_model_num_inputs(const compiled_model *self) { return self->num_inputs; }
int64_t compiled_model_num_outputs(const compiled_model *self) { return self->num_outputs; }

ctorch_error *compiled_model_run(
    const char *function,
    ctorch_tensor_list **out,
    const compiled_model *self,
    const ctorch_tensor *const *inputs,
    size_t inputs_len) {
  return guard(function, [&] {
    from::check_list(inputs, inputs_len, "inputs");
    std::vector<at::Tensor> tensors;
    tensors.reserve(inputs_len);
    for (size_t i = 0; i < inputs_len; i++) {
      const std::string argument = "inputs[" + std::to_string(i) + "]";
      tensors.push_back(from::tensor(inputs[i], argument.c_str()));
      check_is_memory(tensors.back(), argument);
    }
    to::give(self->runner->run(tensors), out);
  });
}

ctorch_error *compiled_model_call_spec(
    const char *function, ctorch_string **out_arguments, ctorch_string **out_results, const compiled_model *self) {
  return guard(function, [&] {
    std::vector<std::string> specs = self->runner->get_call_spec();
    if (specs.size() != 2) {
      fail(CTORCH_ERROR_FORMAT, "the compiled model has no call spec");
    }
    to::give(std::make_tuple(std::move(specs[0]), std::move(specs[1])), out_arguments, out_results);
  });
}

ctorch_error *compiled_model_constant_names(const char *function, ctorch_value **out, const compiled_model *self) {
  return guard(function, [&] {
    c10::List<std::string> names;
    for (const auto &entry : self->names) {
      names.push_back(entry.first);
    }
    to::give_value(std::move(names), out);
  });
}

ctorch_error *compiled_model_constants(
    const char *function, ctorch_value **out, const compiled_model *self, bool is_inactive) {
  return guard(function, [&] {
    const auto found = libtorch::aoti_constants(*self->runner, is_inactive);
    const std::map<std::string, at::Tensor> sorted(found.begin(), found.end());
    c10::impl::GenericDict constants(c10::StringType::get(), c10::TensorType::get());
    for (const auto &[name, tensor] : sorted) {
      insert_key(constants, name, tensor);
    }
    to::give_value(constants, out);
  });
}

ctorch_error *compiled_model_update(
    const char *function,
    compiled_model *self,
    const ctorch_value *constants,
    bool is_inactive,
    bool is_full,
    bool is_user_managed) {
  return guard(function, [&] {
    Tensors given;
    for (const auto &entry : from::value(constants, "constants").toGenericDict()) {
      const c10::IValue key = value_of_key(entry.key());
      const auto name = self->names.find(key.toStringRef());
      if (name == self->names.end()) {
        fail_argument("constants", "the package has no constant '" + key.toStringRef() + "'");
      }
      given[name->second] = entry.value().toTensor();
    }
    // The code gets the addresses of these objects.
    Tensors &kept = is_user_managed ? shared_of(*self, is_inactive) : given;
    libtorch::AotiConstants addresses;
    for (const auto &[name, tensor] : given) {
      addresses.emplace(name, &(kept[name] = tensor));
    }
    libtorch::update_aoti_constants(*self->runner, addresses, is_inactive, is_full, is_user_managed);
  });
}

ctorch_error *compiled_model_update_from_file(const char *function, compiled_model *self, const char *path) {
  return guard(function, [&] { libtorch::read_aoti_blob(*self->runner, path); });
}

ctorch_error *compiled_model_swap(const char *function, compiled_model *self) {
  return guard(function, [&] {
    self->runner->swap_constant_buffer();
    self->is_swapped = !self->is_swapped;
  });
}

ctorch_error *compiled_model_free_inactive(const char *function, compiled_model *self) {
  return guard(function, [&] {
    libtorch::free_inactive_aoti_constants(*self->runner);
    shared_of(*self, true).clear();
  });
}
