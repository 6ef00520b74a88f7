# The command-line tool `ctorch`, a program over <ctorch.h> with its manual page and the completion of its arguments.
if(NOT JANSSON_FOUND)
  message(STATUS "The tool ctorch is left out: jansson was not found")
  return()
endif()
file(GLOB cli_sources CONFIGURE_DEPENDS shim/cli/*.c)
add_executable(ctorch_cli ${cli_sources})
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
install(FILES shim/cli/ctorch.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES shim/cli/ctorch.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME ctorch)
install(FILES shim/cli/_ctorch DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
