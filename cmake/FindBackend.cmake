# The library that the runtime computes with, its only dependency.

if(FUSION_RUNTIME_BACKEND STREQUAL "onednn")
  # A host may build oneDNN itself.
  if(NOT TARGET DNNL::dnnl)
    list(PREPEND CMAKE_MODULE_PATH ${FUSION_SOURCE_DIR}/cmake)
    find_package(dnnl 2.6 QUIET)
  endif()
  if(NOT TARGET DNNL::dnnl)
    message(FATAL_ERROR "oneDNN 2.6 or later not found. On Debian install "
      "'libdnnl-dev', or set dnnl_ROOT to the folder it is installed in. "
      "-DFUSION_RUNTIME_BACKEND=portable does without, in slow plain loops.")
  endif()
  set(backend "oneDNN ${dnnl_VERSION}")
elseif(FUSION_RUNTIME_BACKEND STREQUAL "portable")
  set(backend "portable runtime without oneDNN")
else()
  message(FATAL_ERROR "FUSION_RUNTIME_BACKEND must be 'onednn' or 'portable', "
    "got '${FUSION_RUNTIME_BACKEND}'.")
endif()
