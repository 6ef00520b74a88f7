// TorchScript modules: their handles, and making them of source text.
#include "core/jit/jit.hpp"

#include <string.h>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/passes/inliner.h>

#include "core/abi/excerpt.hpp"
#include "core/c/error.h"
#include "core/jit/source.hpp"
#include "core/value/coerce.hpp"
#include "core/value/value.hpp"

using namespace ctorch;
using torch::jit::Module;

namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9'); }

bool is_identifier(std::string_view text) {
  return !text.empty() && (text[0] < '0' || text[0] > '9') && std::all_of(text.begin(), text.end(), is_word);
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// An empty module of a class that is new.
Module new_module(const std::string &name) {
  Module module{c10::QualifiedName("__torch__." + name)};
  module.register_attribute("training", c10::BoolType::get(), true);
  return module;
}

/// A function as a method: with a parameter `self` that it does not use.
void add_function(const Module &module, const torch::jit::Function &function) {
  auto graph = torch::jit::toGraphFunction(function).graph()->copy();
  torch::jit::Inline(*graph);  // a file has methods, and no functions beside them
  const c10::ClassTypePtr type = module.type();
  graph->insertInput(0, "self")->setType(type);
  auto *method = module._ivalue()->compilation_unit()->create_function(
      c10::QualifiedName(*type->name(), function.name()), std::move(graph));
  std::vector<c10::Argument> arguments{c10::Argument("self", type)};
  const c10::FunctionSchema &schema = function.getSchema();
  arguments.insert(arguments.end(), schema.arguments().begin(), schema.arguments().end());
  method->setSchema(schema.cloneWithArguments(std::move(arguments)));
  type->addMethod(method);
}

}  // namespace

namespace ctorch::jit {

void give(Module module, ctorch_jit_module **out, const std::string &file) {
  auto made = c10::make_intrusive<ctorch_jit_module>(std::move(module));
  made->file = file;
  to::give(std::move(made), out);
}

ctorch_error *at_file(const ctorch_jit_module *self, ctorch_error *error) noexcept {
  if (error == nullptr || self == nullptr || self->file.empty() ||
      strstr(ctorch_error_message(error), "INTERNAL ASSERT FAILED") == nullptr) {
    return error;
  }
  return error_at(
      error,
      "%.1000s: LibTorch gave up while it ran the program, which may be damaged, or expect arguments of other types",
      self->file.c_str());
}

std::string method_name(const char *name) { return std::string(from::string_or(name, "method", "forward")); }

torch::jit::Method method(const ctorch_jit_module *self, const char *name) {
  const Module &module = module_of(self);
  const std::string text = method_name(name);
  if (auto found = module.find_method(text)) {
    return *found;
  }
  fail(CTORCH_ERROR_RUNTIME, self->name + " has no method '" + excerpt(text) + "'");
}

Place find_place(const Module &module, const char *name) {
  const std::string_view path = from::string(name, "name");
  Module at = module;
  size_t begin = 0;
  for (size_t dot; (dot = path.find('.', begin)) != path.npos; begin = dot + 1) {
    const std::string part(path.substr(begin, dot - begin));
    const auto slot = at.type()->findAttributeSlot(part);
    if (!slot || !at.type()->is_module() || !at._ivalue()->getSlot(*slot).isModule()) {
      fail(CTORCH_ERROR_INDEX, "no module '" + excerpt(path.substr(0, dot)) + "'");
    }
    at = at._ivalue()->getSlot(*slot).toModule();
  }
  return {at, std::string(path.substr(begin))};
}

std::string identifier(const char *text, const char *argument) {
  const std::string_view name = from::string(text, argument);
  if (!is_identifier(name) && !is_number(name)) {
    fail_argument(argument, "'" + excerpt(name) + "' is no identifier");
  }
  return std::string(name);
}

void require_free(const Module &module, const std::string &name) {
  if (module.hasattr(name) || module.find_method(name)) {
    fail(CTORCH_ERROR_RUNTIME, "the module has a '" + excerpt(name) + "' already");
  }
}

void check_source(std::string_view source, const char *argument) {
  if (const auto problem = problem_with_source(source)) {
    fail_argument(argument, *problem);
  }
}

c10::IValue typed(c10::IValue value, const char *argument) {
  const c10::TypePtr type = inferred_type(value);
  coerce(value, type, argument);
  return value;
}

}  // namespace ctorch::jit

void ctorch_jit_module_retain(const ctorch_jit_module *self) { retain_object(self); }

void ctorch_jit_module_release(ctorch_jit_module *self) { release_object(self); }

ctorch_error *ctorch_jit_module_new(ctorch_jit_module **out, const char *name) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const std::string_view text = from::string_or(name, "name", "Module");
    if (!is_identifier(text)) {
      fail_argument("name", "'" + excerpt(text) + "' is no identifier");
    }
    jit::give(new_module(std::string(text)), out);
  });
}

ctorch_error *ctorch_jit_compile(ctorch_jit_module **out, const char *source) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const std::string text(from::string(source, "source"));
    jit::check_source(text, "source");
    Module module = new_module("Functions");
    // In the unit of the methods: what is inlined points to where it came from, for tracebacks.
    const auto unit = module._ivalue()->compilation_unit();
    const auto functions = jit::parsing(
        [&] { return unit->define(c10::QualifiedName("__torch__"), text, torch::jit::nativeResolver(), nullptr); });
    for (const torch::jit::Function *function : functions) {
      add_function(module, *function);
    }
    jit::give(std::move(module), out);
  });
}

ctorch_error *ctorch_jit_module_define(ctorch_jit_module *self, const char *source) {
  return guard(__func__, [&] {
    Module &module = jit::module_of(self);
    const std::string text(from::string(source, "source"));
    jit::check_source(text, "source");
    jit::parsing([&] { module.define(text); });
  });
}

const char *ctorch_jit_module_name(const ctorch_jit_module *self) {
  return is_there(self) ? self->name.c_str() : nullptr;
}
