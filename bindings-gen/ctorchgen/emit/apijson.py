"""api.json: the model for the binding generators of other projects. Its grammar is ../../api.schema.json.

An entry is one line, whatever its size: 3,200 functions stay a tenth of what an indented file takes, and a diff of two
versions names one function a line.
"""

from __future__ import annotations

import json
from typing import Any

from ..api import Api


class ApiJson:
    def emit(self, api: Api) -> dict[str, str]:
        parts = []
        for key, value in api.to_json().items():
            if isinstance(value, list):
                lines = ",\n".join(_line(entry) for entry in value)
                parts.append(f'"{key}": [\n{lines}\n]' if lines else f'"{key}": []')
            else:
                parts.append(f'"{key}": {_line(value)}')
        return {"api.json": "{\n" + ",\n".join(parts) + "\n}\n"}


def _line(value: Any) -> str:
    # Infinity and NaN are no JSON; a default that needs them has to be written in another way, not slip through.
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        raise ValueError(f"{value['name']}: {error}") from error
