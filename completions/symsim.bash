# SPDX-License-Identifier: MIT
# Completion of symsim for bash, and for zsh by bashcompinit. Made by `symlab reference`.

_symsim_values() {
    case $1 in
        machine.interconnect) echo "bus crossbar nodes" ;;
        processor.isa) echo "i386 i486 i586 i686" ;;
        cache.protocol) echo "write-through write-through-allocate write-through-on-change write-back write-update none illinois moesi" ;;
        cache.store_policy) echo "buffered block-port stall" ;;
        cache.update_exchange) echo "one-update locked" ;;
        bus.arbitration) echo "round-robin fixed oldest" ;;
        bus.locked_request) echo "skip keep-turn hold-bus bypass" ;;
        bus.locked_class) echo "same low" ;;
        bus.unlock) echo "cycle with-store" ;;
        nodes.inside) echo "crossbar bus" ;;
        nodes.placement) echo "first-touch interleaved by-address follows-owner" ;;
        sync_bus.present) echo "true false" ;;
        monitor.present) echo "true false" ;;
        sub_page.present) echo "true false" ;;
        preempt.from) echo "start region" ;;
        schedule.from) echo "start region" ;;
        guest.code_anywhere) echo "true false" ;;
        guest.scheduler) echo "spread pinned one-queue" ;;
        run.engine) echo "fast reference" ;;
        observe.vcd) echo "true false" ;;
        observe.transactions) echo "true false" ;;
        observe.perfetto) echo "true false" ;;
        observe.window.around) echo "none lock_attempt lock_acquired lock_release region_begin region_end lock_released thread_create thread_start thread_finish thread_block thread_resume thread_handle mutex_attempt mutex_acquired mutex_release thread_join condition_wait barrier_wait wait_end message memory_free memory_used page_closed page_opened failure process_create process_run process_preempt process_yield process_block process_wake process_exit process_warn process_fault process_upcall call_begin call_sent call_poll call_received call_dispatch call_served call_answer call_answered answer_received answer_dispatch call_end" ;;
    esac
}

_symsim() {
    local options="--set --out -q --quiet --json --strict --check --gdb --gdb-at --schedules --serve --print-config --list-keys --describe --version -h --help"
    local keys="machine.name machine.processors machine.interconnect processor.clock_mhz processor.isa cache.protocol cache.size_bytes cache.ways cache.line_bytes cache.hit_wait_clocks cache.write_buffer_depth cache.store_policy cache.update_exchange bus.clock_mhz bus.width_bytes bus.arbitration bus.arbitration_cycles bus.request_cycles bus.store_cycles bus.unlock_cycles bus.synchronise_cycles bus.store_completion_cycles bus.locked_request bus.locked_class bus.unlock bus.line_unavailable_cycles bus.owner_supply_cycles memory.size_mb memory.latency_cycles memory.controllers memory.interleave_bytes memory.read_busy_cycles memory.store_busy_cycles memory.read_pipe nodes.count nodes.node_processors nodes.inside nodes.placement nodes.page_bytes nodes.block_bytes nodes.network_cache_kb nodes.network_cache_ways nodes.lookup_cycles nodes.home_buffer nodes.rings nodes.ring_bytes_per_cycle nodes.ring_header_bytes nodes.ring_hop_cycles nodes.ring_interface_cycles slic.message_ns slic.mask_ns sync_bus.present sync_bus.locks sync_bus.latency_ns sync_bus.occupancy_ns monitor.present monitor.read_ns sub_page.present preempt.instructions preempt.on_processor preempt.from preempt.region schedule.holds schedule.from schedule.region guest.image guest.rom guest.rom_address guest.code_anywhere guest.post_port guest.output_port guest.stdin guest.argv guest.env guest.files guest.scheduler run.engine run.limit_ms run.seed observe.interval_us observe.vcd observe.profile_us observe.transactions observe.transactions_limit_mb observe.perfetto observe.perfetto_limit_mb observe.window.from_us observe.window.to_us observe.window.around observe.window.around_value observe.window.around_us observe.window.last_ms"
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local key= start= IFS=$' \t\n'
    if [[ $word == "=" ]]; then
        key=$before word=
    elif [[ $before == "=" ]]; then
        key=${COMP_WORDS[COMP_CWORD-2]}
    elif [[ $word == *.*=* ]]; then
        key=${word%%=*} start=${word%%=*}= word=${word#*=}
    fi
    if [[ -n $key ]]; then
        COMPREPLY=($(compgen -P "$start" -W "$(_symsim_values "$key")" -- "$word"))
        return
    fi
    case $before in
        --set)
            compopt -o nospace 2>/dev/null
            COMPREPLY=($(compgen -S = -W "$keys" -- "$word"))
            return ;;
        --out)
            compopt -o filenames 2>/dev/null
            IFS=$'\n'
            COMPREPLY=($(compgen -d -- "$word"))
            return ;;
        --gdb|--gdb-at)
            COMPREPLY=()
            return ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    else
        compopt -o filenames 2>/dev/null
        IFS=$'\n'
        COMPREPLY=($(compgen -d -- "$word"; compgen -f -X '!*.toml' -- "$word"))
    fi
}

# zsh knows no compopt: there, no completion is followed by a space, so that no KEY= is.
if [[ -n ${ZSH_VERSION-} ]]; then
    complete -o nospace -F _symsim symsim
else
    complete -F _symsim symsim
fi
