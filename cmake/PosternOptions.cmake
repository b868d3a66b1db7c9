# Build-wide choices. Consumers see only the library and the program; developers switch on the rest.
option(POSTERN_TESTS "Build the tests" ON)
option(POSTERN_PYTHON "Build the Python package (needs nanobind)" OFF)
option(POSTERN_BENCH "Build the benchmarks" OFF)
option(POSTERN_FUZZ "Build the fuzz targets (clang only)" OFF)
option(POSTERN_WERROR "Treat warnings as errors" OFF)
option(POSTERN_MUTANTS "Test-only build in which one planted bug is chosen at run time" OFF)
option(POSTERN_SHORT_PREFIX "Test-only build whose samplers use 4+2-bit prefixes, so that every fallback runs" OFF)
option(POSTERN_UNITY "Compile sources in batches: a build from nothing takes half the time, a changed source more" ON)
set(POSTERN_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
# Assertions stay on in the default build: they state what must hold, and cost nothing that matters.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O3 -g1")
# Builds that only look for bugs are compiled faster; statistical tests do not need the speed.
# A fuzz target runs ten million times.
if(POSTERN_FUZZ)
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")
elseif(POSTERN_SANITIZE)
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

add_library(postern_flags INTERFACE)
target_compile_options(postern_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                       -fstack-protector-strong $<$<BOOL:${POSTERN_WERROR}>:-Werror>
                       # In a batch GCC takes every source for a header.
                       $<$<AND:$<BOOL:${POSTERN_UNITY}>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
target_compile_definitions(postern_flags INTERFACE $<$<NOT:$<CONFIG:Release>>:_GLIBCXX_ASSERTIONS>
                           $<$<BOOL:${POSTERN_MUTANTS}>:POSTERN_MUTANTS>
                           $<$<BOOL:${POSTERN_SHORT_PREFIX}>:POSTERN_SHORT_PREFIX>)
if(POSTERN_SANITIZE MATCHES "thread")
  add_compile_definitions(POSTERN_PLAIN_THREADS)   # see lib/core/src/parallel.cpp
endif()
if(POSTERN_SANITIZE)
  add_compile_options(-fsanitize=${POSTERN_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${POSTERN_SANITIZE})
endif()
