// Calling methods: values become what the method's schema declares, as those of operators do.
#include <ATen/core/Dict.h>

#include "core/abi/excerpt.hpp"
#include "core/jit/jit.hpp"
#include "core/value/coerce.hpp"
#include "core/value/value.hpp"
#include "core/value/value_key.hpp"
#include "core/value/value_object.hpp"

using namespace ctorch;
using torch::jit::Method;

namespace {

/// The parameters of a method but `self`, and what is given for them.
class Arguments {
 public:
  explicit Arguments(const Method &method)
      : schema_(method.function().getSchema()), given_(schema_.arguments().size() - 1), is_given_(given_.size()) {}

  void add_positional(const ctorch_value *const *args, size_t len) {
    from::check_list(args, len, "args");
    if (len > given_.size()) {
      fail(
          CTORCH_ERROR_TYPE, name() + "() takes " + std::to_string(given_.size()) + " arguments but " +
                                 std::to_string(len) + " were given");
    }
    for (size_t i = 0; i < len; i++) {
      if (args[i] == nullptr) {
        given_[i] = default_of(i, true);
        is_given_[i] = true;
      } else {
        add(i, from::value(args[i], "args"));
      }
    }
  }

  void add_named(const ctorch_value *kwargs) {
    if (kwargs == nullptr) {
      return;
    }
    const c10::IValue &value = contents_of(from::value(kwargs, "kwargs"));
    if (value.isNone()) {
      return;
    }
    if (!value.isGenericDict()) {
      fail(CTORCH_ERROR_TYPE, "kwargs: expected a dict, found " + found_type(value));
    }
    for (const auto &entry : value.toGenericDict()) {
      const c10::IValue key = value_of_key(entry.key());
      if (!key.isString()) {
        fail(CTORCH_ERROR_TYPE, "kwargs: keywords must be texts, found " + value_excerpt(key));
      }
      add(position_of(key.toStringRef()), entry.value());
    }
  }

  /// All of them, with defaults for those that were left out.
  std::vector<c10::IValue> finish() && {
    for (size_t i = 0; i < given_.size(); i++) {
      if (!is_given_[i]) {
        given_[i] = default_of(i, false);
      }
    }
    return std::move(given_);
  }

 private:
  const std::string &name() const { return schema_.name(); }
  const c10::Argument &parameter(size_t position) const { return schema_.arguments()[position + 1]; }

  size_t position_of(const std::string &keyword) const {
    for (size_t i = 0; i < given_.size(); i++) {
      if (parameter(i).name() == keyword) {
        return i;
      }
    }
    fail(CTORCH_ERROR_TYPE, name() + "() got an unexpected argument " + string_repr(excerpt(keyword)));
  }

  void add(size_t position, c10::IValue value) {
    if (is_given_[position]) {
      fail(CTORCH_ERROR_TYPE, name() + "() got multiple values for argument '" + parameter(position).name() + "'");
    }
    fit_to(value, parameter(position).type(), position);
    given_[position] = std::move(value);
    is_given_[position] = true;
  }

  void fit_to(c10::IValue &value, const c10::TypePtr &type, size_t position) const {
    if (const auto *enumerator = object_as<Enumerator>(value)) {
      value = static_cast<int64_t>(enumerator->number);  // TorchScript's dtypes are ints
    }
    Mismatch mismatch;
    if (!coerce(value, type, mismatch)) {
      fail(
          CTORCH_ERROR_TYPE,
          name() + "(): argument '" + parameter(position).name() + "'" + mismatch.path + " must be " +
              (mismatch.path.empty() && !mismatch.out_of_range ? type->annotation_str() : mismatch.expected) +
              ", not " + mismatch.found);
    }
  }

  c10::IValue default_of(size_t position, bool is_null) const {
    const c10::Argument &argument = parameter(position);
    if (argument.default_value()) {
      return *argument.default_value();
    }
    if (is_null && c10::NoneType::get()->isSubtypeOf(*argument.type())) {
      return {};
    }
    if (is_null) {
      fail_null((name() + "(): argument '" + argument.name() + "'").c_str());
    }
    fail(CTORCH_ERROR_TYPE, name() + "() is missing a value for argument '" + argument.name() + "'");
  }

  const c10::FunctionSchema &schema_;
  std::vector<c10::IValue> given_;
  std::vector<bool> is_given_;
};

/// Run a method on arguments that fit.
c10::IValue run(const Method &method, std::vector<c10::IValue> arguments) {
  torch::jit::Stack stack;
  stack.reserve(arguments.size() + 1);
  stack.emplace_back(method.owner()._ivalue());
  std::move(arguments.begin(), arguments.end(), std::back_inserter(stack));
  method.function().run(stack);
  return stack.empty() ? c10::IValue() : std::move(stack.front());
}

}  // namespace

ctorch_error *ctorch_jit_module_forward(
    ctorch_tensor **out, const ctorch_jit_module *self, const ctorch_tensor *input) {
  return jit::guard_program(__func__, self, [&] {
    to::require(out, "out");
    const Method forward = jit::method(self, nullptr);
    const ctorch_value tensor(c10::IValue(from::tensor(input, "input")));
    const ctorch_value *const args[] = {&tensor};
    Arguments arguments(forward);
    arguments.add_positional(args, 1);
    const c10::IValue result = run(forward, std::move(arguments).finish());
    if (!result.isTensor()) {
      fail(
          CTORCH_ERROR_TYPE, "forward() gave a value of type " + found_type(result) +
                                 ", no tensor: call the module for a value of any type (ctorch_jit_module_call)");
    }
    to::give(at::Tensor(result.toTensor()), out);
  });
}

ctorch_error *ctorch_jit_module_call(
    ctorch_value **out,
    const ctorch_jit_module *self,
    const char *method,
    const ctorch_value *const *args,
    size_t args_len,
    const ctorch_value *kwargs) {
  return jit::guard_program(__func__, self, [&] {
    const Method called = jit::method(self, method);
    Arguments arguments(called);
    arguments.add_positional(args, args_len);
    arguments.add_named(kwargs);
    c10::IValue result = run(called, std::move(arguments).finish());
    if (out != nullptr) {
      to::give_value(std::move(result), out);
    }
  });
}
