/**
 * Steps of small models, each written three times over the same weights: by hand on ctorch's operators (steps.c), the
 * same in C++ (libtorch.cpp), and in Python (python_steps.py).
 */
#ifndef BENCH_TAPE_MODELS_H
#define BENCH_TAPE_MODELS_H

#include <ctorch.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_TENSORS = 128, MOST_INPUTS = 8 };

/** What a step is made of, apart from its inputs. */
typedef struct held {
  ctorch_tensor *weights[MOST_TENSORS]; /* those that are trained first */
  size_t weights_len, trained_len;
  ctorch_tensor *exp_avgs[MOST_TENSORS], *exp_avg_sqs[MOST_TENSORS], *steps[MOST_TENSORS], *lr;
} held;

/** What a tensor is filled with: normal numbers times `scale`, integers below `below`, or a mask of what comes later. */
typedef struct shape {
  int64_t sizes[4];
  size_t ndim;
  double scale;
  int64_t below;
  bool is_mask;
} shape;

typedef struct shapes {
  shape weights[MOST_TENSORS], inputs[MOST_INPUTS];
  size_t weights_len, trained_len, inputs_len;
} shapes;

typedef struct model {
  const char *name;
  /** Of which step() and libtorch's know what they mean: the batch, or blocks, width and steps of a GPT. */
  int64_t sizes[3];
  void (*describe)(shapes *out, const struct model *self);
  ctorch_error *(*step)(ctorch_tensor **out, held *held, ctorch_tensor *const *inputs, const struct model *self);
} model;

enum { GPT_WORDS = 65, GPT_HEAD = 16 };

/** One without a name ends them. */
extern const model models[];

/** The same by calls of `at::`, on copies of these weights. */
struct libtorch_step;
struct libtorch_step *libtorch_step_new(const model *model, const held *held);
void libtorch_step_run(struct libtorch_step *self, ctorch_tensor *const *inputs, size_t inputs_len);
/** The greatest difference of its last output, and of its weights if they are trained, from these. */
double libtorch_step_difference(const struct libtorch_step *self, const ctorch_tensor *output, const held *held);
void libtorch_step_delete(struct libtorch_step *self);

/** What AOTInductor made of a model for these inputs; NULL if there is no such file. */
struct libtorch_package;
struct libtorch_package *libtorch_package_open(const char *path);
void libtorch_package_run(struct libtorch_package *self, ctorch_tensor *const *inputs, size_t inputs_len);
void libtorch_package_delete(struct libtorch_package *self);

#ifdef __cplusplus
}
#endif

#endif
