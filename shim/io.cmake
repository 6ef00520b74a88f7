# Libraries that read and write some formats of files. Each is optional: without it, its formats are UNSUPPORTED.
find_package(PkgConfig QUIET)

# ctorch_io_part(NAME FORMATS): link the library that pkg-config calls so, and define CTORCH_HAS_<NAME>.
function(ctorch_io_part name formats)
  string(TOUPPER "${name}" upper)
  string(REPLACE "-" "_" upper "${upper}")
  if(PkgConfig_FOUND)
    pkg_check_modules("${upper}" QUIET IMPORTED_TARGET "${name}")
  endif()
  if(${upper}_FOUND)
    message(STATUS "${formats}: with ${name} ${${upper}_VERSION}")
    target_compile_definitions(ctorch_storeys PRIVATE "CTORCH_HAS_${upper}=1")
    target_link_libraries(ctorch_storeys PRIVATE "PkgConfig::${upper}")
    # Not by its target, whose include folders the operators have no use for.
    target_link_libraries(ctorch PRIVATE "$<BUILD_INTERFACE:${${upper}_LINK_LIBRARIES}>")
  else()
    message(STATUS "${formats}: not supported, ${name} was not found")
    target_compile_definitions(ctorch_storeys PRIVATE "CTORCH_HAS_${upper}=0")
  endif()
endfunction()

ctorch_io_part(jansson "safetensors and shards")
ctorch_io_part(minizip "npz")
ctorch_io_part(libpng "PNG images")
ctorch_io_part(libjpeg "JPEG images")
ctorch_io_part(zlib "gzip")
ctorch_io_part(libutf8proc "Unicode of tokenizers")
ctorch_io_part(libpcre2-8 "patterns of tokenizers")
