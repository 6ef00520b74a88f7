# loader/libctorch.so.0: every function of the ABI as a jump into the libctorch-<version>.so of the LibTorch at hand, for
# programs that are linked once (shim/loader/).
#
# In:  CTORCH_GENERATED_DIR, CTORCH_EXPORTS_MAP.
# Out: the target ctorch_loader.
file(GLOB sources CONFIGURE_DEPENDS shim/loader/*.c)
add_library(ctorch_loader SHARED ${sources})
add_dependencies(ctorch_loader ctorch_generated)
target_include_directories(
  ctorch_loader
  PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/shim" "${CTORCH_GENERATED_DIR}"
)
target_link_libraries(ctorch_loader PRIVATE ${CMAKE_DL_LIBS})
target_compile_definitions(ctorch_loader PRIVATE _GNU_SOURCE "LOADER_VERSION=\"${PROJECT_VERSION}\"")
target_compile_options(ctorch_loader PRIVATE -Wall -Wextra $<$<BOOL:${CTORCH_WERROR}>:-Werror>)
target_link_options(ctorch_loader PRIVATE "-Wl,--version-script,${CTORCH_EXPORTS_MAP}" -Wl,-z,nodelete)
if(NOT CTORCH_SANITIZE) # the sanitizers' own symbols come from the program
  target_link_options(ctorch_loader PRIVATE -Wl,-z,defs)
endif()
set_target_properties(
  ctorch_loader
  PROPERTIES
    OUTPUT_NAME ctorch
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/loader"
    VERSION "${PROJECT_VERSION}"
    SOVERSION "${PROJECT_VERSION_MAJOR}"
    C_STANDARD 11
    C_STANDARD_REQUIRED ON
    C_VISIBILITY_PRESET hidden
    LINK_DEPENDS "${CTORCH_EXPORTS_MAP}"
)
