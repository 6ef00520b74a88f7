// Defaults of schemas that were read under a decimal comma: the table, the doubt and the repair.
#include "core/op/schema_defaults.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace ctorch {
namespace {

/// The defaults of LibTorch's operators that are written with a point; tests/abi/test_locale.py compares them with
/// the dispatcher. Those written with an exponent alone, 1e-05, are read well everywhere.
struct Fraction {
  std::string_view name;  // without overload: all that have the argument agree
  std::string_view argument;
  double value;
};
constexpr Fraction FRACTIONS[] = {
    {"_test::leaky_relu", "v", 0.01},
    {"aten::bernoulli", "p", 0.5},
    {"aten::bernoulli_", "p", 0.5},
    {"aten::hardshrink", "lambd", 0.5},
    {"aten::leaky_relu", "negative_slope", 0.01},
    {"aten::leaky_relu_", "negative_slope", 0.01},
    {"aten::rrelu", "lower", 0.125},
    {"aten::rrelu", "upper", 0.3333333333333333},
    {"aten::rrelu_", "lower", 0.125},
    {"aten::rrelu_", "upper", 0.3333333333333333},
    {"aten::rrelu_with_noise", "lower", 0.125},
    {"aten::rrelu_with_noise", "upper", 0.3333333333333333},
    {"aten::rrelu_with_noise_", "lower", 0.125},
    {"aten::rrelu_with_noise_", "upper", 0.3333333333333333},
    {"aten::rrelu_with_noise_functional", "lower", 0.125},
    {"aten::rrelu_with_noise_functional", "upper", 0.3333333333333333},
    {"aten::softshrink", "lambd", 0.5},
    {"quantized::dropout", "p", 0.5},
    {"quantized::embedding_bag_2bit_prepack", "ratio", 0.16},
    {"quantized::embedding_bag_2bit_prepack_with_rowwise_min_max", "ratio", 0.16},
    {"quantized::embedding_bag_4bit_prepack", "ratio", 0.16},
    {"quantized::embedding_bag_4bit_prepack_with_rowwise_min_max", "ratio", 0.16},
};

/// The namespaces in which FRACTIONS is all there is.
constexpr std::string_view KNOWN[] = {"_test", "aten", "prim", "prims", "quantized", "static_runtime"};

std::optional<double> known_fraction(std::string_view name, std::string_view argument) {
  for (const Fraction &known : FRACTIONS) {
    if (known.name == name && known.argument == argument) {
      return known.value;
    }
  }
  return std::nullopt;
}

/// What is left of "1.5", which is a float, and also of "1.0".
bool is_integral(const c10::IValue &value) {
  if (value.isDouble()) {
    return value.toDouble() == std::trunc(value.toDouble());
  }
  if (value.isDoubleList()) {
    c10::List<double> list = value.toDoubleList();
    return std::any_of(list.begin(), list.end(), [](double entry) { return entry == std::trunc(entry); });
  }
  return value.isComplexDouble();
}

c10::Argument with_default(const c10::Argument &argument, double value) {
  auto alias = argument.alias_info() ? std::optional<c10::AliasInfo>(*argument.alias_info()) : std::nullopt;
  return c10::Argument(
      argument.name(), argument.type(), argument.real_type(), argument.N(), c10::IValue(value), argument.kwarg_only(),
      std::move(alias));
}

}  // namespace

TrueSchema true_schema(const c10::OperatorHandle &op, bool had_decimal_comma) {
  const c10::FunctionSchema &schema = op.schema();
  TrueSchema result{schema, std::vector<bool>(schema.arguments().size(), false)};
  if (!had_decimal_comma) {
    return result;
  }
  std::string_view name_space = op.operator_name().getNamespace().value_or("");
  bool is_known = std::find(std::begin(KNOWN), std::end(KNOWN), name_space) != std::end(KNOWN);
  std::vector<c10::Argument> arguments = schema.arguments();
  for (size_t i = 0; i < arguments.size(); i++) {
    const auto &value = arguments[i].default_value();
    if (!value || !is_integral(*value)) {
      continue;
    }
    if (auto fraction = known_fraction(op.operator_name().name, arguments[i].name())) {
      arguments[i] = with_default(arguments[i], *fraction);
    } else {
      result.is_doubtful[i] = !is_known;
    }
  }
  result.schema = schema.cloneWithArguments(std::move(arguments));
  return result;
}

bool torch_had_decimal_comma() {
  auto op = c10::Dispatcher::singleton().findSchema({"aten::leaky_relu", ""});
  if (!op || op->schema().arguments().size() < 2) {
    return false;
  }
  const auto &slope = op->schema().arguments()[1].default_value();
  return slope && slope->isDouble() && slope->toDouble() != 0.01;
}

}  // namespace ctorch
