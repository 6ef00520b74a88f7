// An operator: the dispatcher's handle, and what its schema asks of arguments, made ready for quick checks.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <atomic>
#include <string>
#include <vector>

#include "core/abi/handle.hpp"
#include "ctorch/op/op.h"

namespace ctorch {

/// Types of arguments that are told at a glance.
enum class Glance : unsigned char { Tensor, OptionalTensor, Number, Int, SymInt, Float, Bool, None };

/// An argument or a result.
struct Parameter {
  explicit Parameter(const c10::Argument &argument);

  std::string name;
  c10::TypePtr type;           // as declared: SymInt and ScalarType are types of their own
  std::string type_text;       // as in the schema, without alias annotation
  std::string alias;           // "a!"
  std::optional<int32_t> len;  // of an `int[2]`
  std::optional<c10::IValue> default_value;
  Glance glance;
  bool is_mutated;
  bool is_keyword_only;
  bool is_default_doubtful = false;  // schema_defaults.hpp
};

struct TrueSchema;

}  // namespace ctorch

struct ctorch_op final : ctorch::Object {
  ctorch_op(const c10::OperatorHandle &handle, bool had_decimal_comma);
  const char *type_name() const noexcept override { return "op"; }

  c10::OperatorHandle handle;  // dangles once `removed` is set
  std::atomic<bool> removed{false};

  std::string name;      // "aten::add"
  std::string overload;  // "Tensor"
  std::string name_space;
  std::string full_name;  // "aten::add.Tensor"
  std::string schema;
  std::vector<ctorch::Parameter> arguments;
  std::vector<ctorch::Parameter> returns;
  bool takes_numbers_as_tensors;

 private:
  ctorch_op(const c10::OperatorHandle &handle, const ctorch::TrueSchema &written);
};

namespace ctorch {

/// "aten::add.Tensor"
std::string full_name(const c10::OperatorName &name);
/// "aten::add.Tensor" and no overload, or the two apart.
c10::OperatorName parse_operator_name(std::string_view name, std::optional<std::string_view> overload);
/// UNSUPPORTED if there is no such operator.
c10::intrusive_ptr<ctorch_op> find_op(const c10::OperatorName &name);
/// UNSUPPORTED: what the schema says of this argument cannot be relied on.
[[noreturn]] void fail_doubtful_default(const ctorch_op &op, size_t position);
/// UNSUPPORTED if the operator's library is gone.
void check_registered(const ctorch_op &op);

namespace from {

/// INVALID_ARGUMENT for what is no dispatch key.
c10::DispatchKey dispatch_key(const char *name, const char *argument);

}  // namespace from
}  // namespace ctorch
