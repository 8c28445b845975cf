#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles a guest's object or links its image, or copies it from a cache by content.

    cached.py object ROOT BUILD GCC [OPTION...] -c SOURCE -o OBJECT
    cached.py program ROOT BUILD LD OBJCOPY NAME PROGRAM OBJECT...
    cached.py image ROOT BUILD CHECK OBJDUMP ISA IMAGE GCC [OPTION...] OBJECT...

symsim_guest.cmake and spaces.cmake call it. ROOT: the source tree; BUILD: the build folder. The cache is
${XDG_CACHE_HOME:-~/.cache}/symsim/guests; all clones and build folders of a user share it. A key is
a SHA-256 of contents. So a switch of branches or `touch` costs a copy, and a changed source is a
new key.

    object   the source, the command, the tools, and the names of all headers that it could include:
             this key has variants, each a list of included files with their SHA-256. The key of the
             variant whose files are as they are now has the object
    program  its objects, its name, the tools: objects joined into one, in which each symbol is local
             and begins with the name, but NAME.space_program
    image    its objects, the command, the linker script, the tools, check_386.py and its table

Beside each output, FILE.sources lists the files it was made of, in the format of `sha256sum`.
symlab compares them before it runs an image (lab/symlab/guest/build.py).

A copy begins with its own SHA-256, so a damaged or half-written one is as good as none. A new copy
appears by one rename. Copies unused for the longest time are removed at LIMIT bytes. A cache that
cannot be written is not an error: the first process of the build folder that finds out says so.
"""

import os
import sys
import time

try:  # Python's own: to load OpenSSL for hashlib takes a quarter of the time of a copy
    from _sha256 import sha256
except ImportError:  # from Python 3.12
    from hashlib import sha256

VERSION = 1  # to be raised if the same key would name other bytes
LIMIT = 512 << 20  # bytes; all images of one revision take 65 MB
VARIANTS = 16  # of one source, at most: for example, of the branches that somebody works on
SHARDS = 16  # folders, each with its share of the limit
DIGEST = 64  # characters of a SHA-256
RECENT_S = 0.02  # host time: more than a time stamp of the file system is late
ABANDONED_S = 3600  # host time after which a temporary copy belongs to no process
UNKNOWN = "0" * DIGEST  # the digest of no file


class Cache:
    def __init__(self, build):
        base = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(base):  # the XDG specification: to be ignored
            base = os.path.join(os.path.expanduser("~"), ".cache")
        # Relative if the user has no home folder.
        self.folder = os.path.join(base, "symsim", "guests") if os.path.isabs(base) else None
        self.said = os.path.join(build, "guest-cache-cannot-be-written")

    def get(self, key):
        """The bytes kept under `key`; None if there are none."""
        if self.folder is None:
            return None
        path = self._path(key)
        try:
            with open(path, "rb") as file:
                digest, kept = file.read(DIGEST), file.read()
        except OSError:
            return None
        if digest != sha256(kept).hexdigest().encode():
            return None
        try:
            os.utime(path)
        except OSError:  # removed by another process, or a read-only cache
            pass
        return kept

    def put(self, key, content):
        if self.folder is None:
            self._say("there is no home folder")
            return
        path = self._path(key)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            replace(path, sha256(content).hexdigest().encode() + content)
            self._shrink(os.path.dirname(path))
        except OSError as error:
            self._say(error)
            return
        if os.path.exists(self.said):
            remove(self.said)

    def _path(self, key):
        shard = int(key[:2], 16) % SHARDS
        return os.path.join(self.folder, f"{shard:x}", key)

    def _say(self, reason):
        try:
            os.close(os.open(self.said, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644))
        except OSError:
            return
        print(f"guest cache: {reason}; guests are compiled without it", file=sys.stderr)

    def _shrink(self, shard):
        """Removes the copies unused for the longest time, down to 3/4 of the shard's limit."""
        files, now = [], time.time()
        for entry in os.scandir(shard):
            try:
                stat = entry.stat()
            except OSError:
                continue  # another process removed it
            if "." not in entry.name:
                files.append((stat.st_mtime, stat.st_size, entry.path))
            elif now - stat.st_mtime > ABANDONED_S:
                remove(entry.path)
        size = sum(bytes_ for _, bytes_, _ in files)
        if size <= LIMIT // SHARDS:
            return
        for _, bytes_, path in sorted(files):
            if size <= LIMIT // SHARDS * 3 // 4:
                return
            remove(path)
            size -= bytes_


def remove(path):
    try:
        os.unlink(path)
    except OSError:  # another process removed it
        pass


def replace(path, content, mode=0o644):
    """Writes a file by one rename."""
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "wb") as file:
            file.write(content)
        os.chmod(temporary, mode)
        os.rename(temporary, path)
    except OSError:
        remove(temporary)
        raise


def read(path):
    with open(path, "rb") as file:
        return file.read()


def same(path, content):
    try:
        return read(path) == content
    except OSError:
        return False


def deliver(path, content, digests, root, mode=0o644):
    """Writes an output and its .sources, unless both are there: ninja then rebuilds nothing.

    `digests`: file -> SHA-256 of all it was made of; the list has those in the source tree.
    """
    listed = {file: digests[file] for file in sorted(digests) if file.startswith(root + "/")}
    text = list_of(listed).encode()
    if same(path, content) and same(f"{path}.sources", text):
        return
    replace(path, content, mode)
    replace(f"{path}.sources", text)


def run(command, stream=2):
    """Runs a command; ends this process if it fails. Returns what the command wrote to `stream`.

    Errors are shown. Without the module subprocess, which takes half as long to load as a guest to
    compile, and contextlib, which takes an eighth.
    """
    written = os.memfd_create("written")
    try:
        child = os.posix_spawnp(
            command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, written, stream)]
        )
    except OSError as error:
        sys.exit(f"{command[0]}: {error.strerror}")
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with open(written, "rb") as file:
        file.seek(0)
        text = file.read()
    if stream == 2:
        sys.stderr.buffer.write(text)
        sys.stderr.flush()
    if status != 0:
        sys.exit(1)
    return text


def tool(name):
    """What tells one version of a tool from another, without starting it."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.realpath(os.path.join(folder, name))
        if os.path.isfile(path):
            stat = os.stat(path)
            return f"{name} {stat.st_size} {stat.st_mtime_ns}\n"
    return f"{name} ?\n"


def key_of(*parts):
    content = sha256(f"symsim guest {VERSION}\n".encode())
    for part in parts:
        part = part if isinstance(part, bytes) else part.encode()
        content.update(b"%d\n" % len(part))
        content.update(part)
    return content.hexdigest()


class Places:
    """Takes from texts where the source tree and the build folder are."""

    def __init__(self, root, build):
        # The build folder is usually in the source tree.
        self.names = [(build.encode(), b"<build>"), (root.encode(), b"<root>")]

    def neutral(self, text):
        for folder, name in self.names:
            text = text.replace(folder, name)
        return text

    def local(self, text):
        for folder, name in reversed(self.names):
            text = text.replace(name, folder)
        return text

    def arguments(self, arguments):
        return self.neutral("\n".join([os.getcwd(), *arguments]).encode())


def prerequisites(depfile):
    """The files that a depfile of gcc names, besides the target."""
    text = read(depfile).decode().replace("\\\n", " ").partition(": ")[2]
    names = [name.replace("\0", " ") for name in text.replace("\\ ", "\0").split()]
    return [os.path.normpath(os.path.join(os.getcwd(), name)) for name in names]


def write_depfile(depfile, target, files):
    escaped = [file.replace(" ", "\\ ") for file in files]
    replace(depfile, f"{target}: {' '.join(escaped)}\n".encode())


def digest_of(file, since=None):
    """UNKNOWN if there is no such file, or if it may have changed after `since`."""
    try:
        if since is not None and os.stat(file).st_mtime > since:
            return UNKNOWN
        return sha256(read(file)).hexdigest()
    except OSError:
        return UNKNOWN


def list_of(digests):
    """In the format of sha256sum."""
    return "".join(f"{digest}  {file}\n" for file, digest in digests.items())


def digests_in(text):
    rows = [line.partition("  ") for line in text.decode().splitlines()]
    return {file: digest for digest, _, file in rows}


def headers(root, source):
    """Names of the headers that a source could include. A new one may hide another."""
    found = []
    for folder, _, names in os.walk(os.path.join(root, "guest")):
        found += [os.path.join(folder, name) for name in names if name.endswith(".h")]
    folder = os.path.dirname(source)
    found += [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".h")]
    return "\n".join(sorted(set(found)))


def make_object(root, build, *command):
    started = time.time() - RECENT_S
    compiler, *options = command
    source, output = options[options.index("-c") + 1], options[-1]
    target, depfile = (options[options.index(name) + 1] for name in ("-MT", "-MF"))
    places, cache = Places(root, build), Cache(build)
    variables = [str(os.environ.get(name)) for name in ("CPATH", "C_INCLUDE_PATH")]
    own = places.arguments([*variables, compiler, *options[: options.index("-MD")], source])
    names = places.neutral(headers(root, source).encode())
    key = key_of(tool(compiler), tool("as"), own, names, read(source))

    variants = [text for text in (cache.get(key) or b"").split(b"\n\n") if text]
    for variant in variants:
        digests = digests_in(places.local(variant))
        if all(digest_of(file) == digest for file, digest in digests.items()):
            content = cache.get(key_of(key, variant))
            if content is not None:
                write_depfile(depfile, target, digests)
                deliver(output, content, digests, root)
                return

    # Under names of this process: another one may compile the same object.
    made, listed = (f"{name}.{os.getpid()}" for name in (output, depfile))
    try:
        warnings = run([listed if word == depfile else word for word in command[:-1]] + [made])
        content, files = read(made), prerequisites(listed)
    finally:
        remove(made)
        remove(listed)
    write_depfile(depfile, target, files)
    digests = {file: digest_of(file, started) for file in files}
    # A source that has just changed may not be the one that was compiled. A warning is to be seen
    # each time.
    if not warnings and UNKNOWN not in digests.values():
        variant = places.neutral(list_of(digests).encode()).rstrip()
        others = [other for other in variants if other != variant]
        cache.put(key_of(key, variant), content)
        cache.put(key, b"\n\n".join([variant, *others[: VARIANTS - 1]]))
    deliver(output, content, digests, root)


def make_program(root, build, ld, objcopy, name, program, *objects):
    started = time.time() - RECENT_S
    cache = Cache(build)
    key = key_of(tool(ld), tool(objcopy), name, *map(read, objects))
    content = cache.get(key)
    if content is None:
        joined = f"{program}.{os.getpid()}"
        keep = f"--keep-global-symbol={name}.space_program"
        try:
            run([ld, "-m", "elf_i386", "-r", "-o", joined, *objects])
            run([objcopy, f"--prefix-symbols={name}.", joined])
            run([objcopy, keep, joined])
            content = read(joined)
        finally:
            remove(joined)
        cache.put(key, content)
    deliver(program, content, digests_of(root, list(objects), [], started), root)


def make_image(root, build, check, objdump, isa, image, *command):
    started = time.time() - RECENT_S
    objects = [word for word in command if word.endswith((".o", ".a"))]
    script = next(word for word in command if word.startswith("-Wl,-T,")).removeprefix("-Wl,-T,")
    options = [word for word in command if word not in objects]
    places, cache = Places(root, build), Cache(build)
    tools = [tool(command[0]), tool("ld"), tool(objdump)]
    table = os.path.join(os.path.dirname(check), "instruction_sets.def")
    arguments = places.arguments([isa, *options]).partition(b"\n")[2]
    key = key_of(*tools, arguments, read(script), read(check), read(table), *map(read, objects))
    content = cache.get(key)
    if content is None:
        # Checked under another name, so that a refused image does not look like a built one.
        made = f"{image}.{os.getpid()}.unchecked"
        try:
            run([*command, "-o", made])
            sys.path.insert(0, os.path.dirname(check))
            import check_386

            if check_386.refuses(made, run(check_386.command(objdump, made), 1).decode(), isa):
                sys.exit(1)
            content = read(made)
        finally:
            remove(made)
        cache.put(key, content)
    digests = digests_of(root, objects, [script, check, table], started)
    deliver(image, content, digests, root, 0o755)


def digests_of(root, objects, others, since):
    """File -> SHA-256 of all that an image was made of, the build rules included."""
    guest = os.path.join(root, "guest")
    rules = [name for name in os.listdir(guest) if name.endswith((".txt", ".cmake"))]
    others = [*others, *(os.path.join(guest, name) for name in rules)]
    found = {file: digest_of(file, since) for file in others}
    for file in objects:
        lists = [f"{file}.sources"]
        if file.endswith(".a"):  # of the objects in a folder of its name
            folder = file.removesuffix(".a")
            names = [name for name in os.listdir(folder) if name.endswith(".o.sources")]
            lists = [os.path.join(folder, name) for name in names]
        for name in lists:
            listed = digests_in(read(name))
            # An object of the folder whose source is gone is no longer in the library.
            if file.endswith(".a") and not all(map(os.path.exists, listed)):
                continue
            for path, digest in listed.items():
                # Objects may have been compiled at different times.
                found[path] = digest if found.get(path, digest) == digest else UNKNOWN
    return found


if __name__ == "__main__":
    steps = {"object": make_object, "program": make_program, "image": make_image}
    steps[sys.argv[1]](*sys.argv[2:])
