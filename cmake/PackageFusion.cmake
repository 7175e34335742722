# `cpack` in the build folder makes three .deb: fusion-runtime, fusion-tools and
# fusion-dev, which depend on Debian's packages of LLVM and, unless the runtime is
# the portable one, oneDNN.
if(FUSION_RUNTIME_BACKEND STREQUAL "onednn")
  set(backend "on oneDNN")
else()
  set(backend "in portable loops")
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME fusion)
set(CPACK_PACKAGE_VENDOR "The Fusion project")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Convolutions of MLIR ${backend}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime tools dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The Fusion project <fusion@localhost>")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

# dpkg tells which packages the shared libraries come from. Ours is not installed at
# that time.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${FUSION_BINARY_DIR}/lib)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)

set(CPACK_COMPONENT_RUNTIME_DESCRIPTION
  "The C library that compiled code calls: libfusion_runtime, ${backend}.")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
  "fusion-opt, fusion-run, the language server, the reducer and the plugin for mlir-opt.")
set(CPACK_COMPONENT_TOOLS_DEPENDS runtime)
set(CPACK_COMPONENT_DEV_DESCRIPTION
  "Headers, .td and .pdll files, libraries and CMake packages.")
set(CPACK_COMPONENT_DEV_DEPENDS runtime tools)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "libmlir-${LLVM_VERSION_MAJOR}-dev, llvm-${LLVM_VERSION_MAJOR}-dev, mlir-${LLVM_VERSION_MAJOR}-tools")
include(CPack)
