# SPDX-License-Identifier: MIT
#
# symsim_guest(NAME SOURCES file... [HOSTED] [LOCK name] [BARRIER name] [STRATEGY name]
#              [AFFINITY name] [POSIX] [KERNEL queues] [FPU always] [CHECKED] [LINE 128]
#              [DEFINES A=1...] [OPTIONS -O2...] [ISA i486] [DIRECTORY dir] [OUTPUT file])
#
# LOCK, BARRIER, STRATEGY: a file of guest/locks, guest/barriers or guest/threads/strategies; also
# an alias (tas), or a lock with a value of its parameter (static-7). See catalogue.cmake.
# defaults.txt has what is used if LOCK or STRATEGY is not given.
# STRATEGY: a program with threads. The package is built into it. SYMSIM_THREADS is defined: code
# must not find its processor from the stack address.
# AFFINITY: a file of guest/threads/affinity, for the strategy memory-conscious; default none.
# POSIX: a program of pthread.h, whose main runs in a thread (guest/threads/posix).
# KERNEL: a program of processes (process.h), with a kernel whose run queues are a file of
# guest/kernel/shared/queues; or `signals`, with a scheduler at user level (guest/kernel/signals).
# FPU always: the kernel saves the 80387 at each switch, by default only after use.
# CHECKED: the kernel checks its locks (kernel/shared/spinlock.h), for tests; not with LINE or signals.
# LINE 128: what LINE_ALIGNED aligns to (ordering.h), here and in the kernel; default 32. For programs
# of processes with KERNEL local or signals, on machines whose blocks are longer than a line.
# ISA: instructions that the image may contain; default LOCK_ISA of the lock's file, else i386. With
# KERNEL and i486 or later compare_and_swap is an instruction.
#
# Guests are compiled for another machine than the simulator. So they are custom commands with their
# own compiler, not targets of a CMake language. `gcc -m32 -nostdlib` needs no 32-bit library. The
# compiler flags are in flags.txt. After the call, SYMSIM_GUEST_OBJECTS in the caller's scope lists
# the object files of SOURCES.

include(${CMAKE_CURRENT_LIST_DIR}/catalogue.cmake)

# Dependency files name the target as ninja does and all else absolutely: no cmake is started to
# rewrite each.
cmake_policy(SET CMP0116 OLD)

# Prefer Debian's own python3: another one earlier in PATH may take ten times as long to start.
find_program(SYMSIM_GUEST_PYTHON NAMES python3 HINTS /usr/bin REQUIRED DOC "runs cached.py")
find_program(SYMSIM_GUEST_CC NAMES gcc-12 gcc REQUIRED DOC "gcc that compiles guests")
find_program(SYMSIM_GUEST_AR NAMES ar REQUIRED DOC "ar that packs the guest library")
find_program(SYMSIM_GUEST_OBJDUMP NAMES objdump REQUIRED DOC "objdump that reads guests")

# -I -S: a start of python3 that looks for no packages takes less than half the time.
set(SYMSIM_GUEST_CACHED ${SYMSIM_GUEST_PYTHON} -I -S ${CMAKE_CURRENT_LIST_DIR}/cached.py
    CACHE INTERNAL "compiles and links guests by way of the cache")

# The instruction stream is the experiment: published results are from gcc 12.
execute_process(
    COMMAND ${SYMSIM_GUEST_CC} -dumpversion
    OUTPUT_VARIABLE guest_gcc_version
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
if(NOT guest_gcc_version MATCHES "^12(\\.|$)")
    message(WARNING "guests are compiled by gcc ${guest_gcc_version}, the committed results are "
                    "from gcc 12: instruction streams and times may differ")
endif()

# Sets the caller's variable `result` to the list of flags of one group of flags.txt.
function(symsim_guest_flags result group)
    file(STRINGS ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/flags.txt lines REGEX "^${group} ")
    list(TRANSFORM lines REPLACE "^${group} +" "")
    set(${result} ${lines} PARENT_SCOPE)
endfunction()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/flags.txt)
symsim_guest_flags(guest_all_flags all)
if(NOT SYMSIM_MAX_PROCESSORS STREQUAL 64)
    list(APPEND guest_all_flags -DMAX_PROCESSORS=${SYMSIM_MAX_PROCESSORS})
endif()
symsim_guest_flags(guest_freestanding_flags freestanding)
symsim_guest_flags(guest_checks_flags checks)
symsim_guest_flags(guest_link_flags link)
execute_process(
    COMMAND ${SYMSIM_GUEST_CC} -print-file-name=include
    OUTPUT_VARIABLE guest_gcc_include
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
set(SYMSIM_GUEST_FLAGS ${guest_all_flags} ${guest_checks_flags} -isystem ${guest_gcc_include}
    CACHE INTERNAL "how guests are compiled")
set(SYMSIM_GUEST_FREESTANDING_FLAGS ${guest_freestanding_flags} CACHE INTERNAL "and unless HOSTED")
set(SYMSIM_GUEST_LINK_FLAGS ${guest_link_flags} CACHE INTERNAL "how guests are linked")

# Writes an assembler file that puts the flags into an image. The simulator copies them from there
# into each summary.
function(symsim_guest_flags_source file)
    string(JOIN " " flags ${ARGN})
    file(CONFIGURE OUTPUT ${file} @ONLY CONTENT
[[// Written by guest/symsim_guest.cmake.
    .section .symsim.flags, "", @progbits
    .asciz "@flags@"
    .section .note.GNU-stack, "", @progbits
]])
endfunction()
symsim_guest_flags_source(${CMAKE_BINARY_DIR}/guest/flags.S ${guest_all_flags}
                          ${guest_freestanding_flags})

# Compiles one object file from `source`, an absolute path; sets the caller's variable `result`.
function(symsim_guest_object result source object)
    get_filename_component(folder ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    # Paths in the debug information are relative to the project or the build folder; the last
    # matching option applies. So images do not depend on where the two folders are.
    get_filename_component(root ${SYMSIM_GUEST_ROOT} DIRECTORY)
    file(RELATIVE_PATH name ${CMAKE_BINARY_DIR} ${object})
    add_custom_command(
        OUTPUT ${object}
        COMMAND ${SYMSIM_GUEST_CACHED} object ${root} ${CMAKE_BINARY_DIR}
                ${SYMSIM_GUEST_CC} ${SYMSIM_GUEST_FLAGS} ${ARGN}
                -ffile-prefix-map=${root}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=build
                -I${SYMSIM_GUEST_ROOT}/include -I${SYMSIM_GUEST_ROOT}
                -MD -MT ${name} -MF ${object}.d -c ${source} -o ${object}
        DEPENDS ${source} ${SYMSIM_GUEST_ROOT}/symsim_guest.cmake
        DEPFILE ${object}.d
        COMMENT "Guest object ${name}"
        VERBATIM)
    set(${result} ${object} PARENT_SCOPE)
endfunction()

# As above, but the object's name is a hash of how it is compiled. Images of one folder that compile
# a file in the same way share the object, above all those of the thread package. The library,
# assembler code and what a kernel has in ring 3 know the kind of a program (SYMSIM_THREADS and the
# like), and none of its choices. Of the thread package threads.c alone knows the strategy.
function(symsim_guest_shared_object result source)
    set(flags ${ARGN})
    if(source MATCHES "^${SYMSIM_GUEST_ROOT}/threads/" AND NOT source MATCHES "/threads\\.c$")
        list(FILTER flags EXCLUDE REGEX "^-DSYMSIM_(STRATEGY|AFFINITY)(_FILE)?=")
    endif()
    if(source MATCHES "^${SYMSIM_GUEST_ROOT}/(lib/|kernel/user/|kernel/spaces/user/[a-z_]+\\.c$|.*\\.S$)")
        set(kinds ${ARGN})
        list(FILTER kinds INCLUDE REGEX "^-DSYMSIM_[A-Z_]+$")
        list(FILTER flags EXCLUDE REGEX "^-D")
        list(APPEND flags ${kinds})
    endif()
    get_filename_component(root ${SYMSIM_GUEST_ROOT} DIRECTORY)
    file(RELATIVE_PATH from ${root} ${source})
    string(SHA1 how "${from};${flags}")
    string(SUBSTRING ${how} 0 10 how)
    get_filename_component(file ${source} NAME)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/objects/${how}/${file}.o)
    get_property(known DIRECTORY PROPERTY symsim_guest_objects)
    if(NOT object IN_LIST known)
        symsim_guest_object(object ${source} ${object} ${flags})
        set_property(DIRECTORY APPEND PROPERTY symsim_guest_objects ${object})
    endif()
    set(${result} ${object} PARENT_SCOPE)
endfunction()

# The start-up code, part of every image, and the library, of which images link what they use. Both
# are compiled once for all images; the library a second time for HOSTED images (flags.txt, user).
file(GLOB guest_library_sources CONFIGURE_DEPENDS ${SYMSIM_GUEST_ROOT}/lib/*.c
     ${SYMSIM_GUEST_ROOT}/lib/*.S)
symsim_guest_flags(guest_user_flags user)
set(guest_library)
set(guest_user_library)
foreach(source IN LISTS guest_library_sources)
    get_filename_component(name ${source} NAME)
    symsim_guest_object(object ${source} ${CMAKE_BINARY_DIR}/guest/objects/libguest/${name}.o
                        ${guest_freestanding_flags})
    list(APPEND guest_library ${object})
    symsim_guest_object(object ${source} ${CMAKE_BINARY_DIR}/guest/objects/libuser/${name}.o
                        ${guest_freestanding_flags} ${guest_user_flags})
    list(APPEND guest_user_library ${object})
endforeach()
function(symsim_guest_archive archive comment)
    add_custom_command(
        OUTPUT ${archive}
        COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
        COMMAND ${SYMSIM_GUEST_AR} rcsD ${archive} ${ARGN}
        DEPENDS ${ARGN}
        COMMENT ${comment}
        VERBATIM)
endfunction()
set(archive ${CMAKE_BINARY_DIR}/guest/objects/libguest.a)
symsim_guest_archive(${archive} "Guest library" ${guest_library})
set(user_archive ${CMAKE_BINARY_DIR}/guest/objects/libuser.a)
symsim_guest_archive(${user_archive} "Guest library of HOSTED images" ${guest_user_library})
symsim_guest_object(start ${SYMSIM_GUEST_ROOT}/boot/start.S
                    ${CMAKE_BINARY_DIR}/guest/objects/boot/start.S.o)
symsim_guest_object(flags ${CMAKE_BINARY_DIR}/guest/flags.S
                    ${CMAKE_BINARY_DIR}/guest/objects/flags.S.o)
set(SYMSIM_GUEST_START ${start} CACHE INTERNAL "start-up, the first object of every image")
set(SYMSIM_GUEST_FLAGS_OBJECT ${flags} CACHE INTERNAL "the flags as every image has them")
set(SYMSIM_GUEST_ARCHIVE ${archive} CACHE INTERNAL "the guest library")
set(SYMSIM_GUEST_USER_ARCHIVE ${user_archive} CACHE INTERNAL "the guest library of HOSTED images")
# CMake knows a custom command's output only in its own folder; images elsewhere depend on this.
add_custom_target(guest-library DEPENDS ${SYMSIM_GUEST_START} ${SYMSIM_GUEST_FLAGS_OBJECT}
                  ${SYMSIM_GUEST_ARCHIVE})
add_custom_target(guest-user-library DEPENDS ${SYMSIM_GUEST_USER_ARCHIVE})

# The kernel of programs of processes, in its variants. guest.ld knows its archives by their names,
# and gives what is in them pages of its own. process-i386.a is the side of ring 3, process-i486.a
# the same with compare_and_swap in hardware. Those with -line128 are for images with LINE 128.
set(kernel_flags ${guest_freestanding_flags} -DSYMSIM_PROCESSES)
symsim_guest_flags(kernel_library kernel)
file(GLOB shared_sources CONFIGURE_DEPENDS RELATIVE ${SYMSIM_GUEST_ROOT}
     ${SYMSIM_GUEST_ROOT}/kernel/shared/*.c ${SYMSIM_GUEST_ROOT}/kernel/shared/*.S)
file(GLOB kernel_sources CONFIGURE_DEPENDS RELATIVE ${SYMSIM_GUEST_ROOT}
     ${SYMSIM_GUEST_ROOT}/kernel/processes/*.c)
file(GLOB kernel_queues CONFIGURE_DEPENDS ${SYMSIM_GUEST_ROOT}/kernel/shared/queues/*.h)
file(GLOB process_sources CONFIGURE_DEPENDS ${SYMSIM_GUEST_ROOT}/kernel/user/*.c)
set(kernel_archives)
set(folder ${CMAKE_BINARY_DIR}/guest/objects/kernel)
foreach(file IN LISTS kernel_queues)
    get_filename_component(queues ${file} NAME_WE)
    set(variants lazy always lazy-checked always-checked)
    if(queues STREQUAL local)
        list(APPEND variants lazy-line128)
    endif()
    foreach(fpu IN LISTS variants)
        set(variant -DKERNEL_QUEUES_FILE="kernel/shared/queues/${queues}.h")
        if(fpu MATCHES "always")
            list(APPEND variant -DKERNEL_FPU_ALWAYS=1)
        endif()
        if(fpu MATCHES "checked")
            list(APPEND variant -DKERNEL_CHECKS=1)
        endif()
        if(fpu MATCHES "line128")
            list(APPEND variant -DLINE_BYTES=128)
        endif()
        set(objects)
        foreach(source IN LISTS kernel_sources shared_sources kernel_library)
            get_filename_component(name ${source} NAME)
            symsim_guest_object(object ${SYMSIM_GUEST_ROOT}/${source}
                                ${folder}/libkernel-${queues}-${fpu}/${name}.o ${kernel_flags} ${variant})
            list(APPEND objects ${object})
        endforeach()
        symsim_guest_archive(${folder}/libkernel-${queues}-${fpu}.a "Kernel ${queues} ${fpu}"
                             ${objects})
        list(APPEND kernel_archives ${folder}/libkernel-${queues}-${fpu}.a)
    endforeach()
endforeach()
# The harness of WKS in place of a kernel; it links what it uses of what kernels share.
file(GLOB signals_sources CONFIGURE_DEPENDS RELATIVE ${SYMSIM_GUEST_ROOT}
     ${SYMSIM_GUEST_ROOT}/kernel/signals/*.c)
foreach(line IN ITEMS "" -line128)
    set(variant)
    if(line)
        set(variant -DLINE_BYTES=128)
    endif()
    set(archive ${folder}/libkernel-signals-lazy${line})
    set(objects)
    foreach(source IN LISTS signals_sources shared_sources kernel_library
            ITEMS kernel/processes/memory.c)
        get_filename_component(name ${source} NAME)
        symsim_guest_object(object ${SYMSIM_GUEST_ROOT}/${source} ${archive}/${name}.o
                            ${kernel_flags} ${variant})
        list(APPEND objects ${object})
    endforeach()
    symsim_guest_archive(${archive}.a "Harness signals${line}" ${objects})
    list(APPEND kernel_archives ${archive}.a)
endforeach()
foreach(isa IN ITEMS i386 i486 i386-line128)
    set(other cas486.c)
    if(isa STREQUAL i486)
        set(other cas.c)
    endif()
    set(variant)
    if(isa STREQUAL i386-line128)
        set(variant -DLINE_BYTES=128)
    endif()
    set(objects)
    foreach(source IN LISTS process_sources)
        get_filename_component(name ${source} NAME)
        if(NOT name STREQUAL other)
            symsim_guest_object(object ${source} ${folder}/process-${isa}/${name}.o ${kernel_flags}
                                ${variant})
            list(APPEND objects ${object})
        endif()
    endforeach()
    symsim_guest_archive(${folder}/process-${isa}.a "Library of processes ${isa}" ${objects})
    list(APPEND kernel_archives ${folder}/process-${isa}.a)
endforeach()
add_custom_target(guest-kernel DEPENDS ${kernel_archives})
set(SYMSIM_GUEST_KERNEL ${folder} CACHE INTERNAL "folder of the kernel's archives")

# All images. Only a build with tests makes them unasked: nobody waits for images that no run names.
if(NOT TARGET guests)
    if(SYMSIM_TESTS)
        add_custom_target(guests ALL)
    else()
        add_custom_target(guests)
    endif()
endif()

function(symsim_guest name)
    cmake_parse_arguments(PARSE_ARGV 1 guest "HOSTED;POSIX;CHECKED"
                          "LOCK;BARRIER;STRATEGY;AFFINITY;KERNEL;FPU;LINE;ISA;DIRECTORY;OUTPUT" "SOURCES;DEFINES;OPTIONS")
    if(guest_UNPARSED_ARGUMENTS OR NOT guest_SOURCES)
        message(FATAL_ERROR "symsim_guest(NAME SOURCES file... [HOSTED] [LOCK name] [BARRIER name] "
                            "[STRATEGY name] [AFFINITY name] [POSIX] [KERNEL queues] [FPU always] [CHECKED] [LINE 128] "
                            "[DEFINES ...] [OPTIONS ...] [ISA i486] "
                            "[DIRECTORY dir] [OUTPUT file]): "
                            "${guest_UNPARSED_ARGUMENTS}")
    endif()
    if(guest_POSIX AND NOT guest_STRATEGY)
        symsim_default(guest_STRATEGY strategy)
    endif()
    if(guest_STRATEGY)
        symsim_find(strategy STRATEGY ${guest_STRATEGY} "symsim_guest(${name})")
        if(NOT guest_LOCK)
            symsim_default(guest_LOCK threads-lock)
        endif()
        file(RELATIVE_PATH strategy_file ${SYMSIM_GUEST_ROOT} ${strategy_FILE})
        list(APPEND guest_DEFINES SYMSIM_THREADS "SYMSIM_STRATEGY=\"${strategy_NAME}\""
             "SYMSIM_STRATEGY_FILE=\"${strategy_file}\"" ${strategy_DEFINES})
        if(guest_AFFINITY)
            symsim_find(affinity AFFINITY ${guest_AFFINITY} "symsim_guest(${name})")
            file(RELATIVE_PATH affinity_file ${SYMSIM_GUEST_ROOT} ${affinity_FILE})
            list(APPEND guest_DEFINES "SYMSIM_AFFINITY=\"${affinity_NAME}\""
                 "SYMSIM_AFFINITY_FILE=\"${affinity_file}\"")
        endif()
        file(GLOB package CONFIGURE_DEPENDS ${SYMSIM_GUEST_ROOT}/threads/*.c
             ${SYMSIM_GUEST_ROOT}/threads/*.S)
        symsim_guest_flags(library package)
        list(TRANSFORM library PREPEND ${SYMSIM_GUEST_ROOT}/)
        list(APPEND guest_SOURCES ${package} ${library})
    endif()
    set(link_flags ${SYMSIM_GUEST_LINK_FLAGS})
    if(guest_POSIX)
        file(GLOB posix CONFIGURE_DEPENDS ${SYMSIM_GUEST_ROOT}/threads/posix/*.c)
        symsim_guest_flags(posix_flags posix)
        list(APPEND guest_SOURCES ${posix})
        list(APPEND guest_DEFINES SYMSIM_POSIX)
        list(APPEND link_flags ${posix_flags})
    endif()
    set(archives)
    if(guest_KERNEL)
        if(NOT guest_FPU)
            set(guest_FPU lazy)
        endif()
        set(line)
        if(guest_LINE)
            set(line -line${guest_LINE})
            list(APPEND guest_DEFINES LINE_BYTES=${guest_LINE})
        endif()
        set(checked)
        if(guest_CHECKED)
            set(checked -checked)
        endif()
        set(archives ${SYMSIM_GUEST_KERNEL}/libkernel-${guest_KERNEL}-${guest_FPU}${line}${checked}.a)
        list(APPEND guest_DEFINES SYMSIM_PROCESSES)
        symsim_guest_flags(kernel_flags kernel-link)
        list(APPEND link_flags ${kernel_flags})
    endif()
    if(NOT guest_LOCK)
        symsim_default(guest_LOCK lock)
    endif()
    if(NOT guest_DIRECTORY)
        set(guest_DIRECTORY ${CMAKE_BINARY_DIR}/guest)
    endif()
    symsim_find(lock LOCK ${guest_LOCK} "symsim_guest(${name})")
    file(RELATIVE_PATH lock_file ${SYMSIM_GUEST_ROOT} ${lock_FILE})
    list(APPEND guest_DEFINES ${lock_DEFINES})
    if(NOT guest_KERNEL)
        symsim_refuse_lock_of_processes(${guest_LOCK} ${lock_FILE} "symsim_guest(${name})")
    endif()
    if(NOT guest_ISA)
        symsim_declared(guest_ISA ${lock_FILE} LOCK_ISA)
    endif()
    if(NOT guest_ISA)
        set(guest_ISA i386)
    endif()
    if(guest_KERNEL)
        string(REGEX REPLACE "i[56]86" "i486" side ${guest_ISA})
        list(APPEND archives ${SYMSIM_GUEST_KERNEL}/process-${side}${line}.a)
    endif()
    if(guest_BARRIER)
        symsim_find(barrier BARRIER ${guest_BARRIER} "symsim_guest(${name})")
        file(RELATIVE_PATH barrier_file ${SYMSIM_GUEST_ROOT} ${barrier_FILE})
        list(APPEND guest_DEFINES "SYMSIM_BARRIER_FILE=\"${barrier_file}\"" ${barrier_DEFINES})
    endif()
    if(NOT guest_OUTPUT)
        set(guest_OUTPUT ${name}.elf)
    endif()
    list(TRANSFORM guest_DEFINES PREPEND -D)

    if(NOT guest_HOSTED)
        list(PREPEND guest_OPTIONS ${SYMSIM_GUEST_FREESTANDING_FLAGS})
    endif()
    set(objects)
    foreach(source IN LISTS guest_SOURCES)
        get_filename_component(source ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
        symsim_guest_shared_object(object ${source}
                                   "-DSYMSIM_LOCK_FILE=\"${lock_file}\""
                                   ${guest_DEFINES} ${guest_OPTIONS})
        list(APPEND objects ${object})
    endforeach()
    set(SYMSIM_GUEST_OBJECTS ${objects} PARENT_SCOPE)

    set(flags ${SYMSIM_GUEST_FLAGS_OBJECT})
    if(NOT "${guest_OPTIONS}" STREQUAL "${SYMSIM_GUEST_FREESTANDING_FLAGS}")
        symsim_guest_flags(all all)
        set(source ${guest_DIRECTORY}/objects/${name}/flags.S)
        symsim_guest_flags_source(${source} ${all} ${guest_OPTIONS})
        symsim_guest_object(flags ${source} ${source}.o)
    endif()

    get_filename_component(root ${SYMSIM_GUEST_ROOT} DIRECTORY)
    set(image ${guest_DIRECTORY}/${guest_OUTPUT})
    set(script ${SYMSIM_GUEST_ROOT}/boot/guest.ld)
    set(library ${SYMSIM_GUEST_ARCHIVE})
    set(library_targets guest-library)
    if(guest_KERNEL)
        list(APPEND library_targets guest-kernel)
    endif()
    if(guest_HOSTED)
        set(library ${SYMSIM_GUEST_USER_ARCHIVE})
        list(APPEND library_targets guest-user-library)
    endif()
    # Kernel and library of processes call each other.
    set(all_objects ${SYMSIM_GUEST_START} ${flags} ${objects} ${archives} ${archives} ${library})
    set(check ${SYMSIM_GUEST_ROOT}/check_386.py)
    add_custom_command(
        OUTPUT ${image}
        COMMAND ${SYMSIM_GUEST_CACHED} image ${root} ${CMAKE_BINARY_DIR} ${check}
                ${SYMSIM_GUEST_OBJDUMP} ${guest_ISA} ${image}
                ${SYMSIM_GUEST_CC} ${link_flags} -Wl,-T,${script} ${all_objects}
        DEPENDS ${all_objects} ${script} ${check} ${SYMSIM_GUEST_ROOT}/instruction_sets.def
                ${library_targets}
        COMMENT "Guest ${name}"
        VERBATIM)
    add_custom_target(guest-${name} DEPENDS ${image})
    add_dependencies(guest-${name} ${library_targets})
    add_dependencies(guests guest-${name})
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/spaces.cmake)
