# The command-line tool `ctorch`, a program over <ctorch.h> with its manual page and the completion of its arguments.
if(NOT JANSSON_FOUND)
  message(STATUS "The tool ctorch is left out: jansson was not found")
  return()
endif()
file(GLOB cli_sources CONFIGURE_DEPENDS shim/cli/*.c)
add_executable(ctorch_cli ${cli_sources})
target_include_directories(ctorch_cli PRIVATE "${PROJECT_SOURCE_DIR}/shim")
target_link_libraries(ctorch_cli PRIVATE ctorch::ctorch PkgConfig::JANSSON m)
target_compile_options(ctorch_cli PRIVATE -Wall -Wextra $<$<BOOL:${CTORCH_WERROR}>:-Werror>)
file(RELATIVE_PATH bin_to_data "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_DATADIR}")
file(RELATIVE_PATH bin_to_lib "/${CMAKE_INSTALL_BINDIR}" "/${CMAKE_INSTALL_LIBDIR}")
target_compile_definitions(ctorch_cli PRIVATE "CTORCH_BIN_TO_DATA=\"${bin_to_data}\"")
set_target_properties(
  ctorch_cli
  PROPERTIES
    OUTPUT_NAME ctorch
    C_STANDARD 11
    C_STANDARD_REQUIRED ON
    INSTALL_RPATH "$ORIGIN/${bin_to_lib}"
    INSTALL_RPATH_USE_LINK_PATH ON
)
install(TARGETS ctorch_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" OPTIONAL)
# Its page and completions, where it is built.
foreach(
  text
  IN
  ITEMS
    "ctorch.1|${CMAKE_INSTALL_MANDIR}/man1|ctorch.1"
    "ctorch.bash|${CMAKE_INSTALL_DATADIR}/bash-completion/completions|ctorch"
    "_ctorch|${CMAKE_INSTALL_DATADIR}/zsh/site-functions|_ctorch"
)
  string(REPLACE "|" ";" text "${text}")
  list(GET text 0 file)
  list(GET text 1 folder)
  list(GET text 2 name)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY "\${CMAKE_INSTALL_PREFIX}")
  install(
    CODE
      "
  if(EXISTS \"$<TARGET_FILE:ctorch_cli>\")
    file(INSTALL DESTINATION \"${folder}\" TYPE FILE RENAME \"${name}\" FILES \"${CMAKE_CURRENT_SOURCE_DIR}/shim/cli/${file}\")
  endif()"
  )
endforeach()
