/**
 * Transforms written in C: a struct that begins with a ctorch_transform, and a class that says what it does.
 *
 *     struct posterize {
 *       ctorch_transform transform;
 *       int64_t bits;
 *     };
 *
 *     static ctorch_error *apply(
 *         const ctorch_transform *self, struct transform_call *call, ctorch_tensor **out, const ctorch_tensor *input,
 *         const void *drawn) {
 *       (void)drawn;
 *       return posterize(call->function, out, input, ((const struct posterize *)self)->bits);
 *     }
 *     static void extra_repr(const ctorch_transform *self, struct text *text) {
 *       transform_repr_double(text, "p", self->p);
 *       transform_repr_int(text, "bits", ((const struct posterize *)self)->bits);
 *     }
 *     static const transform_class posterize_class = {
 *         .object = TRANSFORM_OBJECT(struct posterize), .name = "RandomPosterize", .is_random = true,
 *         .kernels = TRANSFORM_PICTURES, .apply = apply, .extra_repr = extra_repr};
 *
 *     ctorch_error *transforms_RandomPosterize(
 *         const char *function, ctorch_transform **out, const struct transforms_RandomPosterize_options *options) {
 *       struct posterize *self = transform_new(&posterize_class);
 *       if (self != NULL) {
 *         self->bits = options->bits;
 *         self->transform.p = options->p;
 *       }
 *       return transform_give(function, out, self == NULL ? NULL : &self->transform, NULL);
 *     }
 *
 * What is random is drawn once for a sample, by `draw`, into a struct of the class's own, and then applied to each
 * input: a crop cuts image, mask and boxes at the same place.
 *
 *     static ctorch_error *draw(
 *         const ctorch_transform *self, struct transform_call *call, void *drawn, const struct transform_inputs
 *         *inputs) {
 *       return draw_uniform(call, &((struct drawn *)drawn)->angle, degrees[0], degrees[1]);
 *     }
 *
 * The functionals (`posterize` above) take any tensor that has a kernel for its mark and mark what they give alike.
 * What has no kernel comes out of a transform as it went in, and is a TYPE error of the functional.
 */
#ifndef CTORCH_SHIM_TRANSFORMS_TRANSFORM_H
#define CTORCH_SHIM_TRANSFORMS_TRANSFORM_H

#include <ctorch.h>

#include "core/c/object.h"
#include "transforms/tv_tensor.h"

struct text; /* text.h */

/** Sets of kinds, as bits. */
enum {
  TRANSFORM_PURE = 1 << CTORCH_TV_TENSOR_NONE,
  TRANSFORM_IMAGE = 1 << CTORCH_TV_TENSOR_IMAGE,
  TRANSFORM_VIDEO = 1 << CTORCH_TV_TENSOR_VIDEO,
  TRANSFORM_MASK = 1 << CTORCH_TV_TENSOR_MASK,
  TRANSFORM_BOUNDING_BOXES = 1 << CTORCH_TV_TENSOR_BOUNDING_BOXES,
  TRANSFORM_KEY_POINTS = 1 << CTORCH_TV_TENSOR_KEY_POINTS,
  TRANSFORM_PICTURES = TRANSFORM_PURE | TRANSFORM_IMAGE | TRANSFORM_VIDEO,
  TRANSFORM_MARKED =
      TRANSFORM_IMAGE | TRANSFORM_VIDEO | TRANSFORM_MASK | TRANSFORM_BOUNDING_BOXES | TRANSFORM_KEY_POINTS,
  TRANSFORM_TENSORS = TRANSFORM_PURE | TRANSFORM_MARKED
};

/** One call of a transform. */
struct transform_call {
  const char *function;        /* the exported one, for errors */
  ctorch_generator *generator; /* NULL for the default one */
};

/** Tensors of a sample, in the order in which they lie in it; borrowed. */
struct transform_inputs {
  const ctorch_tensor **data;
  size_t len;
};

/** What lies in a sample: what is in its tuples, lists and dicts, depth first. */
struct transform_leaves {
  ctorch_value **values;
  ctorch_tensor **tensors; /* NULL for what is no tensor */
  bool *is_transformed;
  size_t len, capacity;
};

/** What all transforms of one kind have in common. Whatever a class does not need is NULL or 0. */
typedef struct transform_class {
  object_class object;
  /** As Python prints it: "Resize". */
  const char *name;
  /** What it transforms (Python's _transformed_types), a set of kinds; 0 for all tensors. Other inputs are passed by,
   * `draw` does not see them. */
  unsigned types;
  /** What it has a kernel for, a set of kinds; 0 for all. Other inputs are seen by `draw`, but come out as they are. */
  unsigned kernels;
  /** It does something with the probability `p` of its ctorch_transform, which is drawn first
   * (_RandomApplyTransform). */
  bool is_random;
  /** Refuse a sample, before anything is drawn (check_inputs). */
  ctorch_error *(*check)(
      const ctorch_transform *self, const struct transform_call *call, const struct transform_leaves *leaves);
  /** Bytes of what `draw` fills, which are zero before that, and what gives up what it holds. */
  size_t drawn_size;
  void (*drawn_end)(void *drawn);
  /** Draw what is random for a sample (make_params). */
  ctorch_error *(*draw)(
      const ctorch_transform *self, struct transform_call *call, void *drawn, const struct transform_inputs *inputs);
  /** One tensor to one tensor: `*out` is the caller's, it may be `input` with a reference (tensor_give). */
  ctorch_error *(*apply)(
      const ctorch_transform *self,
      struct transform_call *call,
      ctorch_tensor **out,
      const ctorch_tensor *input,
      const void *drawn);
  /** In place of `apply`, for what makes no tensor of one. */
  ctorch_error *(*apply_to_value)(
      const ctorch_transform *self,
      struct transform_call *call,
      ctorch_value **out,
      const ctorch_tensor *input,
      const void *drawn);
  /** In place of all of the above: a sample to a sample. */
  ctorch_error *(*call)(
      const ctorch_transform *self, struct transform_call *call, ctorch_value **out, const ctorch_value *input);
  /** What stands between the parentheses of its text: transform_repr_int and its kind, in Python's order. */
  void (*extra_repr)(const ctorch_transform *self, struct text *text);
  /** Whether it may be called on any thread; NULL for yes. */
  bool (*may_thread)(const ctorch_transform *self);
  /** The name where it is not always the same; NULL for `name`. */
  const char *(*name_of)(const ctorch_transform *self);
} transform_class;

struct ctorch_transform {
  double p;   /* of a class that is random */
  int levels; /* of transforms inside it */
};

/** For a struct that holds nothing, and for one that does. */
#define TRANSFORM_OBJECT(type) {"transform", sizeof(type), NULL}
#define TRANSFORM_OBJECT_WITH(type, finalize) {"transform", sizeof(type), finalize}

/** A new transform of a class; NULL if memory has run out, which transform_give makes an error of. */
void *transform_new(const transform_class *type);

/** Hand a new transform out, or give it up if there is an error. NULL is out of memory. VALUE for a `p` outside of 0 to
 * 1 of a class that is random. */
ctorch_error *transform_give(const char *function, ctorch_transform **out, ctorch_transform *self, ctorch_error *error)
    __attribute__((warn_unused_result));

const transform_class *transform_class_of(const ctorch_transform *self);

/** Apply it, as its class does. */
ctorch_error *transform_run(
    const ctorch_transform *self, struct transform_call *call, ctorch_value **out, const ctorch_value *input)
    __attribute__((warn_unused_result));

/** Hand out another reference to a value, as what is passed by. */
ctorch_error *transform_pass(ctorch_value **out, const ctorch_value *input) __attribute__((warn_unused_result));

/* Samples: transform_sample.c. */

/** Collect what lies in a sample, and find out which of it a class with these types transforms. */
ctorch_error *transform_flatten(
    const char *function, struct transform_leaves *out, const ctorch_value *sample, unsigned types)
    __attribute__((warn_unused_result));
/** A sample like `sample`, with the values of the leaves in it. */
ctorch_error *transform_unflatten(
    const char *function, ctorch_value **out, const ctorch_value *sample, const struct transform_leaves *leaves)
    __attribute__((warn_unused_result));
void transform_leaves_end(struct transform_leaves *self);

/** The first tensor of a kind; NULL for none. */
const ctorch_tensor *transform_find(const struct transform_leaves *leaves, ctorch_tv_tensor_kind kind);
bool transform_has(const struct transform_leaves *leaves, unsigned kinds);

/** Height and width that all inputs agree on (query_size); TYPE if there are none, VALUE if they differ. */
ctorch_error *transform_query_size(
    const struct transform_call *call, int64_t *height, int64_t *width, const struct transform_inputs *inputs)
    __attribute__((warn_unused_result));
/** Channels, height and width that all images and videos agree on (query_chw). */
ctorch_error *transform_query_chw(
    const struct transform_call *call, int64_t chw[3], const struct transform_inputs *inputs)
    __attribute__((warn_unused_result));

/* Draws, as torchvision makes them: transform_draw.c. */

/** torch.rand(len). */
ctorch_error *draw_rand(const struct transform_call *call, float *out, size_t len) __attribute__((warn_unused_result));
/** torch.empty(1).uniform_(low, high).item(). */
ctorch_error *draw_uniform(const struct transform_call *call, double *out, double low, double high)
    __attribute__((warn_unused_result));
/** int(torch.randint(low, high, ())). */
ctorch_error *draw_randint(const struct transform_call *call, int64_t *out, int64_t low, int64_t high)
    __attribute__((warn_unused_result));
/** torch.randperm(len). */
ctorch_error *draw_permutation(const struct transform_call *call, int64_t *out, size_t len)
    __attribute__((warn_unused_result));
/** int(torch.multinomial(torch.tensor(weights), 1)). */
ctorch_error *draw_multinomial(const struct transform_call *call, int64_t *out, const double *weights, size_t len)
    __attribute__((warn_unused_result));

/* Texts: `name=value`, with a comma before it where something stands there already. */

void transform_repr_int(struct text *text, const char *name, int64_t value);
void transform_repr_double(struct text *text, const char *name, double value);
void transform_repr_bool(struct text *text, const char *name, bool value);
void transform_repr_text(struct text *text, const char *name, const char *value);
/** `open` is "(" for a tuple, "[" for a list. */
void transform_repr_ints(struct text *text, const char *name, const char *open, const int64_t *values, size_t len);
void transform_repr_doubles(struct text *text, const char *name, const char *open, const double *values, size_t len);
/** What Python writes of an attribute: nothing unless it is a number, truth, text, tuple or list. NULL is nothing. */
void transform_repr_value(struct text *text, const char *name, const ctorch_value *value);

/* Functionals. */

/** TYPE: the functional has no kernel for what `input` is marked as. */
ctorch_error *functional_refuses(const char *function, const ctorch_tensor *input, unsigned kernels)
    __attribute__((warn_unused_result));

/** Python's round(x): halves go to the even number. */
double round_half_even(double x);

#endif
