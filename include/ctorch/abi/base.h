/**
 * Export and checking marks, the opaque types, and macros for C programs.
 *
 * The macros (CTORCH_INTS, CTORCH_TRY in error.h, …) and shorthand.h are for people who write C: nothing in the ABI
 * needs them, and a foreign runtime can do without every macro and inline function of this library.
 */
#ifndef CTORCH_BASE_H
#define CTORCH_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** CTORCH_EXPORT marks an exported function; CTORCH_API one whose result must be looked at. */
#if defined(__GNUC__) || defined(__clang__)
#define CTORCH_EXPORT __attribute__((visibility("default")))
#define CTORCH_API __attribute__((visibility("default"), warn_unused_result))
#else
#define CTORCH_EXPORT
#define CTORCH_API
#endif

#ifdef __cplusplus
#define CTORCH_BEGIN_DECLS extern "C" {
#define CTORCH_END_DECLS }
#else
#define CTORCH_BEGIN_DECLS
#define CTORCH_END_DECLS
#endif

CTORCH_BEGIN_DECLS

/** A failed call: error.h. */
typedef struct ctorch_error ctorch_error;
/** An n-dimensional array: tensor.h. */
typedef struct ctorch_tensor ctorch_tensor;
/** An owned sequence of tensors: tensor_list.h. */
typedef struct ctorch_tensor_list ctorch_tensor_list;
/** The memory behind tensors: storage.h. */
typedef struct ctorch_storage ctorch_storage;
/** A random number generator: random.h. */
typedef struct ctorch_generator ctorch_generator;
/** A value of any type, such as operators called by name exchange: value.h. */
typedef struct ctorch_value ctorch_value;
/** An operator found by its name: op.h. */
typedef struct ctorch_op ctorch_op;
/** An owned UTF-8 text: string.h. */
typedef struct ctorch_string ctorch_string;
/** A region of code whose handles are released together: scope.h. */
typedef struct ctorch_scope ctorch_scope;

#ifndef __cplusplus
/** A list argument and its length in one word: `ctorch_aten_view(&y, x, CTORCH_INTS(-1, 784))`. */
#define CTORCH_INTS(...) (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)
#define CTORCH_DOUBLES(...) (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)
#define CTORCH_BOOLS(...) (const bool[]){__VA_ARGS__}, sizeof((const bool[]){__VA_ARGS__}) / sizeof(bool)
/** A list argument that is left to its default, or None. */
#define CTORCH_DEFAULT_LIST NULL, 0
/** Tensors of a list argument: `ctorch_aten_cat(&y, CTORCH_TENSORS(a, b), 0)`. */
#define CTORCH_TENSORS(...)                    \
  (const ctorch_tensor *const[]){__VA_ARGS__}, \
      sizeof((const ctorch_tensor *const[]){__VA_ARGS__}) / sizeof(const ctorch_tensor *)
/** An optional argument that is given: `CTORCH_SOME(int64_t, 3)`, `CTORCH_SOME(ctorch_dtype, CTORCH_DTYPE_FLOAT64)`. */
#define CTORCH_SOME(type, ...) (&(const type){__VA_ARGS__})
/** Scalars: `ctorch_aten_mul_Scalar(&y, x, CTORCH_FLOAT(0.5))`. */
#define CTORCH_INT(value) (&(const ctorch_scalar){CTORCH_SCALAR_INT, 0, (value), 0.0, 0.0})
#define CTORCH_FLOAT(value) (&(const ctorch_scalar){CTORCH_SCALAR_FLOAT, 0, 0, (value), 0.0})
#define CTORCH_BOOL(value) (&(const ctorch_scalar){CTORCH_SCALAR_BOOL, 0, (value) ? 1 : 0, 0.0, 0.0})
#define CTORCH_COMPLEX(real, imaginary) (&(const ctorch_scalar){CTORCH_SCALAR_COMPLEX, 0, 0, (real), (imaginary)})
#endif

CTORCH_END_DECLS

#endif
