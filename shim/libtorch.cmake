# Finds LibTorch without find_package(Torch), whose targets bring compiler definitions, run paths and a search for CUDA
# that ctorch does not want.
#
# In:  CTORCH_TORCH, Torch_DIR (variable or environment), else the Python `torch` on PATH, else the one in build/venv.
# Out: the target LibTorch::LibTorch, LIBTORCH_PREFIX, LIBTORCH_LIBRARY_DIR, LIBTORCH_VERSION, LIBTORCH_FOUND_BY,
#      LIBTORCH_PROGRAM_OPTIONS (for the linker, of a program that uses ctorch).

set(LIBTORCH_OLDEST 2.6)
set(LIBTORCH_REFERENCE 2.13.0) # tests/setup.sh installs this one

# A leading blank keeps CMake from wrapping the line, so that a failure is one line to read, search and quote.
function(libtorch_fail text)
  message(FATAL_ERROR " ctorch: ${text}")
endfunction()

# Set `out` to the package folder of the Python `torch` that `python` imports, or to "".
function(libtorch_of_python out python)
  execute_process(
    COMMAND "${python}" -c "import importlib.util as i; print(i.find_spec('torch').submodule_search_locations[0])"
    OUTPUT_VARIABLE folder
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET
    RESULT_VARIABLE status
  )
  if(NOT status EQUAL 0)
    set(folder "")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# Set `out` to the folder of libtorch_cpu.so under `prefix`, or to "".
function(libtorch_library_dir out prefix)
  file(
    GLOB libraries
    LIST_DIRECTORIES false
    "${prefix}/lib/libtorch_cpu.so"
    "${prefix}/lib64/libtorch_cpu.so"
    "${prefix}/lib/*-linux-gnu*/libtorch_cpu.so"
  )
  set(folder "")
  if(libraries)
    list(GET libraries 0 library)
    get_filename_component(folder "${library}" DIRECTORY)
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

# Which prefix? The first of the sources that is given decides; a given one that does not work is an error.
# What the environment says is kept in the cache: CMake may run again from another shell.
foreach(name CTORCH_TORCH Torch_DIR)
  if(NOT ${name} AND NOT "$ENV{${name}}" STREQUAL "")
    set(${name} "$ENV{${name}}" CACHE PATH "LibTorch, from the environment" FORCE)
  endif()
endforeach()
set(ctorch_torch "${CTORCH_TORCH}")
set(torch_dir "${Torch_DIR}")

set(candidates "")
if(ctorch_torch)
  set(LIBTORCH_FOUND_BY "CTORCH_TORCH")
  get_filename_component(ctorch_torch "${ctorch_torch}" ABSOLUTE BASE_DIR "$ENV{PWD}")
  set(given "${ctorch_torch}")
  set(candidates "${ctorch_torch}" "${ctorch_torch}/torch" "${ctorch_torch}/libtorch")
elseif(torch_dir)
  # <prefix>/share/cmake/Torch, <prefix>/lib/cmake/Torch or <prefix>/lib/<architecture>/cmake/Torch
  set(LIBTORCH_FOUND_BY "Torch_DIR")
  get_filename_component(torch_dir "${torch_dir}" ABSOLUTE BASE_DIR "$ENV{PWD}")
  set(given "${torch_dir}")
  foreach(up "../../.." "../../../.." ".")
    get_filename_component(candidate "${torch_dir}/${up}" ABSOLUTE)
    list(APPEND candidates "${candidate}")
  endforeach()
else()
  find_program(CTORCH_PATH_PYTHON python3 NO_CMAKE_PATH NO_CMAKE_ENVIRONMENT_PATH NO_CMAKE_SYSTEM_PATH)
  mark_as_advanced(CTORCH_PATH_PYTHON)
  set(given "")
  if(CTORCH_PATH_PYTHON)
    libtorch_of_python(given "${CTORCH_PATH_PYTHON}")
    set(LIBTORCH_FOUND_BY "the Python torch on PATH")
  endif()
  if(NOT given AND EXISTS "${PROJECT_SOURCE_DIR}/build/venv/bin/python")
    libtorch_of_python(given "${PROJECT_SOURCE_DIR}/build/venv/bin/python")
    set(LIBTORCH_FOUND_BY "the Python torch in build/venv")
  endif()
  if(NOT given)
    libtorch_fail(
      "LibTorch not found; run examples/run, which installs it, or `pip install torch==${LIBTORCH_REFERENCE}`, or pass -DCTORCH_TORCH=<prefix that holds include/ and lib/libtorch_cpu.so>."
    )
  endif()
  set(candidates "${given}")
  # Debian's python3-torch keeps headers and libraries under /usr.
  if(given MATCHES "^/usr/lib/python3")
    list(APPEND candidates "/usr")
  endif()
endif()

set(LIBTORCH_PREFIX "")
set(missing "include/ATen/core/Tensor.h and lib/libtorch_cpu.so")
foreach(candidate IN LISTS candidates)
  libtorch_library_dir(LIBTORCH_LIBRARY_DIR "${candidate}")
  if(LIBTORCH_LIBRARY_DIR AND EXISTS "${candidate}/include/ATen/core/Tensor.h")
    get_filename_component(LIBTORCH_PREFIX "${candidate}" ABSOLUTE)
    break()
  elseif(LIBTORCH_LIBRARY_DIR)
    set(missing "include/ATen/core/Tensor.h")
  elseif(EXISTS "${candidate}/include/ATen/core/Tensor.h")
    set(missing "lib/libtorch_cpu.so")
  endif()
endforeach()
if(NOT LIBTORCH_PREFIX)
  libtorch_fail(
    "no LibTorch in ${given} (${LIBTORCH_FOUND_BY}): ${missing} missing there; pass -DCTORCH_TORCH=<prefix that holds both>, for example the folder `torch` of a Python installation."
  )
endif()

# Which version? torch/headeronly/version.h since 2.8 or so, torch/version.h before.
set(LIBTORCH_INCLUDE_DIRS "${LIBTORCH_PREFIX}/include" "${LIBTORCH_PREFIX}/include/torch/csrc/api/include")
set(LIBTORCH_VERSION "")
foreach(
  header
  "include/torch/headeronly/version.h"
  "include/torch/csrc/api/include/torch/version.h"
  "include/torch/version.h"
)
  if(EXISTS "${LIBTORCH_PREFIX}/${header}")
    file(STRINGS "${LIBTORCH_PREFIX}/${header}" lines REGEX "define TORCH_VERSION_(MAJOR|MINOR|PATCH)")
    if(lines MATCHES "MAJOR +([0-9]+).*MINOR +([0-9]+).*PATCH +([0-9]+)")
      set(LIBTORCH_VERSION "${CMAKE_MATCH_1}.${CMAKE_MATCH_2}.${CMAKE_MATCH_3}")
      break()
    endif()
  endif()
endforeach()
if(NOT LIBTORCH_VERSION)
  libtorch_fail(
    "the LibTorch in ${LIBTORCH_PREFIX} (${LIBTORCH_FOUND_BY}) does not say its version: include/torch/csrc/api/include/torch/version.h is missing or unreadable; pass -DCTORCH_TORCH=<prefix of LibTorch ${LIBTORCH_OLDEST} or later>."
  )
endif()
if(LIBTORCH_VERSION VERSION_LESS LIBTORCH_OLDEST)
  libtorch_fail(
    "LibTorch ${LIBTORCH_VERSION} in ${LIBTORCH_PREFIX} (${LIBTORCH_FOUND_BY}) is too old, ${LIBTORCH_OLDEST} is the oldest supported; `pip install torch==${LIBTORCH_REFERENCE}` or pass -DCTORCH_TORCH=<prefix of a newer one>."
  )
endif()

# The parts. LibTorch registers its CUDA backend when libtorch_cuda is loaded. Nothing of ctorch refers to a symbol of
# it, so the linker would drop it (and libtorch, an empty library that pulls it in): --no-as-needed keeps both.
set(libraries "")
foreach(name c10 torch_cpu torch)
  if(NOT EXISTS "${LIBTORCH_LIBRARY_DIR}/lib${name}.so")
    libtorch_fail(
      "the LibTorch in ${LIBTORCH_PREFIX} (${LIBTORCH_FOUND_BY}) is incomplete: ${LIBTORCH_LIBRARY_DIR}/lib${name}.so is missing; pass -DCTORCH_TORCH=<prefix of a complete one>."
    )
  endif()
  list(APPEND libraries "${LIBTORCH_LIBRARY_DIR}/lib${name}.so")
endforeach()
set(LIBTORCH_BACKENDS "CPU")
foreach(name torch_cuda torch_hip torch_xpu)
  if(EXISTS "${LIBTORCH_LIBRARY_DIR}/lib${name}.so")
    list(APPEND libraries "${LIBTORCH_LIBRARY_DIR}/lib${name}.so")
    string(REPLACE "torch_" "" backend "${name}")
    string(TOUPPER "${backend}" backend)
    string(APPEND LIBTORCH_BACKENDS ", ${backend}")
  endif()
endforeach()

add_library(LibTorch::LibTorch INTERFACE IMPORTED)
# C files get no LibTorch headers: they stand on <ctorch.h>.
target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${LIBTORCH_INCLUDE_DIRS}>")
target_link_libraries(LibTorch::LibTorch INTERFACE -Wl,--push-state,--no-as-needed ${libraries} -Wl,--pop-state)
# The CUDA half refers to cuDNN and others of NVIDIA's, which are found when a program starts, if at all: the machine that
# links it may have none of them.
set(LIBTORCH_PROGRAM_OPTIONS "")
if(NOT LIBTORCH_BACKENDS STREQUAL "CPU")
  set(LIBTORCH_PROGRAM_OPTIONS "-Wl,--allow-shlib-undefined")
endif()
target_link_options(LibTorch::LibTorch INTERFACE ${LIBTORCH_PROGRAM_OPTIONS})
if(LIBTORCH_VERSION VERSION_LESS 2.12)
  target_compile_features(LibTorch::LibTorch INTERFACE cxx_std_17)
else()
  target_compile_features(LibTorch::LibTorch INTERFACE cxx_std_20)
endif()

# Official builds up to 2.6 use the old std::string; a library that does not mention the new one was built so.
file(STRINGS "${LIBTORCH_LIBRARY_DIR}/libc10.so" new_string REGEX "c10.*St7__cxx1112basic_string" LIMIT_COUNT 1)
if(NOT new_string)
  target_compile_definitions(LibTorch::LibTorch INTERFACE _GLIBCXX_USE_CXX11_ABI=0)
endif()

message(STATUS "LibTorch ${LIBTORCH_VERSION} (${LIBTORCH_BACKENDS}) by ${LIBTORCH_FOUND_BY}: ${LIBTORCH_PREFIX}")
