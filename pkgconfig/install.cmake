# cmake --install and cpack: headers, libraries, ctorch.pc, CMake package, api.json, bindings, README, examples, licence.
#
# examples/run builds no more than its program needs: what it leaves unbuilt is left out, and said to be.
include(CMakePackageConfigHelpers)

install(
  CODE
    "
  set(build \"${CMAKE_BINARY_DIR}\")
  set(build_command \"cmake --build \${build}\")
  if(NOT EXISTS \"\${build}/libctorch.so\")
    message(FATAL_ERROR \"ctorch is not built yet: run \${build_command}\")
  endif()
  if(NOT EXISTS \"\${build}/libspl_ctorch.so\")
    message(STATUS \"Left out: libspl_ctorch.so, which is not built yet; \${build_command} builds it\")
  endif()"
)
install(TARGETS ctorch EXPORT ctorchTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
# `cmake --install … --component loader` puts the loader in its place, and it beside that under the version of LibTorch:
# after that for each build, a prefix serves them all.
install(TARGETS ctorch_loader LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT loader EXCLUDE_FROM_ALL)
string(REGEX MATCH "^[0-9]+\\.[0-9]+" minor "${LIBTORCH_VERSION}")
install(
  PROGRAMS "$<TARGET_FILE:ctorch>"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/ctorch"
  RENAME "libctorch-${minor}.so"
  COMPONENT loader
  EXCLUDE_FROM_ALL
)
install(DIRECTORY include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(
  FILES "${CTORCH_GENERATED_DIR}/api.json" "${CTORCH_GENERATED_DIR}/ctorch.cdef.h" "${CTORCH_GENERATED_DIR}/ctorch.i"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/ctorch"
)
install(
  DIRECTORY "${CTORCH_GENERATED_DIR}/bindings"
  DESTINATION "${CMAKE_INSTALL_DATADIR}/ctorch"
  PATTERN __pycache__ EXCLUDE
  PATTERN build EXCLUDE
  PATTERN target EXCLUDE
  PATTERN node_modules EXCLUDE
  PATTERN "*.egg-info" EXCLUDE
  PATTERN Cargo.lock EXCLUDE
  PATTERN package-lock.json EXCLUDE
  PATTERN ctorch.jar EXCLUDE
)
install(FILES LICENSE README.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(
  DIRECTORY docs examples
  DESTINATION "${CMAKE_INSTALL_DOCDIR}"
  PATTERN __pycache__ EXCLUDE
  PATTERN run EXCLUDE
  PATTERN build EXCLUDE
  PATTERN target EXCLUDE
  PATTERN node_modules EXCLUDE
)

# find_package(ctorch) -> ctorch::ctorch
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/ctorch")
install(EXPORT ctorchTargets NAMESPACE ctorch:: DESTINATION "${package_dir}")
configure_package_config_file(
  pkgconfig/ctorchConfig.cmake.in
  "${CMAKE_BINARY_DIR}/ctorchConfig.cmake"
  INSTALL_DESTINATION "${package_dir}"
  PATH_VARS CMAKE_INSTALL_DATADIR
  NO_CHECK_REQUIRED_COMPONENTS_MACRO
)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/ctorchConfigVersion.cmake" COMPATIBILITY SameMajorVersion)
install(
  FILES "${CMAKE_BINARY_DIR}/ctorchConfig.cmake" "${CMAKE_BINARY_DIR}/ctorchConfigVersion.cmake"
  DESTINATION "${package_dir}"
)

# pkg-config ctorch. The file finds its prefix from its own place, so an installed tree may be moved. A program linked
# against a library outside the linker's own folders needs a run path to start; whether ours is outside is known only
# when it is installed. The build folder has a ctorch.pc of its own, for what is built against it as it lies there.
file(RELATIVE_PATH CTORCH_PC_TO_PREFIX "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" CTORCH_PC_TO_PREFIX "${CTORCH_PC_TO_PREFIX}")
list(JOIN LIBTORCH_PROGRAM_OPTIONS " " CTORCH_PC_OPTIONS)
string(REGEX REPLACE "^(.)" " \\1" CTORCH_PC_OPTIONS "${CTORCH_PC_OPTIONS}")
set(CTORCH_PC_PREFIX "${CMAKE_BINARY_DIR}")
set(CTORCH_PC_LIBDIR "\${prefix}")
set(CTORCH_PC_INCLUDEDIR "${PROJECT_SOURCE_DIR}/include")
set(CTORCH_PC_API "${CTORCH_GENERATED_DIR}/api.json")
set(CTORCH_PC_RPATH " -Wl,-rpath,\${libdir}")
configure_file(pkgconfig/ctorch.pc.in "${CMAKE_BINARY_DIR}/ctorch.pc" @ONLY)
set(CTORCH_PC_PREFIX "\${pcfiledir}/${CTORCH_PC_TO_PREFIX}")
set(CTORCH_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
set(CTORCH_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
set(CTORCH_PC_API "\${prefix}/${CMAKE_INSTALL_DATADIR}/ctorch/api.json")
set(CTORCH_PC_RPATH "@CTORCH_PC_RPATH@")
configure_file(pkgconfig/ctorch.pc.in "${CMAKE_BINARY_DIR}/installed/ctorch.pc.in" @ONLY)
install(
  CODE
    "
  set(CTORCH_PC_RPATH \" -Wl,-rpath,\\\${libdir}\")
  set(folders \"${CMAKE_C_IMPLICIT_LINK_DIRECTORIES}\")
  list(FIND folders \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}\" place)
  if(NOT place EQUAL -1)
    set(CTORCH_PC_RPATH \"\")
  endif()
  configure_file(\"${CMAKE_BINARY_DIR}/installed/ctorch.pc.in\" \"${CMAKE_BINARY_DIR}/installed/ctorch.pc\" @ONLY)"
)
install(FILES "${CMAKE_BINARY_DIR}/installed/ctorch.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# cpack -G DEB
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ctorch)
set(CPACK_PACKAGE_VENDOR "the ctorch authors")
set(CPACK_PACKAGE_CONTACT "the ctorch authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(
  CPACK_PACKAGE_DESCRIPTION
  "Library, headers, pkg-config and CMake files. Built against LibTorch ${LIBTORCH_VERSION}, which it needs at run time in ${LIBTORCH_LIBRARY_DIR} or in a folder that the loader searches."
)
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
if(CMAKE_CROSSCOMPILING)
  # CPack would ask this machine's dpkg. Debian's names of the processors that CMake calls otherwise.
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE "${CMAKE_SYSTEM_PROCESSOR}")
  string(REGEX REPLACE "^aarch64$" arm64 CPACK_DEBIAN_PACKAGE_ARCHITECTURE "${CPACK_DEBIAN_PACKAGE_ARCHITECTURE}")
  string(REGEX REPLACE "^x86_64$" amd64 CPACK_DEBIAN_PACKAGE_ARCHITECTURE "${CPACK_DEBIAN_PACKAGE_ARCHITECTURE}")
endif()
configure_file(pkgconfig/cpack.cmake.in "${CMAKE_BINARY_DIR}/cpack.cmake" @ONLY)
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_BINARY_DIR}/cpack.cmake")
include(CPack)
