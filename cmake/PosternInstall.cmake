# What is installed, as two components that never see each other:
#   find_package(Postern COMPONENTS owner)      Postern::owner   = the gate, the ledger, readers, study files
#   find_package(Postern COMPONENTS analyst)    Postern::analyst = engines, releases, study files
# Each room keeps its own include root, so an installed analyst cannot include an owner's header either.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(POSTERN_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Postern)

function(postern_install_rooms component)
  foreach(room ${ARGN})
    install(TARGETS postern_${room} EXPORT Postern_${component}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
            FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/postern/${room} COMPONENT ${component})
  endforeach()
endfunction()

# The name people link is the side; the room behind it keeps its own.
function(postern_side side room)
  set_target_properties(postern_${room} PROPERTIES EXPORT_NAME ${room}_room)
  add_library(postern_side_${side} INTERFACE)
  set_target_properties(postern_side_${side} PROPERTIES EXPORT_NAME ${side})
  target_link_libraries(postern_side_${side} INTERFACE postern_${room} postern_study_file ${ARGN})
  install(TARGETS postern_side_${side} EXPORT Postern_${side} COMPONENT ${side})
endfunction()

postern_install_rooms(common core graph model study_file release)
postern_install_rooms(owner owner)
postern_install_rooms(analyst infer assess)
postern_side(owner owner)
postern_side(analyst infer postern_assess)
foreach(component common owner analyst)
  install(EXPORT Postern_${component} NAMESPACE Postern:: DESTINATION ${POSTERN_CONFIG_DIR}
          FILE Postern_${component}.cmake COMPONENT ${component})
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/PosternConfig.cmake.in ${PROJECT_BINARY_DIR}/PosternConfig.cmake
                              INSTALL_DESTINATION ${POSTERN_CONFIG_DIR})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/PosternConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/PosternConfig.cmake ${PROJECT_BINARY_DIR}/PosternConfigVersion.cmake
        DESTINATION ${POSTERN_CONFIG_DIR} COMPONENT common)
install(TARGETS postern RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
