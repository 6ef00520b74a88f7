/**
 * Transforms: what is done to images, videos, masks, boxes and keypoints before a model sees them
 * (`torchvision.transforms.v2`).
 *
 *     CTORCH_TRY(ctorch_transforms_RandomResizedCrop(&crop, CTORCH_INTS(224), …));
 *     CTORCH_TRY(ctorch_transforms_RandomHorizontalFlip(&flip, 0.5));
 *     CTORCH_TRY(ctorch_transforms_Compose(&all, (const ctorch_transform *[]){crop, flip}, 2));
 *     CTORCH_TRY(ctorch_transform_call_tensor(all, &batch_entry, image, NULL));
 *
 * The functions of generated/transforms.h make them, with Python's names, arguments and defaults; by name, from values,
 * ctorch_transform_create does. What they do to one tensor, with all parameters given, are the functions of
 * generated/transforms_functional.h.
 *
 * A transform takes a tensor, or any value with tensors in it, in tuples, lists and dicts. What is marked as an image,
 * video, mask, boxes or keypoints (tv_tensor.h) is treated as such, all of one sample alike. Where nothing is marked as
 * an image or video, the first tensor that is not marked counts as an image; other tensors without a mark, and what is
 * no tensor, come out as they went in.
 *
 * What is drawn at random comes from the generator of the call, in the order in which torchvision draws it from the
 * default generator: the same seed gives the same result, to the last bit. Draws are made on the CPU, as float32.
 *
 * A transform is immutable. Any number of threads may call it at once, each with a generator of its own or with the
 * default one; of those that call back, ctorch_transform_may_thread tells.
 */
#ifndef CTORCH_TRANSFORM_H
#define CTORCH_TRANSFORM_H

#include "ctorch/abi/base.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** What is done to a sample. */
typedef struct ctorch_transform ctorch_transform;

/**
 * Add a reference.
 *
 * @param self  borrowed; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_transform_retain(const ctorch_transform *self);

/**
 * Give a reference back.
 *
 * @param self  owned; NULL is allowed.
 */
CTORCH_EXPORT void ctorch_transform_release(ctorch_transform *self);

/**
 * Name of the class, as Python has it: "Resize".
 *
 * @param self  borrowed; may be NULL.
 * @return static text, or the name that a callback was given, borrowed from `self`; NULL for NULL.
 */
CTORCH_API const char *ctorch_transform_name(const ctorch_transform *self);

/**
 * Text of a transform, as Python's repr: "RandomHorizontalFlip(p=0.5)". Sizes that may be one number or several are
 * written as Python keeps them where they are given as a tuple.
 *
 * @param[out] out  owned.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_transform_repr(ctorch_string **out, const ctorch_transform *self);

/* Calling ---------------------------------------------------------------------------------------------------------- */

/**
 * Apply a transform: `self(input)`, or `self(*input)` where `input` is a tuple of several.
 *
 * @param self       borrowed.
 * @param[out] out   owned; nested as `input` is. What is not transformed is the same value or tensor.
 * @param input      borrowed; of any kind.
 * @param generator  exclusive; a generator of the CPU, or NULL for the default one.
 * @return NULL, or NULL_ARGUMENT, TYPE (what the transform cannot be applied to), VALUE (sizes that do not suit it),
 *         RUNTIME (nested more than 500 levels deep), what a callback failed with, or what an operator returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_transform_call(
    const ctorch_transform *self, ctorch_value **out, const ctorch_value *input, ctorch_generator *generator);

/**
 * Apply a transform to one tensor.
 *
 * @param self       borrowed.
 * @param[out] out   owned; `input` itself where nothing is done.
 * @param input      borrowed.
 * @param generator  exclusive; a generator of the CPU, or NULL for the default one.
 * @return NULL, or TYPE (it makes several of one, as FiveCrop does), and what ctorch_transform_call returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_transform_call_tensor(
    const ctorch_transform *self, ctorch_tensor **out, const ctorch_tensor *input, ctorch_generator *generator);

/**
 * Whether a transform may be called on any thread: all may, but those that call back and say no, and what is made of
 * such.
 *
 * @param self  borrowed; NULL is allowed.
 * @return false for NULL.
 */
CTORCH_API bool ctorch_transform_may_thread(const ctorch_transform *self);

/* Making ----------------------------------------------------------------------------------------------------------- */

/**
 * Make a transform by the name of its class, from values: `getattr(torchvision.transforms.v2, name)(*args, **kwargs)`.
 * Transforms among the arguments, as Compose takes them, are made values of by ctorch_value_from_transform. Where
 * Python has classes of tensors as keys, as in `fill={tv_tensors.Mask: 0}`, there are their names: "Mask".
 *
 * @param[out] out  owned.
 * @param name      borrowed; "Resize".
 * @param args      borrowed; a tuple or list of positional arguments. NULL for none.
 * @param kwargs    borrowed; a dict from texts to keyword arguments. NULL for none.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (not UTF-8), INDEX (no such class; Python's AttributeError), TYPE
 *         (arguments that it does not take, or lacks, or of another type), or what the function of that name returns.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_transform_create(
    ctorch_transform **out, const char *name, const ctorch_value *args, const ctorch_value *kwargs);

/**
 * Transform a sample.
 *
 * @param[out] out    owned by the caller of the callback; may be `input` with a reference added.
 * @param input       borrowed; what the transform was called with, or for Lambda one part of it.
 * @param generator   exclusive; where to draw from, NULL for the default generator.
 * @param[out] error  owned; why it failed, left alone (NULL) otherwise.
 * @param payload     of the transform.
 * @return CTORCH_CALLBACK_OK on success.
 */
typedef ctorch_callback_status (*ctorch_transform_callback)(
    ctorch_value **out, const ctorch_value *input, ctorch_generator *generator, ctorch_error **error, void *payload);

/**
 * A transform of your own, which gets the sample as it is.
 *
 * @param[out] out    owned.
 * @param name        borrowed; of the class, for ctorch_transform_repr. NULL for "Transform".
 * @param callback    called whenever the transform is, on the thread of that call.
 * @param may_thread  whether it may be called on any thread, and on several at once.
 * @param destroy     called once with `payload` when the transform is gone, on whichever thread that is; NULL if none.
 *                    It is not called if this function fails.
 * @param payload     handed to `callback` and `destroy`; may be NULL.
 * @return NULL, or NULL_ARGUMENT (`out`, `callback`), INVALID_ARGUMENT (not UTF-8), OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_transform_from_callback(
    ctorch_transform **out,
    const char *name,
    ctorch_transform_callback callback,
    bool may_thread,
    void (*destroy)(void *payload),
    void *payload);

/**
 * A transform as a value: an argument of ctorch_transform_create, or a part of one.
 *
 * The value holds the transform itself, and is equal to values of the same transform alone; so is its deep copy.
 *
 * @param[out] out   owned.
 * @param transform  borrowed, gets a reference.
 * @return NULL, or NULL_ARGUMENT.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_from_transform(ctorch_value **out, const ctorch_transform *transform);

/**
 * The transform that a value holds.
 *
 * @param[out] out  owned; another reference to the transform itself.
 * @param self      borrowed.
 * @return NULL, or NULL_ARGUMENT, TYPE (no transform).
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_value_to_transform(ctorch_transform **out, const ctorch_value *self);

CTORCH_END_DECLS

#endif
