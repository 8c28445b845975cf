#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""guest/check_386.py accepts the instructions of a 386 and refuses later ones. With --isa it also
accepts those of that set. It accepts what the simulated processor has, and nothing else.

    check_386_test.py GCC DECODES

DECODES: the program tests/decodes.
"""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

CHECK = pathlib.Path(__file__).resolve().parents[2] / "guest" / "check_386.py"
FUNCTION = re.compile(r"^[0-9a-f]+ <i(\d+)>:$")

_spec = importlib.util.spec_from_file_location("check_386", CHECK)
check = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(check)

ALLOWED = """
    mov %eax, (%ebx); movzbl %al, %ecx; movswl (%esi), %edx; xchgb %al, (%ebx); lock incl (%ebx)
    shld $3, %eax, %edx; bsf %eax, %ecx; bt %eax, (%ebx); setg %al; cltd; cwtl; rep movsl
    repne scasb; imul $5, %eax, %edx; divl %ecx; pusha; popa; leave; enter $8, $0; ret $4
    lcall $8, $0; iret; ljmp *(%eax); lidt (%eax); mov %cr0, %eax; mov %eax, %cr3; jecxz .
    loop .; hlt; nop; sahf; lahf; call *%eax; jmp *(%ebx); adc %eax, %ebx; sbb $1, %eax; xlat
    lock btsl $3, (%eax); fs movl (%eax), %eax; lods (%esi), %al; stosl; cmpsb; insb; outsl
    lock incl 4096; in $3, %al; out %al, %dx; int $3; into; bound %eax, (%ebx)
    fldz; flds (%eax); fldl (%eax); fldt (%eax); fildll (%eax); fistpll (%eax); fstpt (%eax)
    fbld (%eax); fbstp (%eax); faddl (%eax); fsubrp; fidivrl (%eax); fxch %st(3); fucompp; fcoms 4
    fnstsw %ax; fstsw %ax; fnstcw (%eax); fldcw (%eax); finit; fnclex; fnsave (%eax); frstor (%eax)
    fldenv (%eax); fnstenv (%eax); fprem1; fsincos; fpatan; fyl2xp1; f2xm1; fscale; fwait; fxam
    fincstp; fdecstp; ffree %st(2); fnop; ftst; fxtract; frndint; fchs; fabs; fsqrt; fldl2t; ud2
    pause
"""

REFUSED = """
    endbr32; cmovne %eax, %ebx; cmpxchg %eax, (%ebx); xadd %eax, (%ebx); bswap %eax
    invlpg (%eax); wbinvd; invd; rdtsc; cpuid; cmpxchg8b (%eax); nopl (%eax)
    sysenter; rdmsr; lfence; movd %eax, %mm0; movaps %xmm0, %xmm1; movsd (%eax), %xmm0
    cvtsi2sd %eax, %xmm0; popcnt %eax, %ebx; tzcnt %eax, %ebx; prefetchnta (%eax)
    movbe (%eax), %ebx; vaddps %xmm0, %xmm1, %xmm2; mov %eax, %cr4; fisttpl (%eax)
    fcmovb %st(1), %st; fcomi %st(1), %st; fucomip %st(1), %st; ffreep %st(1); fxsave (%eax)
    clflush (%eax); xbegin .; .byte 0xf0, 0x89, 0x03; .byte 0xf0, 0xff, 0xc0
    .byte 0x0f, 0xff
"""  # the last three: lock mov, lock inc of a register, no instruction at all

# Of each set beside those of the one before: what it accepts, and what it refuses.
ADDED_486 = "cmpxchg %eax, (%ebx); xadd %eax, (%ebx); lock xadd %eax, 4; lock cmpxchg %al, (%esi)"
ADDED_486 += "; bswap %eax; invlpg (%eax); wbinvd; invd"
# The last one is lock xadd with a register operand.
REFUSED_486 = "rdtsc; cpuid; cmpxchg8b (%eax); cmovne %eax, %ebx; .byte 0xf0, 0x0f, 0xc1, 0xc3"
ADDED_586 = "rdtsc; cpuid; cmpxchg8b (%eax); lock cmpxchg8b (%ebx, %ecx, 4); mov %eax, %cr4"
REFUSED_586 = "cmovne %eax, %ebx; fcomi %st(1), %st; nopl (%eax); endbr32; movq %mm0, (%eax)"
ADDED_686 = "cmovne %eax, %ebx; cmovg (%ecx), %edx; fcmovb %st(1), %st; fcmovnu %st(2), %st"
ADDED_686 += "; fcomi %st(1), %st; fucomip %st(1), %st; nopl (%eax); nopw 8(%eax, %eax); endbr32"
ADDED_686 += "; .byte 0xf3, 0x0f, 0x1e, 0xc8; rep bsf %eax, %ebx"  # rdsspd eax
REFUSED_686 = "mfence; lfence; sfence; emms; movq %mm0, (%eax); movaps %xmm0, %xmm1; rdmsr"
REFUSED_686 += "; sysenter; fxsave (%eax); fisttpl (%eax); cvtsi2sd %eax, %xmm0; popcnt %eax, %ebx"


def refused(gcc, folder, instructions, isa="i386"):
    """The instructions that the check refuses; each is a function i0, i1, ... of one object."""
    source, image = folder / "code.s", folder / "code.o"
    padding = "\t.fill 8, 1, 0x90\n"  # keeps undecodable bytes from consuming the next function
    source.write_text(
        "\t.text\n" + "".join(f"i{n}:\t{i}\n{padding}" for n, i in enumerate(instructions))
    )
    subprocess.run([gcc, "-m32", "-c", source, "-o", image], check=True)
    command = [sys.executable, CHECK, "--isa", isa, image]
    run = subprocess.run(command, capture_output=True, text=True)
    numbers = {int(n) for n in re.findall(r"code\.o: i(\d+), 0x", run.stderr)}
    assert run.returncode == (1 if numbers else 0), run.stderr
    return [i for n, i in enumerate(instructions) if n in numbers]


def split(text):
    return [i.strip() for i in text.replace("\n", ";").split(";") if i.strip()]


# ---- each encoding, against the simulated processor ----

PREFIXES = ([], [0x66], [0xF0], [0xF2], [0xF3])
NO_OPCODES = {0x0F, 0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65, 0x66, 0x67, 0xF0, 0xF2, 0xF3}
SLOT = 16  # bytes: longer than any instruction

# Where the two differ on purpose:
#
# - A 386 ignores the prefixes with which later processors have made new instructions: it would
#   execute another one than the program means.
# - Of the coprocessor the check knows what its manual has. Of the rest the 80387 ignores what only
#   an 8087 or 287 obeys, and knows some instructions by a second opcode.
# - ud2 is on paths that no program takes.
# - objdump knows no bsf, bsr and wbinvd behind prefixes that they ignore.
# - objdump does not show d6, salc, which every processor has and no manual of the time.
APART = re.compile(
    r"^((repz|repnz|data16) )*(wbnoinvd|tzcnt|lzcnt|bnd|notrack|endbr32|xacquire|xrelease"
    r"|ffreep|ud2\b|fneni|fndisi|fnsetpm)"
)


def apart(code, text):
    """Whether check and processor may differ about an instruction."""
    opcode = next(byte for byte in code if byte not in NO_OPCODES or byte == 0x0F)
    behind_prefix = code[1:3] in ([0x0F, 0x09], [0x0F, 0xBC], [0x0F, 0xBD])
    not_shown = 0xD8 <= opcode <= 0xDF or opcode == 0xD6 or behind_prefix
    return bool(APART.match(text)) or (not_shown and text.endswith("(bad)"))


def encodings():
    """Each opcode of one and of two bytes, with prefixes, and operands in memory and registers."""
    for prefix in PREFIXES:
        registers = range(0xC0, 0x100) if not prefix else range(0xC0, 0x100, 8)
        for modrm in [*range(0, 0x40, 8), *registers]:
            for opcode in range(256):
                if opcode not in NO_OPCODES:
                    yield [*prefix, opcode, modrm]
                yield [*prefix, 0x0F, opcode, modrm]


def first_instructions(gcc, folder, codes):
    """What objdump makes of each encoding, with zeros behind it."""
    source, image = folder / "codes.s", folder / "codes.o"
    lines = ["\t.text"]
    for number, code in enumerate(codes):
        rest = ",".join(["0"] * (SLOT - len(code)))
        lines.append(f"i{number}:\t.byte {','.join(map(str, code))},{rest}")
    source.write_text("\n".join(lines) + "\n")
    subprocess.run([gcc, "-m32", "-c", source, "-o", image], check=True)
    command = ["objdump", "-d", "-z", "-M", "intel", "--no-show-raw-insn", "--wide", image]
    dumped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found, wanted = {}, None
    for line in dumped.splitlines():
        if match := FUNCTION.match(line):
            wanted = int(match[1])
        elif wanted is not None and (match := check.LINE.match(line)):
            found[wanted], wanted = match[2].strip(), None
    return [found[number] for number in range(len(codes))]


def compare_with_the_processor(gcc, decodes, folder):
    codes = list(encodings())
    texts = first_instructions(gcc, folder, codes)
    given = "".join(
        " ".join(f"{byte:02x}" for byte in [*code, *[0] * (SLOT - len(code))]) + "\n"
        for code in codes
    )
    for isa in check.ISAS:
        run = subprocess.run(
            [decodes, isa], input=given, capture_output=True, text=True, check=True
        )
        has = [word == "yes" for word in run.stdout.split()]
        assert len(has) == len(codes) and 10_000 < sum(has) < len(codes) - 10_000
        wrong = [
            f"{bytes(code).hex(' ')}: {text}: the check {'refuses' if reason else 'accepts'} it"
            for code, text, executes in zip(codes, texts, has, strict=True)
            if bool(reason := check.fault(text, isa)) == executes and not apart(code, text)
        ]
        assert not wrong, f"{len(wrong)} encodings on an {isa}: " + "; ".join(wrong[:40])


def check_words_of_the_fuzzer(gcc, folder):
    """The dictionary of the fuzzer (tests/fuzz) has each instruction that a set adds."""
    text = (CHECK.parents[1] / "tests/fuzz/execute.dict").read_text(encoding="utf-8")
    entries = re.findall(r'^"((?:\\x[0-9A-F]{2})+)"$', text, re.M)
    codes = [[int(byte, 16) for byte in entry.split("\\x")[1:]] for entry in entries]
    shown = " ".join(first_instructions(gcc, folder, codes)).split()
    added = {re.sub("^cmov.*", "cmove", word) for word in check.ISAS["i686"].added}
    missing = added - set(shown)
    assert not missing, f"the dictionary of the fuzzer has no {missing}"


def main(gcc, decodes):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        wrongly_refused = refused(gcc, folder, split(ALLOWED))
        assert not wrongly_refused, f"a 386 has {wrongly_refused}"
        caught = refused(gcc, folder, split(REFUSED))
        missed = [i for i in split(REFUSED) if i not in caught]
        assert not missed, f"a 386 has no {missed}"
        accepted = split(ALLOWED)
        for isa, added, others in (
            ("i486", ADDED_486, REFUSED_486),
            ("i586", ADDED_586, REFUSED_586),
            ("i686", ADDED_686, REFUSED_686),
        ):
            accepted += split(added)
            found = refused(gcc, folder, accepted + split(others), isa)
            assert found == split(others), f"on {isa} refused {found}, should be {split(others)}"
        compare_with_the_processor(gcc, decodes, folder)
        check_words_of_the_fuzzer(gcc, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
