// What a TorchScript module's methods are: their names, schemas, source and graphs.
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/serialization/python_print.h>

#include "core/abi/text_stream.hpp"
#include "core/jit/jit.hpp"
#include "core/value/value.hpp"

using namespace ctorch;

namespace {

/// What `print` makes of a method.
template <class Print>
ctorch_error *give_text(
    const char *function, ctorch_string **out, const ctorch_jit_module *self, const char *method, Print &&print) {
  return jit::guard_program(function, self, [&] {
    to::require(out, "out");
    to::give(std::string(print(jit::method(self, method))), out);
  });
}

}  // namespace

bool ctorch_jit_module_has_method(const ctorch_jit_module *self, const char *method) {
  return is_there(self) && method != nullptr && self->script.type()->findMethod(method) != nullptr;
}

ctorch_error *ctorch_jit_module_method_names(ctorch_value **out, const ctorch_jit_module *self) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::List<std::string> names;
    for (const torch::jit::Function *method : jit::module_of(self).type()->methods()) {
      names.push_back(method->name());
    }
    to::give_value(names, out);
  });
}

void jit::check_locale() {
  if (locale_groups_digits()) {
    fail(
        CTORCH_ERROR_UNSUPPORTED,
        "the C++ locale of this process groups digits, and LibTorch would write them so into TorchScript's source: "
        "call "
        "std::locale::global(std::locale::classic()) around this");
  }
}

ctorch_error *ctorch_jit_module_schema(ctorch_string **out, const ctorch_jit_module *self, const char *method) {
  return give_text(__func__, out, self, method, [](const torch::jit::Method &found) {
    TextStream text;
    text << found.function().getSchema();
    return text.str();
  });
}

ctorch_error *ctorch_jit_module_code(ctorch_string **out, const ctorch_jit_module *self, const char *method) {
  return give_text(__func__, out, self, method, [](const torch::jit::Method &found) {
    jit::check_locale();
    std::vector<c10::IValue> constants;
    torch::jit::PrintDepsTable classes;
    torch::jit::PythonPrint printer(constants, classes);
    printer.printMethod(found.function());
    return printer.str();
  });
}

ctorch_error *ctorch_jit_module_graph(
    ctorch_string **out, const ctorch_jit_module *self, const char *method, bool inlined) {
  return give_text(__func__, out, self, method, [&](const torch::jit::Method &found) {
    auto graph = found.graph();
    if (inlined) {
      graph = graph->copy();
      torch::jit::Inline(*graph);
    }
    TextStream text;
    text << *graph;
    return text.str();
  });
}
