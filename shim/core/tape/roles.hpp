// Roles: operators that a tape treats in another way than others. Which ones, and why, is in bindings-gen/policy.toml
// ([[tape]]); the generator writes the table.
#pragma once

#include <cstddef>
#include <cstdint>

namespace c10 {
struct OperatorName;
}

namespace ctorch::tape {

/// Bits, so that an operator may have several.
enum Role : uint32_t {
  READS_VALUES = 1U << 0,     // of tensors, or writes them, besides the operators that it consists of
  SHAPE_BY_VALUES = 1U << 1,  // the shapes of its results depend on values, and its tags do not say so
  SHAPE_BY_MASKS = 1U << 2,   // its tag for such shapes holds only where an index is a mask
  OPENED = 1U << 3,           // the operators that it calls are noted, and not the operator
  WITHOUT_CONTENT = 1U << 4,  // its result is memory without content
  CONSTANT = 1U << 5,         // its result depends on numbers and on the layout of tensors alone
  AUTOGRAD_ONLY = 1U << 6,    // it changes nothing below autograd
  CHANGES_TENSOR = 1U << 7,   // it changes a tensor itself, and not its values
  OTHER_OUT = 1U << 8,        // its overload with `out` gives something else
};

struct OperatorRoles {
  const char *name;
  const char *overload;
  uint32_t roles;
};

extern const OperatorRoles OPERATOR_ROLES[];  // generated/tape_roles.cpp
extern const size_t OPERATOR_ROLES_LEN;

bool has_role(const c10::OperatorName &op, Role role);

}  // namespace ctorch::tape
