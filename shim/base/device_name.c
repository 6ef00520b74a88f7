/* The names of devices, as texts have them. */
#include "base/device_name.h"

#include <string.h>

bool device_name_parse(ctorch_device *out, const char *text) {
  const size_t len = strcspn(text, ":");
  const char *name = NULL;
  for (ctorch_device_type type = 0; (name = ctorch_device_type_name(type)) != NULL; type++) {
    if (strlen(name) != len || strncmp(name, text, len) != 0) {
      continue;
    }
    int32_t index = text[len] == '\0' ? -1 : 0;
    const char *digit = text + len + (index == 0);
    if (index == 0 && *digit == '\0') {
      return false;
    }
    for (; *digit != '\0'; digit++) {
      if (*digit < '0' || *digit > '9' || index > 12) {
        return false;
      }
      index = index * 10 + (*digit - '0');
    }
    *out = (ctorch_device){.type = type, .index = index};
    return index <= 127;
  }
  return false;
}
