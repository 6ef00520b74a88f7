/* `ctorch info`: versions, devices, and how both libraries were built. */
#include "cli/json.h"

static const struct {
  ctorch_feature feature;
  const char *name;
} FEATURES[] = {
    {CTORCH_FEATURE_MKL, "MKL"},       {CTORCH_FEATURE_MKLDNN, "oneDNN"}, {CTORCH_FEATURE_OPENMP, "OpenMP"},
    {CTORCH_FEATURE_LAPACK, "LAPACK"}, {CTORCH_FEATURE_CUDA, "CUDA"},     {CTORCH_FEATURE_CUDNN, "cuDNN"},
    {CTORCH_FEATURE_MPS, "MPS"},
};
enum { FEATURES_LEN = sizeof(FEATURES) / sizeof(*FEATURES) };

static const ctorch_device_type TYPES[] = {
    CTORCH_DEVICE_TYPE_CPU, CTORCH_DEVICE_TYPE_CUDA, CTORCH_DEVICE_TYPE_MPS, CTORCH_DEVICE_TYPE_XPU};
enum { TYPES_LEN = sizeof(TYPES) / sizeof(*TYPES) };

/* The name that the maker gave a device, "" for the CPU. */
static ctorch_string *name_of(ctorch_device_type type, int32_t index) {
  const ctorch_device device = {type, index};
  ctorch_string *name = NULL;
  if (type != CTORCH_DEVICE_TYPE_CPU) {
    ctorch_error_release(ctorch_device_name(&name, &device));
  }
  return name;
}

static int32_t count_of(ctorch_device_type type) {
  return type == CTORCH_DEVICE_TYPE_CPU ? 1 : ctorch_device_count(type);
}

static void print_devices(void) {
  for (int t = 0; t < TYPES_LEN; t++) {
    for (int32_t i = 0; i < count_of(TYPES[t]); i++) {
      ctorch_string *name = name_of(TYPES[t], i);
      if (TYPES[t] == CTORCH_DEVICE_TYPE_CPU) {
        printf("device    cpu\n");
      } else {
        printf("device    %s:%d  %s\n", ctorch_device_type_name(TYPES[t]), (int)i, ctorch_string_data(name));
      }
      ctorch_string_release(name);
    }
  }
}

static json_t *json_devices(void) {
  json_t *list = json_array();
  for (int t = 0; t < TYPES_LEN; t++) {
    for (int32_t i = 0; i < count_of(TYPES[t]); i++) {
      ctorch_string *name = name_of(TYPES[t], i);
      json_array_append_new(
          list, json_pack(
                    "{s:s, s:i, s:s}", "type", ctorch_device_type_name(TYPES[t]), "index", (int)i, "name",
                    ctorch_string_data(name)));
      ctorch_string_release(name);
    }
  }
  return list;
}

/* Formats of weights, then of images, then gzip; NULL beyond the end. */
static const char *format_at(size_t index, bool *supported) {
  size_t weights = 0, images = 0;
  const char *name = NULL;
  for (; (name = ctorch_weights_format_name(weights)) != NULL; weights++) {
    if (weights == index) {
      *supported = ctorch_weights_supports(name);
      return name;
    }
  }
  for (; (name = ctorch_image_format_name(images)) != NULL; images++) {
    if (weights + images == index) {
      *supported = ctorch_image_supports(name);
      return name;
    }
  }
  *supported = ctorch_idx_supports_gzip();
  return index == weights + images ? "gzip" : NULL;
}

static void print_formats(bool supported, const char *head) {
  const char *name = NULL;
  bool is_first = true, is_supported = false;
  for (size_t i = 0; (name = format_at(i, &is_supported)) != NULL; i++) {
    if (is_supported == supported) {
      printf("%s%s", is_first ? head : " ", name);
      is_first = false;
    }
  }
  if (!is_first) {
    fputc('\n', stdout);
  }
}

static json_t *json_formats(void) {
  json_t *object = json_object();
  const char *name = NULL;
  bool is_supported = false;
  for (size_t i = 0; (name = format_at(i, &is_supported)) != NULL; i++) {
    json_object_set_new(object, name, json_boolean(is_supported));
  }
  return object;
}

static json_t *json_features(void) {
  json_t *list = json_array();
  for (int i = 0; i < FEATURES_LEN; i++) {
    if (ctorch_build_has_feature(FEATURES[i].feature)) {
      json_array_append_new(list, json_string(FEATURES[i].name));
    }
  }
  return list;
}

static void print_features(void) {
  printf("features ");
  for (int i = 0; i < FEATURES_LEN; i++) {
    if (ctorch_build_has_feature(FEATURES[i].feature)) {
      printf(" %s", FEATURES[i].name);
    }
  }
  fputc('\n', stdout);
}

static int run(int argc, char **argv) {
  static const struct option OPTIONS[] = {
      {"json", no_argument, NULL, 'j'}, {"build", no_argument, NULL, 'b'}, {NULL, 0, NULL, 0}};
  bool as_json = false, with_build = false;
  for (int option; (option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1;) {
    switch (option) {
      case 'j':
        as_json = true;
        break;
      case 'b':
        with_build = true;
        break;
      default:
        return cli_unknown_option(&cli_info);
    }
  }
  if (optind < argc) {
    return cli_misused(&cli_info, "info takes no argument '%s'", argv[optind]);
  }
  ctorch_string *cpu = NULL, *config = NULL;
  ctorch_error *error = ctorch_build_cpu_capability(&cpu);
  if (error == NULL && with_build) {
    error = ctorch_build_config(&config);
  }
  int status = CLI_OK;
  if (error != NULL) {
    status = cli_fail(error);
  } else if (as_json) {
    json_t *document = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "version", ctorch_version(), "torch_version", ctorch_version_torch(),
        "torch_version_compiled", ctorch_version_torch_compiled(), "cpu_capability", ctorch_string_data(cpu), "devices",
        json_devices(), "formats", json_formats(), "features", json_features());
    if (with_build) {
      json_object_set_new(document, "build", json_string(ctorch_string_data(config)));
    }
    status = cli_print_json(document);
  } else {
    printf("ctorch    %s\n", ctorch_version());
    printf("LibTorch  %s, built for %s\n", ctorch_version_torch(), ctorch_version_torch_compiled());
    printf("CPU       %s\n", ctorch_string_data(cpu));
    print_devices();
    print_features();
    print_formats(true, "formats   ");
    print_formats(false, "without   ");
    if (with_build) {
      printf("\n%s", ctorch_string_data(config));
    }
  }
  ctorch_string_release(config);
  ctorch_string_release(cpu);
  return status;
}

const struct cli_command cli_info = {
    "info",
    run,
    "versions, devices, formats, and what was built in",
    "Usage: ctorch info [--build] [--json]\n"
    "\n"
    "Print the versions of ctorch and LibTorch, the devices, the formats of files, and what LibTorch was built with.\n"
    "\n"
    "  --build     also the versions, flags and settings of LibTorch's build\n"
    "  --json      as JSON\n"
    "  -h, --help  this text\n",
};
