# DLPack's own header as <dlpack/dlpack.h>, for the tests and examples that speak it (libctorch has structs of its own):
# the system's, that of a Python package, or LibTorch's copy. DLPACK_FOUND tells whether one of them is new enough.
set(DLPACK_OLDEST 1.3)

# Set out to the version that a header declares, or to nothing: before 1.0 it had none of this form.
function(dlpack_version out header)
  set(${out} "" PARENT_SCOPE)
  if(EXISTS "${header}")
    file(STRINGS "${header}" lines REGEX "^#define DLPACK_(MAJOR|MINOR)_VERSION [0-9]+")
    if("${lines}" MATCHES "MAJOR_VERSION ([0-9]+).*MINOR_VERSION ([0-9]+)")
      set(${out} "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

execute_process(
  COMMAND
    "${CTORCH_GENERATOR_PYTHON}" -c
    "import importlib.util; print(importlib.util.find_spec('tvm_ffi').submodule_search_locations[0], end='')"
  OUTPUT_VARIABLE package
  ERROR_QUIET
)
find_path(DLPACK_INCLUDE_DIR dlpack/dlpack.h) # Debian: libdlpack-dev
mark_as_advanced(DLPACK_INCLUDE_DIR)

set(DLPACK_FOUND FALSE)
foreach(
  header
  "${DLPACK_INCLUDE_DIR}/dlpack/dlpack.h"
  "${package}/include/dlpack/dlpack.h"
  "${LIBTORCH_PREFIX}/include/ATen/dlpack.h"
)
  dlpack_version(version "${header}")
  if(version AND NOT version VERSION_LESS DLPACK_OLDEST)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/dlpack/dlpack/dlpack.h" CONTENT "#include \"${header}\"\n")
    add_library(DLPack::DLPack INTERFACE IMPORTED)
    target_include_directories(DLPack::DLPack SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/dlpack")
    set(DLPACK_FOUND TRUE)
    message(STATUS "DLPack ${version}: ${header}")
    break()
  endif()
endforeach()
if(NOT DLPACK_FOUND)
  message(
    STATUS
    "DLPack: no dlpack.h of ${DLPACK_OLDEST} or newer; left out are the tests and examples that include it (`pip install apache-tvm-ffi` brings one)"
  )
endif()
