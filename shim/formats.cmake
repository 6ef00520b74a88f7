# Libraries that read and write some formats of files. Each is optional: without it, its formats are UNSUPPORTED.
find_package(PkgConfig QUIET)

# ctorch_format_library(NAME FORMATS): link the library that pkg-config calls so, and define CTORCH_HAS_<NAME>.
function(ctorch_format_library name formats)
  string(TOUPPER "${name}" upper)
  string(REPLACE "-" "_" upper "${upper}")
  if(PkgConfig_FOUND)
    pkg_check_modules("${upper}" QUIET IMPORTED_TARGET "${name}")
  endif()
  if(${upper}_FOUND)
    message(STATUS "${formats}: with ${name} ${${upper}_VERSION}")
    target_compile_definitions(ctorch_layers PRIVATE "CTORCH_HAS_${upper}=1")
    target_link_libraries(ctorch_layers PRIVATE "PkgConfig::${upper}")
    # Not by its target, whose include folders the operators have no use for.
    target_link_libraries(ctorch PRIVATE "$<BUILD_INTERFACE:${${upper}_LINK_LIBRARIES}>")
  else()
    message(STATUS "${formats}: not supported, ${name} was not found")
    target_compile_definitions(ctorch_layers PRIVATE "CTORCH_HAS_${upper}=0")
  endif()
endfunction()

ctorch_format_library(jansson "safetensors and shards")
ctorch_format_library(minizip "npz")
ctorch_format_library(libpng "PNG images")
ctorch_format_library(libjpeg "JPEG images")
ctorch_format_library(zlib "gzip")
ctorch_format_library(libutf8proc "Unicode of tokenizers")
ctorch_format_library(libpcre2-8 "patterns of tokenizers")
