# The dependencies of Fusion, with the Debian package to install for each.

if(LLVM_SOURCE_DIR AND TARGET MLIRIR)
  # Built with LLVM (LLVM_EXTERNAL_PROJECTS), which adds us behind MLIR: there is
  # no package to find yet, and its CMake modules are loaded.
  set(MLIR_INCLUDE_DIRS ${LLVM_SOURCE_DIR}/../mlir/include
    ${LLVM_BINARY_DIR}/tools/mlir/include)
  set(LLVM_INCLUDE_DIRS ${LLVM_MAIN_INCLUDE_DIR} ${LLVM_INCLUDE_DIR})
  list(APPEND CMAKE_MODULE_PATH ${LLVM_SOURCE_DIR}/../mlir/cmake/modules)
  set(link_dylib ${MLIR_LINK_MLIR_DYLIB})
else()
  # LLVM's packages match major.minor exactly: 22.1 finds 22.1.8, 22 finds nothing.
  # A folder that is set in MLIR_DIR is taken, and no other is looked for.
  foreach(major 22 23)
    if(NOT MLIR_DIR)
      find_package(MLIR ${major}.1 CONFIG QUIET
        HINTS /usr/lib/llvm-${major}/lib/cmake/mlir)
    endif()
  endforeach()
  find_package(MLIR CONFIG QUIET PATHS ${MLIR_DIR} NO_DEFAULT_PATH)
  if(NOT MLIR_FOUND)
    message(FATAL_ERROR "LLVM/MLIR 22.1 or 23.1 not found. On Debian install "
      "'libmlir-22-dev mlir-22-tools llvm-22-dev llvm-22-tools', or set MLIR_DIR "
      "to the folder of MLIRConfig.cmake.")
  endif()
  if(NOT "${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR}" MATCHES "^2[23][.]1$")
    message(FATAL_ERROR "LLVM/MLIR 22.1 or 23.1 is needed, but MLIR_DIR, ${MLIR_DIR}, "
      "has ${LLVM_PACKAGE_VERSION}.")
  endif()
  list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
  set(link_dylib OFF)
  if(TARGET MLIR AND TARGET LLVM)
    set(link_dylib ON)
  endif()
endif()
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(FUSION_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")

# With libMLIR no archive of MLIR's is linked: a tool with archives inside crashes as
# soon as it loads a plugin. An MLIR without it, or a host that links the archives
# itself, wants the archives; then there is no plugin.
option(FUSION_LINK_MLIR_DYLIB "Link libMLIR instead of MLIR's archives"
  ${link_dylib})
if(FUSION_LINK_MLIR_DYLIB)
  set(FUSION_MLIR_LIBS MLIR LLVM)
  set(FUSION_EXECUTION_ENGINE_LIBS MLIRExecutionEngineShared)
  # libMLIR has no C API, and MLIR's targets of it would bring a second copy of MLIR
  # with them. So their archives are linked, as files. A project that links them has the
  # targets from find_package(MLIR), so that no path is exported.
  set(FUSION_MLIR_CAPI_LIBS $<TARGET_FILE:MLIRCAPIRegisterEverything>
    $<TARGET_FILE:MLIRCAPIIR>)
else()
  # Libraries that all tools need, and those of fusion-run. Debian's target
  # MLIRExecutionEngine links libMLIR, its archive does not.
  set(FUSION_MLIR_LIBS
    MLIRRegisterAllDialects MLIRRegisterAllPasses MLIRRegisterAllExtensions
    MLIRToLLVMIRTranslationRegistration MLIROptLib MLIRLspServerLib MLIRReduceLib)
  set(FUSION_EXECUTION_ENGINE_LIBS
    $<TARGET_FILE:MLIRExecutionEngine> $<TARGET_FILE:MLIRExecutionEngineUtils>)
  set(FUSION_MLIR_CAPI_LIBS MLIRCAPIRegisterEverything MLIRCAPIIR)
  if(LLVM_LINK_LLVM_DYLIB)
    list(APPEND FUSION_MLIR_LIBS LLVM)
  else()
    llvm_map_components_to_libnames(llvm_libs native orcjit passes)
    list(APPEND FUSION_MLIR_LIBS ${llvm_libs})
  endif()
endif()

include(${FUSION_SOURCE_DIR}/cmake/FindBackend.cmake)
message(STATUS "Fusion: MLIR ${LLVM_PACKAGE_VERSION}, ${backend}")
