// The table of roles, by operator: roles.hpp.
#include "core/tape/roles.hpp"

#include <ATen/core/operator_name.h>

#include <unordered_map>

namespace ctorch::tape {

bool has_role(const c10::OperatorName &op, Role role) {
  static const auto &all = *[] {
    auto *roles = new std::unordered_map<c10::OperatorName, uint32_t>(OPERATOR_ROLES_LEN);
    for (size_t i = 0; i < OPERATOR_ROLES_LEN; i++) {
      const OperatorRoles &row = OPERATOR_ROLES[i];
      roles->emplace(c10::OperatorName(row.name, row.overload), row.roles);
    }
    return roles;
  }();
  const auto found = all.find(op);
  return found != all.end() && (found->second & role) != 0;
}

}  // namespace ctorch::tape
