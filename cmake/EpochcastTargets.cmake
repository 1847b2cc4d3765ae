# SPDX-License-Identifier: BSD-3-Clause
# Copyright 2026 The epochcast developers
#
# How a folder becomes a target. Every folder of src/ is one static library `epochcast_<folder>`
# made of the .cpp files below it; a folder's CMakeLists.txt names only what it depends on.

include_guard()

add_library(epochcast_options INTERFACE)
target_compile_features(epochcast_options INTERFACE cxx_std_20)
target_include_directories(epochcast_options INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/generated)
target_compile_options(epochcast_options INTERFACE
  -Wall -Wextra $<$<COMPILE_LANGUAGE:CXX>:-Wconversion -Wshadow> -Wundef -fvisibility=hidden -ffp-contract=off
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # false alarms on std::string operator+ in g++ 12 (GCC bug 105651)
  $<$<BOOL:${EPOCHCAST_WERROR}>:-Werror>)
if(EPOCHCAST_SANITIZE)
  target_compile_options(epochcast_options INTERFACE -fsanitize=${EPOCHCAST_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(epochcast_options INTERFACE -fsanitize=${EPOCHCAST_SANITIZE})
endif()

# epochcast_library(<folder> [DEPENDS target...] [PRIVATE target...])
# DEPENDS are part of the interface, PRIVATE (third-party) ones are seen by this folder alone.
function(epochcast_library name)
  cmake_parse_arguments(arg "" "" "DEPENDS;PRIVATE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(epochcast_${name} STATIC ${sources})
  set_target_properties(epochcast_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(epochcast_${name} PUBLIC epochcast_options ${arg_DEPENDS} PRIVATE ${arg_PRIVATE})
endfunction()

# epochcast_unit_test(<folder> [DEPENDS target...]): one gtest program from tests/unit/<folder>.
# A folder that has no tests yet has no program; tests/layering fails for a folder without tests.
function(epochcast_unit_test name)
  cmake_parse_arguments(arg "" "" "DEPENDS" ${ARGN})
  if(NOT EPOCHCAST_TESTS)
    return()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/unit/${name}/*_test.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name}_unit_test ${sources})
  target_include_directories(${name}_unit_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${name}_unit_test PRIVATE epochcast_${name} ${arg_DEPENDS} GTest::gtest GTest::gmock GTest::gtest_main)
  # Tests are compiled far more often than they are run: no optimisation, and GoogleTest's headers once.
  target_compile_options(${name}_unit_test PRIVATE -O0)
  list(LENGTH sources count)
  if(count GREATER 4)
    target_precompile_headers(${name}_unit_test PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
  endif()
  gtest_discover_tests(${name}_unit_test TEST_PREFIX unit. PROPERTIES LABELS unit TIMEOUT 60 DISCOVERY_TIMEOUT 60)
endfunction()
