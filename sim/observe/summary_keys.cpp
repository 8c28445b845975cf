// SPDX-License-Identifier: MIT
// Describes each key of summary.json. A test compares these keys with the summaries of real runs.
#include "sim/observe/summary_json.h"

namespace symsim {
namespace {

void add(Columns& keys, const std::string& before, const Columns& more) {
    for (const Column& key : more) keys.push_back({before + key.name, key.unit, key.meaning});
}

const Columns kRun = {
    {"schema_version", "",
     "version of all files of the folder except bus.log.zst, which has its own; increases when a "
     "key or column is removed or changes its meaning"},
    {"status", "", "how the run ended: one of the statuses"},
    {"partial", "",
     "true if the guest did not reach its end; all numbers are correct up to simulated_us"},
    {"simulated_us", "us", "simulated time from reset to the end"},
    {"instructions", "count", "executed by all processors"},
};

const Columns kProcessor = {
    {"", "", "one per processor, in order of number"},
    {".processor", "", "its number, from 0"},
    {".instructions", "count", "executed by it"},
    {".states_us.STATE", "us", "time in each state; sums to simulated_us"},
    {".activities_us.ACTIVITY", "us", "time in each activity; sums to simulated_us"},
    {".states_us_by_activity.ACTIVITY.STATE", "us",
     "time by activity and state: which activity the bus slowed, and by how much"},
    {".bus_transactions", "count", "transactions granted to it"},
    {".bus_busy_us", "us", "time for which it occupied the bus, replies included"},
    {".bus_busy_us_by_activity.ACTIVITY", "us",
     "the same by its activity at the time of the request"},
    {".bus_wait_us", "us",
     "sum of the waits of its transactions; with a write buffer it may execute meanwhile"},
    {".bus_mean_wait_us", "us", "bus_wait_us per transaction"},
};

const Columns kBus = {
    {"", "", "the bus"},
    {".busy_us", "us", "time for which the bus was occupied"},
    {".utilisation", "ratio", "busy_us / simulated_us, by the number of resources"},
    {".all_transactions", "count", "of all kinds"},
    {".transactions.KIND", "count", "of each kind"},
    {".transactions_by_activity.ACTIVITY.KIND", "count",
     "by the processor's activity at the time of the request; sums to transactions.KIND"},
    {".busy_us_by_activity.ACTIVITY.KIND", "us", "busy time by activity and kind; sums to busy_us"},
    {".mean_occupancy_us", "us", "busy_us per transaction, replies included"},
    {".wait_us", "us", "sum of the waits of all transactions"},
    {".mean_wait_us", "us", "wait_us per transaction"},
    {".max_wait_us", "us", "the longest wait of a transaction"},
    {".mean_wait_us_by_kind.KIND", "us", "per transaction of each kind; 0 if there was none"},
    {".mean_queue_length", "ratio", "requests waiting, averaged over time: wait_us / simulated_us"},
    {".replies", "count", "replies to reads, each a second use of the bus"},
    {".mean_reply_wait_us", "us", "from when memory had the data until the reply was granted"},
    {".interval_us", "us", "length of the rows of bus.csv"},
    {".held_us", "us",
     "part of busy_us: blocked requests held the bus (bus.locked_request = hold-bus), counted "
     "under the kind and activity of the request; absent if there was none"},
    {".resources", "count",
     "of the interconnect, used at the same time: with several, these numbers are sums over all; "
     "absent if it has one, as the bus"},
};

const Columns kSyncBus = {
    {"", "", "the synchronisation bus; absent if the machine has none (sync_bus.present)"},
    {".operations", "count", "test_and_sets + writes"},
    {".test_and_sets", "count", "reads of a lock"},
    {".failed", "count", "test-and-sets that found the lock set"},
    {".writes", "count", "writes of a lock, such as its release"},
    {".busy_us", "us", "operations * sync_bus.occupancy_ns"},
    {".wait_us", "us", "from requests to their grants: sum"},
    {".mean_wait_us", "us", "per operation"},
    {".max_wait_us", "us", "longest"},
    {".processors[]", "", "one per processor, in order of number; their counts sum to the above"},
    {".processors[].processor", "", "its number, from 0"},
    {".processors[].operations", "count", "of it"},
    {".processors[].failed", "count", "test-and-sets of it that found the lock set"},
    {".processors[].wait_us", "us", "from its requests to their grants: sum"},
};

const Columns kLock = {
    {"", "", "one per lock, in order of address; all processors together"},
    {".name", "", "the lock's symbol, or its address if it has none"},
    {".address", "", "as hexadecimal text"},
    {".processors", "count", "number of processors that used it"},
    {".attempts", "count", "times lock_attempt was passed"},
    {".acquisitions", "count", "times lock_acquired was passed"},
    {".releases", "count", "times lock_release was passed"},
    {".wait_us", "us", "from attempt to acquisition: sum"},
    {".mean_wait_us", "us", "per acquisition"},
    {".max_wait_us", "us", "longest"},
    {".hold_us", "us", "from acquisition to release: sum"},
    {".mean_hold_us", "us", "per release"},
    {".max_hold_us", "us", "longest"},
    {".open_wait_us", "us",
     "of processors still waiting at the end, until the end; not in wait_us"},
    {".open_hold_us", "us",
     "of a processor still holding it at the end, until the end; not in hold_us"},
    {".waited_for_preempted_holder_us", "us",
     "time for which processes waited on a processor for a process that was not running: the "
     "holder or, of a free lock, the next to acquire it; absent if the run had no processes"},
    {".handoffs", "count",
     "acquisitions of the lock after it had been released; this and the following only on a "
     "machine of several nodes"},
    {".handoffs_own_processor", "count", "of them: to the processor that had released it"},
    {".handoffs_own_node", "count", "to another processor of its node"},
    {".handoffs_other_nodes", "count", "to another node"},
    {".mean_handoff_links", "ratio",
     "links of a ring from the node that released to the one that acquired, in the ring's "
     "direction, per handoff"},
};

const Columns kMisses = {
    {".near", "count", "misses whose messages took no link"},
    {".far", "count", "misses whose messages took links between nodes"},
    {".near_time_us", "us", "from posting the requests of near misses until the lines were there"},
    {".far_time_us", "us", "the same of far misses"},
    {".mean_near_us", "us", "near_time_us per near miss"},
    {".mean_far_us", "us", "far_time_us per far miss"},
    {".links", "count",
     "that the messages took; of messages at the same time, those of the longest way"},
};

const Columns kProcesses = {
    {"", "", "all processes of the guest together; absent if it reports none"},
    {".count", "count", "processes that were created"},
    {".ended", "count", "of which have ended"},
    {".states_us", "us",
     "time in each state, as in processes.csv; sums to the time from creation to end, or to the "
     "end of the run, of all processes"},
};

const Columns kProcessCounts = {
    {".quanta", "count", "times a processor began to run a process"},
    {".preemptions", "count", "times process_preempt was passed"},
    {".extensions", "count", "quanta that the kernel extended: process_warn"},
    {".yields", "count", "times process_yield was passed"},
    {".blocks", "count", "times process_block was passed"},
    {".migrations", "count", "times a process ran on another processor than before"},
    {".acquisitions", "count", "times a process passed lock_acquired outside the kernel"},
};

const Columns kProcessFault = {
    {"", "", "faults of processes in order of time; the kernel ends a process that faults"},
    {".process", "", "its number"},
    {".processor", "", "that ran it"},
    {".time_us", "us", "when the kernel reported the fault"},
    {".eip", "", "address of the instruction, as hexadecimal text"},
    {".symbol", "", "the same as function and offset"},
    {".source", "", "the same as file:line, if the image has line tables; else empty"},
};

const Columns kCalls = {
    {"", "", "calls between address spaces by messages; absent if the guest reports none"},
    {".count", "count", "calls that have returned"},
    {".served", "count", "procedures that servers have entered"},
    {".parts_us", "us", "time in each part, as in calls.csv; sums to the time of all processors"},
};

const Columns kSpaces = {
    {"", "",
     "address spaces, as in spaces.csv; the last one, of no number, is for processors that are in "
     "no space yet; absent if the guest has one"},
    {".space", "", "its number, or null"},
    {".name", "", "as the image calls it"},
    {".processors_us", "us", "time of the processors that it has"},
    {".activities_us.ACTIVITY", "us", "the part in that activity"},
    {".arrivals", "count", "times a processor came; without an upcall where it was preempted"},
};

const Columns kSpaceCounts = {
    {".donations", "count", "times it gave a processor to another space, or back"},
    {".preemptions", "count", "times the kernel took a processor away"},
    {".calls", "count", "calls that its threads have begun"},
    {".served", "count", "calls that it has served"},
    {".polls", "count", "times a processor without a thread looked for messages"},
    {".found", "count", "messages that it has received"},
};

const Columns kRegion = {
    {"", "", "one per region that region_begin and region_end mark; all processors together"},
    {".number", "", "of the region, as the guest chose"},
    {".processors", "count", "number of processors that began or ended it"},
    {".begins", "count", "times region_begin was passed"},
    {".ends", "count", "times region_end was passed"},
    {".first_begin_us", "us", "time of its first begin, by any processor; null if there was none"},
    {".last_end_us", "us", "time of its last end, by any processor; null if there was none"},
    {".inside_us", "us", "from begin to end on one processor: sum"},
    {".mean_inside_us", "us", "per end"},
    {".max_inside_us", "us", "longest"},
    {".open_us", "us",
     "of regions that have not ended, until the end of the run; not in inside_us"},
};

const Columns kGuest = {
    {"", "", "the program and its results"},
    {".image", "", "file name of the program"},
    {".sha256", "", "of that file"},
    {".stdin_sha256", "", "of the file guest.stdin; absent if there is none"},
    {".compiler", "", "the compiler that built it, if the image names it"},
    {".flags", "", "the compiler's flags, if the image has them"},
    {".exit_status", "", "status with which it switched the power off; null if it did not"},
    {".results.NAME", "the guest's",
     "reported by report(name, value): a number, or text; of a name reported twice, the last "
     "value"},
    {".post_codes[]", "", "bytes written to guest.post_port, in order; the first 10,000"},
    {".post_codes[].time_us", "us", "when the write went over the bus"},
    {".post_codes[].code", "", "0 to 255"},
    {".post_codes_left_out", "count", "number of bytes written after those"},
    {".last_line", "",
     "the last line on its console that is not empty; absent unless exit_status is another than 0"},
    {".unused_arguments[]", "",
     "arguments of the config that the guest never looked up, which may be misspelt; absent if "
     "there are none"},
    {".unused_arguments[].name", "", "the NAME of guest.args.NAME"},
    {".unused_arguments[].hint", "", "what the guest asks for, in words"},
};

const Columns kFailure = {
    {"", "", "null, or what went wrong in the guest"},
    {".what", "", "the failure in one sentence"},
    {".fix", "", "where to look"},
    {".processor", "", "the processor that failed"},
    {".time_us", "us", "when"},
    {".eip", "", "where, as hexadecimal text"},
    {".symbol", "", "where, as function and offset"},
    {".source", "", "file:line of it, if the image has line tables (gcc -g); else empty"},
    {".exception", "", "null, or the exception that no handler took"},
    {".exception.vector", "", "its number"},
    {".exception.mnemonic", "", "such as #PF"},
    {".exception.error_code", "", "as hexadecimal text, or null"},
    {".exception.cr2", "", "address of a page fault, as hexadecimal text; else null"},
    {".exception.text", "", "the exception in words"},
    {".registers", "", "text, several lines: general, segment and system registers"},
    {".backtrace[]", "",
     "innermost first: address, function and offset, and (file:line); a call has its return "
     "address and its own line"},
    {".branches[]", "", "the last taken branches of that processor, up to 32, oldest first"},
    {".branches[].from", "", "address of the branch, written as in backtrace"},
    {".branches[].to", "", "target of the branch"},
};

const Columns kPosition = {
    {"", "",
     "where each processor stands at the end of a run that the guest did not end: by a deadlock, "
     "the time limit, Ctrl-C, or the halt of a ROM; else absent"},
    {".processor", "", "its number, from 0"},
    {".state", "", "what it does, one of the states"},
    {".interrupts", "", "true if it takes interrupts; false with state halted: it stays halted"},
    {".eip", "", "address of the next instruction in its code segment, as hexadecimal text"},
    {".symbol", "", "the same as function and offset"},
    {".source", "", "the same as file:line, if the image has line tables; else empty"},
    {".lock", "", "the lock that it tries to acquire, as known by probe points; else null"},
};

const Columns kWaitingThread = {
    {"", "",
     "the threads of pthread.h that wait at such an end, by number; absent if there are none"},
    {".number", "", "in order of creation; that of main is 0"},
    {".function", "", "the function with which it began"},
    {".waits_for", "", "a mutex and its holder, the end of a thread, a condition or a barrier"},
};

const Columns kPreemption = {
    {"", "", "the preemption that preempt.instructions asks for; absent if it is 0"},
    {".processor", "", "at which the timer's interrupt arrives"},
    {".arrived", "", "false if the processor did not retire so many instructions"},
    {".time_us", "us", "when it arrived; the processor takes it when it enables interrupts"},
    {".eip", "", "the instruction before which it arrived, as hexadecimal text"},
    {".symbol", "", "the same as function and offset"},
};

const Columns kSchedule = {
    {"", "", "the entries of schedule.holds, in their order; absent if there are none"},
    {".entry", "", "its text"},
    {".reached", "", "false if the processor did not come so far"},
    {".start_us", "us", "when it had its effect"},
    {".end_us", "us", "when the hold ended; for an interrupt the same as start_us"},
    {".eip", "", "the instruction that accesses, or that comes next, as hexadecimal text"},
    {".symbol", "", "the same as function and offset"},
};

const Columns kTrace = {
    {".file", "", "its name"},
    {".complete", "", "false if it reached its size limit, or could not be written and is missing"},
    {".from_us", "us", "where observe.window begins; nothing earlier is in it"},
    {".until_us", "us", "nothing later is in it"},
};

// A key for each name.
template <class Names>
void add_each(Columns& keys, const std::string& path, const std::string& unit, const Names& names,
              const Names& meanings) {
    for (std::size_t i = 0; i < names.size(); ++i)
        keys.push_back({path + std::string(names[i]), unit, std::string(meanings[i])});
}

}  // namespace

Columns summary_json_keys() {
    Columns keys = kRun;
    add(keys, "processors[]", kProcessor);
    add(keys, "bus", kBus);
    add(keys, "sync_bus", kSyncBus);
    keys.push_back({"misses", "",
                    "transactions that brought a processor a line; absent on a machine without "
                    "several nodes"});
    add(keys, "misses", kMisses);
    keys.push_back({"misses.by_activity", "", "the same by activity of the processor"});
    add(keys, "misses.by_activity.ACTIVITY", kMisses);
    keys.push_back({"misses.by_supplier", "", "the same by who had the line"});
    for (std::size_t s = 0; s < kSuppliers; ++s) {
        const std::string path = "misses.by_supplier." + std::string(kSupplierNames[s]);
        keys.push_back({path, "", std::string(kSupplierMeanings[s])});
        add(keys, path, kMisses);
    }
    keys.push_back({"misses.by_node[]", "", "the same by node of the processor, in order"});
    add(keys, "misses.by_node[]", kMisses);
    add(keys, "locks[]", kLock);
    add(keys, "processes", kProcesses);
    add_each(keys, "processes.states_us.", "us", kProcessStateNames, kProcessStateMeanings);
    add(keys, "processes", kProcessCounts);
    add(keys, "processes.faults[]", kProcessFault);
    add(keys, "calls", kCalls);
    add_each(keys, "calls.parts_us.", "us", kCallPartNames, kCallPartMeanings);
    keys.push_back(
        {"calls.parts_per_call_us", "us", "the same, by the number of calls that have returned"});
    for (const std::string_view part : kCallPartNames)
        keys.push_back({"calls.parts_per_call_us." + std::string(part), "us",
                        "parts_us." + std::string(part) + " / count"});
    add(keys, "spaces[]", kSpaces);
    keys.push_back({"spaces[].upcalls", "count", "arrivals by an upcall, by its reason"});
    add_each(keys, "spaces[].upcalls.", "count", kUpcallReasonNames, kUpcallReasonMeanings);
    add(keys, "spaces[]", kSpaceCounts);
    add(keys, "regions[]", kRegion);
    add(keys, "guest", kGuest);
    add(keys, "failure", kFailure);
    add(keys, "positions[]", kPosition);
    add(keys, "waiting_threads[]", kWaitingThread);
    add(keys, "preemption", kPreemption);
    add(keys, "schedule[]", kSchedule);
    for (const auto& [name, file] : {std::pair{"trace", "trace.vcd"},
                                     {"transactions", "bus.log.zst"},
                                     {"perfetto", "trace.pftrace"}}) {
        keys.push_back({name, "", std::string("null, or what is in ") + file});
        add(keys, name, kTrace);
    }
    keys.push_back({"config", "", "every key of the resolved config except run.engine"});
    keys.push_back({"config.KEY", "the key's", "its value: \"machine.processors\": 8"});
    return keys;
}

}  // namespace symsim
