"""tape_roles.cpp: the operators that tapes treat in another way than others, as policy.toml lists them."""

from __future__ import annotations

from ...api import Api


class TapeRolesCpp:
    def __init__(self, roles: dict[str, tuple[str, ...]]) -> None:
        self.roles = roles

    def emit(self, api: Api) -> dict[str, str]:
        return {"tape_roles.cpp": _HEAD + "".join(map(_row, self.roles.items())) + _FOOT}


def _row(entry: tuple[str, tuple[str, ...]]) -> str:
    (operator, roles) = entry
    name, _, overload = operator.partition(".")
    return f'    {{"aten::{name}", "{overload}", {" | ".join(role.upper() for role in roles)}}},\n'


_HEAD = """\
// Generated from policy.toml by bindings-gen/gen.py: do not edit.
#include "core/tape/roles.hpp"

namespace ctorch::tape {

const OperatorRoles OPERATOR_ROLES[] = {
"""

_FOOT = """\
};

const size_t OPERATOR_ROLES_LEN = sizeof OPERATOR_ROLES / sizeof *OPERATOR_ROLES;

}  // namespace ctorch::tape
"""
