# Two packages, each usable from the install tree and from the build tree:
#   FusionDialect   the libraries that link MLIR, headers, .td and .pdll files,
#                   tools and plugin
#   FusionRuntime   the C runtime and its header, nothing of MLIR
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(FUSION_CMAKE_INSTALL_DIR ${CMAKE_INSTALL_LIBDIR}/cmake)
# Debian's folder, for any version of Python 3. The package finds libFusionC from there.
set(FUSION_PYTHON_INSTALL_DIR lib/python3/dist-packages)
# Tools find the runtime beside them, and libMLIR in the linker's folder.
set(FUSION_INSTALL_RPATH
  "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" ${LLVM_LIBRARY_DIR})

# fusion_install(TARGET PACKAGE COMPONENT): libraries and tools.
function(fusion_install name package component)
  set_target_properties(${name} PROPERTIES
    INSTALL_RPATH "${FUSION_INSTALL_RPATH}")
  if(FUSION_INSTALL)
    install(TARGETS ${name} EXPORT ${package}Targets
      RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT ${component}
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
        NAMELINK_COMPONENT dev
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  endif()
endfunction()

# fusion_install_pkgconfig(NAME): cmake/NAME.pc.in, with the variables of the caller.
function(fusion_install_pkgconfig name)
  if(NOT FUSION_INSTALL)
    return()
  endif()
  set(folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH FUSION_PC_TO_PREFIX /${folder} /)
  string(REGEX REPLACE "/$" "" FUSION_PC_TO_PREFIX ${FUSION_PC_TO_PREFIX})
  configure_file(${FUSION_SOURCE_DIR}/cmake/${name}.pc.in ${name}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
    DESTINATION ${folder} COMPONENT dev)
endfunction()

# fusion_install_config(PACKAGE): its targets, config and version file.
function(fusion_install_config package)
  set(folder ${FUSION_CMAKE_INSTALL_DIR}/${package})
  # In the build tree the files lie where find_package looks for them.
  set(build_folder ${FUSION_BINARY_DIR}/lib/cmake/${package})
  configure_package_config_file(
    ${FUSION_SOURCE_DIR}/cmake/${package}Config.cmake.in
    ${build_folder}/${package}Config.cmake
    INSTALL_DESTINATION ${folder}
    NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(
    ${build_folder}/${package}ConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  export(EXPORT ${package}Targets NAMESPACE Fusion::
    FILE ${build_folder}/${package}Targets.cmake)
  install(EXPORT ${package}Targets NAMESPACE Fusion::
    DESTINATION ${folder} COMPONENT dev)
  install(FILES ${build_folder}/${package}Config.cmake
    ${build_folder}/${package}ConfigVersion.cmake
    DESTINATION ${folder} COMPONENT dev)
endfunction()

# Installs files that belong to no target, and the packages. Call it once, at the end.
function(fusion_install_packages)
  if(NOT FUSION_INSTALL)
    return()
  endif()
  install(DIRECTORY ${FUSION_SOURCE_DIR}/include/FusionRuntime
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
  install(FILES ${FUSION_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)
  fusion_install_config(FusionRuntime)
  if(FUSION_RUNTIME_ONLY)
    return()
  endif()
  install(DIRECTORY ${FUSION_SOURCE_DIR}/include/FusionDialect-c
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
  install(DIRECTORY ${FUSION_SOURCE_DIR}/include/FusionDialect
    ${FUSION_BINARY_DIR}/include/FusionDialect
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
    FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.pdll" PATTERN "*.inc"
    PATTERN CMakeFiles EXCLUDE)
  install(DIRECTORY ${FUSION_SOURCE_DIR}/examples
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)
  install(DIRECTORY ${FUSION_SOURCE_DIR}/python/fusion
    DESTINATION ${FUSION_PYTHON_INSTALL_DIR} COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
  fusion_install_config(FusionDialect)
endfunction()
