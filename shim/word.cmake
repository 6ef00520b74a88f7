# libspl_ctorch.so: ctorch for languages that call C with 64-bit integers alone (bindings-gen/ctorchgen/word.py).
#
# In:  the target ctorch, CTORCH_WORD_GENERATED_DIR, CTORCH_WORD_GENERATED_SOURCES.
# Out: the target spl_ctorch.
file(GLOB sources CONFIGURE_DEPENDS shim/word/*.c)
add_library(spl_ctorch SHARED ${sources} ${CTORCH_WORD_GENERATED_SOURCES})
add_dependencies(spl_ctorch ctorch_generated)
target_include_directories(spl_ctorch PRIVATE "${PROJECT_SOURCE_DIR}/shim" "${CTORCH_WORD_GENERATED_DIR}")
target_link_libraries(spl_ctorch PRIVATE ctorch m) # trunc, which compilers only inline when they optimize
set(map "${CTORCH_WORD_GENERATED_DIR}/exports.map")
# No version in the SONAME: a program opens it by this name, which languages derive from their prefix.
set_target_properties(
  spl_ctorch
  PROPERTIES
    C_STANDARD 11
    C_STANDARD_REQUIRED ON
    C_VISIBILITY_PRESET hidden
    LINK_DEPENDS "${map}"
    BUILD_WITH_INSTALL_RPATH ON
    INSTALL_RPATH "$ORIGIN"
) # libctorch lies beside it, and knows where LibTorch is
# The bodies convert words and call on: nothing in them profits from more than -O1, which compiles sooner.
target_compile_options(spl_ctorch PRIVATE -Wall -Wextra $<$<CONFIG:Release>:-O1>)
if(CTORCH_WERROR)
  target_compile_options(spl_ctorch PRIVATE -Werror)
endif()
target_link_options(spl_ctorch PRIVATE "-Wl,--version-script,${map}" -Wl,--enable-new-dtags -Wl,-z,nodelete) # a thread that ends calls into it
if(CTORCH_SANITIZE) # the bodies only call what is checked, and would take minutes
  set_source_files_properties(${CTORCH_WORD_GENERATED_SOURCES} PROPERTIES COMPILE_OPTIONS -fno-sanitize=all)
else()
  target_link_options(spl_ctorch PRIVATE -Wl,-z,defs)
endif()
install(TARGETS spl_ctorch LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" OPTIONAL) # see pkgconfig/install.cmake
install(FILES "${CTORCH_WORD_GENERATED_DIR}/rt_ctorch.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
