// A ctorch_jit_module: one torch::jit::Module in a box, and how its parts are found by their names.
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>

#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"
#include "ctorch/jit/jit.h"

struct ctorch_jit_module final : ctorch::Object {
  explicit ctorch_jit_module(torch::jit::Module &&script)
      : script(std::move(script)), name(this->script.type()->name()->qualifiedName()) {}
  const char *type_name() const noexcept override { return "jit_module"; }

  torch::jit::Module script;
  const std::string name;  // of its class
};

namespace ctorch::jit {

inline torch::jit::Module &module_of(ctorch_jit_module *self, const char *name = "self") {
  return from::object(self, name).script;
}
inline const torch::jit::Module &module_of(const ctorch_jit_module *self, const char *name = "self") {
  return from::object(self, name).script;
}

/// Hand a module out.
void give(torch::jit::Module module, ctorch_jit_module **out);

/// RUNTIME if there is no such method. NULL is "forward".
torch::jit::Method method(const ctorch_jit_module *self, const char *name);
/// The same by its text.
std::string method_name(const char *name);

/// An owner of an attribute, and the last part of the attribute's dotted name.
struct Place {
  torch::jit::Module owner;
  std::string name;
};
/// Follow a dotted name through modules; INDEX if one of those in front of the last dot is not there.
Place find_place(const torch::jit::Module &module, const char *name);

/// INVALID_ARGUMENT if it is none that TorchScript's source could name.
std::string identifier(const char *text, const char *argument);
/// RUNTIME if a module has a member of this name.
void require_free(const torch::jit::Module &module, const std::string &name);

/// INVALID_ARGUMENT for a source that the compiler, which works by recursion, would have to go too deep for.
void check_source(std::string_view source, const char *argument);

/// LibTorch writes TorchScript's source with the numbers of the C++ locale, and could not read 1.000 back: UNSUPPORTED
/// if that groups digits.
void check_locale();

/// Run what reads a source text. LibTorch's parser has one exception for what is wrong in the text, and another for
/// what is not there any more.
template <class Read>
auto parsing(Read &&read) try {
  return read();
} catch (const std::runtime_error &error) {
  fail(CTORCH_ERROR_SYNTAX, error.what());
}

/// What a value is in TorchScript: with containers of the type of their entries. TYPE if it has none.
c10::IValue typed(c10::IValue value, const char *argument);

}  // namespace ctorch::jit
