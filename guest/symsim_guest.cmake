# SPDX-License-Identifier: MIT
#
# symsim_guest(NAME SOURCES file... [LOCK name] [DEFINES A=1...] [DIRECTORY dir] [OUTPUT file])
#
# Guests are for another processor than the simulator: custom commands with a compiler of their own,
# not a CMake language. `gcc -m32 -ffreestanding -nostdlib` needs no 32-bit library.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(SYMSIM_GUEST_PYTHON ${Python3_EXECUTABLE} CACHE INTERNAL "what runs check_386.py")
find_program(SYMSIM_GUEST_CC NAMES gcc-12 gcc REQUIRED DOC "gcc that compiles guests")
find_program(SYMSIM_GUEST_OBJDUMP NAMES objdump REQUIRED DOC "objdump that reads guests")

# The instruction stream is the experiment: published results are gcc 12's.
execute_process(
    COMMAND ${SYMSIM_GUEST_CC} -dumpversion
    OUTPUT_VARIABLE guest_gcc_version
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT guest_gcc_version MATCHES "^12(\\.|$)")
    message(WARNING "guests are compiled by gcc ${guest_gcc_version}, the committed results are "
                    "from gcc 12: instruction streams and times may differ")
endif()

# -O1: registers are used and small functions inlined, yet the code follows the C statement by
# statement, without copied blocks, rotated loops and alignment padding: nearer to a compiler of
# 1989, and readable beside its source. -O2 would also turn loops of lib/string.c into calls of
# themselves. Stacks keep the 386's own alignment of 4; gcc's 16 is for SSE.
set(SYMSIM_GUEST_FLAGS
    -m32 -march=i386 -mtune=i386 -mno-sse -mno-mmx -mno-80387 -mpreferred-stack-boundary=2
    -O1 -g -std=gnu11 -ffreestanding -fno-pic -no-pie -fno-stack-protector -fcf-protection=none
    -fno-asynchronous-unwind-tables -fno-unwind-tables -Wall -Wextra -Werror
    CACHE INTERNAL "how guests are compiled")
set(SYMSIM_GUEST_LINK_FLAGS
    -m32 -static -nostdlib -no-pie -Wl,--build-id=none -Wl,-z,noexecstack -Wl,--fatal-warnings
    CACHE INTERNAL "how guests are linked")
set(SYMSIM_GUEST_ROOT ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "the guest folder")

# Ends up in the image, from where the simulator copies it into each summary.
string(JOIN " " guest_flags_text ${SYMSIM_GUEST_FLAGS})
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/guest/flags.S @ONLY CONTENT
[[// Written by guest/symsim_guest.cmake.
    .section .symsim.flags, "", @progbits
    .asciz "@guest_flags_text@"
    .section .note.GNU-stack, "", @progbits
]])

# One object file; `source` absolute. Its name in the caller's variable `result`.
function(symsim_guest_object result source object)
    get_filename_component(folder ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    # Paths in the debug information start at the project or at the build folder, of which the last
    # that fits counts: images do not depend on where either lies.
    get_filename_component(root ${SYMSIM_GUEST_ROOT} DIRECTORY)
    file(RELATIVE_PATH name ${CMAKE_BINARY_DIR} ${object})
    add_custom_command(
        OUTPUT ${object}
        COMMAND ${SYMSIM_GUEST_CC} ${SYMSIM_GUEST_FLAGS} ${ARGN}
                -ffile-prefix-map=${root}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=build
                -I${SYMSIM_GUEST_ROOT}/include -I${SYMSIM_GUEST_ROOT}
                -MD -MT ${object} -MF ${object}.d -c ${source} -o ${object}
        DEPENDS ${source} ${SYMSIM_GUEST_ROOT}/symsim_guest.cmake
        DEPFILE ${object}.d
        COMMENT "Guest object ${name}"
        VERBATIM)
    set(${result} ${object} PARENT_SCOPE)
endfunction()

# Start-up and library, compiled once for all images.
set(guest_library)
foreach(source IN ITEMS boot/start.S lib/processors.c lib/arguments.c lib/console.c lib/format.c
                        lib/random.c lib/string.c lib/divide64.c)
    symsim_guest_object(object ${SYMSIM_GUEST_ROOT}/${source}
                        ${CMAKE_BINARY_DIR}/guest/objects/${source}.o)
    list(APPEND guest_library ${object})
endforeach()
symsim_guest_object(object ${CMAKE_BINARY_DIR}/guest/flags.S
                    ${CMAKE_BINARY_DIR}/guest/objects/flags.S.o)
list(APPEND guest_library ${object})
set(SYMSIM_GUEST_LIBRARY ${guest_library} CACHE INTERNAL "objects in every image")
# A file made by a custom command is known only in its own folder; elsewhere images wait for this.
add_custom_target(guest-library DEPENDS ${guest_library})
if(NOT TARGET guests)
    add_custom_target(guests ALL)
endif()

function(symsim_guest name)
    cmake_parse_arguments(PARSE_ARGV 1 guest "" "LOCK;DIRECTORY;OUTPUT" "SOURCES;DEFINES")
    if(guest_UNPARSED_ARGUMENTS OR NOT guest_SOURCES)
        message(FATAL_ERROR "symsim_guest(NAME SOURCES file... [LOCK name] [DEFINES ...] "
                            "[DIRECTORY dir] [OUTPUT file]): ${guest_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT guest_LOCK)
        set(guest_LOCK read)
    endif()
    if(NOT guest_DIRECTORY)
        set(guest_DIRECTORY ${CMAKE_BINARY_DIR}/guest)
    endif()
    set(lock_file ${SYMSIM_GUEST_ROOT}/locks/${guest_LOCK}.h)
    if(NOT EXISTS ${lock_file})
        message(FATAL_ERROR "symsim_guest(${name}): no lock ${guest_LOCK}, ${lock_file} is missing")
    endif()
    if(NOT guest_OUTPUT)
        set(guest_OUTPUT ${name}.elf)
    endif()
    list(TRANSFORM guest_DEFINES PREPEND -D)

    set(objects)
    foreach(source IN LISTS guest_SOURCES)
        get_filename_component(source ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
        get_filename_component(file ${source} NAME)
        symsim_guest_object(object ${source} ${guest_DIRECTORY}/objects/${name}/${file}.o
                            "-DSYMSIM_LOCK_FILE=\"locks/${guest_LOCK}.h\"" ${guest_DEFINES})
        list(APPEND objects ${object})
    endforeach()

    # Checked under another name: a refused image must not look like a built one.
    set(image ${guest_DIRECTORY}/${guest_OUTPUT})
    set(script ${SYMSIM_GUEST_ROOT}/boot/guest.ld)
    set(check ${SYMSIM_GUEST_ROOT}/check_386.py)
    add_custom_command(
        OUTPUT ${image}
        COMMAND ${SYMSIM_GUEST_CC} ${SYMSIM_GUEST_LINK_FLAGS} -Wl,-T,${script}
                ${SYMSIM_GUEST_LIBRARY} ${objects} -o ${image}.unchecked
        COMMAND ${SYMSIM_GUEST_PYTHON} ${check} --objdump ${SYMSIM_GUEST_OBJDUMP} ${image}.unchecked
        COMMAND ${CMAKE_COMMAND} -E rename ${image}.unchecked ${image}
        DEPENDS ${objects} ${SYMSIM_GUEST_LIBRARY} ${script} ${check} guest-library
        COMMENT "Guest ${name}"
        VERBATIM)
    add_custom_target(guest-${name} DEPENDS ${image})
    add_dependencies(guest-${name} guest-library)
    add_dependencies(guests guest-${name})
endfunction()
