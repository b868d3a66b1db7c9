# cmake -DCOMPILER= -DSOURCE= -DINCLUDES= -DMESSAGE= -P compile_twice.cmake
set(flags -std=c++20 -fsyntax-only -fdiagnostics-color=never)
foreach(folder ${INCLUDES})
  list(APPEND flags -I${folder})
endforeach()

execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${COMPILER} ${flags} ${SOURCE} RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the allowed form must compile:\n${text}")
endif()

execute_process(COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${COMPILER} ${flags} -DMUST_NOT_COMPILE ${SOURCE}
                RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
if(status EQUAL 0)
  message(FATAL_ERROR "the forbidden form compiled")
endif()
string(REGEX MATCH "[^\n]*error:[^\n]*" first_error "${text}")
if(NOT first_error MATCHES "${MESSAGE}")
  message(FATAL_ERROR "refused, but not for the reason we expect (${MESSAGE}):\n${text}")
endif()
message(STATUS "refused: ${first_error}")
