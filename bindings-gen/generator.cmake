# Runs the generator (gen.py) as part of the build.
#
# In:  LIBTORCH_PREFIX, LIBTORCH_VERSION; CTORCH_PYTHON and CTORCH_TORCHGEN, both optional.
# Out: CTORCH_GENERATED_DIR, CTORCH_GENERATED_SOURCES (C++), CTORCH_GENERATED_LAYERS (C), CTORCH_EXPORTS_MAP, the target
#      ctorch_generated; for the word library CTORCH_WORD_GENERATED_DIR, CTORCH_WORD_GENERATED_SOURCES.

# A Python with the generator's packages: the given one, the one LibTorch lives in, the private one, the one on PATH.
set(modules "yaml, typing_extensions, clang.cindex")
if(CTORCH_PYTHON)
  set(candidates "${CTORCH_PYTHON}")
else()
  file(GLOB candidates "${LIBTORCH_PREFIX}/../../../../bin/python3")
  find_program(CTORCH_PATH_PYTHON python3 NO_CMAKE_PATH NO_CMAKE_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH)
  list(APPEND candidates "${PROJECT_SOURCE_DIR}/build/venv/bin/python" "${CTORCH_PATH_PYTHON}")
endif()
set(python "")
foreach(candidate IN LISTS candidates)
  if(EXISTS "${candidate}")
    execute_process(COMMAND "${candidate}" -c "import ${modules}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
      get_filename_component(python "${candidate}" ABSOLUTE)
      break()
    endif()
  endif()
endforeach()
if(NOT python)
  message(
    FATAL_ERROR
    " ctorch: no Python that imports ${modules} among: ${candidates}; run examples/run, which sets one up, or `pip install pyyaml typing_extensions libclang==18.1.1` and pass -DCTORCH_PYTHON=<python>."
  )
endif()

# torchgen of the very same LibTorch: it lies beside a pip-installed torch and in Debian's python3-torch.
if(CTORCH_TORCHGEN)
  get_filename_component(CTORCH_TORCHGEN "${CTORCH_TORCHGEN}" ABSOLUTE BASE_DIR "${CMAKE_BINARY_DIR}")
  set(candidates "${CTORCH_TORCHGEN}")
else()
  set(candidates "${LIBTORCH_PREFIX}/.." "/usr/lib/python3/dist-packages")
  foreach(interpreter "${python}" "${CTORCH_PATH_PYTHON}")
    if(interpreter)
      execute_process(
        COMMAND
          "${interpreter}" -c "import importlib.util as i; print(i.find_spec('torchgen').submodule_search_locations[0])"
        OUTPUT_VARIABLE folder
        OUTPUT_STRIP_TRAILING_WHITESPACE
        ERROR_QUIET
        RESULT_VARIABLE status
      )
      if(status EQUAL 0)
        list(APPEND candidates "${folder}/..")
      endif()
    endif()
  endforeach()
endif()
set(torchgen "")
set(yaml "torchgen/packaged/ATen/native/native_functions.yaml")
string(REGEX MATCH "^[0-9]+\\.[0-9]+" minor "${LIBTORCH_VERSION}")
set(others "")
foreach(candidate IN LISTS candidates)
  if(NOT EXISTS "${candidate}/${yaml}")
    continue()
  endif()
  get_filename_component(candidate "${candidate}" ABSOLUTE)
  # torchgen carries no version itself; the torch beside it does.
  if(EXISTS "${candidate}/torch/version.py")
    file(STRINGS "${candidate}/torch/version.py" line REGEX "^__version__" LIMIT_COUNT 1)
    if(NOT line MATCHES "['\"]${minor}\\.")
      string(APPEND others " ${candidate} is of another version (${line}).")
      continue()
    endif()
  endif()
  set(torchgen "${candidate}")
  break()
endforeach()
if(NOT torchgen)
  message(
    FATAL_ERROR
    " ctorch: no torchgen of LibTorch ${LIBTORCH_VERSION}: no ${yaml} beside ${LIBTORCH_PREFIX} or in Python;${others} pass -DCTORCH_TORCHGEN=<folder that holds torchgen/>, for example site-packages of `pip install torch==${LIBTORCH_VERSION}`."
  )
endif()
message(STATUS "Generator: ${python}, torchgen in ${torchgen}")

set(CTORCH_SHARDS 8)
set(CTORCH_GENERATED_DIR "${CMAKE_BINARY_DIR}/generated")
set(CTORCH_EXPORTS_MAP "${CTORCH_GENERATED_DIR}/exports.map")
set(CTORCH_GENERATED_SOURCES "")
math(EXPR last "${CTORCH_SHARDS} - 1")
foreach(i RANGE ${last})
  list(APPEND CTORCH_GENERATED_SOURCES "${CTORCH_GENERATED_DIR}/aten_${i}.cpp")
endforeach()
foreach(i RANGE 1) # SHARDS in ctorchgen/emit/c/structured.py
  list(APPEND CTORCH_GENERATED_SOURCES "${CTORCH_GENERATED_DIR}/structured_${i}.cpp")
endforeach()
list(
  APPEND CTORCH_GENERATED_SOURCES
  "${CTORCH_GENERATED_DIR}/structured_table.cpp"
  "${CTORCH_GENERATED_DIR}/tape_roles.cpp"
)

file(GLOB schemas CONFIGURE_DEPENDS LIST_DIRECTORIES true "${PROJECT_SOURCE_DIR}/bindings-gen/schema/*")
set(CTORCH_GENERATED_LAYERS "")
foreach(schema IN LISTS schemas)
  get_filename_component(name "${schema}" NAME_WE)
  list(APPEND CTORCH_GENERATED_LAYERS "${CTORCH_GENERATED_DIR}/constructors/${name}.c")
endforeach()

set(CTORCH_WORD_GENERATED_DIR "${CTORCH_GENERATED_DIR}/word")
set(CTORCH_WORD_GENERATED_SOURCES "${CTORCH_WORD_GENERATED_DIR}/kinds.c")
foreach(i RANGE 3) # SHARDS in ctorchgen/emit/word/c.py
  list(APPEND CTORCH_WORD_GENERATED_SOURCES "${CTORCH_WORD_GENERATED_DIR}/word_${i}.c")
endforeach()

file(
  GLOB_RECURSE inputs
  CONFIGURE_DEPENDS
  "${PROJECT_SOURCE_DIR}/bindings-gen/*.py"
  "${PROJECT_SOURCE_DIR}/bindings-gen/*.toml"
  "${PROJECT_SOURCE_DIR}/bindings-gen/*.lock"
  "${PROJECT_SOURCE_DIR}/bindings-gen/*.schema"
  "${PROJECT_SOURCE_DIR}/bindings-gen/ctorchgen/*.spl"
  "${PROJECT_SOURCE_DIR}/bindings-gen/ctorchgen/*.txt"
  "${PROJECT_SOURCE_DIR}/bindings-gen/python/*"
  "${PROJECT_SOURCE_DIR}/include/*.h"
  "${PROJECT_SOURCE_DIR}/examples/fused_adamw.c"
)
list(FILTER inputs EXCLUDE REGEX "/bindings-gen/(tests/|languages/|layers\\.py)")
file(GLOB_RECURSE layers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bindings-gen/languages/*")
list(FILTER layers EXCLUDE REGEX "/__pycache__/")

# The generator rewrites only what changed, so the stamp is newer than its outputs and nothing is compiled in vain.
add_custom_command(
  OUTPUT "${CTORCH_GENERATED_DIR}/stamp"
  BYPRODUCTS
    ${CTORCH_GENERATED_SOURCES}
    ${CTORCH_GENERATED_LAYERS}
    "${CTORCH_EXPORTS_MAP}"
    "${CTORCH_GENERATED_DIR}/loader/functions.h"
    "${CTORCH_GENERATED_DIR}/api.json"
    "${CTORCH_GENERATED_DIR}/coverage.md"
    "${CTORCH_GENERATED_DIR}/ctorch.cdef.h"
    "${CTORCH_GENERATED_DIR}/ctorch.i"
    ${CTORCH_WORD_GENERATED_SOURCES}
    "${CTORCH_WORD_GENERATED_DIR}/rt_ctorch.h"
    "${CTORCH_WORD_GENERATED_DIR}/exports.map"
  COMMAND
    "${CMAKE_COMMAND}" -E env "PYTHONPATH=${torchgen}" PYTHONDONTWRITEBYTECODE=1 "${python}"
    "${PROJECT_SOURCE_DIR}/bindings-gen/gen.py" --build "${CTORCH_GENERATED_DIR}" --torch-version "${LIBTORCH_VERSION}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${CTORCH_GENERATED_DIR}/stamp"
  DEPENDS ${inputs} "${torchgen}/${yaml}"
  COMMENT "Generating the operators of LibTorch ${LIBTORCH_VERSION}"
  VERBATIM
)
# What is written by hand of a binding is only copied. After the generator: both write to bindings/.
add_custom_command(
  OUTPUT "${CTORCH_GENERATED_DIR}/layers.stamp"
  COMMAND
    "${CMAKE_COMMAND}" -E env PYTHONDONTWRITEBYTECODE=1 "${python}" "${PROJECT_SOURCE_DIR}/bindings-gen/layers.py"
    "${CTORCH_GENERATED_DIR}"
  COMMAND "${CMAKE_COMMAND}" -E touch "${CTORCH_GENERATED_DIR}/layers.stamp"
  DEPENDS
    ${layers}
    "${PROJECT_SOURCE_DIR}/bindings-gen/layers.py"
    "${PROJECT_SOURCE_DIR}/bindings-gen/ctorchgen/outputs.py"
    "${CTORCH_GENERATED_DIR}/stamp"
  COMMENT "Copying the hand-written layers of bindings"
  VERBATIM
)
add_custom_target(ctorch_generated DEPENDS "${CTORCH_GENERATED_DIR}/stamp" "${CTORCH_GENERATED_DIR}/layers.stamp")
set(CTORCH_GENERATOR_PYTHON "${python}")
set(CTORCH_GENERATOR_TORCHGEN "${torchgen}")
