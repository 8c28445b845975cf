// SPDX-License-Identifier: MIT
//
// Files: what each call on names, on open files and on folders does, and its errors.

#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#define SAY(expression)                                       \
    do {                                                      \
        errno = 0;                                            \
        const long long result = (long long)(expression);     \
        printf("%s = %lld %d\n", #expression, result, errno); \
    } while (0)

static char buffer[10000], folder[64] = "/tmp/symsim-XXXXXX";

static const char* in(const char* name) {
    static char path[4][128];
    static int next;
    char* to = path[next++ % 4];
    sprintf(to, "%s/%s", folder, name);
    return to;
}

static int compare(const void* a, const void* b) {
    return strcmp(*(char**)a, *(char**)b);
}

static void list(const char* path) {
    char* names[100];
    int number = 0;
    DIR* at = opendir(path);
    for (struct dirent* entry; at != NULL && (entry = readdir(at)) != NULL;) {
        names[number] = malloc(300);
        sprintf(names[number++], "%s:%d", entry->d_name, entry->d_type);
    }
    qsort(names, number, sizeof names[0], compare);
    printf("list:");
    for (int i = 0; i < number; i++) printf(" %s", names[i]);
    printf("\n");
    if (at != NULL) closedir(at);
}

static void show(const char* path) {
    struct stat stat;
    if (lstat(path, &stat) != 0) {
        printf("show: error %d\n", errno);
        return;
    }
    printf("show: mode %o links %d bytes %lld device %d time %d\n", stat.st_mode,
           S_ISDIR(stat.st_mode) ? 0 : (int)stat.st_nlink,
           S_ISDIR(stat.st_mode) ? 0 : (long long)stat.st_size, (int)stat.st_rdev,
           stat.st_mtime > 500000000);
}

static void given(void) {
    FILE* file = fopen("given.txt", "r");
    while (file != NULL && fgets(buffer, sizeof buffer, file)) printf("given: %s", buffer);
    SAY(access("given.txt", R_OK));
    SAY(access("given.txt", X_OK));
    SAY(access("none", F_OK));
    SAY(access(folder, 8));
    // What is in kept/ at the end is compared with the host's too.
    SAY(mkdir("kept", 0755));
    file = fopen("kept/numbers", "w");
    for (int i = 0; i < 2000; i++) fprintf(file, "%d\n", i);
    SAY(fclose(file));
    file = fopen("kept/hole", "w");
    SAY(ftruncate(fileno(file), 5000000));
    SAY(fclose(file));
    SAY(rename("kept/hole", "kept/a hole"));
    while (fgets(buffer, sizeof buffer, stdin)) printf("input: %s", buffer);
}

static void reading_and_writing(void) {
    int file = open(in("a"), O_RDWR | O_CREAT | O_EXCL, 0640);
    struct iovec parts[2] = {{"one ", 4}, {"two", 3}};
    SAY(file >= 0);
    SAY(open(in("a"), O_RDWR | O_CREAT | O_EXCL, 0640));
    SAY(write(file, "hello world", 11));
    SAY(lseek(file, 6, SEEK_SET));
    SAY(write(file, "files", 5));
    SAY(pread(file, buffer, 100, 0));
    printf("%.11s\n", buffer);
    SAY(pread(file, buffer, 100, 11));
    SAY(pread(file, buffer, 100, -1));
    SAY(pwrite(file, "X", 1, 8000));
    SAY(lseek(file, 0, SEEK_END));
    SAY(lseek(file, -1, SEEK_SET));
    SAY(lseek(file, 0, 7));
    SAY(lseek(file, -8001, SEEK_CUR));
    SAY(read(file, buffer, sizeof buffer));
    SAY(buffer[0] == 'h' && buffer[11] == 0 && buffer[7999] == 0 && buffer[8000] == 'X');
    SAY(read(file, buffer, 1));
    SAY(ftruncate(file, 5));
    SAY(ftruncate(file, 5000));
    SAY(pread(file, buffer, sizeof buffer, 0));
    SAY(buffer[4] == 'o' && buffer[5] == 0 && buffer[4999] == 0);
    SAY(ftruncate(file, -1));
    SAY(lseek(file, 0, SEEK_SET));
    SAY(writev(file, parts, 2));
    SAY(fsync(file));
    show(in("a"));
    SAY(fchmod(file, 0600));
    show(in("a"));
    SAY(fcntl(file, F_GETFL) & ~0100000);
    SAY(fcntl(file, F_GETFD));
    SAY(ioctl(file, TIOCGWINSZ, buffer));
    SAY(close(file));
    SAY(read(file, buffer, 1));
    file = open(in("a"), O_WRONLY | O_APPEND | O_CLOEXEC);
    SAY(read(file, buffer, 1));
    SAY(write(file, "end", 3));
    SAY(lseek(file, 0, SEEK_CUR));
    SAY(fcntl(file, F_GETFD));
    SAY(write(file, (void*)0xc8000000, 1));
    SAY(close(file));
    file = open(in("a"), O_RDONLY);
    SAY(write(file, "x", 1));
    SAY(ftruncate(file, 1));
    SAY(read(file, (void*)0xc8000000, 10));
    SAY(close(file));
    SAY(truncate(in("a"), 7));
    SAY(truncate(in("b"), 7));
    SAY(truncate(folder, 7));
    file = open(in("a"), O_RDWR | O_TRUNC);
    SAY(lseek(file, 0, SEEK_END));
    SAY(close(file));
}

static void names(void) {
    char text[300];
    struct timespec times[2] = {{1000000000, 5000}, {1000000001, 7000}};
    struct stat stat;
    struct statfs fs;
    memset(text, 'n', 299);
    text[299] = '\0';
    SAY(mkdir(in("d"), 0755));
    SAY(mkdir(in("d"), 0755));
    SAY(mkdir(in("d/e/f"), 0755));
    SAY(mkdir(in("d/e/"), 0700));
    SAY(mkdir(in(text), 0700));
    show(in("d/e"));
    SAY(rmdir(in("d")));
    SAY(rmdir(in("a")));
    SAY(rmdir(in("d/e/.")));
    SAY(rmdir(in("d/e/..")));
    SAY(unlink(in("d")) < 0 && (errno == EISDIR || errno == EPERM));
    SAY(unlink(in("none")));
    SAY(unlink(in("a/none")));
    SAY(open(in("d"), O_RDWR));
    SAY(open(in("a"), O_RDONLY | O_DIRECTORY));
    SAY(open(in("none"), O_RDONLY));
    SAY(open("", O_RDONLY));
    SAY(open(in("d/new/"), O_RDWR | O_CREAT, 0600));
    SAY(creat(in("d/b"), 0666) >= 0);
    SAY(symlink("b", in("d/link")));
    SAY(symlink("../d", in("d/up")));
    SAY(symlink("round", in("d/round")));
    SAY(symlink("b", in("d/link")));
    SAY(symlink("", in("d/empty")));
    SAY(readlink(in("d/link"), buffer, 100));
    SAY(readlink(in("d/b"), buffer, 100));
    SAY(readlink(in("d/up"), buffer, 2));
    show(in("d/link"));
    SAY(open(in("d/up/up/up/link"), O_RDONLY) >= 0);
    SAY(open(in("d/link"), O_RDONLY | O_NOFOLLOW));
    SAY(open(in("d/round"), O_RDONLY));
    SAY(access(in("d/round"), F_OK));
    list(in("d"));
    SAY(rename(in("d/b"), in("d/c")));
    SAY(rename(in("d/b"), in("d/c")));
    SAY(rename(in("d/c"), in("d/e")));
    SAY(rename(in("d/e"), in("d/c")));
    SAY(rename(in("d"), in("d/e/g")));
    SAY(rename(in("d/e"), in("d/f")));
    SAY(syscall(SYS_renameat2, AT_FDCWD, in("a"), AT_FDCWD, in("d/c"), 1));
    SAY(syscall(SYS_renameat2, AT_FDCWD, in("a"), AT_FDCWD, in("d/c"), 99));
    SAY(rename(in("a"), in("d/c")));
    list(in("d"));
    SAY(rename(in("d/f"), in("other")));
    list(folder);
    SAY(rmdir(in("other")));
    SAY(utimensat(AT_FDCWD, in("d/c"), times, 0));
    SAY(stat64(in("d/c"), (void*)&stat) == 0 && stat.st_mtim.tv_sec == 1000000001 &&
        stat.st_mtim.tv_nsec == 7000 && stat.st_atim.tv_nsec == 5000);
    times[0].tv_nsec = UTIME_OMIT, times[1].tv_nsec = 2000000000;
    SAY(utimensat(AT_FDCWD, in("d/c"), times, 0));
    SAY(utimensat(AT_FDCWD, in("none"), NULL, 0));
    SAY(chmod(in("d/c"), 0711));
    SAY(access(in("d/c"), X_OK));
    SAY(chmod(in("none"), 0711));
    SAY(statfs(folder, &fs) == 0 && fs.f_bsize == 4096 && fs.f_namelen == 255);
    SAY(statfs(in("none"), &fs));
    SAY(umask(027));
    SAY(creat(in("d/mask"), 0777) >= 0);
    show(in("d/mask"));
    SAY(umask(022));
}

static void folders(void) {
    int at = open(folder, O_RDONLY | O_DIRECTORY);
    SAY(chdir(folder));
    SAY(strcmp(getcwd(buffer, sizeof buffer), folder));
    SAY(syscall(SYS_getcwd, buffer, 3));
    SAY(chdir("d/c"));
    SAY(chdir("none"));
    SAY(chdir("d"));
    SAY(access("c", F_OK));
    SAY(fchdir(at));
    SAY(access("d/../d/./c", F_OK));
    SAY(openat(at, "d/c", O_RDONLY) >= 0);
    SAY(openat(99, "d/c", O_RDONLY));
    SAY(openat(0, "d/c", O_RDONLY));
    SAY(mkdirat(at, "gone", 0700));
    SAY(chdir("gone"));
    SAY(unlinkat(at, "gone", AT_REMOVEDIR));
    SAY(unlinkat(at, "d", 77));
    SAY(creat("new", 0600));
    SAY(syscall(SYS_getcwd, buffer, 100));
    SAY(fchdir(at));
    SAY(read(at, buffer, 10));
    SAY(syscall(SYS_getdents64, at, buffer, 3));
    SAY(syscall(SYS_getdents64, 0, buffer, 100));
    SAY(syscall(SYS_getdents64, at, 0xc8000000, 1000));
    SAY(fstatat(at, "", (void*)buffer, AT_EMPTY_PATH));
    SAY(syscall(SYS_fstatat64, at, "d", 0xc8000000, 0));
    SAY(close(at));
    // A file without a name stays until it is closed.
    at = open("d/c", O_RDWR);
    SAY(write(at, "still here", 10));
    SAY(unlink("d/c"));
    SAY(pread(at, buffer, 100, 0));
    struct stat stat;
    SAY(fstat(at, &stat) == 0 && stat.st_nlink == 0 && stat.st_size == 10);
    SAY(close(at));
    for (int i = 0; i < 50; i++) {
        sprintf(buffer, "many%d", i);
        close(creat(buffer, 0600));
    }
    // Names go while the folder is read.
    DIR* all = opendir(".");
    int removed = 0;
    for (struct dirent* entry; (entry = readdir(all)) != NULL;)
        removed += unlink(entry->d_name) == 0;
    SAY(removed);
    closedir(all);
    list(".");
}

static void numbers(void) {
    int file = open("d/mask", O_RDWR), other = dup(file), end[2];
    SAY(write(file, "abc", 3));
    SAY(lseek(other, 0, SEEK_CUR));
    SAY(dup2(file, file) == file);
    SAY(dup3(file, 40, O_CLOEXEC));
    SAY(fcntl(40, F_GETFD));
    SAY(fcntl(40, F_SETFD, 0));
    SAY(fcntl(40, F_GETFD));
    SAY(fcntl(file, F_DUPFD_CLOEXEC, 50));
    SAY(fcntl(50, F_GETFD));
    SAY(fcntl(file, F_SETFL, O_APPEND));
    SAY(fcntl(file, F_GETFL) & ~0100000);
    SAY(pipe(end));
    SAY(lseek(end[0], 0, SEEK_SET));
    SAY(pread(end[0], buffer, 1, 0));
    SAY(fchdir(end[0]));
    SAY(ftruncate(end[1], 1));
    SAY(read(end[1], buffer, 1));
    SAY(write(end[0], buffer, 1));
}

static void devices(void) {
    int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDWR);
    int random = open("/dev/urandom", O_RDONLY);
    SAY(write(null, buffer, 100));
    SAY(read(null, buffer, 100));
    memset(buffer, 1, 8);
    SAY(read(zero, buffer, 6000));
    SAY(buffer[0] | buffer[7] | buffer[5999]);
    SAY(read(zero, (void*)0xc8000000, 6));
    SAY(read(random, buffer, 64));
    SAY(memchr(buffer, 0, 64) == NULL || memcmp(buffer, buffer + 32, 32) != 0);
    show("/dev/null");
    SAY(lseek(null, 5, SEEK_SET) >= 0);
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    umask(022);
    SAY(mkdtemp(folder) != NULL);
    given();
    reading_and_writing();
    names();
    folders();
    numbers();
    devices();
    fflush(stdout);
    SAY(chdir("/"));
    unlink(in("d/mask")), unlink(in("d/link")), unlink(in("d/up")), unlink(in("d/round"));
    SAY(rmdir(in("d")));
    SAY(rmdir(folder));
    fflush(stdout);
    abort();  // the files are kept all the same
}
