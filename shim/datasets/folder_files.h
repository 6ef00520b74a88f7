/* Folders of files, one for each class. */
#ifndef CTORCH_SHIM_DATASETS_FOLDER_FILES_H
#define CTORCH_SHIM_DATASETS_FOLDER_FILES_H

#include "datasets/sample.h"

struct folder_file {
  char *path;
  size_t folder_len; /* of the path without the name of the file */
  int64_t target;
};

struct folder_files {
  struct class_names classes; /* in order */
  struct folder_file *data;   /* class by class, by their folders, by their names */
  size_t len;
};

/* Find all files of a folder's folders whose names end in one of the texts, in either case; NULL ends these. */
ctorch_error *folder_files_find(
    const char *function, struct folder_files *out, const char *root, const char *const *endings, bool allow_empty)
    __attribute__((warn_unused_result));
void folder_files_end(struct folder_files *self);

#endif
