"""What an emitter of a binding takes from the comments of the headers."""

from __future__ import annotations

import re

from ..api import Function


def summary(function: Function) -> str:
    """The first paragraph, on one line; the schema of an operator."""
    return " ".join(function.doc.split("\n\n")[0].split())


def schema_of(function: Function) -> str:
    """The schema of what is in a schema file, with its forward; nothing for others, whose `summary` tells all."""
    if function.is_operator or not function.schema:
        return ""
    return function.schema + (f", whose forward is {function.forward}" if function.forward else "")


def of_parameter(function: Function, name: str) -> str:
    """The text of `@param name`, on one line."""
    text = re.search(rf"@param(?:\[out\])? {re.escape(name)}\s+(.*?)(?=\n@|\Z)", function.doc, re.S)
    return " ".join(text[1].split()) if text else ""


def list_may_be_left_out(function: Function, name: str) -> bool:
    """Whether NULL says something that an empty list does not. In the model every list may be NULL."""
    return bool(re.search(r"\bNULL (for|with length|is)\b", of_parameter(function, name)))
