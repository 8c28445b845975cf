#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails if an image contains an instruction that a 386 does not have.

    check_386.py [--objdump PROGRAM] [--isa i486] IMAGE...

It works with an allow-list: it refuses every instruction that is not known to be a 386's or an
80387's. With --isa it also accepts what instruction_sets.def beside it adds up to that set.
objdump disassembles executable sections in Intel syntax, where mnemonics carry no operand size.
"""

import argparse
import pathlib
import re
import subprocess
import sys

CONDITIONS = (
    "a ae b be c e g ge l le na nae nb nbe nc ne ng nge nl nle no np ns nz o p pe po s z".split()
)

# pause is a nop with a prefix that a 386 ignores.
INSTRUCTIONS = frozenset(
    """
    aaa aad aam aas adc add and arpl bound bsf bsr bt btc btr bts call cbw cdq clc cld cli clts
    cmc cmp cmps cwd cwde daa das dec div enter hlt idiv imul in inc ins int int3 into iret
    iretd iretw jmp jcxz jecxz lahf lar lds lea leave les lfs lgdt lgdtd lgs lidt lidtd lldt
    lmsw lods loop loope loopne lsl lss ltr mov movs movsx movzx mul neg nop not or out outs pop
    pause popa popad popaw popf popfd popfw push pusha pushad pushaw pushf pushfd pushfw rcl rcr ret
    retf rol ror sahf sal sar sbb scas sgdt sgdtd shl shld shr shrd sidt sidtd sldt smsw stc std
    sti stos str sub test verr verw xchg xlat xor
    """.split()
) | {"j" + c for c in CONDITIONS} | {"set" + c for c in CONDITIONS}

# With an operand size of 16 bits, in the few cases in which objdump shows it in the name.
NARROW = frozenset(
    """
    callw enterw fldenvw fnsavew fnstenvw frstorw jmpw leavew lgdtw lidtw popw pushw retfw retw
    sgdtw sidtw
    """.split()
)

# Later manuals name this opcode, which is invalid on every processor: it raises exception 6 on a
# 386 too. gcc puts it on paths that would use a null pointer, and for __builtin_trap().
TRAP = frozenset(["ud2"])

# 80387 Programmer's Reference Manual, chapter 4, without feni, fdisi and fsetpm, which only the
# 8087 or the 287 obeys. Later instructions also begin with f: fcmov, fcomi, fucomi, fisttp, ffreep.
FLOATING = frozenset(
    """
    f2xm1 fabs fadd faddp fbld fbstp fchs fclex fcom fcomp fcompp fcos fdecstp fdiv fdivp fdivr
    fdivrp ffree fiadd ficom ficomp fidiv fidivr fild fimul fincstp finit fist fistp fisub fisubr
    fld fld1 fldcw fldenv fldl2e fldl2t fldlg2 fldln2 fldpi fldz fmul fmulp fnclex fninit fnop
    fnsave fnstcw fnstenv fnstsw fpatan fprem fprem1 fptan frndint frstor fsave fscale fsin
    fsincos fsqrt fst fstcw fstenv fstp fstsw fsub fsubp fsubr fsubrp ftst fucom fucomp fucompp
    fwait fxam fxch fxtract fyl2x fyl2xp1
    """.split()
)

PREFIXES = frozenset("lock rep repe repne repz repnz cs ds es fs gs ss data16 addr16".split())

# PRM, LOCK: with any other instruction, or without a memory operand, LOCK is an invalid opcode.
LOCKABLE = frozenset("bt bts btr btc xchg add or adc sbb and sub xor not neg inc dec".split())

# A line of objdump --no-show-raw-insn: "  100000:\tmov    eax,ds:0xc8000000".
LINE = re.compile(r"^\s*([0-9a-f]+):\t(.*)$")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")


# objdump names no-operations by the meaning that processors after the 686 give them.
NO_OPERATIONS = frozenset("cldemote endbr32 rdsspd".split())
SPECIAL_REGISTER = re.compile(r"\b[ct]r\d+\b")


def _words(text):
    """The words of a list in instruction_sets.def, with each condition in the place of cc."""
    words = [word for word in text.split() if not word.endswith("cc")]
    return words + [w[:-2] + c for w in text.split() if w.endswith("cc") for c in CONDITIONS]


class InstructionSet:
    """What a processor has, from instruction_sets.def, beside the 386's INSTRUCTIONS: `added`,
    of which `lockable` take a LOCK prefix; its special `registers`; and `has_nop`, nop with an
    operand."""

    def __init__(self, isa):
        table = pathlib.Path(__file__).with_name("instruction_sets.def").read_text(encoding="utf-8")
        self.name, self.added, self.lockable = isa[1:], set(), set()
        for name, *lists in re.findall(r'^ISA\((\w+), "(.*)",\s+"(.*)", "(.*)"\)$', table, re.M):
            registers, added, lockable = map(_words, lists)
            self.registers = registers
            self.added.update(added, lockable)
            self.lockable.update(lockable)
            if name == isa:
                break
        self.has_nop = "nop" in self.added


ISAS = {isa: InstructionSet(isa) for isa in ("i386", "i486", "i586", "i686")}


def fault(text, isa):
    """Why the processor would refuse this instruction, or None."""
    own = ISAS[isa]
    words = text.split("<")[0].split("#")[0].split()
    prefixes = []
    while words and words[0] in PREFIXES:
        prefixes.append(words.pop(0))
    if not words:
        return "prefix without an instruction"
    mnemonic, operands = words[0], " ".join(words[1:])
    if "(bad)" in operands:
        return f"no instruction: {mnemonic} with this operand"
    if mnemonic in NO_OPERATIONS or (mnemonic == "nop" and operands):
        if not own.has_nop:
            return f"nop with an operand is a 686's: {mnemonic}"
        mnemonic = "nop"
    if mnemonic == "tzcnt" and isa == "i686":
        mnemonic = "bsf"  # gcc writes it as rep bsf, for processors that ignore the prefix
    if mnemonic not in INSTRUCTIONS | NARROW | FLOATING | TRAP | own.added:
        return f"no {own.name} instruction: {mnemonic}"
    for register in SPECIAL_REGISTER.findall(operands):
        if register not in own.registers:
            return f"a {own.name} has no {register}, only {' '.join(own.registers)}"
    if mnemonic == "mov" and (operands.startswith("cs,") or "?" in operands):
        return "mov cannot load cs, and there are six segment registers"
    # "[eax+4]", or "DWORD PTR ds:0x105020" for a constant address.
    changed = operands if mnemonic == "xchg" else operands.split(",")[0]
    in_memory = "[" in changed or " PTR " in changed
    if "lock" in prefixes and not (mnemonic in LOCKABLE | own.lockable and in_memory):
        return f"lock is not allowed on {mnemonic}"
    return None


def faults(disassembly, isa):
    """(function, address, instruction, reason) of each bad instruction, and the number checked."""
    found, seen, function = [], 0, "?"
    for line in disassembly.splitlines():
        if match := FUNCTION.match(line):
            function = match[1]
        elif match := LINE.match(line):
            seen += 1
            if reason := fault(match[2], isa):
                found.append((function, match[1], match[2].strip(), reason))
    return found, seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--objdump", default="objdump")
    parser.add_argument("--isa", choices=ISAS, default="i386")
    parser.add_argument("images", nargs="+", metavar="IMAGE")
    options = parser.parse_args()
    bad = False
    for image in options.images:
        command = [options.objdump, "-d", "-M", "intel", "--no-show-raw-insn", "--wide", image]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"check_386: {run.stderr.strip()}")
        found, seen = faults(run.stdout, options.isa)
        if seen == 0:
            sys.exit(f"check_386: {image}: no instructions in it")
        for function, address, instruction, reason in found:
            bad = True
            print(f"{image}: {function}, 0x{address}: {instruction}: {reason}", file=sys.stderr)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
