/* A package as its parts see it: what is read of the archive before any of its code runs, the library, and what is
 * known of its arguments. */
#ifndef CTORCH_SHIM_EXPORT_PACKAGE_H
#define CTORCH_SHIM_EXPORT_PACKAGE_H

#include <ctorch.h>
#include <stdatomic.h>

#include "core/c/compiled_model.h"
#include "export/compiled_source.h"
#include "export/pt2_archive.h"

struct ctorch_package {
  compiled_model *model;
  ctorch_value *metadata; /* a dict; NULL without jansson */
  struct compiled_source source;
  char *folder; /* where the library was unpacked, if that is still needed; else NULL */
  bool single_threaded;
  atomic_bool trusts_inputs; /* what the source says of them is not compared */
  bool has_inactive;         /* constants were given that a swap brings into use */
  atomic_long in_use;        /* how many runs are under way; below 0 while the constants in use are replaced */
#if CTORCH_HAS_JANSSON
  json_t *arguments, *results; /* trees of the call spec */
#endif
};

/* The folder in an archive that a model lies in: "data/aotinductor/<name>/". */
#define PACKAGE_FOLDER "data/aotinductor/"

/* What is to be known of a model before its library is unpacked. */
struct package_files {
  const char *model_name;
  const struct pt_record *library;  /* never NULL */
  const struct pt_record *source;   /* of the function that the library exports; NULL if it is not there */
  const struct pt_record *metadata; /* NULL */
  const struct pt_record *weights;  /* a list of weights that the archive holds beside the library; NULL */
  const struct pt_record *blob;     /* all weights in one file; NULL */
};

/* Find a model's files: INDEX if there is none of that name, FORMAT if they are not what makes a package. */
ctorch_error *package_find(
    const char *function, struct package_files *out, const struct pt2_archive *archive, const char *model_name)
    __attribute__((warn_unused_result));

/* The models of an archive: a list of str, sorted. */
ctorch_error *package_names(const char *function, ctorch_value **out, const struct pt2_archive *archive)
    __attribute__((warn_unused_result));

/* Read what it says of itself, and refuse one that is for another machine (UNSUPPORTED). `metadata` is outside every
 * scope; NULL without jansson. */
ctorch_error *package_read_metadata(
    const char *function, ctorch_value **metadata, struct pt2_archive *archive, const struct package_files *files)
    __attribute__((warn_unused_result));
/* An entry of the metadata, borrowed from it; "" if there is none. */
const char *package_metadata_text(const ctorch_value *metadata, const char *key);

/* That the library is one for this machine, complete: FORMAT, UNSUPPORTED. */
ctorch_error *package_check_library(
    const char *function, const struct pt2_archive *archive, const struct pt_record *library, const void *data)
    __attribute__((warn_unused_result));

/* Unpack what a model needs into a new folder, whose path the caller frees; *out_library is that of the library, freed
 * too. */
ctorch_error *package_unpack(
    const char *function,
    char **out_folder,
    char **out_library,
    struct pt2_archive *archive,
    const struct package_files *files) __attribute__((warn_unused_result));
/* Remove that folder. */
void package_remove(const char *folder);

/* Load the weights that the archive holds beside the library. */
ctorch_error *package_load_weights(
    const char *function, ctorch_package *self, struct pt2_archive *archive, const struct package_files *files)
    __attribute__((warn_unused_result));

/* The dict that constants are given as, an OrderedDict's own among them: a handle to release. */
ctorch_error *package_constants_dict(const char *function, ctorch_value **out, const ctorch_value *constants)
    __attribute__((warn_unused_result));

/* Replace constants by those of a dict, whose tensors are looked at and copied where they do not lie as the code has
 * them. */
ctorch_error *package_update(
    const char *function,
    ctorch_package *self,
    const ctorch_value *constants,
    bool is_inactive,
    bool is_full,
    bool is_user_managed) __attribute__((warn_unused_result));

/* Read the trees of the call spec. */
ctorch_error *package_read_call_spec(const char *function, ctorch_package *self) __attribute__((warn_unused_result));

#endif
