# SPDX-License-Identifier: MIT
#
# symsim_spaces(NAME SPACES space=file... [THREADS user|kernel] [LOCK name] [STRATEGY name]
#               [CHECKED] [DEFINES A=1...] [OPTIONS -O2...] [DIRECTORY dir] [OUTPUT file])
#
# An image with the kernel of spaces (guest/kernel/spaces) and several programs, each in an address
# space of its own: docs/reference/spaces.md. A program is a C file with a main(). It is linked with
# a library of its own, and with a thread package and URPC; or, THREADS kernel, with the calls of the
# kernel's threads (kernel_threads.h). Other files of a program are included by that file. CHECKED is
# as for symsim_guest().
#
# The image is one ELF file, in which each program has its own range of addresses. So an address
# says where it belongs, and symbols, activities, debug information and back traces are as in any
# image. A symbol of a program is `space.symbol`.

find_program(SYMSIM_GUEST_LD NAMES ld REQUIRED DOC "ld that joins programs of spaces")
find_program(SYMSIM_GUEST_OBJCOPY NAMES objcopy REQUIRED DOC "objcopy that renames their symbols")
set(SYMSIM_GUEST_CMAKE ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "folder of the build rules")

file(GLOB sources CONFIGURE_DEPENDS ${SYMSIM_GUEST_ROOT}/kernel/spaces/*.c)
symsim_guest_flags(others space-kernel)
list(TRANSFORM others PREPEND ${SYMSIM_GUEST_ROOT}/)
set(all_objects)
foreach(checked IN ITEMS "" -checked)
    set(variant)
    if(checked)
        set(variant -DKERNEL_CHECKS=1)
    endif()
    set(objects)
    foreach(source IN LISTS sources others)
        get_filename_component(name ${source} NAME)
        symsim_guest_object(object ${source} ${CMAKE_BINARY_DIR}/guest/objects/spaces${checked}/${name}.o
                            ${SYMSIM_GUEST_FREESTANDING_FLAGS} ${variant})
        list(APPEND objects ${object})
    endforeach()
    set(SYMSIM_SPACES_KERNEL${checked} ${objects} CACHE INTERNAL "the kernel of spaces")
    list(APPEND all_objects ${objects})
endforeach()
add_custom_target(guest-spaces DEPENDS ${all_objects})

set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${CMAKE_CURRENT_LIST_DIR}/spaces_link.py ${CMAKE_CURRENT_LIST_DIR}/boot/space.ld.in
             ${CMAKE_CURRENT_LIST_DIR}/boot/spaces.ld.in)

# Compiles and joins one program; sets the caller's variable `result`.
function(symsim_space_program result folder space file threads)
    set(sources ${file})
    if(threads STREQUAL "kernel")
        file(GLOB package CONFIGURE_DEPENDS ${SYMSIM_GUEST_ROOT}/kernel/spaces/user/*.c
             ${SYMSIM_GUEST_ROOT}/kernel/spaces/user/threads/*.c)
    else()
        file(GLOB package CONFIGURE_DEPENDS ${SYMSIM_GUEST_ROOT}/threads/*.c
             ${SYMSIM_GUEST_ROOT}/threads/*.S ${SYMSIM_GUEST_ROOT}/urpc/*.c
             ${SYMSIM_GUEST_ROOT}/kernel/spaces/user/*.c)
        list(FILTER package EXCLUDE REGEX "guest/threads/processor.c$")
    endif()
    symsim_guest_flags(others space)
    list(TRANSFORM others PREPEND ${SYMSIM_GUEST_ROOT}/)
    set(objects)
    foreach(source IN LISTS sources package others)
        symsim_guest_shared_object(object ${source} ${ARGN})
        list(APPEND objects ${object})
    endforeach()
    get_filename_component(root ${SYMSIM_GUEST_ROOT} DIRECTORY)
    set(program ${folder}/${space}.space.o)
    add_custom_command(
        OUTPUT ${program}
        COMMAND ${SYMSIM_GUEST_CACHED} program ${root} ${CMAKE_BINARY_DIR} ${SYMSIM_GUEST_LD}
                ${SYMSIM_GUEST_OBJCOPY} ${space} ${program} ${objects} ${SYMSIM_GUEST_ARCHIVE}
        DEPENDS ${objects} ${SYMSIM_GUEST_ARCHIVE} guest-library
        COMMENT "Program ${space}"
        VERBATIM)
    set(${result} ${program} PARENT_SCOPE)
endfunction()

function(symsim_spaces name)
    cmake_parse_arguments(PARSE_ARGV 1 guest "CHECKED" "THREADS;LOCK;STRATEGY;DIRECTORY;OUTPUT"
                          "SPACES;DEFINES;OPTIONS")
    if(guest_UNPARSED_ARGUMENTS OR NOT guest_SPACES)
        message(FATAL_ERROR "symsim_spaces(NAME SPACES space=file... [THREADS user|kernel] "
                            "[LOCK name] [STRATEGY name] [CHECKED] [DEFINES ...] [OPTIONS ...] [DIRECTORY dir] [OUTPUT file]): "
                            "${guest_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT guest_THREADS)
        set(guest_THREADS user)
    elseif(NOT guest_THREADS MATCHES "^(user|kernel)$")
        message(FATAL_ERROR "symsim_spaces(${name}): THREADS ${guest_THREADS} is not user or kernel")
    endif()
    if(NOT guest_STRATEGY)
        symsim_default(guest_STRATEGY strategy)
    endif()
    if(NOT guest_LOCK)
        symsim_default(guest_LOCK threads-lock)
    endif()
    if(NOT guest_DIRECTORY)
        set(guest_DIRECTORY ${CMAKE_BINARY_DIR}/guest)
    endif()
    if(NOT guest_OUTPUT)
        set(guest_OUTPUT ${name}.elf)
    endif()
    symsim_find(strategy STRATEGY ${guest_STRATEGY} "symsim_spaces(${name})")
    symsim_find(lock LOCK ${guest_LOCK} "symsim_spaces(${name})")
    symsim_refuse_lock_of_processes(${guest_LOCK} ${lock_FILE} "symsim_spaces(${name})")
    file(RELATIVE_PATH strategy_file ${SYMSIM_GUEST_ROOT} ${strategy_FILE})
    file(RELATIVE_PATH lock_file ${SYMSIM_GUEST_ROOT} ${lock_FILE})
    set(defines SYMSIM_SPACES SYMSIM_THREADS "SYMSIM_STRATEGY=\"${strategy_NAME}\""
        "SYMSIM_STRATEGY_FILE=\"${strategy_file}\"" ${strategy_DEFINES} ${lock_DEFINES}
        ${guest_DEFINES} "SYMSIM_LOCK_FILE=\"${lock_file}\"")
    list(TRANSFORM defines PREPEND -D)

    set(folder ${guest_DIRECTORY}/objects/${name})
    file(MAKE_DIRECTORY ${folder})
    set(programs)
    set(spaces)
    foreach(entry IN LISTS guest_SPACES)
        if(NOT entry MATCHES "^([^=]+)=(.+)$")
            message(FATAL_ERROR "symsim_spaces(${name}): \"${entry}\" is not space=file")
        endif()
        set(space ${CMAKE_MATCH_1})
        get_filename_component(file ${CMAKE_MATCH_2} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
        symsim_space_program(program ${folder} ${space} ${file} ${guest_THREADS}
                             ${SYMSIM_GUEST_FREESTANDING_FLAGS} ${defines} ${guest_OPTIONS})
        list(APPEND programs ${program})
        list(APPEND spaces ${space})
    endforeach()
    execute_process(COMMAND ${SYMSIM_GUEST_PYTHON} ${SYMSIM_GUEST_CMAKE}/spaces_link.py ${folder}
                            ${spaces}
                    RESULT_VARIABLE failed ERROR_VARIABLE why)
    if(failed)
        message(FATAL_ERROR "symsim_spaces(${name}): ${why}")
    endif()
    symsim_guest_object(table ${folder}/table.S ${folder}/table.S.o)

    get_filename_component(root ${SYMSIM_GUEST_ROOT} DIRECTORY)
    set(image ${guest_DIRECTORY}/${guest_OUTPUT})
    set(check ${SYMSIM_GUEST_ROOT}/check_386.py)
    set(checked)
    if(guest_CHECKED)
        set(checked -checked)
    endif()
    set(all_objects ${SYMSIM_GUEST_START} ${SYMSIM_GUEST_FLAGS_OBJECT} ${SYMSIM_SPACES_KERNEL${checked}}
        ${table} ${programs} ${SYMSIM_GUEST_ARCHIVE})
    add_custom_command(
        OUTPUT ${image}
        COMMAND ${SYMSIM_GUEST_CACHED} image ${root} ${CMAKE_BINARY_DIR} ${check}
                ${SYMSIM_GUEST_OBJDUMP} i386 ${image}
                ${SYMSIM_GUEST_CC} ${SYMSIM_GUEST_LINK_FLAGS} -Wl,-T,${folder}/spaces.ld
                ${all_objects}
        DEPENDS ${all_objects} ${folder}/spaces.ld ${check} ${SYMSIM_GUEST_ROOT}/instruction_sets.def
                guest-library guest-spaces
        COMMENT "Guest ${name}"
        VERBATIM)
    add_custom_target(guest-${name} DEPENDS ${image})
    add_dependencies(guest-${name} guest-library guest-spaces)
    add_dependencies(guests guest-${name})
endfunction()
