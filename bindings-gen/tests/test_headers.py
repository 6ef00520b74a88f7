"""headers.py: what it reads from small headers, what it refuses, and that it reads all of ours."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from ctorchgen.api import Callback, Enum, Function, Opaque, Param, Struct
from ctorchgen.headers import SHORTHAND, HeaderError, hand_written, read_headers


def sample(handwritten):
    """The functions that sample.h declares."""
    return [f for f in handwritten.functions if f.header == "ctorch/sample.h"]


COPY = """
/**
 * Copy tensors.
 *
 * More about it.
 *
 * @param[out] out     owned; NULL if there is nothing,
 *                     which happens.
 * @param[out] count   the number; may be NULL.
 * @param self         exclusive.
 * @param tensors      borrowed; NULL elements are undefined tensors.
 * @param tensors_len  number of tensors.
 * @param data         bytes.
 * @param data_nbytes  bytes at `data`.
 * @param dim          NULL for all.
 * @param name_len     not about a parameter.
 * @param destroy      NULL if none.
 * @param payload      for `destroy`; may be NULL.
 * @return NULL, or INDEX.
 * @since 0.2
 */
CTORCH_API ctorch_error * ctorch_tensor_copy(ctorch_tensor ** out, int64_t* count, ctorch_tensor *self,
    ctorch_tensor const*const*tensors, size_t tensors_len, const void *data, size_t data_nbytes, const int64_t *dim,
    size_t name_len, void (*destroy)(void *payload), void *payload);
"""


def test_a_function_with_a_parameter_of_every_role(include):
    (function,) = sample(read_headers(include(COPY)))
    assert function == Function(
        name="ctorch_tensor_copy",
        header="ctorch/sample.h",
        kind="core",
        returns="ctorch_error *",
        params=(
            Param("out", "ctorch_tensor **", "out", owned=True),
            Param("count", "int64_t *", "out", nullable=True),
            Param("self", "ctorch_tensor *", "in", mutated=True),
            Param("tensors", "const ctorch_tensor *const *", "in", nullable=True),
            Param("tensors_len", "size_t", "len", len_of="tensors"),
            Param("data", "const void *", "in"),
            Param("data_nbytes", "size_t", "len", len_of="data"),
            Param("dim", "const int64_t *", "in", nullable=True),
            Param("name_len", "size_t", "in"),
            Param("destroy", "void (*)(void *payload)", "callback", nullable=True),
            Param("payload", "void *", "payload", nullable=True),
        ),
        returns_nullable=True,
        doc=function.doc,
        since="0.2",
    )
    assert function.doc.startswith(
        "Copy tensors.\n\nMore about it.\n\n@param[out] out     owned; NULL if there is nothing,"
    )
    assert function.doc.endswith("@return NULL, or INDEX.\n@since 0.2")
    assert "*/" not in function.doc


def test_enumerations_structs_handles_and_callbacks(include):
    handwritten = read_headers(
        include(
            """
/** A kind. */
typedef int32_t ctorch_kind;
enum { CTORCH_KIND_A = 0, CTORCH_KIND_B = 7, CTORCH_KIND_C = -1 };
/** A pair. */
typedef struct ctorch_pair {
  /** One. */
  int32_t a;
  /** Two. */
  double b;
} ctorch_pair;
/** A list. */
typedef struct ctorch_list ctorch_list;
/** Give back. @param is no tag here.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_list_release(ctorch_list *self);
/** Add a reference.
 *
 * @param self  borrowed.
 */
CTORCH_EXPORT void ctorch_list_retain(const ctorch_list *self);
/** Called for each.
 *
 * @param kind        which.
 * @param[out] error  owned; NULL if it worked.
 * @param payload     the caller's; may be NULL.
 * @return CTORCH_CALLBACK_OK.
 */
typedef int32_t (*ctorch_visit)(ctorch_kind kind, ctorch_error **error, void *payload);
/** Visit.
 *
 * @param pair     borrowed.
 * @param visit    called.
 * @param payload  for `visit`.
 * @return a kind.
 */
CTORCH_API ctorch_kind ctorch_list_visit(const ctorch_pair *pair, ctorch_visit visit, void *payload);
"""
        )
    )
    values = (("CTORCH_KIND_A", 0), ("CTORCH_KIND_B", 7), ("CTORCH_KIND_C", -1))
    assert handwritten.enums == (Enum("ctorch_kind", values, "A kind."),)
    fields = (("a", "int32_t"), ("b", "double"))
    assert handwritten.structs == (Struct("ctorch_pair", fields, "A pair.\n\na: One.\nb: Two."),)
    assert handwritten.opaque == (
        Opaque("ctorch_error", "ctorch_error_release", None, "A failed call."),
        Opaque("ctorch_tensor", "ctorch_tensor_release", None, "An array."),
        Opaque("ctorch_list", "ctorch_list_release", "ctorch_list_retain", "A list."),
    )
    (visit,) = handwritten.callbacks
    assert visit == Callback(
        "ctorch_visit",
        "int32_t",
        (
            Param("kind", "ctorch_kind", "in"),
            Param("error", "ctorch_error **", "out", owned=True),
            Param("payload", "void *", "payload", nullable=True),
        ),
        visit.doc,
    )
    *_, function = sample(handwritten)
    assert function.signature == "ctorch_kind (const ctorch_pair *pair, ctorch_visit visit, void *payload)"
    assert [p.role for p in function.params] == ["in", "callback", "payload"]


def test_structs_of_other_headers_are_known_by_pointer(include):
    handwritten = read_headers(
        include(
            """
/** A tensor in transit. */
struct DLManagedTensorVersioned;
/** A table. */
struct DLPackExchangeAPI;
/** Give back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_dlpack_release(struct DLManagedTensorVersioned *self);
/** Pass on.
 *
 * @param[out] out  owned.
 * @param managed   consumed, also by a call that fails.
 * @param api       NULL for ours.
 * @return NULL.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_pass(struct DLManagedTensorVersioned **out, struct DLManagedTensorVersioned *managed,
    const struct DLPackExchangeAPI *api);
"""
        )
    )
    assert [o for o in handwritten.opaque if o.name.startswith("struct ")] == [
        Opaque("struct DLManagedTensorVersioned", "ctorch_dlpack_release", None, "A tensor in transit."),
        Opaque("struct DLPackExchangeAPI", None, None, "A table."),
    ]
    release, function = sample(handwritten)
    assert release.params == (Param("self", "struct DLManagedTensorVersioned *", "in", nullable=True),)
    assert function.params == (
        Param("out", "struct DLManagedTensorVersioned **", "out", owned=True),
        Param("managed", "struct DLManagedTensorVersioned *", "in", owned=True),
        Param("api", "const struct DLPackExchangeAPI *", "in", nullable=True),
    )


def test_a_scope_is_released_by_scope_end(root):
    scope = next(o for o in read_headers(root / "include").opaque if o.name == "ctorch_scope")
    assert (scope.release, scope.retain) == ("ctorch_scope_end", None)


# What is nullable, by the words of the comment.


@pytest.mark.parametrize(
    ("text", "nullable"),
    [
        ("borrowed.", False),
        ("borrowed; may be NULL.", True),
        ("owned by nobody; NULL is allowed.", True),
        ("borrowed; NULL is success.", True),
        ("NULL for 1.", True),
        ("NULL if none.", True),
        ("NULL means the default.", True),
        ("NULL to decide by the values.", True),
        ("borrowed; NULL forgets it.", True),
        ("borrowed; NULL elements are skipped.", False),
        ("borrowed; NULL elements are skipped; NULL for none.", True),
        ("borrowed; for NULLABLE things.", False),
    ],
)
def test_an_argument_is_nullable_iff_its_text_mentions_null(include, text, nullable):
    text = text.replace("owned by", "kept by")
    header = f"/** Use.\n *\n * @param x  {text}\n */\nCTORCH_EXPORT void ctorch_use(const ctorch_tensor *x);\n"
    (function,) = sample(read_headers(include(header)))
    assert function.params == (Param("x", "const ctorch_tensor *", "in", nullable=nullable),)


@pytest.mark.parametrize(
    ("c_type", "text", "nullable", "owned"),
    [
        ("ctorch_tensor **", "owned.", False, True),
        ("ctorch_tensor **", "owned; NULL if there is none.", False, True),
        ("ctorch_tensor **", "borrowed from it; may be NULL.", True, False),
        ("const int64_t **", "the numbers; NULL if there are none.", False, False),
        ("void **", "borrowed; NULL for none.", False, False),
        ("int64_t *", "the number; NULL is allowed.", True, False),
        ("int64_t *", "the number.", False, False),
    ],
)
def test_an_output_is_nullable_iff_the_argument_may_be_null(include, c_type, text, nullable, owned):
    header = f"/** Make.\n *\n * @param[out] x  {text}\n */\nCTORCH_EXPORT void ctorch_make({c_type} x);\n"
    (function,) = sample(read_headers(include(header)))
    assert function.params == (Param("x", c_type, "out", nullable=nullable, owned=owned),)


@pytest.mark.parametrize("text", ["the caller's.", "the caller's; may be NULL."])
def test_a_payload_may_always_be_null(include, text):
    header = f"/** Visit.\n *\n * @param payload  {text}\n */\ntypedef void (*ctorch_visit)(void *payload);\n"
    (callback,) = read_headers(include(header)).callbacks
    assert callback.params == (Param("payload", "void *", "payload", nullable=True),)


@pytest.mark.parametrize(
    ("c_type", "text", "nullable"),
    [
        ("const char *", "static text.", False),
        ("const char *", 'borrowed; "" for NULL.', False),
        ("const char *", "borrowed; NULL beyond the last.", True),
        ("const char *", "borrowed; NULL for NULL.", True),
        ("const char *", 'borrowed; "" for NULL and NULL for what has no name.', True),
        ("void *", "the payload; NULL for NULL, and once the call has failed.", True),
        ("bool", "false for NULL.", False),
        ("int64_t", "0 for NULL.", False),
    ],
)
def test_a_returned_pointer_is_nullable_iff_null_comes_back(include, c_type, text, nullable):
    header = f"/** Ask.\n *\n * @return {text}\n */\nCTORCH_API {c_type} ctorch_ask(void);\n"
    (function,) = sample(read_headers(include(header)))
    assert (function.returns_nullable, function.returns_len) == (nullable, None)


COUNT = "/** Count.\n * @param a  it.\n * @return n.\n */\nCTORCH_API {} ctorch_len(const ctorch_tensor *a);\n"
ENTRIES = """/** List.
 * @param a  it.
 * @return {}
 */
CTORCH_API {} ctorch_list({});
"""


@pytest.mark.parametrize("c_type", ["const int64_t *", "const ctorch_tensor *const *", "const char *const *"])
def test_a_returned_array_names_the_accessor_that_counts_it(include, c_type):
    text = "`ctorch_len` entries, borrowed; NULL for NULL."
    header = COUNT.format("size_t") + ENTRIES.format(text, c_type, "ctorch_tensor *a")
    count, function = sample(read_headers(include(header)))
    assert (function.returns_nullable, function.returns_len) == (True, count.name)


def test_a_written_list_names_its_length(include):
    header = void(
        "const int64_t **out, size_t *out_len, size_t *used",
        "@param[out] out      borrowed; may be NULL.",
        "@param[out] out_len  number of entries; may be NULL.",
        "@param[out] used     bytes.",
    )
    (function,) = sample(read_headers(include(header)))
    assert [p.len_of for p in function.params] == [None, "out", None]


# What is refused. Each: header text, expected errors without the path ("7: ctorch_f: what").


def void(params: str, *docs: str, name: str = "ctorch_f") -> str:
    """A declaration whose comment ends in line 3 + len(docs), so that it stands on the next."""
    lines = "".join(f" * {d}\n" for d in docs)
    return f"/** Do.\n{lines} */\nCTORCH_EXPORT void {name}({params});\n"


STRUCT = "/** S. */\ntypedef struct ctorch_s {\n  /** A. */\n  bool a;\n} ctorch_s;\n"

REFUSED = {
    "undocumented parameter": (
        void("int64_t a, bool b", "@param a  one."),
        ["5: ctorch_f: parameter `b` is not documented"],
    ),
    "documents no parameter": (
        void("bool a", "@param a  one.", "@param b  two."),
        ["6: ctorch_f: documents `b`, which is no parameter"],
    ),
    "documents twice": (
        void("bool a", "@param a  one.", "@param a  two."),
        ["6: ctorch_f: documents `a` more than once"] * 2,
    ),
    "other order": (
        void("bool a, bool b", "@param b  two.", "@param a  one."),
        ["6: ctorch_f: documents its parameters in another order than they have: a, b"],
    ),
    "a list without a length": (
        void("const int64_t *a", "@param a  `b_len` entries; NULL for none."),
        ["5: ctorch_f: parameter `a`: a list without a length of its own, `size_t a_len`"],
    ),
    "a number that is needed behind a pointer": (
        void("const int64_t *a", "@param a  the sizes."),
        ["5: ctorch_f: parameter `a`: one number that may be left out; say what NULL means"],
    ),
    "the length of nothing": (
        void("size_t *b_len", "@param[out] b_len  how many."),
        ["5: ctorch_f: parameter `b_len`: the length of `b`, which is no parameter"],
    ),
    "an array without a count": (
        ENTRIES.format("the numbers.", "const int64_t *", "const ctorch_tensor *a"),
        ["6: ctorch_list: @return names the accessor that counts the array: `ctorch_…` entries"],
    ),
    "a count of nothing": (
        ENTRIES.format("`ctorch_len` entries.", "const char *", "const ctorch_tensor *a"),
        ["6: ctorch_list: @return speaks of entries, but `const char *` is no array"],
    ),
    "an unknown count": (
        ENTRIES.format("`ctorch_len` entries.", "const int64_t *", "const ctorch_tensor *a"),
        ["6: ctorch_list: no function `ctorch_len` counts the array"],
    ),
    "a count that is no number": (
        COUNT.format("double") + ENTRIES.format("`ctorch_len` entries.", "const int64_t *", "const ctorch_tensor *a"),
        ["11: ctorch_list: `ctorch_len` does not count for the same arguments"],
    ),
    "a count of something else": (
        COUNT.format("size_t") + ENTRIES.format("`ctorch_len` entries.", "const int64_t *", "const ctorch_error *a"),
        ["11: ctorch_list: `ctorch_len` does not count for the same arguments"],
    ),
    "@return mentions NULL to forbid it": (
        "/** Do.\n * @return never NULL.\n */\nCTORCH_API const char *ctorch_f(void);\n",
        ["5: ctorch_f: @return mentions NULL only where it comes back: `never NULL.`"],
    ),
    "unnamed parameter": (void("bool"), ["4: ctorch_f: parameter 1 has no name"]),
    "no comment": (
        "CTORCH_EXPORT void ctorch_f(void);\n",
        ["2: ctorch_f: no doc comment `/** … */`"],
    ),
    "empty parameter text": (
        void("bool a", "@param a"),
        ["5: ctorch_f: not understood: `@param a`", "5: ctorch_f: parameter `a` is not documented"],
    ),
    "unknown tag": (void("void", "@returns x."), ["5: ctorch_f: not understood: `@returns x.`"]),
    "@since that is no version": (void("void", "@since now"), ["5: ctorch_f: not understood: `@since now`"]),
    "fallible without @return": (
        "/** Do.\n * @since 0.1\n */\nCTORCH_API ctorch_error *ctorch_f(void);\n",
        ["5: ctorch_f: returns something, but has no @return"],
    ),
    "fallible without @since": (
        "/** Do.\n * @return NULL.\n */\nCTORCH_API ctorch_error *ctorch_f(void);\n",
        ["5: ctorch_f: can fail, but has no @since"],
    ),
    "@return of void": (void("void", "@return x."), ["5: ctorch_f: @return of a function that returns nothing"]),
    "not exported": (
        "/** Do. */\nvoid ctorch_f(void);\n",
        ["3: ctorch_f: marked with neither CTORCH_API nor CTORCH_EXPORT"],
    ),
    "result may be dropped": (
        "/** Do.\n * @return x.\n */\nCTORCH_EXPORT bool ctorch_f(void);\n",
        ["5: ctorch_f: CTORCH_API is for functions that return something, CTORCH_EXPORT for the others"],
    ),
    "inline": (
        "/** Do. */\nCTORCH_EXPORT inline void ctorch_f(void) {}\n",
        ["3: ctorch_f: a body; a foreign language can call exported functions only"],
    ),
    "name without prefix": (
        void("void", name="torch_f"),
        ["4: torch_f: a public name starts with ctorch_ and is in lower case"],
    ),
    "type name without prefix": (
        "/** K. */\ntypedef int32_t kind;\nenum { CTORCH_A = 0 };\n",
        ["3: kind: a public name starts with ctorch_ and is in lower case"],
    ),
    "variadic": (void("bool a, ...", "@param a  one."), ["5: ctorch_f: variadic"]),
    "unprototyped": (void(""), ["4: ctorch_f: `()` leaves the parameters open; write `(void)`"]),
    "unknown type": (void("foo a", "@param a  one."), ["5: ctorch_f: unknown type name 'foo'"]),
    "unknown result": (
        "/** Do. */\nCTORCH_API foo ctorch_f(void);\n",
        ["3: ctorch_f: unknown type name 'foo'"],
    ),
    "int": (
        void("int a, unsigned long *b", "@param a  one.", "@param[out] b  two."),
        [
            "6: ctorch_f: parameter `a`: `int` is no type of the ABI",
            "6: ctorch_f: parameter `b`: `unsigned long *` is no type of the ABI",
        ],
    ),
    "array": (
        void("const int64_t a[]", "@param a  one."),
        ["5: ctorch_f: parameter `a`: `const int64_t[]` is no type of the ABI"],
    ),
    "char by value": (
        void("char a", "@param a  one."),
        ["5: ctorch_f: parameter `a`: `char` is no type of the ABI"],
    ),
    "struct by value": (
        STRUCT + void("ctorch_s a", "@param a  one."),
        ["10: ctorch_f: parameter `a`: `ctorch_s` by value; it travels by pointer"],
    ),
    "struct returned": (
        STRUCT + "/** Do.\n * @return x.\n */\nCTORCH_API ctorch_s ctorch_f(void);\n",
        ["10: ctorch_f: result: `ctorch_s` by value; it travels by pointer"],
    ),
    "struct field": (
        "/** S. */\ntypedef struct ctorch_s {\n  int64_t a;\n  /** B. */\n  const char *b;\n} ctorch_s;\n",
        [
            "4: a: no doc comment `/** … */`",
            "6: b: field of type `const char *`; structs hold plain numbers",
        ],
    ),
    "union": (
        "/** U. */\nunion ctorch_u { bool a; };\n",
        ["3: ctorch_u: a union"],
    ),
    "union in a struct": (
        "/** S. */\ntypedef struct ctorch_s {\n  union { bool a; };\n} ctorch_s;\n",
        ["4: a union inside struct ctorch_s"],
    ),
    "variable": ("/** V. */\nextern int32_t ctorch_v;\n", ["3: ctorch_v: neither a type nor a function"]),
    "other typedef": (
        "/** T. */\ntypedef int64_t ctorch_id;\n",
        ["3: ctorch_id: a typedef of `int64_t`, not of int32_t, a struct or a callback"],
    ),
    "enumeration without constants": (
        "/** K. */\ntypedef int32_t ctorch_kind;\n" + void("void"),
        ["3: ctorch_kind: a typedef of int32_t without the `enum { … };` of its constants after it"],
    ),
    "constants without typedef": (
        "enum { CTORCH_A = 0 };\n",
        ["2: an enumeration is `typedef int32_t ctorch_…;` and an `enum { … };` without a name"],
    ),
    "constants": (
        "/** K. */\ntypedef int32_t ctorch_kind;\nenum {\n  CTORCH_A = 0,\n  CTORCH_B,\n  KIND_C = 0\n};\n",
        [
            "6: CTORCH_B: a constant without its number written out",
            "7: KIND_C: a constant starts with CTORCH_",
            "7: KIND_C: the number 0 a second time",
        ],
    ),
    "opaque without release": (
        "/** O. */\ntypedef struct ctorch_o ctorch_o;\n",
        ["3: ctorch_o: an opaque type without ctorch_o_release"],
    ),
    "length of another type": (
        void("const bool *a, int64_t a_len", "@param a  one.", "@param a_len  two."),
        ["6: ctorch_f: parameter `a_len`: the length of `a` is a size_t, not `int64_t`"],
    ),
    "output without owner": (
        void("ctorch_tensor **a", "@param[out] a  the tensor."),
        ["5: ctorch_f: parameter `a`: the text of an output handle starts with `owned` or `borrowed`"],
    ),
    "owned number": (
        void("int64_t *a", "@param[out] a  owned."),
        ["5: ctorch_f: parameter `a`: `owned`, but `int64_t *` is no output of a handle"],
    ),
    "output through const": (
        void("const int64_t *a, const bool *const *b", "@param[out] a  one.", "@param[out] b  two."),
        [
            "6: ctorch_f: parameter `a`: @param[out] of `const int64_t *`, which cannot be written through",
            "6: ctorch_f: parameter `b`: @param[out] of `const bool *const *`, which cannot be written through",
        ],
    ),
    "output by value": (
        void("bool a", "@param[out] a  one."),
        ["5: ctorch_f: parameter `a`: @param[out] of `bool`, which cannot be written through"],
    ),
    "output not marked": (
        void("ctorch_tensor **a, bool *b", "@param a  one.", "@param b  two."),
        [
            "6: ctorch_f: parameter `a`: `ctorch_tensor **` can be written through; mark it @param[out]",
            "6: ctorch_f: parameter `b`: `bool *` can be written through; mark it @param[out]",
        ],
    ),
    "exclusive and const": (
        void("const ctorch_tensor *a", "@param a  exclusive."),
        ["5: ctorch_f: parameter `a`: `exclusive`, but `const ctorch_tensor *` is not to be changed"],
    ),
    "foreign struct that is not listed": (
        "/** S. */\nstruct DLTensor;\n",
        ["3: DLTensor: a public name starts with ctorch_ and is in lower case"],
    ),
    "foreign struct that is defined": (
        "/** S. */\nstruct DLPackExchangeAPI {\n  bool a;\n};\n",
        ["3: DLPackExchangeAPI: a public name starts with ctorch_ and is in lower case"],
    ),
    "foreign struct without release": (
        "/** S. */\nstruct DLManagedTensor;\n",
        ["3: DLManagedTensor: an opaque type without ctorch_dlpack_unversioned_release"],
    ),
    "foreign struct by value": (
        "/** S. */\nstruct DLPackExchangeAPI;\n" + void("struct DLPackExchangeAPI a", "@param a  one."),
        ["7: ctorch_f: parameter `a`: `struct DLPackExchangeAPI` by value; it travels by pointer"],
    ),
    "consumed and const": (
        void("const ctorch_tensor *a, void *b", "@param a  consumed.", "@param b  consumed."),
        [
            "6: ctorch_f: parameter `a`: `consumed`, but `const ctorch_tensor *` is no handle that could be released",
            "6: ctorch_f: parameter `b`: `consumed`, but `void *` is no handle that could be released",
        ],
    ),
    "owned by another function": (
        void("ctorch_tensor *a", "@param a  owned."),
        ["5: ctorch_f: parameter `a`: `owned`, but only release functions take over an argument"],
    ),
    "NULL forbidden": (
        void("const bool *a", "@param a  not NULL."),
        ["5: ctorch_f: parameter `a`: mention NULL only to allow it for this parameter: `not NULL.`"],
    ),
    "NULL of another": (
        void("const bool *a, const bool *b", "@param a  NULL for 1.", "@param b  read if `a` is NULL."),
        ["6: ctorch_f: parameter `b`: mention NULL only to allow it for this parameter: `read if `a` is NULL.`"],
    ),
    "NULL of a number": (
        void("bool a", "@param a  NULL for 1."),
        ["5: ctorch_f: parameter `a`: mentions NULL, but `bool` is no pointer"],
    ),
    "NULL of two things": (
        void("ctorch_tensor **a", "@param[out] a  owned; may be NULL; NULL if none."),
        ["5: ctorch_f: parameter `a`: is the argument NULL or the value? `owned; may be NULL; NULL if none.`"],
    ),
    "NULL in a number": (
        void("bool *a", "@param[out] a  NULL if none."),
        ["5: ctorch_f: parameter `a`: no `bool *` gets the value NULL; for the argument write `may be NULL`"],
    ),
    "callback without payload": (
        void("void (*a)(bool x)", "@param a  called."),
        ["5: ctorch_f: a callback without `void *payload`"],
    ),
    "callback type without payload": (
        "/** C.\n * @param x  one.\n */\ntypedef void (*ctorch_c)(bool x);\n",
        ["5: ctorch_c: a callback without `void *payload`"],
    ),
    "open callback type": (
        "/** C. */\ntypedef void (*ctorch_c)();\n",
        [
            "3: ctorch_c: `()` leaves the parameters open; write `(void)`",
            "3: ctorch_c: a callback without `void *payload`",
        ],
    ),
    "variadic callback type": (
        "/** C.\n * @param payload  passed.\n */\ntypedef void (*ctorch_c)(void *payload, ...);\n",
        ["5: ctorch_c: variadic"],
    ),
    "callback of unknown type": (
        void("void (*a)(long x, void *payload), void *payload", "@param a  called.", "@param payload  passed."),
        ["6: ctorch_f: parameter `a`: `long` is no type of the ABI"],
    ),
    "open callback": (
        void("void (*a)(), void *payload", "@param a  called.", "@param payload  passed."),
        ["6: ctorch_f: parameter `a`: a callback with open parameters"],
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(include, case):
    header, expected = REFUSED[case]
    with pytest.raises(HeaderError) as caught:
        read_headers(include(header))
    errors = str(caught.value).splitlines()
    assert [re.sub(r"^.*/ctorch/sample\.h:", "", e) for e in errors] == expected
    assert all("/ctorch/sample.h:" in e for e in errors)


def test_all_errors_are_reported_together(include):
    with pytest.raises(HeaderError) as caught:
        read_headers(include(void("int a", "@param a  one.") + void("", name="ctorch_g")))
    assert len(str(caught.value).splitlines()) == 2


def test_a_header_that_ctorch_h_does_not_include(include):
    directory = include("")
    (directory / "ctorch/forgotten.h").write_text("/** Forgotten. */\n")
    with pytest.raises(HeaderError, match=r"forgotten\.h:1: ctorch\.h does not include it"):
        read_headers(directory)


def test_a_missing_header(include):
    with pytest.raises(HeaderError, match=r"sample\.h:2: 'ctorch/none\.h' file not found"):
        read_headers(include('#include "ctorch/none.h"\n'))


# Our headers.


def test_our_headers_agree_with_another_preprocessor(root):
    """The names of all functions, counted by gcc's preprocessor and a split at the marks."""
    found = {f.name for f in read_headers(root / "include").functions}
    marks = ["CTORCH_BASE_H", "CTORCH_API=@", "CTORCH_EXPORT=@", "CTORCH_BEGIN_DECLS=", "CTORCH_END_DECLS="]
    headers = hand_written(root / "include")
    text = "".join(
        subprocess.run(
            ["cc", "-E", "-P", "-xc", *(f"-D{mark}" for mark in marks), f"-I{root / 'include'}", str(h)],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for h in headers
        if h.name != "base.h"
    )
    assert found == set(re.findall(r"@[^@(]*?\b(ctorch_\w+)\s*\(", text))
    assert len(found) > 90


def test_our_headers_have_the_enumerations_and_structs_of_the_contract(root):
    handwritten = read_headers(root / "include")
    enums = {e.name: dict(e.values) for e in handwritten.enums}
    assert enums["ctorch_dtype"]["CTORCH_DTYPE_FLOAT32"] == 6
    assert enums["ctorch_error_kind"]["CTORCH_ERROR_UNKNOWN"] == 92
    structs = {s.name: [f for f, _ in s.fields] for s in handwritten.structs}
    assert structs == {
        "ctorch_scalar": ["kind", "reserved", "i", "re", "im"],
        "ctorch_device": ["type", "index"],
        "ctorch_stream": ["id", "device_type", "device_index"],
    }
    assert re.fullmatch(r"\d+\.\d+\.\d+", handwritten.version)


def test_functions_are_sorted_by_header_then_as_declared(root):
    functions = read_headers(root / "include").functions
    assert [f.unit for f in functions] == sorted(f.unit for f in functions)
    types = [f.name for f in functions if f.header == "ctorch/abi/types.h"]
    assert types.index("ctorch_dtype_name") < types.index("ctorch_dtype_itemsize") < types.index("ctorch_layout_name")


def test_no_two_headers_have_one_name(root):
    names = [h.name for h in (root / "include/ctorch").rglob("*.h") if h.parent.name != "generated"]
    assert len(names) > 90
    assert sorted(names) == sorted(set(names))


def test_it_works_without_the_generated_headers(root, tmp_path: Path):
    for header in [root / "include/ctorch.h", root / "include" / SHORTHAND, *hand_written(root / "include")]:
        target = tmp_path / header.relative_to(root / "include")
        target.parent.mkdir(exist_ok=True, parents=True)
        target.write_bytes(header.read_bytes())
    assert read_headers(tmp_path) == read_headers(root / "include")
