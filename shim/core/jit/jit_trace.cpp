// Tracing: a function of C is run once, while LibTorch notes the operators that its tensors go through.
#include <ATen/core/Dict.h>
#include <ATen/ops/allclose_ops.h>
#include <torch/csrc/jit/frontend/tracer.h>

#include "core/abi/callback.hpp"
#include "core/abi/excerpt.hpp"
#include "core/abi/text_stream.hpp"
#include "core/c/jit_tracing.h"
#include "core/jit/jit.hpp"
#include "core/value/coerce.hpp"
#include "core/value/value.hpp"
#include "core/value/value_key.hpp"

using namespace ctorch;
using torch::jit::Module;
using torch::jit::Stack;

namespace {

namespace tracer = torch::jit::tracer;

/// The function that is watched.
struct Traced {
  ctorch_jit_trace_callback function;
  void *payload;

  c10::IValue operator()(const Stack &inputs) const {
    std::vector<c10::intrusive_ptr<ctorch_value>> boxes;
    std::vector<const ctorch_value *> args;
    for (const c10::IValue &input : inputs) {
      boxes.push_back(c10::make_intrusive<ctorch_value>(c10::IValue(input)));
      args.push_back(boxes.back().get());
    }
    ctorch_value *result = nullptr;
    struct Taken {
      ctorch_value *&value;
      ~Taken() { ctorch_value_release(value); }
    } taken{result};
    run_callback("function", [&](ctorch_error **error) {
      return function(&result, 1, args.data(), args.size(), error, payload);
    });
    c10::IValue value = from::value_or_none(result);
    return value;
  }
};

/// A tensor, or a tuple, list or dict of what may be traced.
bool is_traceable(const c10::IValue &value, int depth = 0) {
  if (value.isTensor()) {
    return value.toTensor().defined();
  }
  if (depth > MAX_TYPE_NESTING || !is_container(value)) {
    return false;
  }
  if (value.isGenericDict()) {
    for (const auto &entry : value.toGenericDict()) {
      if (!value_of_key(entry.key()).isString() || !is_traceable(entry.value(), depth + 1)) {
        return false;
      }
    }
    return true;
  }
  Entries entries(value);
  while (const c10::IValue *entry = entries.next()) {
    if (!is_traceable(*entry, depth + 1)) {
      return false;
    }
  }
  return true;
}

/// With lists and dicts of the type of their entries, which the tracer tells things by.
c10::IValue traceable(const c10::IValue &value, const std::string &what) {
  if (!is_traceable(value)) {
    fail(
        CTORCH_ERROR_TYPE,
        what + ": expected a tensor, or a tuple, list or dict from texts of tensors, found " + found_type(value));
  }
  return jit::typed(value, what.c_str());
}

Stack inputs_from(const ctorch_value *const *inputs, size_t len) {
  from::check_list(inputs, len, "inputs");
  Stack stack;
  for (size_t i = 0; i < len; i++) {
    const std::string name = "inputs[" + std::to_string(i) + "]";
    stack.push_back(traceable(from::value(inputs[i], name.c_str()), name));
  }
  return stack;
}

void trace_method(Module &module, const std::string &name, const Traced &function, Stack inputs) {
  if (tracer::isTracing()) {
    fail(CTORCH_ERROR_RUNTIME, "this thread is tracing already");
  }
  const auto run = [&](const Stack &given) { return Stack{traceable(function(given), "the result of the function")}; };
  const auto no_name = [](const at::Tensor &) { return std::string(); };
  const auto state = tracer::trace(std::move(inputs), run, no_name, false, false, &module).first;
  const c10::ClassTypePtr type = module.type();
  type->addMethod(
      module._ivalue()->compilation_unit()->create_function(c10::QualifiedName(*type->name(), name), state->graph));
}

// Comparing results ---------------------------------------------------------------------------------------------------

struct Comparison {
  double rtol, atol;

  void compare(const c10::IValue &got, const c10::IValue &expected, const std::string &path) const {
    if (expected.isTensor() && got.isTensor()) {
      compare_tensors(got.toTensor(), expected.toTensor(), path);
      return;
    }
    if (kind_of(got) != kind_of(expected) || !is_container(expected)) {
      fail_with(path, "the module gives a " + found_type(got) + ", the function a " + found_type(expected));
    }
    if (expected.isGenericDict()) {
      compare_dicts(got.toGenericDict(), expected.toGenericDict(), path);
      return;
    }
    const Entries mine(got), theirs(expected);
    if (mine.size() != theirs.size()) {
      fail_with(
          path, std::to_string(mine.size()) + " entries, and the function's has " + std::to_string(theirs.size()));
    }
    for (size_t i = 0; i < mine.size(); i++) {
      compare(mine[i], theirs[i], path + "[" + std::to_string(i) + "]");
    }
  }

 private:
  [[noreturn]] static void fail_with(const std::string &path, const std::string &problem) {
    fail(CTORCH_ERROR_RUNTIME, "the trace does not compute what the function does: result" + path + ": " + problem);
  }

  void compare_dicts(
      const c10::impl::GenericDict &got, const c10::impl::GenericDict &expected, const std::string &path) const {
    if (got.size() != expected.size()) {
      fail_with(
          path, std::to_string(got.size()) + " entries, and the function's has " + std::to_string(expected.size()));
    }
    for (const auto &entry : expected) {
      const std::string place = path + "[" + value_excerpt(value_of_key(entry.key())) + "]";
      const auto found = got.find(entry.key());
      if (found == got.end()) {
        fail_with(place, "it is missing");
      }
      compare(found->value(), entry.value(), place);
    }
  }

  void compare_tensors(const at::Tensor &got, const at::Tensor &expected, const std::string &path) const {
    TextStream text;
    if (got.sizes() != expected.sizes()) {
      text << "sizes " << got.sizes() << ", and the function's are " << expected.sizes();
      fail_with(path, text.str());
    }
    if (got.scalar_type() != expected.scalar_type() || got.device() != expected.device()) {
      text << c10::toString(got.scalar_type()) << " on " << got.device() << ", and the function's is "
           << c10::toString(expected.scalar_type()) << " on " << expected.device();
      fail_with(path, text.str());
    }
    const at::Tensor a = got.detach().to_dense(), b = expected.detach().to_dense();
    if (!at::_ops::allclose::call(a, b, rtol, atol, true)) {
      const at::Tensor difference = a.to(at::kDouble).sub(b.to(at::kDouble)).abs();
      text << "it differs by up to " << difference.max().item<double>();
      fail_with(path, text.str());
    }
  }
};

void check_tolerance(double value, const char *name) {
  if (!(value >= 0)) {
    fail_argument(name, "a number from 0 on is expected");
  }
}

}  // namespace

bool jit_is_tracing(void) { return tracer::isTracing(); }

ctorch_error *jit_scope_enter(const char *function, const char *name) {
  return guard(function, [&] {
    if (tracer::isTracing()) {
      tracer::getTracingState()->graph->push_scope(name);
    }
  });
}

ctorch_error *jit_scope_leave(const char *function) {
  return guard(function, [&] {
    if (tracer::isTracing()) {
      tracer::getTracingState()->graph->pop_scope();
    }
  });
}

ctorch_error *ctorch_jit_trace(
    ctorch_jit_module **out,
    ctorch_jit_trace_callback function,
    void *payload,
    const ctorch_value *const *inputs,
    size_t inputs_len) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const Traced traced{from::callback(function, "function"), payload};
    Module module{c10::QualifiedName("__torch__.Traced")};
    module.register_attribute("training", c10::BoolType::get(), true);
    trace_method(module, "forward", traced, inputs_from(inputs, inputs_len));
    jit::give(std::move(module), out);
  });
}

ctorch_error *ctorch_jit_module_trace(
    ctorch_jit_module *self,
    const char *method,
    ctorch_jit_trace_callback function,
    void *payload,
    const ctorch_value *const *inputs,
    size_t inputs_len) {
  return guard(__func__, [&] {
    Module &module = jit::module_of(self);
    const std::string name = jit::identifier(method == nullptr ? "forward" : method, "method");
    const Traced traced{from::callback(function, "function"), payload};
    jit::require_free(module, name);
    trace_method(module, name, traced, inputs_from(inputs, inputs_len));
  });
}

ctorch_error *ctorch_jit_check_trace(
    const ctorch_jit_module *self,
    const char *method,
    ctorch_jit_trace_callback function,
    void *payload,
    const ctorch_value *const *inputs,
    size_t inputs_len,
    double rtol,
    double atol) {
  return guard(__func__, [&] {
    torch::jit::Method called = jit::method(self, method);
    const Traced traced{from::callback(function, "function"), payload};
    check_tolerance(rtol, "rtol");
    check_tolerance(atol, "atol");
    const Stack given = inputs_from(inputs, inputs_len);
    Stack mine, theirs;
    for (const c10::IValue &input : given) {
      mine.push_back(deep_copy(input));
      theirs.push_back(deep_copy(input));
    }
    const c10::IValue expected = traceable(traced(theirs), "the result of the function");
    Comparison{rtol, atol}.compare(called(std::move(mine)), expected, "");
  });
}
