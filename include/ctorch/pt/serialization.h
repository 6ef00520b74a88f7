/**
 * Files of `torch.save`: values written so that Python loads them, and read as Python wrote them.
 *
 *     CTORCH_TRY(ctorch_module_state_dict(&state, NULL, model, NULL, false));
 *     CTORCH_TRY(ctorch_serialization_save_file(state, "model.pt"));      // torch.load("model.pt") reads it
 *     …
 *     CTORCH_TRY(ctorch_serialization_load_file(&state, "model.pt", true, NULL));
 *
 * Tensors that share memory share it in the file and after loading, with their strides; parameters stay parameters
 * (CTORCH_VALUE_TENSOR with requires_grad, and the Python class that ctorch_value_python_name tells). What Python keeps
 * beside a tensor, its attributes and hooks, is left out. An OrderedDict is a dict that remembers to be one, and its
 * `_metadata` an attribute (ctorch_value_attribute). NumPy's arrays of numbers become tensors, its numbers ints, floats
 * and so on.
 *
 * Reading runs nothing: what a file may make is a fixed table of classes, PyTorch's own with `weights_only=True`, and
 * what a callback allows is made a CTORCH_VALUE_PYTHON_OBJECT, a description: of an object, its class, the arguments it
 * is made with, its items and its state. Files of every PyTorch are read: zip, those before 1.6, and the tar files
 * before 0.2.
 *
 * The same content gives the same bytes.
 */
#ifndef CTORCH_SERIALIZATION_H
#define CTORCH_SERIALIZATION_H

#include "ctorch/abi/base.h"
#include "ctorch/abi/types.h"
#include "ctorch/io/reader.h"
#include "ctorch/io/writer.h"
#include "ctorch/value/value.h"

CTORCH_BEGIN_DECLS

/** How ctorch_serialization_save writes; flags. */
typedef int32_t ctorch_save_flags;
enum {
  /** Leave the checksums of the zip file 0, which takes less time (`set_crc32_options(False)`). */
  CTORCH_SAVE_NO_CRC32 = 1,
  /** Leave the bytes of tensors out, and holes in their places (`torch.serialization.skip_data`). */
  CTORCH_SAVE_SKIP_DATA = 2,
  /** Write also what Python reads with `weights_only=False` alone; otherwise that is UNSUPPORTED. */
  CTORCH_SAVE_ANY = 4
};

/**
 * Whether a class or function may be in a file that is loaded (`torch.serialization.add_safe_globals`).
 *
 * Runs on the thread that loads, once for each one that ctorch does not know. Allowing it runs nothing.
 *
 * @param[out] out    true: values of the class are made CTORCH_VALUE_PYTHON_OBJECTs. False as it comes.
 * @param module      borrowed for the call; the Python module: "numpy.random".
 * @param name        borrowed for the call; "Generator".
 * @param[out] error  owned; NULL for success.
 * @param payload     of the call.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_serialization_allow_callback)(
    bool *out, const char *module, const char *name, ctorch_error **error, void *payload);

/**
 * Where a storage is to lie (`map_location` with a function or a dict).
 *
 * Runs on the thread that loads, once for each storage.
 *
 * @param[out] out    the device; as it comes, the one that the file names, with type -1 if it is no known one.
 * @param location    borrowed for the call; what the file names: "cpu", "cuda:0".
 * @param[out] error  owned; NULL for success.
 * @param payload     of the call.
 * @return CTORCH_CALLBACK_OK, anything else for failure.
 */
typedef ctorch_callback_status (*ctorch_serialization_map_location_callback)(
    ctorch_device *out, const char *location, ctorch_error **error, void *payload);

/**
 * Write a value (`torch.save`).
 *
 * @param writer  exclusive; ctorch_writer_finish is still to be called.
 * @param value   borrowed; not changed by others meanwhile. Whatever values hold but streams, TorchScript and modules:
 *                of those, the state dict is saved.
 * @param flags   CTORCH_SAVE_…, 0 for none.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (unknown flags), UNSUPPORTED (what cannot be written; names the
 *         place in the value), or what ctorch_writer_write answers.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_serialization_save(
    ctorch_writer *writer, const ctorch_value *value, ctorch_save_flags flags);

/**
 * Write a file (`torch.save`): ctorch_writer_open, ctorch_serialization_save without flags, ctorch_writer_finish.
 *
 * @param value  borrowed.
 * @param path   borrowed; UTF-8.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_serialization_save_file(const ctorch_value *value, const char *path);

/**
 * Read a value (`torch.load`).
 *
 * @param[out] out      owned. Tensors of a reader whose bytes lie in memory share them where that is possible.
 * @param reader        borrowed; tensors that share its memory keep it.
 * @param map_location  the device of every storage; NULL for those that the file names.
 * @return NULL, or NULL_ARGUMENT, INVALID_ARGUMENT (`map_location`), FORMAT (no such file, damaged, or with a class
 *         that is not allowed; says which and where), UNSUPPORTED (TorchScript), RUNTIME (a device that is not there),
 *         IO, OUT_OF_MEMORY.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_serialization_load(
    ctorch_value **out, const ctorch_reader *reader, const ctorch_device *map_location);

/**
 * Read a value, and decide of classes and places.
 *
 * @param[out] out      owned.
 * @param reader        borrowed.
 * @param map_location  see its type; NULL for the places that the file names.
 * @param allow         see its type; NULL for the classes that ctorch knows alone.
 * @param payload       handed to the callbacks; may be NULL.
 * @return NULL, or what ctorch_serialization_load answers, or what a callback failed with.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_serialization_load_with(
    ctorch_value **out,
    const ctorch_reader *reader,
    ctorch_serialization_map_location_callback map_location,
    ctorch_serialization_allow_callback allow,
    void *payload);

/**
 * Read a file (`torch.load`): ctorch_reader_open, ctorch_serialization_load.
 *
 * @param[out] out      owned.
 * @param path          borrowed; UTF-8.
 * @param mmap          let tensors share a mapping of the file (`mmap=True`).
 * @param map_location  the device of every storage; NULL for those that the file names.
 * @return NULL, or what those answer.
 * @since 0.1
 */
CTORCH_API ctorch_error *ctorch_serialization_load_file(
    ctorch_value **out, const char *path, bool mmap, const ctorch_device *map_location);

CTORCH_END_DECLS

#endif
