// The C functions over the transforms of func.hpp: what they are given, what they hand out.
#include "ctorch/func.h"

#include <c10/core/GradMode.h>

#include "callback.hpp"
#include "error.hpp"
#include "from.hpp"
#include "func_layers.hpp"
#include "to.hpp"

using namespace ctorch;
using ctorch::func::Argnums;
using ctorch::func::Dims;
using ctorch::func::Function;
using ctorch::func::Tensors;

struct ctorch_vjp_function final : ctorch::Object {
  explicit ctorch_vjp_function(func::Graph graph) : graph(std::move(graph)) {}
  const char *type_name() const noexcept override { return "vjp_function"; }

  func::Graph graph;
};

struct ctorch_jvp_function final : ctorch::Object {
  explicit ctorch_jvp_function(func::Linearized linearized) : linearized(std::move(linearized)) {}
  const char *type_name() const noexcept override { return "jvp_function"; }

  func::Linearized linearized;
};

namespace {

// What comes in
// ---------------------------------------------------------------------------------------------------------

Tensors tensors(const ctorch_tensor *const *list, size_t len, const char *name) {
  from::check_list(list, len, name);
  Tensors result;
  for (size_t i = 0; i < len; i++) {
    result.push_back(list[i] == nullptr ? at::Tensor() : share(list[i]));
    if (result[i].defined() && func::has_escaped(result[i])) {
      fail(
          CTORCH_ERROR_RUNTIME,
          std::string(name) + "[" + std::to_string(i) + "] has escaped from a vmap, which has ended");
    }
  }
  return result;
}

/// NULL elements are refused.
Tensors defined_tensors(const ctorch_tensor *const *list, size_t len, const char *name) {
  from::check_tensors(list, len, name);
  return tensors(list, len, name);
}

void check_length(size_t len, size_t expected, const char *name) {
  if (len != expected) {
    from::fail_length(len, expected, name);
  }
}

Argnums argnums_or_first(const int64_t *argnums, size_t argnums_len) {
  return from::ints_or(argnums, argnums_len, "argnums", {0}).vec();
}

Dims dims(const int64_t *list, size_t len, size_t expected, const char *name) {
  if (list == nullptr && len == 0) {
    return {};
  }
  from::check_list(list, len, name);
  check_length(len, expected, name);
  Dims result;
  for (size_t i = 0; i < len; i++) {
    result.push_back(list[i] == CTORCH_VMAP_UNMAPPED ? std::nullopt : std::optional<int64_t>(list[i]));
  }
  return result;
}

func::Randomness randomness_of(ctorch_randomness value) {
  switch (value) {
    case CTORCH_RANDOMNESS_ERROR:
      return func::Randomness::Error;
    case CTORCH_RANDOMNESS_SAME:
      return func::Randomness::Same;
    case CTORCH_RANDOMNESS_DIFFERENT:
      return func::Randomness::Different;
    default:
      from::fail_enumerator("randomness", "randomness", value);
  }
}

// The function
// ----------------------------------------------------------------------------------------------------------

/// Where a callback writes to. What it does not come to hand over is released.
class Written {
 public:
  explicit Written(size_t len) : handles_(len, nullptr) {}
  Written(const Written &) = delete;
  Written &operator=(const Written &) = delete;
  ~Written() {
    for (ctorch_tensor *handle : handles_) {
      take_over(handle);
    }
  }

  ctorch_tensor **data() { return handles_.data(); }
  Tensors take() {
    Tensors result;
    result.reserve(handles_.size());
    for (ctorch_tensor *&handle : handles_) {
      result.push_back(take_over(std::exchange(handle, nullptr)));
    }
    return result;
  }

 private:
  std::vector<ctorch_tensor *> handles_;
};

Function function_of(ctorch_func_callback function, void *payload, size_t outputs_len) {
  from::callback(function, "function");
  return [=](const Tensors &inputs) {
    std::vector<const ctorch_tensor *> handles;
    for (const at::Tensor &input : inputs) {
      handles.push_back(to::owned(input));  // no reference moves: it is borrowed
    }
    Written outputs(outputs_len);
    run_callback("function", [&](ctorch_error **error) {
      return function(outputs.data(), outputs_len, handles.data(), handles.size(), error, payload);
    });
    Tensors result = outputs.take();
    for (size_t i = 0; i < result.size(); i++) {
      if (!result[i].defined()) {
        fail(
            CTORCH_ERROR_RUNTIME,
            "the function must only return tensors, but it left output " + std::to_string(i) + " NULL");
      }
      result[i] = func::unwrap_ended(result[i]);
    }
    return result;
  };
}

// What goes out
// ---------------------------------------------------------------------------------------------------------

/// Results on their way to the caller's arrays: all of them arrive, or none.
class Results {
 public:
  void add(Tensors &&values, ctorch_tensor **out) {
    for (size_t i = 0; i < values.size(); i++) {
      results_.push_back({std::move(values[i]), out + i});
    }
  }

  void give() {
    give_with([] {});
  }

  /// `last` may fail too.
  template <class Last>
  void give_with(Last &&last) {
    size_t recorded = 0;
    try {
      for (; recorded < results_.size(); recorded++) {
        hand_out({to::recorded(results_[recorded].value)});
      }
      last();
    } catch (...) {
      while (recorded != 0) {
        recorded--;
        if (results_[recorded].value.defined()) {
          take_back(to::recorded(results_[recorded].value));
        }
      }
      throw;
    }
    for (Result &result : results_) {
      to::assign(result.out, std::move(result.value));
    }
  }

 private:
  struct Result {
    at::Tensor value;
    ctorch_tensor **out;
  };
  std::vector<Result> results_;
};

/// The number of outputs whose derivatives fill a list, `each` for every one of them.
size_t outputs_of(size_t derivatives_len, size_t each, const char *name) {
  if (derivatives_len == 0 || derivatives_len % each != 0) {
    fail_argument(
        name, std::to_string(derivatives_len) + " is not a positive multiple of " + std::to_string(each) +
                  ", the number for each output");
  }
  return derivatives_len / each;
}

}  // namespace

ctorch_error *ctorch_func_vmap(
    ctorch_tensor **outputs,
    size_t outputs_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *in_dims,
    size_t in_dims_len,
    const int64_t *out_dims,
    size_t out_dims_len,
    ctorch_randomness randomness,
    const int64_t *chunk_size) {
  return guard(__func__, [&] {
    from::check_list(outputs, outputs_len, "outputs");
    const Function mapped = function_of(function, payload, outputs_len);
    const func::Vmap options{
        dims(in_dims, in_dims_len, inputs_len, "in_dims"), dims(out_dims, out_dims_len, outputs_len, "out_dims"),
        randomness_of(randomness), from::optional(chunk_size)};
    Results results;
    results.add(func::vmap(mapped, tensors(inputs, inputs_len, "inputs"), options), outputs);
    results.give();
  });
}

namespace {

ctorch_error *grad_and_value(
    const char *name,
    ctorch_tensor **grads,
    size_t grads_len,
    ctorch_tensor **out_value,
    bool with_value,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len) {
  return guard(name, [&] {
    from::check_list(grads, grads_len, "grads");
    if (with_value) {
      to::require(out_value, "out_value");
    }
    from::check_list(aux, aux_len, "aux");
    const Function differentiated = function_of(function, payload, 1 + aux_len);
    const Argnums by = argnums_or_first(argnums, argnums_len);
    const Tensors point = tensors(inputs, inputs_len, "inputs");
    check_length(grads_len, by.size(), "grads");
    func::Gradient gradient = func::grad(differentiated, point, by);
    Results results;
    results.add(std::move(gradient.grads), grads);
    if (with_value) {
      results.add({std::move(gradient.value)}, out_value);
    }
    results.add(std::move(gradient.aux), aux);
    results.give();
  });
}

}  // namespace

ctorch_error *ctorch_func_grad(
    ctorch_tensor **grads,
    size_t grads_len,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len) {
  return grad_and_value(
      __func__, grads, grads_len, nullptr, false, aux, aux_len, function, payload, inputs, inputs_len, argnums,
      argnums_len);
}

ctorch_error *ctorch_func_grad_and_value(
    ctorch_tensor **grads,
    size_t grads_len,
    ctorch_tensor **out_value,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len) {
  return grad_and_value(
      __func__, grads, grads_len, out_value, true, aux, aux_len, function, payload, inputs, inputs_len, argnums,
      argnums_len);
}

ctorch_error *ctorch_func_vjp(
    ctorch_tensor **outputs,
    size_t outputs_len,
    ctorch_vjp_function **out_vjp,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len) {
  return guard(__func__, [&] {
    from::check_list(outputs, outputs_len, "outputs");
    to::require(out_vjp, "out_vjp");
    from::check_list(aux, aux_len, "aux");
    const Function differentiated = function_of(function, payload, outputs_len + aux_len);
    const Tensors point = defined_tensors(primals, primals_len, "primals");
    func::Vjp vjp = func::vjp(differentiated, point, func::all(point), aux_len);
    Results results;
    results.add(std::move(vjp.outputs), outputs);
    results.add(std::move(vjp.aux), aux);
    results.give_with([&] { to::give(c10::make_intrusive<ctorch_vjp_function>(std::move(vjp.graph)), out_vjp); });
  });
}

ctorch_error *ctorch_vjp_function_call(
    ctorch_tensor **grads,
    size_t grads_len,
    const ctorch_vjp_function *self,
    const ctorch_tensor *const *cotangents,
    size_t cotangents_len,
    const bool *retain_graph,
    const bool *create_graph) {
  return guard(__func__, [&] {
    from::check_list(grads, grads_len, "grads");
    const func::Graph &graph = from::object(self, "self").graph;
    const Tensors products = defined_tensors(cotangents, cotangents_len, "cotangents");
    check_length(grads_len, graph.inputs.size(), "grads");
    check_length(cotangents_len, graph.outputs.size(), "cotangents");
    Results results;
    results.add(
        func::vjp_call(
            graph, products, from::optional(retain_graph).value_or(true),
            from::optional(create_graph).value_or(c10::GradMode::is_enabled())),
        grads);
    results.give();
  });
}

void ctorch_vjp_function_retain(const ctorch_vjp_function *self) { retain_object(self); }

void ctorch_vjp_function_release(ctorch_vjp_function *self) { release_object(self); }

ctorch_error *ctorch_func_jvp(
    ctorch_tensor **outputs,
    size_t outputs_len,
    ctorch_tensor **output_tangents,
    size_t output_tangents_len,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len,
    const ctorch_tensor *const *tangents,
    size_t tangents_len,
    bool strict) {
  return guard(__func__, [&] {
    from::check_list(outputs, outputs_len, "outputs");
    from::check_list(output_tangents, output_tangents_len, "output_tangents");
    from::check_list(aux, aux_len, "aux");
    const Function differentiated = function_of(function, payload, outputs_len + aux_len);
    const Tensors point = defined_tensors(primals, primals_len, "primals");
    const Tensors direction = defined_tensors(tangents, tangents_len, "tangents");
    check_length(output_tangents_len, outputs_len, "output_tangents");
    check_length(tangents_len, primals_len, "tangents");
    func::Jvp jvp = func::jvp(differentiated, point, direction, func::all(point), aux_len, strict);
    Results results;
    results.add(std::move(jvp.outputs), outputs);
    results.add(std::move(jvp.tangents), output_tangents);
    results.add(std::move(jvp.aux), aux);
    results.give();
  });
}

ctorch_error *ctorch_func_linearize(
    ctorch_tensor **outputs,
    size_t outputs_len,
    ctorch_jvp_function **out_jvp,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len) {
  return guard(__func__, [&] {
    from::check_list(outputs, outputs_len, "outputs");
    to::require(out_jvp, "out_jvp");
    func::Linearized linearized =
        func::linearize(function_of(function, payload, outputs_len), defined_tensors(primals, primals_len, "primals"));
    Results results;
    results.add(Tensors(linearized.outputs), outputs);
    linearized.outputs.clear();
    results.give_with([&] { to::give(c10::make_intrusive<ctorch_jvp_function>(std::move(linearized)), out_jvp); });
  });
}

ctorch_error *ctorch_jvp_function_call(
    ctorch_tensor **output_tangents,
    size_t output_tangents_len,
    const ctorch_jvp_function *self,
    const ctorch_tensor *const *tangents,
    size_t tangents_len) {
  return guard(__func__, [&] {
    from::check_list(output_tangents, output_tangents_len, "output_tangents");
    const func::Linearized &linearized = from::object(self, "self").linearized;
    const Tensors direction = defined_tensors(tangents, tangents_len, "tangents");
    check_length(output_tangents_len, linearized.transposed.inputs.size(), "output_tangents");
    check_length(tangents_len, linearized.transposed.outputs.size(), "tangents");
    Results results;
    results.add(func::linearize_call(linearized, direction), output_tangents);
    results.give();
  });
}

void ctorch_jvp_function_retain(const ctorch_jvp_function *self) { retain_object(self); }

void ctorch_jvp_function_release(ctorch_jvp_function *self) { release_object(self); }

ctorch_error *ctorch_func_jacrev(
    ctorch_tensor **jacobians,
    size_t jacobians_len,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    const int64_t *chunk_size) {
  return guard(__func__, [&] {
    from::check_list(jacobians, jacobians_len, "jacobians");
    from::check_list(aux, aux_len, "aux");
    const Tensors point = tensors(inputs, inputs_len, "inputs");
    const Argnums by = func::check_argnums(argnums_or_first(argnums, argnums_len), inputs_len);
    const size_t outputs_len = outputs_of(jacobians_len, by.size(), "jacobians_len");
    func::Jacobian jacobian = func::jacrev(
        function_of(function, payload, outputs_len + aux_len), point, by, aux_len, from::optional(chunk_size));
    Results results;
    results.add(std::move(jacobian.blocks), jacobians);
    results.add(std::move(jacobian.aux), aux);
    results.give();
  });
}

ctorch_error *ctorch_func_jacfwd(
    ctorch_tensor **jacobians,
    size_t jacobians_len,
    ctorch_tensor **aux,
    size_t aux_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    ctorch_randomness randomness,
    const int64_t *chunk_size) {
  return guard(__func__, [&] {
    from::check_list(jacobians, jacobians_len, "jacobians");
    from::check_list(aux, aux_len, "aux");
    const Tensors point = tensors(inputs, inputs_len, "inputs");
    const Argnums by = func::check_argnums(argnums_or_first(argnums, argnums_len), inputs_len);
    const size_t outputs_len = outputs_of(jacobians_len, by.size(), "jacobians_len");
    func::Jacobian jacobian = func::jacfwd(
        function_of(function, payload, outputs_len + aux_len), point, by, aux_len, randomness_of(randomness),
        from::optional(chunk_size));
    Results results;
    results.add(std::move(jacobian.blocks), jacobians);
    results.add(std::move(jacobian.aux), aux);
    results.give();
  });
}

ctorch_error *ctorch_func_hessian(
    ctorch_tensor **hessians,
    size_t hessians_len,
    ctorch_func_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len) {
  return guard(__func__, [&] {
    from::check_list(hessians, hessians_len, "hessians");
    const Tensors point = tensors(inputs, inputs_len, "inputs");
    const Argnums by = func::check_argnums(argnums_or_first(argnums, argnums_len), inputs_len);
    const size_t outputs_len = outputs_of(hessians_len, by.size() * by.size(), "hessians_len");
    Results results;
    results.add(func::hessian(function_of(function, payload, outputs_len), point, by), hessians);
    results.give();
  });
}

ctorch_error *ctorch_func_debug_unwrap(ctorch_tensor **out, const ctorch_tensor *self, bool recurse) {
  return guard(__func__, [&] {
    to::require(out, "out");
    at::Tensor tensor = from::tensor(self, "self");
    std::optional<at::Tensor> inner = func::unwrapped(tensor);
    while (inner) {
      tensor = *std::move(inner);
      inner = recurse ? func::unwrapped(tensor) : std::nullopt;
    }
    to::give(std::move(tensor), out);
  });
}

size_t ctorch_func_depth(void) { return func::depth(); }
