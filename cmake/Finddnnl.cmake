# Finds oneDNN by header and library: dnnl_FOUND, dnnl_VERSION and the target
# DNNL::dnnl. Debian's own dnnl-config.cmake insists on OpenCL, which only the
# GPU part of oneDNN needs.
find_path(dnnl_INCLUDE_DIR dnnl.h HINTS ${dnnl_ROOT} PATH_SUFFIXES include)
find_library(dnnl_LIBRARY dnnl HINTS ${dnnl_ROOT} PATH_SUFFIXES lib)

if(dnnl_INCLUDE_DIR)
  foreach(part MAJOR MINOR PATCH)
    file(STRINGS ${dnnl_INCLUDE_DIR}/oneapi/dnnl/dnnl_version.h line
      REGEX "#define DNNL_VERSION_${part} ")
    string(REGEX REPLACE "[^0-9]" "" dnnl_VERSION_${part} "${line}")
  endforeach()
  set(dnnl_VERSION
    ${dnnl_VERSION_MAJOR}.${dnnl_VERSION_MINOR}.${dnnl_VERSION_PATCH})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(dnnl
  REQUIRED_VARS dnnl_LIBRARY dnnl_INCLUDE_DIR VERSION_VAR dnnl_VERSION)

if(dnnl_FOUND AND NOT TARGET DNNL::dnnl)
  add_library(DNNL::dnnl UNKNOWN IMPORTED)
  set_target_properties(DNNL::dnnl PROPERTIES
    IMPORTED_LOCATION ${dnnl_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${dnnl_INCLUDE_DIR})
endif()
mark_as_advanced(dnnl_INCLUDE_DIR dnnl_LIBRARY)
