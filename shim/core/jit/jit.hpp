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
  std::string file;        // that it was loaded from, for messages; "" for none
};

namespace ctorch::jit {

inline torch::jit::Module &module_of(ctorch_jit_module *self, const char *name = "self") {
  return from::object(self, name).script;
}
inline const torch::jit::Module &module_of(const ctorch_jit_module *self, const char *name = "self") {
  return from::object(self, name).script;
}

/// Hand a module out: one that was loaded from a file, or is made of one that was.
void give(torch::jit::Module module, ctorch_jit_module **out, const std::string &file = {});

/// An internal assertion of LibTorch's that a program ran into, with the file that the program is from. Other errors
/// and NULL stay as they are.
ctorch_error *at_file(const ctorch_jit_module *self, ctorch_error *error) noexcept;

/// As guard, for what runs, prints or changes the program of a module.
template <class Body>
ctorch_error *guard_program(const char *function, const ctorch_jit_module *self, Body &&body) noexcept {
  return at_file(self, guard(function, std::forward<Body>(body)));
}

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
