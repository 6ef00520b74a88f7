// The C functions over the transforms of func.hpp: what they are given, what they hand out.
#include "ctorch/func/func.h"

#include <c10/core/GradMode.h>

#include <tuple>

#include "core/abi/callback_tensors.hpp"
#include "core/abi/error.hpp"
#include "core/abi/from.hpp"
#include "core/abi/to.hpp"
#include "core/func/func_layers.hpp"

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
  explicit ctorch_jvp_function(func::Graph transposed) : transposed(std::move(transposed)) {}
  const char *type_name() const noexcept override { return "jvp_function"; }

  func::Graph transposed;
};

namespace {

// What comes in -------------------------------------------------------------------------------------------------------

Tensors tensors(const ctorch_tensor *const *list, size_t len, const char *name) {
  from::check_list(list, len, name);
  Tensors result = share_all(list, len);
  for (size_t i = 0; i < len; i++) {
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

std::optional<Dims> dims(const int64_t *list, size_t len, const char *name) {
  if (list == nullptr && len == 0) {
    return std::nullopt;
  }
  from::check_list(list, len, name);
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

/// The function, of which every output must be a tensor. A wrapper that an inner derivative has left is of no use to
/// the layers outside, which know what is in it.
Function function_of(ctorch_tensors_callback function, void *payload) {
  from::callback(function, "function");
  return [=](const Tensors &inputs) {
    const std::vector<const ctorch_tensor *> handles = borrowed_handles(inputs);
    Tensors outputs = tensors_from_callback("function", 0, [&](ctorch_tensor_list **out, ctorch_error **error) {
      return function(out, handles.data(), handles.size(), error, payload);
    });
    for (size_t i = 0; i < outputs.size(); i++) {
      if (!outputs[i].defined()) {
        fail(
            CTORCH_ERROR_RUNTIME,
            "the function must only return tensors, but it left output " + std::to_string(i) + " NULL");
      }
      outputs[i] = func::unwrap_ended(outputs[i]);
    }
    return outputs;
  };
}

// What goes out -------------------------------------------------------------------------------------------------------

/// Hand results out, and the auxiliary outputs if they are wanted.
template <class... Results, class... Outs>
void give_with_aux(Tensors &&aux, ctorch_tensor_list **out_aux, std::tuple<Results...> &&results, Outs *...outs) {
  if (out_aux != nullptr) {
    to::give(std::tuple_cat(std::move(results), std::make_tuple(std::move(aux))), outs..., out_aux);
  } else if constexpr (sizeof...(Results) == 1) {
    to::give(std::get<0>(std::move(results)), outs...);
  } else {
    to::give(std::move(results), outs...);
  }
}

}  // namespace

ctorch_error *ctorch_func_vmap(
    ctorch_tensor_list **out,
    ctorch_tensors_callback function,
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
    to::require(out, "out");
    const Function mapped = function_of(function, payload);
    const Tensors batches = tensors(inputs, inputs_len, "inputs");
    const func::Vmap options{
        dims(in_dims, in_dims_len, "in_dims"), dims(out_dims, out_dims_len, "out_dims"), randomness_of(randomness),
        from::optional(chunk_size)};
    to::give(func::vmap(mapped, batches, options), out);
  });
}

ctorch_error *ctorch_func_grad(
    ctorch_tensor_list **out,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    size_t aux_count) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const Function differentiated = function_of(function, payload);
    const Tensors point = tensors(inputs, inputs_len, "inputs");
    func::Gradient result = func::grad(differentiated, point, argnums_or_first(argnums, argnums_len), aux_count);
    give_with_aux(std::move(result.aux), out_aux, std::make_tuple(std::move(result.grads)), out);
  });
}

ctorch_error *ctorch_func_grad_and_value(
    ctorch_tensor_list **out,
    ctorch_tensor **out_value,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    size_t aux_count) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::require(out_value, "out_value");
    const Function differentiated = function_of(function, payload);
    const Tensors point = tensors(inputs, inputs_len, "inputs");
    func::Gradient result = func::grad(differentiated, point, argnums_or_first(argnums, argnums_len), aux_count);
    give_with_aux(
        std::move(result.aux), out_aux, std::make_tuple(std::move(result.grads), std::move(result.value)), out,
        out_value);
  });
}

ctorch_error *ctorch_func_vjp(
    ctorch_tensor_list **out,
    ctorch_vjp_function **out_vjp,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len,
    size_t aux_count) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::require(out_vjp, "out_vjp");
    const Function differentiated = function_of(function, payload);
    const Tensors point = defined_tensors(primals, primals_len, "primals");
    func::Vjp result = func::vjp(differentiated, point, func::all(point), aux_count);
    auto kept = c10::make_intrusive<ctorch_vjp_function>(std::move(result.graph));
    give_with_aux(
        std::move(result.aux), out_aux, std::make_tuple(std::move(result.outputs), std::move(kept)), out, out_vjp);
  });
}

ctorch_error *ctorch_vjp_function_call(
    ctorch_tensor_list **out,
    const ctorch_vjp_function *self,
    const ctorch_tensor *const *cotangents,
    size_t cotangents_len,
    const bool *retain_graph,
    const bool *create_graph) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const func::Graph &graph = from::object(self, "self").graph;
    const Tensors vectors = defined_tensors(cotangents, cotangents_len, "cotangents");
    check_length(cotangents_len, graph.outputs.size(), "cotangents");
    to::give(
        func::vjp_call(
            graph, vectors, from::optional(retain_graph).value_or(true),
            from::optional(create_graph).value_or(c10::GradMode::is_enabled())),
        out);
  });
}

void ctorch_vjp_function_retain(const ctorch_vjp_function *self) { retain_object(self); }

void ctorch_vjp_function_release(ctorch_vjp_function *self) { release_object(self); }

ctorch_error *ctorch_func_jvp(
    ctorch_tensor_list **out,
    ctorch_tensor_list **out_tangents,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len,
    const ctorch_tensor *const *tangents,
    size_t tangents_len,
    bool strict,
    size_t aux_count) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::require(out_tangents, "out_tangents");
    const Function differentiated = function_of(function, payload);
    const Tensors point = defined_tensors(primals, primals_len, "primals");
    const Tensors direction = defined_tensors(tangents, tangents_len, "tangents");
    check_length(tangents_len, primals_len, "tangents");
    func::Jvp result = func::jvp(differentiated, point, direction, func::all(point), aux_count, strict);
    give_with_aux(
        std::move(result.aux), out_aux, std::make_tuple(std::move(result.outputs), std::move(result.tangents)), out,
        out_tangents);
  });
}

ctorch_error *ctorch_func_linearize(
    ctorch_tensor_list **out,
    ctorch_jvp_function **out_jvp,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *primals,
    size_t primals_len) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::require(out_jvp, "out_jvp");
    const Function differentiated = function_of(function, payload);
    const Tensors point = defined_tensors(primals, primals_len, "primals");
    func::Linearized result = func::linearize(differentiated, point);
    auto kept = c10::make_intrusive<ctorch_jvp_function>(std::move(result.transposed));
    to::give(std::make_tuple(std::move(result.outputs), std::move(kept)), out, out_jvp);
  });
}

ctorch_error *ctorch_jvp_function_call(
    ctorch_tensor_list **out,
    const ctorch_jvp_function *self,
    const ctorch_tensor *const *tangents,
    size_t tangents_len) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const func::Graph &transposed = from::object(self, "self").transposed;
    const Tensors direction = defined_tensors(tangents, tangents_len, "tangents");
    check_length(tangents_len, transposed.outputs.size(), "tangents");
    to::give(func::linearize_call(transposed, direction), out);
  });
}

void ctorch_jvp_function_retain(const ctorch_jvp_function *self) { retain_object(self); }

void ctorch_jvp_function_release(ctorch_jvp_function *self) { release_object(self); }

ctorch_error *ctorch_func_jacrev(
    ctorch_tensor_list **out,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    size_t aux_count,
    const int64_t *chunk_size) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const Function differentiated = function_of(function, payload);
    const Tensors point = tensors(inputs, inputs_len, "inputs");
    func::Jacobian result = func::jacrev(
        differentiated, point, argnums_or_first(argnums, argnums_len), aux_count, from::optional(chunk_size));
    give_with_aux(std::move(result.aux), out_aux, std::make_tuple(std::move(result.blocks)), out);
  });
}

ctorch_error *ctorch_func_jacfwd(
    ctorch_tensor_list **out,
    ctorch_tensor_list **out_aux,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len,
    size_t aux_count,
    ctorch_randomness randomness,
    const int64_t *chunk_size) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const Function differentiated = function_of(function, payload);
    const Tensors point = tensors(inputs, inputs_len, "inputs");
    func::Jacobian result = func::jacfwd(
        differentiated, point, argnums_or_first(argnums, argnums_len), aux_count, randomness_of(randomness),
        from::optional(chunk_size));
    give_with_aux(std::move(result.aux), out_aux, std::make_tuple(std::move(result.blocks)), out);
  });
}

ctorch_error *ctorch_func_hessian(
    ctorch_tensor_list **out,
    ctorch_tensors_callback function,
    void *payload,
    const ctorch_tensor *const *inputs,
    size_t inputs_len,
    const int64_t *argnums,
    size_t argnums_len) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const Function differentiated = function_of(function, payload);
    const Tensors point = tensors(inputs, inputs_len, "inputs");
    to::give(func::hessian(differentiated, point, argnums_or_first(argnums, argnums_len)), out);
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
