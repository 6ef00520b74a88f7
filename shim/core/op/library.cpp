// Operators defined in C: schemas and kernels in the dispatcher's tables, the kernels calling back.
#include "ctorch/op/library.h"

#include <torch/csrc/autograd/autograd_not_implemented_fallback.h>
#include <torch/csrc/jit/frontend/lexer.h>
#include <torch/library.h>

#include <algorithm>
#include <memory>
#include <set>

#include "core/abi/c_locale.hpp"
#include "core/abi/callback.hpp"
#include "core/abi/excerpt.hpp"
#include "core/abi/from.hpp"
#include "core/abi/handle.hpp"
#include "core/abi/to.hpp"
#include "core/op/op.hpp"
#include "core/value/coerce.hpp"
#include "core/value/value.hpp"

using namespace ctorch;
using torch::jit::Stack;

namespace {

/// A kernel's function and what it needs to call it. Libraries share it with the calls that are under way.
struct Callback {
  Callback(std::string name, ctorch_kernel_callback kernel, void (*destroy)(void *), void *payload)
      : name(std::move(name)), kernel(kernel), payload(destroy, payload) {}

  std::string name;  // "kernel of shop::discount for CPU"
  ctorch_kernel_callback kernel;
  Payload payload;
};

/// The slots that a kernel fills; whatever it does, they are given back.
struct Results {
  explicit Results(size_t len) : slots(len, nullptr) {}
  Results(const Results &) = delete;
  Results &operator=(const Results &) = delete;
  ~Results() {
    for (ctorch_value *slot : slots) {
      release_object(slot);
    }
  }

  std::vector<ctorch_value *> slots;
};

/// The arguments of a call, as values of their own that a kernel may retain.
std::vector<c10::intrusive_ptr<ctorch_value>> boxed_arguments(Stack &stack, size_t len) {
  std::vector<c10::intrusive_ptr<ctorch_value>> args;
  args.reserve(len);
  for (auto argument = stack.end() - static_cast<std::ptrdiff_t>(len); argument != stack.end(); ++argument) {
    args.push_back(c10::make_intrusive<ctorch_value>(std::move(*argument)));
  }
  stack.resize(stack.size() - len);
  return args;
}

/// What a kernel answered for a result: nothing stands for the argument that the schema says it is.
c10::IValue answer(
    const ctorch_value *slot,
    const ctorch_op &op,
    const Parameter &result,
    const std::vector<c10::intrusive_ptr<ctorch_value>> &args) {
  c10::IValue value = from::value_or_none(slot);
  for (size_t i = 0; is_none(value) && result.is_mutated && i < args.size(); i++) {
    if (op.arguments[i].alias == result.alias) {
      value = args[i]->ivalue;
    }
  }
  return value;
}

void call_back(const Callback &callback, const ctorch_op &op, Stack &stack) {
  auto args = boxed_arguments(stack, op.arguments.size());
  std::vector<const ctorch_value *> arg_handles;
  arg_handles.reserve(args.size());
  for (const auto &arg : args) {
    arg_handles.push_back(arg.get());
  }
  Results results(op.returns.size());
  run_callback(callback.name.c_str(), [&](ctorch_error **error) {
    return callback.kernel(
        results.slots.data(), results.slots.size(), arg_handles.data(), arg_handles.size(), error,
        callback.payload.get());
  });
  for (size_t i = 0; i < op.returns.size(); i++) {
    c10::IValue result = answer(results.slots[i], op, op.returns[i], args);
    Mismatch mismatch;
    // An error of LibTorch's, so that Python understands it too.
    TORCH_CHECK_TYPE(
        coerce(result, op.returns[i].type, mismatch), callback.name, ": result ", i, mismatch.path, " must be ",
        mismatch.expected, ", not ", mismatch.found);
    stack.push_back(std::move(result));
  }
}

class CallbackKernel final : public c10::OperatorKernel {
 public:
  CallbackKernel(std::shared_ptr<const Callback> callback, c10::intrusive_ptr<ctorch_op> op)
      : callback_(std::move(callback)), op_(std::move(op)) {}

  void operator()(const c10::OperatorHandle &handle, c10::DispatchKeySet, Stack *stack) {
    // The kernel may release its library, and with it this object.
    std::shared_ptr<const Callback> callback = callback_;
    c10::intrusive_ptr<ctorch_op> op = op_->removed ? find_op(handle.operator_name()) : op_;
    call_back(*callback, *op, *stack);
  }

 private:
  std::shared_ptr<const Callback> callback_;
  c10::intrusive_ptr<ctorch_op> op_;  // as it was defined when the kernel was registered
};

bool is_identifier(std::string_view text) {
  auto fits = [](char c) { return c == '_' || (static_cast<unsigned char>(c) < 0x80 && std::isalnum(c)); };
  return !text.empty() && !std::isdigit(text[0]) && std::all_of(text.begin(), text.end(), fits);
}

/// A thread with a stack of 128 KiB gets by with nearly twice as many.
constexpr size_t MAX_SCHEMA_NESTING = 16;

/// LibTorch parses, prints, compares and frees types by recursion. Its own lexer reads the schema here, so that nothing
/// it passes over (spaces, comments, texts) can hide how deep the types are: one more for each `[]` and `?` after a
/// type, and for each parenthesis around it.
void check_schema_nesting(const std::string &schema) {
  struct Level {
    size_t current = 0, deepest = 0;  // of the type at hand, and of those before it
  };
  std::vector<Level> levels(1);
  torch::jit::Lexer lexer(std::make_shared<torch::jit::Source>(schema));
  for (; lexer.cur().kind != torch::jit::TK_EOF; lexer.next()) {
    Level &level = levels.back();
    switch (lexer.cur().kind) {
      case '[':
      case '?':
        level.current++;
        break;
      case ',':
      case torch::jit::TK_ARROW:
        level.deepest = std::max(level.deepest, std::exchange(level.current, 0));
        break;
      case '(':
        levels.emplace_back();
        break;
      case ')':
        if (levels.size() > 1) {
          size_t inside = std::max(level.deepest, level.current) + 1;
          levels.pop_back();
          levels.back().current += inside;
        }
        break;
      default:
        break;
    }
    if (levels.size() - 1 + levels.back().current > MAX_SCHEMA_NESTING + 1) {  // one for the list of arguments
      fail(
          CTORCH_ERROR_SYNTAX,
          "schema: types are nested more than " + std::to_string(MAX_SCHEMA_NESTING) + " levels deep");
    }
  }
}

c10::FunctionSchema parse_schema(std::string_view text) {
  constexpr size_t LONGEST = 1 << 20;
  if (text.size() > LONGEST) {
    fail(CTORCH_ERROR_SYNTAX, "schema: " + std::to_string(text.size()) + " bytes are no schema");
  }
  std::string schema(text);
  CLocale locale;
  try {
    check_schema_nesting(schema);
    return torch::schema(schema.c_str());
  } catch (const c10::Error &error) {
    fail(CTORCH_ERROR_SYNTAX, std::string("schema: ") + error.what_without_backtrace());
  } catch (const Failure &) {
    throw;
  } catch (const std::bad_alloc &) {
    throw;
  } catch (const std::exception &error) {  // TorchScript's ErrorReport, and runtime_error of its lexer
    fail(CTORCH_ERROR_SYNTAX, std::string("schema: ") + error.what());
  }
}

}  // namespace

struct ctorch_library final : Object {
  explicit ctorch_library(std::string name)
      : name_space(std::move(name)), library(torch::Library::FRAGMENT, name_space, std::nullopt, "ctorch_library", 0) {}
  const char *type_name() const noexcept override { return "library"; }

  /// "discount.overload", in this namespace or in none, as the dispatcher knows it.
  c10::OperatorName qualified(std::string_view name) const {
    c10::OperatorName qualified = parse_operator_name(name, std::nullopt);
    qualified.setNamespaceIfNotSet(name_space.c_str());
    if (qualified.getNamespace() != name_space) {
      fail(
          CTORCH_ERROR_VALUE,
          excerpt(full_name(qualified)) + " is not in the namespace " + name_space + " of this library");
    }
    return qualified;
  }

  /// The operator that is to get a kernel, and the key it is for.
  struct Target {
    c10::intrusive_ptr<ctorch_op> op;
    c10::DispatchKey key;
  };

  Target target(const char *name, const char *dispatch_key) const {
    c10::OperatorName wanted = qualified(from::string(name, "name"));
    c10::DispatchKey key = dispatch_key == nullptr ? c10::DispatchKey::CompositeImplicitAutograd
                                                   : from::dispatch_key(dispatch_key, "dispatch_key");
    if (key == c10::DispatchKey::Undefined || c10::isPerBackendFunctionalityKey(key)) {
      fail_argument("dispatch_key", std::string(c10::toString(key)) + " cannot have kernels");
    }
    auto op = find_op(wanted);
    if (implemented.count({op->full_name, key}) != 0) {
      fail(CTORCH_ERROR_VALUE, "this library already has a kernel of " + op->full_name + " for " + c10::toString(key));
    }
    return {std::move(op), key};
  }

  void implement(const Target &target, torch::CppFunction &&function) {
    auto entry = implemented.emplace(target.op->full_name, target.key).first;
    try {
      library.impl(target.op->full_name.c_str(), torch::dispatch(target.key, std::move(function)));
    } catch (...) {
      implemented.erase(entry);
      throw;
    }
  }

  std::string name_space;
  std::set<std::pair<std::string, c10::DispatchKey>> implemented;
  // Destroyed after `library`: the dispatcher is locked while that goes, and must not be when payloads are destroyed.
  std::vector<std::shared_ptr<Callback>> callbacks;
  torch::Library library;
};

ctorch_error *ctorch_library_new(ctorch_library **out, const char *name_space) {
  return guard(__func__, [&] {
    to::require(out, "out");
    std::string_view name = from::string(name_space, "name_space");
    if (!is_identifier(name) || name == "_") {
      fail_argument("name_space", string_repr(excerpt(name)) + " is not a name of letters, digits and underscores");
    }
    to::give(c10::make_intrusive<ctorch_library>(std::string(name)), out);
  });
}

void ctorch_library_retain(const ctorch_library *self) { retain_object(self); }

void ctorch_library_release(ctorch_library *self) { release_object(self); }

const char *ctorch_library_namespace(const ctorch_library *self) {
  return is_there(self) ? self->name_space.c_str() : "";
}

ctorch_error *ctorch_library_define(ctorch_library *self, const char *schema) {
  return guard(__func__, [&] {
    ctorch_library &library = from::object(self, "self");
    c10::FunctionSchema parsed = parse_schema(from::string(schema, "schema"));
    c10::OperatorName name = library.qualified(full_name(parsed.operator_name()));
    if (c10::Dispatcher::singleton().findSchema(name)) {
      fail(CTORCH_ERROR_VALUE, "there is an operator " + excerpt(full_name(name)) + " already");
    }
    CLocale locale;  // as the defaults were read
    library.library.def(std::move(parsed));
  });
}

ctorch_error *ctorch_library_implement(
    ctorch_library *self,
    const char *name,
    const char *dispatch_key,
    ctorch_kernel_callback kernel,
    void (*destroy)(void *payload),
    void *payload) {
  return guard(__func__, [&] {
    ctorch_library &library = from::object(self, "self");
    from::callback(kernel, "kernel");
    ctorch_library::Target target = library.target(name, dispatch_key);
    auto callback = std::make_shared<Callback>(
        "kernel of " + target.op->full_name + " for " + c10::toString(target.key), kernel, destroy, payload);
    library.callbacks.push_back(callback);
    try {
      library.implement(
          target, torch::CppFunction::makeFromBoxedFunctor(std::make_unique<CallbackKernel>(callback, target.op)));
    } catch (...) {
      library.callbacks.pop_back();
      throw;
    }
    callback->payload.own();
  });
}

ctorch_error *ctorch_library_fallthrough(ctorch_library *self, const char *name, const char *dispatch_key) {
  return guard(__func__, [&] {
    ctorch_library &library = from::object(self, "self");
    ctorch_library::Target target = library.target(name, dispatch_key);
    if (c10::isAliasDispatchKey(target.key) && target.key != c10::DispatchKey::Autograd) {
      fail_argument("dispatch_key", std::string(c10::toString(target.key)) + " has nothing below to fall through to");
    }
    library.implement(target, torch::CppFunction::makeFallthrough());
  });
}

ctorch_error *ctorch_library_autograd_not_implemented(ctorch_library *self, const char *name) {
  return guard(__func__, [&] {
    ctorch_library &library = from::object(self, "self");
    library.implement(library.target(name, "Autograd"), torch::autograd::autogradNotImplementedFallback());
  });
}
