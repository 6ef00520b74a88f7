// Changing TorchScript modules as a whole: their mode, device and dtype; copies, frozen and optimized ones.
#include <torch/csrc/jit/api/module.h>

#include "core/abi/excerpt.hpp"
#include "core/jit/jit.hpp"

using namespace ctorch;
using torch::jit::Module;

namespace {

std::vector<std::string> names_from(const char *const *names, size_t len, const char *argument) {
  from::check_list(names, len, argument);
  std::vector<std::string> texts;
  texts.reserve(len);
  for (size_t i = 0; i < len; i++) {
    texts.emplace_back(from::string(names[i], (std::string(argument) + "[" + std::to_string(i) + "]").c_str()));
  }
  return texts;
}

/// A module with the programs of another, and of the modules in that: what was inlined from them points there, for
/// tracebacks. It has its own attributes.
Module with_programs_of(const Module &source, const Module &made) {
  struct Kept {
    Module before;  // with what that keeps, and the attributes of `made`
    std::vector<std::shared_ptr<torch::jit::CompilationUnit>> units;
  };
  auto kept = std::make_shared<Kept>();
  kept->before = source;
  static_cast<torch::jit::Object &>(kept->before) = made;
  for (const Module &module : source.modules()) {
    kept->units.push_back(module._ivalue()->compilation_unit());
  }
  Module result = made;
  result.set_delete_memory(std::shared_ptr<char>(kept, reinterpret_cast<char *>(kept.get())));
  return result;
}

/// LibTorch's passes change a module in places while they look at it: they get a copy.
Module frozen(const Module &module, const std::vector<std::string> &preserved, bool optimize_numerics) {
  if (module.attr("training", false).toBool()) {
    fail(CTORCH_ERROR_RUNTIME, "the module is in training mode; only evaluation can be frozen");
  }
  if (!module.find_method("forward")) {
    fail(CTORCH_ERROR_RUNTIME, "the module has no method 'forward'");
  }
  for (const std::string &name : preserved) {
    if (!module.hasattr(name) && !module.find_method(name)) {
      fail(CTORCH_ERROR_RUNTIME, "nothing to preserve is called '" + excerpt(name) + "'");
    }
  }
  return torch::jit::freeze(module, preserved, optimize_numerics);
}

}  // namespace

ctorch_error *ctorch_jit_module_train(ctorch_jit_module *self, bool training) {
  return guard(__func__, [&] { jit::module_of(self).train(training); });
}

bool ctorch_jit_module_is_training(const ctorch_jit_module *self) {
  if (!is_there(self) || !self->script.hasattr("training")) {
    return false;
  }
  const c10::IValue training = self->script.attr("training");
  return training.isBool() && training.toBool();
}

ctorch_error *ctorch_jit_module_to(
    ctorch_jit_module *self, const ctorch_device *device, const ctorch_dtype *dtype, bool non_blocking) {
  return guard(__func__, [&] {
    Module &module = jit::module_of(self);
    const auto place = from::optional_device(device, "device");
    const auto type = from::optional_dtype(dtype, "dtype");
    if (type && !at::isFloatingType(*type) && !at::isComplexType(*type)) {
      fail(CTORCH_ERROR_TYPE, std::string("dtype: a floating-point or complex type, got ") + c10::toString(*type));
    }
    for (const Module &inner : module.modules()) {
      for (size_t i = 0; i < inner.type()->numAttributes(); i++) {
        const c10::IValue value = inner._ivalue()->getSlot(i);
        if (!value.isTensor() || !value.toTensor().defined() ||
            !(inner.type()->is_parameter(i) || inner.type()->is_buffer(i))) {
          continue;
        }
        const at::Tensor &tensor = value.toTensor();
        const bool converts = type && (tensor.is_floating_point() || tensor.is_complex());
        const at::Tensor moved =
            tensor.detach().to(place.value_or(tensor.device()), converts ? *type : tensor.scalar_type(), non_blocking);
        tensor.set_data(moved);
      }
    }
  });
}

ctorch_error *ctorch_jit_module_copy(ctorch_jit_module **out, const ctorch_jit_module *self) {
  return jit::guard_program(__func__, self, [&] {
    to::require(out, "out");
    const Module &module = jit::module_of(self);
    jit::give(with_programs_of(module, module.deepcopy()), out, self->file);
  });
}

ctorch_error *ctorch_jit_module_freeze(
    ctorch_jit_module **out,
    const ctorch_jit_module *self,
    const char *const *preserved,
    size_t preserved_len,
    bool optimize_numerics) {
  return jit::guard_program(__func__, self, [&] {
    to::require(out, "out");
    const Module &module = jit::module_of(self);
    const Module made = frozen(module, names_from(preserved, preserved_len, "preserved"), optimize_numerics);
    jit::give(with_programs_of(module, made), out, self->file);
  });
}

ctorch_error *ctorch_jit_module_optimize_for_inference(
    ctorch_jit_module **out,
    const ctorch_jit_module *self,
    const char *const *other_methods,
    size_t other_methods_len) {
  return jit::guard_program(__func__, self, [&] {
    to::require(out, "out");
    const std::vector<std::string> methods = names_from(other_methods, other_methods_len, "other_methods");
    const Module &module = jit::module_of(self);
    for (const std::string &name : methods) {
      if (!module.find_method(name)) {
        fail(CTORCH_ERROR_RUNTIME, self->name + " has no method '" + excerpt(name) + "'");
      }
    }
    Module ready = module.hasattr("training") ? frozen(module, methods, true) : module.clone();
    jit::give(with_programs_of(module, torch::jit::optimize_for_inference(ready, methods)), out, self->file);
  });
}
