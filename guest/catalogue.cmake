# SPDX-License-Identifier: MIT
#
# What locks, barriers and strategies declare in their own files, in lines such as
#
#     #define LOCK_FIFO arrival
#
# guest/include/lock.h lists the declarations. The lab reads the same lines
# (lab/symlab/guest/catalogue.py). A kind is LOCK, BARRIER, STRATEGY or AFFINITY.

set(SYMSIM_GUEST_ROOT ${CMAKE_CURRENT_LIST_DIR} CACHE INTERNAL "the guest folder")

# Sets the caller's `result` to the folder of a kind.
function(symsim_folder_of result kind)
    set(LOCK locks)
    set(BARRIER barriers)
    set(STRATEGY threads/strategies)
    set(AFFINITY threads/affinity)
    set(${result} ${SYMSIM_GUEST_ROOT}/${${kind}} PARENT_SCOPE)
endfunction()

# Sets the caller's `result` to what the header `file` declares under `name`, without a comment. If
# it does not, a file that it includes from the same folder may; else the result is empty. CMake
# configures again when such a file changes.
function(symsim_declared result file name)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} lines REGEX "^#define ${name} " ENCODING UTF-8)
    set(value)
    if(lines)
        list(GET lines 0 value)
        string(REGEX REPLACE "^#define ${name} +| *//.*$" "" value "${value}")
    else()
        get_filename_component(folder ${file} DIRECTORY)
        file(STRINGS ${file} included REGEX "^#include \"[^\"]+\"" ENCODING UTF-8)
        list(TRANSFORM included REPLACE "^#include \"([^\"]+)\".*" "${folder}/\\1")
        foreach(part IN LISTS included)
            if(NOT value AND EXISTS ${part})
                symsim_declared(value ${part} ${name})
            endif()
        endforeach()
    endif()
    set(${result} "${value}" PARENT_SCOPE)
endfunction()

# The headers of a kind that define a name of their own; the others are only parts of them.
function(symsim_headers_of result kind)
    symsim_folder_of(folder ${kind})
    set(again CONFIGURE_DEPENDS)
    if(CMAKE_SCRIPT_MODE_FILE)  # which configures nothing: tests/lab/test_catalogue.py
        set(again)
    endif()
    file(GLOB files ${again} ${folder}/*.h)
    set(named)
    foreach(file IN LISTS files)
        file(STRINGS ${file} name REGEX "^#define ${kind}_NAME \"" ENCODING UTF-8)
        if(name)
            list(APPEND named ${file})
        endif()
    endforeach()
    set(${result} ${named} PARENT_SCOPE)
endfunction()

# Sets the caller's `result` to the names of a kind of which images are built, `result`_SPECIAL to
# those that "all" leaves out (LOCK_SPECIAL), and `result`_KERNEL to those that only programs of
# processes can have (LOCK_KERNEL). A lock with a parameter counts as its variants: static-1,
# static-4 and so on.
function(symsim_all result kind)
    symsim_headers_of(files ${kind})
    set(names)
    set(special)
    set(with_kernel)
    foreach(file IN LISTS files)
        get_filename_component(name ${file} NAME_WE)
        symsim_declared(reason ${file} ${kind}_SPECIAL)
        symsim_declared(kernel ${file} ${kind}_KERNEL)
        symsim_declared(parameter ${file} ${kind}_PARAMETER)
        string(REGEX MATCHALL " [0-9]+" values "${parameter}")
        set(variants ${name})
        if(parameter)
            list(TRANSFORM values REPLACE " " "${name}-" OUTPUT_VARIABLE variants)
        endif()
        if(kernel)
            list(APPEND with_kernel ${variants})
        elseif(reason)
            list(APPEND special ${name})
        else()
            list(APPEND names ${variants})
        endif()
    endforeach()
    set(${result} ${names} PARENT_SCOPE)
    set(${result}_SPECIAL ${special} PARENT_SCOPE)
    set(${result}_KERNEL ${with_kernel} PARENT_SCOPE)
endfunction()

# Sets the caller's `result` to "tas xchgb ttas read": further names of a kind (LOCK_ALIAS), each
# followed by the file's name.
function(symsim_aliases result kind)
    symsim_folder_of(folder ${kind})
    symsim_headers_of(files ${kind})
    set(pairs)
    foreach(file IN LISTS files)
        file(STRINGS ${file} line REGEX "^#define ${kind}_ALIAS \"" ENCODING UTF-8)
        string(REGEX REPLACE "[^\"]*\"([^\"]*)\".*" "\\1" aliases "${line}")
        string(REPLACE " " ";" aliases "${aliases}")
        get_filename_component(name ${file} NAME_WE)
        foreach(alias IN LISTS aliases)
            if(EXISTS ${folder}/${alias}.h)
                message(FATAL_ERROR "${file}: ${kind}_ALIAS ${alias} is the name of another file; "
                                    "take another alias")
            endif()
            list(APPEND pairs ${alias} ${name})
        endforeach()
    endforeach()
    string(REPLACE ";" " " pairs "${pairs}")
    set(${result} "${pairs}" PARENT_SCOPE)
endfunction()

# Finds what a program is to be built with. `name`: of a file, an alias, or that of a lock with a
# parameter and a number, static-7. Sets the caller's `result`_NAME, `result`_FILE and
# `result`_DEFINES. Ends with an error if there is none; `where` begins the message.
function(symsim_find result kind name where)
    symsim_folder_of(folder ${kind})
    set(file ${folder}/${name}.h)
    set(defines)
    if(NOT EXISTS ${file})
        symsim_aliases(aliases ${kind})
        string(REPLACE " " ";" aliases "${aliases}")
        list(FIND aliases "${name}" at)
        math(EXPR odd "${at} % 2")
        if(odd EQUAL 0)  # an alias, not the name that follows one
            math(EXPR at "${at} + 1")
            list(GET aliases ${at} name)
            set(file ${folder}/${name}.h)
        elseif(name MATCHES "^(.+)-(0|[1-9][0-9]*)$")
            set(value ${CMAKE_MATCH_2})
            set(stem ${folder}/${CMAKE_MATCH_1}.h)
            set(parameter)
            if(EXISTS ${stem})
                symsim_declared(parameter ${stem} ${kind}_PARAMETER)
            endif()
            if(parameter)
                string(REGEX REPLACE " .*" "" parameter "${parameter}")
                set(file ${stem})
                set(defines "${kind}_NAME=\"${name}\"" ${parameter}=${value})
            endif()
        endif()
    endif()
    if(NOT EXISTS ${file})
        string(TOLOWER ${kind} kind)
        message(FATAL_ERROR "${where}: no ${kind} ${name}, ${file} is missing")
    endif()
    if(kind STREQUAL "STRATEGY")
        symsim_declared(many ${file} STRATEGY_READY_ALL)
        if(many)
            list(APPEND defines STRATEGY_READIES_ALL)
        endif()
    endif()
    set(${result}_NAME ${name} PARENT_SCOPE)
    set(${result}_FILE ${file} PARENT_SCOPE)
    set(${result}_DEFINES ${defines} PARENT_SCOPE)
endfunction()

# For a program without processes: ends with an error if the lock `name`, in `file`, needs them.
function(symsim_refuse_lock_of_processes name file where)
    symsim_declared(kernel ${file} LOCK_KERNEL)
    if(kernel)
        message(FATAL_ERROR "${where}: the lock ${name} needs a program of processes; write KERNEL "
                            "local, or another LOCK")
    endif()
endfunction()

# Sets the caller's `result` to the word after `name` in guest/defaults.txt.
function(symsim_default result name)
    set(file ${SYMSIM_GUEST_ROOT}/defaults.txt)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(STRINGS ${file} line REGEX "^${name} ")
    string(REGEX REPLACE "^${name} +" "" line "${line}")
    set(${result} ${line} PARENT_SCOPE)
endfunction()
