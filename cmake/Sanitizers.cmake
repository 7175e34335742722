# Fusion::Sanitizers carries the flags of FUSION_SANITIZER. libMLIR itself is not
# instrumented: container overflow checks across it would be false alarms (see
# ASAN_OPTIONS in test/lit.cfg.py) and vptr needs its type information.
add_library(FusionSanitizers INTERFACE)
add_library(Fusion::Sanitizers ALIAS FusionSanitizers)
set_target_properties(FusionSanitizers PROPERTIES EXPORT_NAME Sanitizers)
fusion_install(FusionSanitizers FusionRuntime dev)
if(FUSION_SANITIZER)
  target_compile_options(FusionSanitizers INTERFACE
    -fsanitize=${FUSION_SANITIZER} -fno-sanitize=vptr -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(FusionSanitizers INTERFACE -fsanitize=${FUSION_SANITIZER})
endif()
