// Operators: finding them and reading their schemas. op_call.cpp calls them.
#include "core/op/op.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <unordered_set>

#include "core/abi/c_locale.hpp"
#include "core/abi/excerpt.hpp"
#include "core/abi/fork.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/text_stream.hpp"
#include "core/abi/to.hpp"
#include "core/op/schema_defaults.hpp"
#include "core/value/value.hpp"
#include "ctorch/abi/version.h"

using namespace ctorch;

namespace {

/// Every operator that was asked for, once. The dispatcher frees an operator with its library, so that it must tell us
/// before handles to it dangle; and it tells what is registered, so that the locale of the moment is known.
class Registry {
 public:
  /// Lives as long as the process: libraries of operators go late.
  static Registry &get() {
    static auto *registry = new Registry;
    // This one goes when libctorch is unloaded, so that nobody calls code that is gone.
    static auto listening = registry->listen();
    return *registry;
  }

  /// Null if there is no such operator.
  c10::intrusive_ptr<ctorch_op> find(const c10::OperatorName &name) {
    std::string key = full_name(name);
    std::lock_guard lock(mutex);
    auto known = operators_.find(key);
    if (known == operators_.end()) {
      auto handle = c10::Dispatcher::singleton().findSchema(name);
      if (!handle) {
        return {};
      }
      bool comma = with_decimal_comma_.count(key) != 0;
      known = operators_.emplace(std::move(key), c10::make_intrusive<ctorch_op>(*handle, comma)).first;
    }
    return known->second;
  }

 private:
  c10::RegistrationHandleRAII listen() {
    // For what is there already, the dispatcher calls the listener at once.
    had_decimal_comma_ = torch_had_decimal_comma() || has_decimal_comma();
    auto listening = c10::Dispatcher::singleton().addRegistrationListener(std::make_unique<Listener>(*this));
    had_decimal_comma_ = false;
    return listening;
  }

  /// Called with the dispatcher locked: nothing here may call it.
  class Listener final : public c10::OpRegistrationListener {
   public:
    explicit Listener(Registry &registry) : registry_(registry) {}
    void onOperatorRegistered(const c10::OperatorHandle &handle) override {
      if (registry_.had_decimal_comma_ || has_decimal_comma()) {
        std::lock_guard lock(mutex);
        registry_.with_decimal_comma_.insert(full_name(handle.operator_name()));
      }
    }
    void onOperatorDeregistered(const c10::OperatorHandle &handle) override {
      std::lock_guard lock(mutex);
      registry_.with_decimal_comma_.erase(full_name(handle.operator_name()));
      auto known = registry_.operators_.find(full_name(handle.operator_name()));
      if (known != registry_.operators_.end()) {
        known->second->removed = true;
        registry_.operators_.erase(known);
      }
    }

   private:
    Registry &registry_;
  };

  static Mutex &mutex;
  std::unordered_map<std::string, c10::intrusive_ptr<ctorch_op>> operators_;
  std::unordered_set<std::string> with_decimal_comma_;  // registered while that was the decimal sign
  bool had_decimal_comma_ = false;                      // as for those that were there before this
};

Mutex &Registry::mutex = *new Mutex(LockOrder::Operators);

/// From the time on that this library is loaded, unless its calls are refused anyway.
[[maybe_unused]] const bool is_listening = [] {
  std::string_view loaded = ctorch_version_torch(), compiled = ctorch_version_torch_compiled();
  size_t minor_end = compiled.find('.', compiled.find('.') + 1);
  if (loaded.substr(0, minor_end + 1) == compiled.substr(0, minor_end + 1)) {
    Registry::get();
  }
  return true;
}();

/// All, or the overloads of one.
std::vector<std::string> operator_names(const std::string *only = nullptr) {
  c10::Dispatcher &dispatcher = c10::Dispatcher::singleton();
  std::vector<std::string> names;
  for (const c10::OperatorName &name : dispatcher.getAllOpNames()) {
    if ((only == nullptr || name.name == *only) && dispatcher.findSchema(name)) {
      names.push_back(full_name(name));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// For a message: names that are asked for may have any length.
std::string quoted_name(const c10::OperatorName &name) {
  return excerpt(name.name) + (name.overload_name.empty() ? "" : "." + excerpt(name.overload_name));
}

[[noreturn]] void fail_unknown(const c10::OperatorName &name) {
  std::string overloads;
  for (const std::string &other : operator_names(&name.name)) {
    overloads += (overloads.empty() ? "" : ", ") + other;
  }
  fail(
      CTORCH_ERROR_UNSUPPORTED,
      "no operator " + quoted_name(name) + (overloads.empty() ? "" : "; there is " + overloads));
}

std::string text_of_type(const c10::Argument &argument) {
  TextStream text;
  text << c10::Argument("", argument.type(), argument.real_type(), argument.N());
  return text.str();
}

std::string text_of_alias(const c10::AliasInfo *alias) {
  if (alias == nullptr) {
    return "";
  }
  if (alias->beforeSets().empty() && !alias->containedTypes().empty()) {
    return text_of_alias(&alias->containedTypes().front());
  }
  TextStream text;
  text << *alias;
  return text.str().substr(1, text.str().size() - 2);
}

bool writes(const c10::AliasInfo *alias) {
  return alias != nullptr && (alias->isWrite() || std::any_of(
                                                      alias->containedTypes().begin(), alias->containedTypes().end(),
                                                      [](const c10::AliasInfo &inner) { return writes(&inner); }));
}

Glance glance_at(const c10::Type &type) {
  switch (type.kind()) {
    case c10::TypeKind::TensorType:
      return Glance::Tensor;
    case c10::TypeKind::OptionalType:
      return type.expectRef<c10::OptionalType>().getElementType()->kind() == c10::TypeKind::TensorType
                 ? Glance::OptionalTensor
                 : Glance::None;
    case c10::TypeKind::NumberType:
      return Glance::Number;
    case c10::TypeKind::IntType:
      return Glance::Int;
    case c10::TypeKind::SymIntType:
      return Glance::SymInt;
    case c10::TypeKind::FloatType:
      return Glance::Float;
    case c10::TypeKind::BoolType:
      return Glance::Bool;
    default:
      return Glance::None;
  }
}

/// Those whose `Tensor` arguments Python takes numbers for (torch/csrc/utils/python_arg_parser.cpp,
/// should_allow_numbers_as_tensors).
bool takes_numbers(std::string_view name) {
  static constexpr std::string_view NAMES[] = {"add", "div",      "divide",      "mul",          "multiply",
                                               "sub", "subtract", "true_divide", "floor_divide", "_to_copy",
                                               "to",  "copy",     "_conj"};
  constexpr std::string_view ATEN = "aten::";
  if (name.substr(0, ATEN.size()) != ATEN) {
    return false;
  }
  name.remove_prefix(ATEN.size());
  if (!name.empty() && name.back() == '_') {
    name.remove_suffix(1);
  }
  return std::find(std::begin(NAMES), std::end(NAMES), name) != std::end(NAMES);
}

const Parameter *parameter_at(const std::vector<Parameter> &parameters, size_t index) {
  return index < parameters.size() ? &parameters[index] : nullptr;
}
const Parameter *argument_at(const ctorch_op *self, size_t index) {
  return is_there(self) ? parameter_at(self->arguments, index) : nullptr;
}
const Parameter *return_at(const ctorch_op *self, size_t index) {
  return is_there(self) ? parameter_at(self->returns, index) : nullptr;
}

}  // namespace

std::string ctorch::full_name(const c10::OperatorName &name) {
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

c10::OperatorName ctorch::parse_operator_name(std::string_view name, std::optional<std::string_view> overload) {
  size_t start = name.find("::");
  size_t dot = name.find('.', start == name.npos ? 0 : start);
  if (!overload && dot != name.npos) {
    overload = name.substr(dot + 1);
    name = name.substr(0, dot);
  }
  return {std::string(name), overload && *overload != "default" ? std::string(*overload) : ""};
}

c10::intrusive_ptr<ctorch_op> ctorch::find_op(const c10::OperatorName &name) {
  auto op = Registry::get().find(name);
  if (!op) {
    fail_unknown(name);
  }
  return op;
}

void ctorch::fail_doubtful_default(const ctorch_op &op, size_t position) {
  fail(
      CTORCH_ERROR_UNSUPPORTED,
      op.full_name + "(): the default of argument '" + op.arguments[position].name +
          "' was read while the locale had a decimal comma, and may have lost its fraction: give the argument, or call "
          "setlocale(LC_NUMERIC, \"C\") before the library that defines the operator is loaded");
}

void ctorch::check_registered(const ctorch_op &op) {
  if (__builtin_expect(op.removed.load(std::memory_order_acquire), false)) {
    fail(CTORCH_ERROR_UNSUPPORTED, "operator " + op.full_name + " is gone: its library was released");
  }
}

c10::DispatchKey ctorch::from::dispatch_key(const char *name, const char *argument) {
  std::string text(string(name, argument));
  try {
    return c10::parseDispatchKey(text);
  } catch (const c10::Error &) {
    fail_argument(argument, "no dispatch key " + string_repr(excerpt(text)));
  }
}

Parameter::Parameter(const c10::Argument &argument)
    : name(argument.name()),
      type(argument.real_type()),
      type_text(text_of_type(argument)),
      alias(text_of_alias(argument.alias_info())),
      len(argument.N()),
      default_value(argument.default_value()),
      glance(glance_at(*argument.real_type())),
      is_mutated(writes(argument.alias_info())),
      is_keyword_only(argument.kwarg_only()) {}

ctorch_op::ctorch_op(const c10::OperatorHandle &handle, bool had_decimal_comma)
    : ctorch_op(handle, true_schema(handle, had_decimal_comma)) {}

ctorch_op::ctorch_op(const c10::OperatorHandle &handle, const TrueSchema &written)
    : handle(handle),
      name(handle.operator_name().name),
      overload(handle.operator_name().overload_name),
      name_space(handle.operator_name().getNamespace().value_or("")),
      full_name(ctorch::full_name(handle.operator_name())),
      schema(c10::toString(written.schema)),
      arguments(written.schema.arguments().begin(), written.schema.arguments().end()),
      returns(written.schema.returns().begin(), written.schema.returns().end()),
      takes_numbers_as_tensors(takes_numbers(name)) {
  for (size_t i = 0; i < arguments.size(); i++) {
    arguments[i].is_default_doubtful = written.is_doubtful[i];
  }
}

ctorch_error *ctorch_op_find(ctorch_op **out, const char *name, const char *overload) {
  return guard(__func__, [&] {
    to::require(out, "out");
    to::give(
        find_op(parse_operator_name(from::string(name, "name"), from::optional_string(overload, "overload"))), out);
  });
}

void ctorch_op_retain(const ctorch_op *self) { retain_object(self); }

void ctorch_op_release(ctorch_op *self) { release_object(self); }

ctorch_error *ctorch_op_list(ctorch_value **out) {
  return guard(__func__, [&] {
    to::require(out, "out");
    c10::List<std::string> names;
    for (std::string &name : operator_names()) {
      names.push_back(std::move(name));
    }
    to::give_value(names, out);
  });
}

const char *ctorch_op_name(const ctorch_op *self) { return is_there(self) ? self->name.c_str() : ""; }

const char *ctorch_op_overload(const ctorch_op *self) { return is_there(self) ? self->overload.c_str() : ""; }

const char *ctorch_op_namespace(const ctorch_op *self) { return is_there(self) ? self->name_space.c_str() : ""; }

const char *ctorch_op_schema(const ctorch_op *self) { return is_there(self) ? self->schema.c_str() : ""; }

bool ctorch_op_is_registered(const ctorch_op *self) { return is_there(self) && !self->removed; }

ctorch_error *ctorch_op_has_kernel(bool *out, const ctorch_op *self, const char *dispatch_key) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const ctorch_op &op = from::object(self, "self");
    c10::DispatchKey key = from::dispatch_key(dispatch_key, "dispatch_key");
    check_registered(op);
    *out = op.handle.hasKernelForDispatchKey(key);
  });
}

size_t ctorch_op_num_arguments(const ctorch_op *self) { return is_there(self) ? self->arguments.size() : 0; }

const char *ctorch_op_argument_name(const ctorch_op *self, size_t index) {
  const Parameter *argument = argument_at(self, index);
  return argument == nullptr ? nullptr : argument->name.c_str();
}

const char *ctorch_op_argument_type(const ctorch_op *self, size_t index) {
  const Parameter *argument = argument_at(self, index);
  return argument == nullptr ? nullptr : argument->type_text.c_str();
}

const char *ctorch_op_argument_alias(const ctorch_op *self, size_t index) {
  const Parameter *argument = argument_at(self, index);
  return argument == nullptr ? nullptr : argument->alias.c_str();
}

bool ctorch_op_argument_is_mutated(const ctorch_op *self, size_t index) {
  const Parameter *argument = argument_at(self, index);
  return argument != nullptr && argument->is_mutated;
}

bool ctorch_op_argument_is_keyword_only(const ctorch_op *self, size_t index) {
  const Parameter *argument = argument_at(self, index);
  return argument != nullptr && argument->is_keyword_only;
}

bool ctorch_op_argument_has_default(const ctorch_op *self, size_t index) {
  const Parameter *argument = argument_at(self, index);
  return argument != nullptr && argument->default_value.has_value();
}

ctorch_error *ctorch_op_argument_default(ctorch_value **out, const ctorch_op *self, size_t index) {
  return guard(__func__, [&] {
    to::require(out, "out");
    const ctorch_op &op = from::object(self, "self");
    if (index >= op.arguments.size()) {
      fail(
          CTORCH_ERROR_INDEX, "argument " + std::to_string(index) + " of " + op.full_name + ", which has " +
                                  std::to_string(op.arguments.size()));
    }
    const auto &value = op.arguments[index].default_value;
    if (op.arguments[index].is_default_doubtful) {
      fail_doubtful_default(op, index);
    }
    if (value) {
      to::give_value(deep_copy(*value), out);  // LibTorch's own knows no complex numbers
    } else {
      *out = nullptr;
    }
  });
}

size_t ctorch_op_num_returns(const ctorch_op *self) { return is_there(self) ? self->returns.size() : 0; }

const char *ctorch_op_return_name(const ctorch_op *self, size_t index) {
  const Parameter *result = return_at(self, index);
  return result == nullptr ? nullptr : result->name.c_str();
}

const char *ctorch_op_return_type(const ctorch_op *self, size_t index) {
  const Parameter *result = return_at(self, index);
  return result == nullptr ? nullptr : result->type_text.c_str();
}

const char *ctorch_op_return_alias(const ctorch_op *self, size_t index) {
  const Parameter *result = return_at(self, index);
  return result == nullptr ? nullptr : result->alias.c_str();
}
