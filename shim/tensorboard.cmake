# Event files of TensorBoard by protobuf-c: the messages of shim/tensorboard/*.proto, which protoc-c makes C of. Optional:
# without the library or its compiler, event files are UNSUPPORTED.
if(PkgConfig_FOUND)
  pkg_check_modules(LIBPROTOBUF_C QUIET IMPORTED_TARGET libprotobuf-c)
endif()
find_program(CTORCH_PROTOC_C protoc-c)
if(NOT LIBPROTOBUF_C_FOUND OR NOT CTORCH_PROTOC_C)
  message(STATUS "Event files of TensorBoard: not supported, libprotobuf-c or protoc-c was not found")
  target_compile_definitions(ctorch_layers PRIVATE CTORCH_HAS_LIBPROTOBUF_C=0)
  return()
endif()
message(STATUS "Event files of TensorBoard: with libprotobuf-c ${LIBPROTOBUF_C_VERSION}")

file(GLOB protos CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/shim/tensorboard/*.proto")
set(messages_dir "${CTORCH_GENERATED_DIR}/messages")
file(MAKE_DIRECTORY "${messages_dir}")
set(messages_sources "")
set(messages_headers "")
foreach(proto IN LISTS protos)
  get_filename_component(name "${proto}" NAME_WE)
  list(APPEND messages_sources "${messages_dir}/${name}.pb-c.c")
  list(APPEND messages_headers "${messages_dir}/${name}.pb-c.h")
endforeach()
add_custom_command(
  OUTPUT ${messages_sources} ${messages_headers}
  COMMAND "${CTORCH_PROTOC_C}" "--c_out=${messages_dir}" "-I${PROJECT_SOURCE_DIR}/shim/tensorboard" ${protos}
  DEPENDS ${protos}
  COMMENT "Messages of event files"
  VERBATIM
)
# A target of its own: warnings in what protoc-c writes are nobody's errors.
add_library(ctorch_messages OBJECT ${messages_sources})
target_link_libraries(ctorch_messages PRIVATE PkgConfig::LIBPROTOBUF_C)
set_target_properties(ctorch_messages PROPERTIES C_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON)
target_sources(ctorch PRIVATE $<TARGET_OBJECTS:ctorch_messages>)
target_compile_definitions(ctorch_layers PRIVATE CTORCH_HAS_LIBPROTOBUF_C=1)
target_include_directories(ctorch_layers SYSTEM PRIVATE "${messages_dir}")
target_link_libraries(ctorch_layers PRIVATE PkgConfig::LIBPROTOBUF_C)
target_link_libraries(ctorch PRIVATE "$<BUILD_INTERFACE:${LIBPROTOBUF_C_LINK_LIBRARIES}>")
add_dependencies(ctorch_layers ctorch_messages)
