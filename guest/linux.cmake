# SPDX-License-Identifier: MIT
#
# linux.elf, the kernel with Linux's system calls (guest/linux): the program that it runs comes from
# the loader. guest.ld knows the kernel by the name of its archive.

set(linux_flags ${SYMSIM_GUEST_FREESTANDING_FLAGS} -DSYMSIM_PROCESSES
    -include ${SYMSIM_GUEST_ROOT}/linux/waits.h
    "-DKERNEL_QUEUES_FILE=\"kernel/shared/queues/local.h\"")
symsim_guest_flags(linux_library linux)
file(GLOB linux_sources CONFIGURE_DEPENDS RELATIVE ${SYMSIM_GUEST_ROOT} ${SYMSIM_GUEST_ROOT}/linux/*.c)
set(folder ${CMAKE_BINARY_DIR}/guest/objects/kernel/libkernel-linux)
set(objects)
foreach(source IN LISTS linux_sources linux_library)
    get_filename_component(name ${source} NAME)
    symsim_guest_object(object ${SYMSIM_GUEST_ROOT}/${source} ${folder}/${name}.o ${linux_flags})
    list(APPEND objects ${object})
endforeach()
symsim_guest_archive(${folder}.a "Kernel linux" ${objects})

get_filename_component(root ${SYMSIM_GUEST_ROOT} DIRECTORY)
set(image ${CMAKE_BINARY_DIR}/guest/linux.elf)
set(script ${SYMSIM_GUEST_ROOT}/boot/guest.ld)
set(check ${SYMSIM_GUEST_ROOT}/check_386.py)
set(all_objects ${SYMSIM_GUEST_START} ${SYMSIM_GUEST_FLAGS_OBJECT} ${folder}.a ${SYMSIM_GUEST_ARCHIVE})
add_custom_command(
    OUTPUT ${image}
    COMMAND ${SYMSIM_GUEST_CACHED} image ${root} ${CMAKE_BINARY_DIR} ${check}
            ${SYMSIM_GUEST_OBJDUMP} i386 ${image}
            ${SYMSIM_GUEST_CC} ${SYMSIM_GUEST_LINK_FLAGS} -Wl,-T,${script} ${all_objects}
    DEPENDS ${all_objects} ${script} ${check} guest-library
    COMMENT "Guest linux"
    VERBATIM)
# Whoever builds the simulator can run a Linux program.
add_custom_target(guest-linux ALL DEPENDS ${image})
add_dependencies(guest-linux guest-library)
