# SPDX-License-Identifier: MIT
#
# linux.elf, the kernel with Linux's system calls (guest/linux): the program that it runs comes from
# the loader. guest.ld knows the kernel by the name of its archive.

# The image `output`; `variant` ("" or -checked) is part of its archive's name, more arguments are
# flags.
function(symsim_linux_kernel variant output)
    set(above 0xC0000000)  # where ring 0 sees memory
    symsim_guest_flags(library linux)
    file(GLOB sources CONFIGURE_DEPENDS RELATIVE ${SYMSIM_GUEST_ROOT} ${SYMSIM_GUEST_ROOT}/linux/*.[cS])
    set(flags ${SYMSIM_GUEST_FREESTANDING_FLAGS} -DSYMSIM_PROCESSES -DSYMSIM_NO_PROBES
        -include ${SYMSIM_GUEST_ROOT}/linux/waits.h -DMEMORY_BASE=${above} -DSTRING_INSTRUCTIONS -O2
        "-DKERNEL_QUEUES_FILE=\"kernel/shared/queues/local.h\"" ${ARGN})
    set(folder ${CMAKE_BINARY_DIR}/guest/objects/kernel/libkernel-linux${variant})
    set(objects)
    foreach(source IN LISTS sources library)
        get_filename_component(name ${source} NAME)
        symsim_guest_object(object ${SYMSIM_GUEST_ROOT}/${source} ${folder}/${name}.o ${flags})
        list(APPEND objects ${object})
    endforeach()
    symsim_guest_archive(${folder}.a "Kernel linux${variant}" ${objects})

    get_filename_component(root ${SYMSIM_GUEST_ROOT} DIRECTORY)
    set(script ${SYMSIM_GUEST_ROOT}/boot/guest.ld)
    set(check ${SYMSIM_GUEST_ROOT}/check_386.py)
    set(all_objects ${SYMSIM_GUEST_START} ${SYMSIM_GUEST_FLAGS_OBJECT} ${folder}.a
        ${SYMSIM_GUEST_ARCHIVE})
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${SYMSIM_GUEST_CACHED} image ${root} ${CMAKE_BINARY_DIR} ${check}
                ${SYMSIM_GUEST_OBJDUMP} i386 ${output}
                ${SYMSIM_GUEST_CC} ${SYMSIM_GUEST_LINK_FLAGS}
                -Wl,--defsym=symsim_linked_above=${above} -Wl,-e,linux_start
                -Wl,-T,${script} ${all_objects}
        DEPENDS ${all_objects} ${script} ${check} guest-library
        COMMENT "Guest linux${variant}"
        VERBATIM)
endfunction()

set(image ${CMAKE_BINARY_DIR}/guest/linux.elf)
symsim_linux_kernel("" ${image})
# Whoever builds the simulator can run a Linux program.
add_custom_target(guest-linux ALL DEPENDS ${image})
add_dependencies(guest-linux guest-library)
