/* Opening a file of torch.save, of each of its three formats. */
#ifndef CTORCH_SHIM_PT_LOAD_H
#define CTORCH_SHIM_PT_LOAD_H

#include "pt/file.h"

/* What stands in a file: a value outside every scope. Where its pickles are to be described (pickle.is_described), no
 * storage is read; where there is an outline for it, it is self->root of that, and no value. `self` has its reader,
 * function and callbacks, and is ended by pt_file_end in any case. */
ctorch_error *pt_load(struct pt_file *self, ctorch_value **out) __attribute__((warn_unused_result));

/* Give up the storages and everything else. */
void pt_file_end(struct pt_file *self);

/* Read a pickle in the zip file, which is open, with the storages in `folder` ("data/"). */
ctorch_error *pt_load_pickle(
    struct pt_file *self, ctorch_value **out, const struct pt_record *record, const char *folder)
    __attribute__((warn_unused_result));

/* The pickle of what stands in the file, and one beside it, of which no more than numbers, texts, lists and tuples is
 * looked at. */
ctorch_error *pt_load_root(struct pt_file *self, struct pickle_source *source, ctorch_value **out)
    __attribute__((warn_unused_result));
ctorch_error *pt_load_part(struct pt_file *self, struct pickle_source *source, ctorch_value **out)
    __attribute__((warn_unused_result));

/* What files may name, and give a state (globals.c), for struct unpickler. */
bool pt_global_find(struct pickle_global *out, const char *module, const char *name);
ctorch_error *pt_build(
    struct unpickler *self,
    ctorch_value **out_instead,
    bool *out_is_done,
    ctorch_value *object,
    const ctorch_value *state);

/* The formats before 1.6 (legacy.c), and before 0.2 (tar.c). */
ctorch_error *pt_legacy_load(struct pt_file *self, ctorch_value **out) __attribute__((warn_unused_result));
bool pt_tar_detect(const unsigned char *head, size_t len);
ctorch_error *pt_tar_load(struct pt_file *self, ctorch_value **out) __attribute__((warn_unused_result));
/* Whether a file begins with the number that torch.save writes. */
bool pt_legacy_detect(const unsigned char *head, size_t len);

#endif
