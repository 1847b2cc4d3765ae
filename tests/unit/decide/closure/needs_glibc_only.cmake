# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# cmake -DPLUGIN=FILE -P needs_glibc_only.cmake
# Fails if the shared object PLUGIN needs more than glibc's libraries or shows more than its own
# entry point.

execute_process(COMMAND ldd ${PLUGIN} OUTPUT_VARIABLE needed COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${needed}")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "(linux-vdso|linux-gate|/libc|/libm|/ld-linux[-a-z0-9_]*)\\.so")
    message(FATAL_ERROR "${PLUGIN} needs more than glibc:${line}")
  endif()
endforeach()
if(NOT needed MATCHES "libc\\.so")
  message(FATAL_ERROR "ldd did not list the libraries of ${PLUGIN}: ${needed}")
endif()

execute_process(COMMAND nm -D --defined-only ${PLUGIN} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" lines "${symbols}")
list(LENGTH lines count)
if(NOT count EQUAL 1 OR NOT symbols MATCHES " T closure_plugin_init\n")
  message(FATAL_ERROR "${PLUGIN} should show closure_plugin_init alone, but shows:\n${symbols}")
endif()
