# `cpack` in the build folder makes four .deb: fusion-runtime, fusion-tools, fusion-dev
# and python3-fusion, which depend on Debian's packages of LLVM and, unless the runtime is
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
set(CPACK_COMPONENTS_ALL runtime tools dev python)
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
  "fusion-opt, fusion-run, the language server, the reducer, the plugin for mlir-opt, and libFusionC.")
set(CPACK_COMPONENT_TOOLS_DEPENDS runtime)
set(CPACK_COMPONENT_DEV_DESCRIPTION
  "Headers, .td and .pdll files, libraries and CMake packages.")
set(CPACK_COMPONENT_DEV_DEPENDS runtime tools)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "libmlir-${LLVM_VERSION_MAJOR}-dev, llvm-${LLVM_VERSION_MAJOR}-dev, mlir-${LLVM_VERSION_MAJOR}-tools")
# Programs that link the archive of the runtime link oneDNN, too.
if(FUSION_RUNTIME_BACKEND STREQUAL "onednn")
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS ", libdnnl-dev")
endif()
set(CPACK_COMPONENT_PYTHON_DESCRIPTION
  "The Python module fusion: networks of MLIR, on NumPy arrays and PyTorch tensors.")
# Its dependency is written out: CPack would name that after this package.
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-fusion)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "fusion-tools (= ${PROJECT_VERSION}), python3 (>= 3.9), python3-numpy")
include(CPack)
