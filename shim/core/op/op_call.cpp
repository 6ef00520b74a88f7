// Calling operators: the arguments are matched with the schema, coerced to its types, and passed as LibTorch's stack.
//
// LibTorch's boxed calls unbox without looking, so that nothing may reach them that the schema does not allow.
#include <ATen/ScalarOps.h>
#include <ATen/core/LegacyTypeDispatch.h>

#include "core/abi/excerpt.hpp"
#include "core/abi/from.hpp"
#include "core/abi/thread.hpp"
#include "core/abi/to.hpp"
#include "core/op/op.hpp"
#include "core/value/coerce.hpp"
#include "core/value/value.hpp"

using namespace ctorch;
using torch::jit::Stack;

namespace {

// The stack of the last call of this thread, whose memory serves the next: one word, as open_scope is (handle.hpp).
__thread Stack *spare_stack __attribute__((tls_model("initial-exec"))) = nullptr;

struct FreesSpareStack final : PerThread {
  ~FreesSpareStack() override { delete std::exchange(spare_stack, nullptr); }
};

[[gnu::noinline]] Stack *new_stack() {
  per_thread<FreesSpareStack>();
  return new Stack;
}

/// An argument stack. Calls nest: an inner one gets another.
class ReusedStack {
 public:
  ReusedStack() : stack_(std::exchange(spare_stack, nullptr)) {
    if (__builtin_expect(stack_ == nullptr, false)) {
      stack_ = new_stack();
    }
  }
  ReusedStack(const ReusedStack &) = delete;
  ReusedStack &operator=(const ReusedStack &) = delete;
  ~ReusedStack() {
    stack_->clear();  // may call whatever the arguments hold
    delete std::exchange(spare_stack, stack_);
  }

  Stack &operator*() { return *stack_; }

 private:
  Stack *stack_;
};

inline bool is_tensor(const c10::IValue &value) { return value.isTensor() && value.toTensor().defined(); }

[[gnu::always_inline]] inline bool fits_at_a_glance(const c10::IValue &value, Glance glance) {
  switch (glance) {
    case Glance::Tensor:
      return is_tensor(value);
    case Glance::OptionalTensor:
      return value.isNone() || is_tensor(value);
    case Glance::Number:
      return value.isDouble() || value.isInt() || value.isBool();
    case Glance::Int:
      return value.isInt();
    case Glance::SymInt:
      return value.isInt() && value.toInt() >= from::MIN_SYMINT;
    case Glance::Float:
      return value.isDouble();
    case Glance::Bool:
      return value.isBool();
    default:
      return false;
  }
}

std::string place(const ctorch_op &op, size_t position) {
  return op.full_name + "(): argument '" + op.arguments[position].name + "'";
}

c10::IValue wrapped_number(const at::Scalar &number) {
  at::Tensor tensor = c10::scalar_to_tensor(number);
  tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

/// Python's `stride=2` for an `int[2]`.
void spread(c10::IValue &value, int32_t len) {
  if (value.isInt()) {
    value = std::vector<int64_t>(static_cast<size_t>(len), value.toInt());
  } else if (value.isDouble()) {
    value = std::vector<double>(static_cast<size_t>(len), value.toDouble());
  }
}

[[gnu::noinline]] c10::IValue coerced(const ctorch_op &op, size_t position, c10::IValue value) {
  const Parameter &parameter = op.arguments[position];
  if (parameter.len) {
    spread(value, *parameter.len);
  } else if (parameter.glance == Glance::Tensor && op.takes_numbers_as_tensors && value.isScalar()) {
    value = wrapped_number(value.toScalar());
  }
  Mismatch mismatch;
  if (!coerce(value, parameter.type, mismatch)) {
    fail(
        CTORCH_ERROR_TYPE,
        place(op, position) + mismatch.path + " must be " +
            (mismatch.path.empty() && !mismatch.out_of_range ? parameter.type_text : mismatch.expected) + ", not " +
            mismatch.found);
  }
  return value;
}

/// What an argument is that the caller left out, or gave as NULL.
c10::IValue default_of(const ctorch_op &op, size_t position, bool is_null) {
  const Parameter &parameter = op.arguments[position];
  if (parameter.default_value) {
    if (__builtin_expect(parameter.is_default_doubtful, false)) {
      fail_doubtful_default(op, position);
    }
    return *parameter.default_value;
  }
  if (is_null && parameter.type->kind() == c10::TypeKind::OptionalType) {
    return {};
  }
  if (is_null) {
    fail_null(place(op, position).c_str());
  }
  fail(CTORCH_ERROR_TYPE, op.full_name + "() is missing a value for argument '" + parameter.name + "'");
}

[[gnu::always_inline]] inline void push(Stack &stack, const ctorch_op &op, size_t position, const ctorch_value *value) {
  if (__builtin_expect(value == nullptr, false)) {
    stack.push_back(default_of(op, position, true));
  } else if (fits_at_a_glance(value->ivalue, op.arguments[position].glance)) {
    stack.push_back(value->ivalue);
  } else {
    stack.push_back(coerced(op, position, value->ivalue));
  }
}

void check_arguments(const ctorch_op &op, const ctorch_value *const *args, size_t args_len) {
  from::check_list(args, args_len, "args");
  if (args_len > op.arguments.size()) {
    fail(
        CTORCH_ERROR_TYPE, op.full_name + "() takes " + std::to_string(op.arguments.size()) + " arguments but " +
                               std::to_string(args_len) + " were given");
  }
}

void push_arguments(Stack &stack, const ctorch_op &op, const ctorch_value *const *args, size_t args_len) {
  check_arguments(op, args, args_len);
  stack.reserve(std::max(op.arguments.size(), op.returns.size()));
  for (size_t i = 0; i < args_len; i++) {
    push(stack, op, i, args[i]);
  }
  for (size_t i = args_len; i < op.arguments.size(); i++) {
    stack.push_back(default_of(op, i, false));
  }
}

size_t position_of(const ctorch_op &op, std::string_view name) {
  for (size_t i = 0; i < op.arguments.size(); i++) {
    if (op.arguments[i].name == name) {
      return i;
    }
  }
  fail(CTORCH_ERROR_TYPE, op.full_name + "() got an unexpected argument " + string_repr(excerpt(name)));
}

void push_named_arguments(
    Stack &stack,
    const ctorch_op &op,
    const ctorch_value *const *args,
    size_t args_len,
    const char *const *names,
    size_t names_len,
    const ctorch_value *const *values,
    size_t values_len) {
  check_arguments(op, args, args_len);
  from::check_list(names, names_len, "names");
  from::check_list(values, values_len, "values");
  if (names_len != values_len) {
    fail_argument("values", std::to_string(values_len) + " values for " + std::to_string(names_len) + " names");
  }
  struct Given {
    const ctorch_value *value;
    bool is_given;
  };
  std::vector<Given> given(op.arguments.size());
  for (size_t i = 0; i < args_len; i++) {
    given[i] = {args[i], true};
  }
  for (size_t i = 0; i < names_len; i++) {
    std::string argument = "names[" + std::to_string(i) + "]";
    size_t position = position_of(op, from::string(names[i], argument.c_str()));
    if (given[position].is_given) {
      fail(
          CTORCH_ERROR_TYPE,
          op.full_name + "() got multiple values for argument '" + op.arguments[position].name + "'");
    }
    given[position] = {values[i], true};
  }
  stack.reserve(std::max(op.arguments.size(), op.returns.size()));
  for (size_t i = 0; i < given.size(); i++) {
    if (given[i].is_given) {
      push(stack, op, i, given[i].value);
    } else {
      stack.push_back(default_of(op, i, false));
    }
  }
}

/// What the stack holds after a call: None, the value, or a tuple.
c10::IValue result_of(Stack &stack) {
  if (stack.size() == 1) {
    return std::move(stack.front());
  }
  if (stack.empty()) {
    return {};
  }
  std::vector<c10::IValue> results(std::make_move_iterator(stack.begin()), std::make_move_iterator(stack.end()));
  return c10::ivalue::Tuple::create(std::move(results));
}

template <class Push>
[[gnu::always_inline]] inline void call(ctorch_value **out, const ctorch_op *self, Push &&push_them) {
  const ctorch_op &op = from::object(self, "self");
  check_registered(op);
  ReusedStack stack;
  push_them(*stack, op);
  op.handle.callBoxed(*stack);
  if (out != nullptr) {
    to::give_value(result_of(*stack), out);
  }
}

}  // namespace

ctorch_error *ctorch_op_call(
    ctorch_value **out, const ctorch_op *self, const ctorch_value *const *args, size_t args_len) {
  return guard(__func__, [&] {
    call(out, self, [&](Stack &stack, const ctorch_op &op) { push_arguments(stack, op, args, args_len); });
  });
}

ctorch_error *ctorch_op_call_named(
    ctorch_value **out,
    const ctorch_op *self,
    const ctorch_value *const *args,
    size_t args_len,
    const char *const *names,
    size_t names_len,
    const ctorch_value *const *values,
    size_t values_len) {
  return guard(__func__, [&] {
    call(out, self, [&](Stack &stack, const ctorch_op &op) {
      push_named_arguments(stack, op, args, args_len, names, names_len, values, values_len);
    });
  });
}

ctorch_error *ctorch_op_call_below_autograd(
    ctorch_value **out, const ctorch_op *self, const ctorch_value *const *args, size_t args_len) {
  return guard(__func__, [&] {
    at::AutoDispatchBelowAutograd below;
    call(out, self, [&](Stack &stack, const ctorch_op &op) { push_arguments(stack, op, args, args_len); });
  });
}
