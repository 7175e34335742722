# Wrappers that know how Fusion's libraries and tools are linked.
#
# Everything links FUSION_MLIR_LIBS: see FindDependencies.cmake.

# Settings of every target of ours that includes MLIR.
function(fusion_target_settings name)
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter
    $<$<BOOL:${FUSION_ENABLE_WERROR}>:-Werror>)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${FUSION_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${FUSION_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  # MLIR's own headers are not ours to warn about.
  target_include_directories(${name} SYSTEM PUBLIC
    "$<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS};${LLVM_INCLUDE_DIRS}>")
  target_compile_definitions(${name} PRIVATE ${FUSION_LLVM_DEFINITIONS})
  if(NOT LLVM_ENABLE_RTTI)
    target_compile_options(${name} PRIVATE -fno-rtti)
  endif()
  target_link_libraries(${name} PUBLIC Fusion::Sanitizers)
  if(NOT name STREQUAL "FusionPCH")
    target_precompile_headers(${name} REUSE_FROM FusionPCH)
  endif()
  add_dependencies(${name} fusion-headers)
endfunction()

# One precompiled header for all: most of the time of a translation unit goes
# into MLIR's headers.
function(add_fusion_precompiled_header)
  file(WRITE ${FUSION_BINARY_DIR}/FusionPCH.cpp "")
  add_library(FusionPCH OBJECT ${FUSION_BINARY_DIR}/FusionPCH.cpp)
  set_target_properties(FusionPCH PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(FusionPCH PRIVATE
    <FusionDialect/IR/FusionOps.h>
    <mlir/Dialect/Func/IR/FuncOps.h> <mlir/Dialect/LLVMIR/LLVMDialect.h>
    <mlir/Dialect/Linalg/Transforms/Transforms.h> <mlir/Dialect/Math/IR/Math.h>
    <mlir/Dialect/SCF/IR/SCF.h>
    <mlir/IR/PatternMatch.h> <mlir/Pass/Pass.h>)
  fusion_target_settings(FusionPCH)
endfunction()

# add_fusion_library(NAME sources... [DEPENDS targets...] [LINK_LIBS libs...])
function(add_fusion_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(Fusion::${name} ALIAS ${name})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} ${FUSION_MLIR_LIBS})
  fusion_target_settings(${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  fusion_install(${name} FusionDialect dev)
endfunction()

# add_fusion_tool(NAME sources... [INSTALL] [LINK_LIBS libs...])
function(add_fusion_tool name)
  cmake_parse_arguments(ARG "INSTALL" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_INSTALL)
    add_executable(Fusion::${name} ALIAS ${name})
  endif()
  # -fPIC and not -fPIE, which the precompiled header would not fit.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${name} PRIVATE -fPIC)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${FUSION_MLIR_LIBS})
  fusion_target_settings(${name})
  if(ARG_INSTALL)
    fusion_install(${name} FusionDialect tools)
  endif()
endfunction()

# fusion_hide_symbols(NAME): a shared library exports its C functions, and what has to be
# one in a process.
function(fusion_hide_symbols name)
  set(map ${FUSION_SOURCE_DIR}/cmake/exports.map)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${map})
  target_link_options(${name} PRIVATE "LINKER:--version-script=${map}")
endfunction()

# add_fusion_plugin(NAME sources... [LINK_LIBS libs...]): a module that stock
# mlir-opt loads.
function(add_fusion_plugin name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_library(${name} MODULE ${ARG_UNPARSED_ARGUMENTS})
  add_library(Fusion::${name} ALIAS ${name})
  set_target_properties(${name} PROPERTIES PREFIX "")
  fusion_hide_symbols(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${FUSION_MLIR_LIBS})
  fusion_target_settings(${name})
  fusion_install(${name} FusionDialect tools)
endfunction()

# fusion_tablegen(FILE.td OUTPUT.inc -gen-x ...) within a call of
# add_fusion_headers.
macro(fusion_tablegen td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  mlir_tablegen(${ARGN})
endmacro()
