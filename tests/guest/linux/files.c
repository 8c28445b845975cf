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

#include "show.h"

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
    SHOW(access("given.txt", R_OK));
    SHOW(access("given.txt", X_OK));
    SHOW(access("none", F_OK));
    SHOW(access(folder, 8));
    // What is in kept/ at the end is compared with the host's too.
    SHOW(mkdir("kept", 0755));
    file = fopen("kept/numbers", "w");
    for (int i = 0; i < 2000; i++) fprintf(file, "%d\n", i);
    SHOW(fclose(file));
    file = fopen("kept/hole", "w");
    SHOW(ftruncate(fileno(file), 5000000));
    SHOW(fclose(file));
    SHOW(rename("kept/hole", "kept/a hole"));
    while (fgets(buffer, sizeof buffer, stdin)) printf("input: %s", buffer);
}

static void reading_and_writing(void) {
    int file = open(in("a"), O_RDWR | O_CREAT | O_EXCL, 0640);
    struct iovec parts[2] = {{"one ", 4}, {"two", 3}};
    SHOW(file >= 0);
    SHOW(open(in("a"), O_RDWR | O_CREAT | O_EXCL, 0640));
    SHOW(write(file, "hello world", 11));
    SHOW(lseek(file, 6, SEEK_SET));
    SHOW(write(file, "files", 5));
    SHOW(pread(file, buffer, 100, 0));
    printf("%.11s\n", buffer);
    SHOW(pread(file, buffer, 100, 11));
    SHOW(pread(file, buffer, 100, -1));
    SHOW(pwrite(file, "X", 1, 8000));
    SHOW(lseek(file, 0, SEEK_END));
    SHOW(lseek(file, -1, SEEK_SET));
    SHOW(lseek(file, 0, 7));
    SHOW(lseek(file, -8001, SEEK_CUR));
    SHOW(read(file, buffer, sizeof buffer));
    SHOW(buffer[0] == 'h' && buffer[11] == 0 && buffer[7999] == 0 && buffer[8000] == 'X');
    SHOW(read(file, buffer, 1));
    SHOW(ftruncate(file, 5));
    SHOW(ftruncate(file, 5000));
    SHOW(pread(file, buffer, sizeof buffer, 0));
    SHOW(buffer[4] == 'o' && buffer[5] == 0 && buffer[4999] == 0);
    SHOW(ftruncate(file, -1));
    SHOW(lseek(file, 0, SEEK_SET));
    SHOW(writev(file, parts, 2));
    SHOW(fsync(file));
    show(in("a"));
    SHOW(fchmod(file, 0600));
    show(in("a"));
    SHOW(fcntl(file, F_GETFL) & ~0100000);
    SHOW(fcntl(file, F_GETFD));
    SHOW(ioctl(file, TIOCGWINSZ, buffer));
    SHOW(close(file));
    SHOW(read(file, buffer, 1));
    file = open(in("a"), O_WRONLY | O_APPEND | O_CLOEXEC);
    SHOW(read(file, buffer, 1));
    SHOW(write(file, "end", 3));
    SHOW(lseek(file, 0, SEEK_CUR));
    SHOW(fcntl(file, F_GETFD));
    SHOW(write(file, (void*)0xc8000000, 1));
    SHOW(close(file));
    file = open(in("a"), O_RDONLY);
    SHOW(write(file, "x", 1));
    SHOW(ftruncate(file, 1));
    SHOW(read(file, (void*)0xc8000000, 10));
    SHOW(close(file));
    SHOW(truncate(in("a"), 7));
    SHOW(truncate(in("b"), 7));
    SHOW(truncate(folder, 7));
    file = open(in("a"), O_RDWR | O_TRUNC);
    SHOW(lseek(file, 0, SEEK_END));
    SHOW(close(file));
}

static void names(void) {
    char text[300];
    struct timespec times[2] = {{1000000000, 5000}, {1000000001, 7000}};
    struct stat stat;
    struct statfs fs;
    memset(text, 'n', 299);
    text[299] = '\0';
    SHOW(mkdir(in("d"), 0755));
    SHOW(mkdir(in("d"), 0755));
    SHOW(mkdir(in("d/e/f"), 0755));
    SHOW(mkdir(in("d/e/"), 0700));
    SHOW(mkdir(in(text), 0700));
    show(in("d/e"));
    SHOW(rmdir(in("d")));
    SHOW(rmdir(in("a")));
    SHOW(rmdir(in("d/e/.")));
    SHOW(rmdir(in("d/e/..")));
    SHOW(unlink(in("d")) < 0 && (errno == EISDIR || errno == EPERM));
    SHOW(unlink(in("none")));
    SHOW(unlink(in("a/none")));
    SHOW(open(in("d"), O_RDWR));
    SHOW(open(in("a"), O_RDONLY | O_DIRECTORY));
    SHOW(open(in("none"), O_RDONLY));
    SHOW(open("", O_RDONLY));
    SHOW(open(in("d/new/"), O_RDWR | O_CREAT, 0600));
    SHOW(creat(in("d/b"), 0666) >= 0);
    SHOW(symlink("b", in("d/link")));
    SHOW(symlink("../d", in("d/up")));
    SHOW(symlink("round", in("d/round")));
    SHOW(symlink("b", in("d/link")));
    SHOW(symlink("", in("d/empty")));
    SHOW(readlink(in("d/link"), buffer, 100));
    SHOW(readlink(in("d/b"), buffer, 100));
    SHOW(readlink(in("d/up"), buffer, 2));
    show(in("d/link"));
    SHOW(open(in("d/up/up/up/link"), O_RDONLY) >= 0);
    SHOW(open(in("d/link"), O_RDONLY | O_NOFOLLOW));
    SHOW(open(in("d/round"), O_RDONLY));
    SHOW(access(in("d/round"), F_OK));
    list(in("d"));
    SHOW(rename(in("d/b"), in("d/c")));
    SHOW(rename(in("d/b"), in("d/c")));
    SHOW(rename(in("d/c"), in("d/e")));
    SHOW(rename(in("d/e"), in("d/c")));
    SHOW(rename(in("d"), in("d/e/g")));
    SHOW(rename(in("d/e"), in("d/f")));
    SHOW(syscall(SYS_renameat2, AT_FDCWD, in("a"), AT_FDCWD, in("d/c"), 1));
    SHOW(syscall(SYS_renameat2, AT_FDCWD, in("a"), AT_FDCWD, in("d/c"), 99));
    SHOW(rename(in("a"), in("d/c")));
    list(in("d"));
    SHOW(rename(in("d/f"), in("other")));
    list(folder);
    SHOW(rmdir(in("other")));
    SHOW(utimensat(AT_FDCWD, in("d/c"), times, 0));
    SHOW(stat64(in("d/c"), (void*)&stat) == 0 && stat.st_mtim.tv_sec == 1000000001 &&
         stat.st_mtim.tv_nsec == 7000 && stat.st_atim.tv_nsec == 5000);
    times[0].tv_nsec = UTIME_OMIT, times[1].tv_nsec = 2000000000;
    SHOW(utimensat(AT_FDCWD, in("d/c"), times, 0));
    SHOW(utimensat(AT_FDCWD, in("none"), NULL, 0));
    SHOW(chmod(in("d/c"), 0711));
    SHOW(access(in("d/c"), X_OK));
    SHOW(chmod(in("none"), 0711));
    SHOW(statfs(folder, &fs) == 0 && fs.f_bsize == 4096 && fs.f_namelen == 255);
    SHOW(statfs(in("none"), &fs));
    SHOW(umask(027));
    SHOW(creat(in("d/mask"), 0777) >= 0);
    show(in("d/mask"));
    SHOW(umask(022));
}

static void folders(void) {
    int at = open(folder, O_RDONLY | O_DIRECTORY);
    SHOW(chdir(folder));
    SHOW(strcmp(getcwd(buffer, sizeof buffer), folder));
    SHOW(syscall(SYS_getcwd, buffer, 3));
    SHOW(chdir("d/c"));
    SHOW(chdir("none"));
    SHOW(chdir("d"));
    SHOW(access("c", F_OK));
    SHOW(fchdir(at));
    SHOW(access("d/../d/./c", F_OK));
    SHOW(openat(at, "d/c", O_RDONLY) >= 0);
    SHOW(openat(99, "d/c", O_RDONLY));
    SHOW(openat(0, "d/c", O_RDONLY));
    SHOW(mkdirat(at, "gone", 0700));
    SHOW(chdir("gone"));
    SHOW(unlinkat(at, "gone", AT_REMOVEDIR));
    SHOW(unlinkat(at, "d", 77));
    SHOW(creat("new", 0600));
    SHOW(syscall(SYS_getcwd, buffer, 100));
    SHOW(fchdir(at));
    SHOW(read(at, buffer, 10));
    SHOW(syscall(SYS_getdents64, at, buffer, 3));
    SHOW(syscall(SYS_getdents64, 0, buffer, 100));
    SHOW(syscall(SYS_getdents64, at, 0xc8000000, 1000));
    SHOW(fstatat(at, "", (void*)buffer, AT_EMPTY_PATH));
    SHOW(syscall(SYS_fstatat64, at, "d", 0xc8000000, 0));
    SHOW(close(at));
    // A file without a name stays until it is closed.
    at = open("d/c", O_RDWR);
    SHOW(write(at, "still here", 10));
    SHOW(unlink("d/c"));
    SHOW(pread(at, buffer, 100, 0));
    struct stat stat;
    SHOW(fstat(at, &stat) == 0 && stat.st_nlink == 0 && stat.st_size == 10);
    SHOW(close(at));
    for (int i = 0; i < 50; i++) {
        sprintf(buffer, "many%d", i);
        close(creat(buffer, 0600));
    }
    // Names go while the folder is read.
    DIR* all = opendir(".");
    int removed = 0;
    for (struct dirent* entry; (entry = readdir(all)) != NULL;)
        removed += unlink(entry->d_name) == 0;
    SHOW(removed);
    closedir(all);
    list(".");
}

static void numbers(void) {
    int file = open("d/mask", O_RDWR), other = dup(file), end[2];
    SHOW(write(file, "abc", 3));
    SHOW(lseek(other, 0, SEEK_CUR));
    SHOW(dup2(file, file) == file);
    SHOW(dup3(file, 40, O_CLOEXEC));
    SHOW(fcntl(40, F_GETFD));
    SHOW(fcntl(40, F_SETFD, 0));
    SHOW(fcntl(40, F_GETFD));
    SHOW(fcntl(file, F_DUPFD_CLOEXEC, 50));
    SHOW(fcntl(50, F_GETFD));
    SHOW(fcntl(file, F_SETFL, O_APPEND));
    SHOW(fcntl(file, F_GETFL) & ~0100000);
    SHOW(pipe(end));
    SHOW(lseek(end[0], 0, SEEK_SET));
    SHOW(pread(end[0], buffer, 1, 0));
    SHOW(fchdir(end[0]));
    SHOW(ftruncate(end[1], 1));
    SHOW(read(end[1], buffer, 1));
    SHOW(write(end[0], buffer, 1));
}

static void devices(void) {
    int null = open("/dev/null", O_RDWR), zero = open("/dev/zero", O_RDWR);
    int random = open("/dev/urandom", O_RDONLY);
    SHOW(write(null, buffer, 100));
    SHOW(read(null, buffer, 100));
    memset(buffer, 1, 8);
    SHOW(read(zero, buffer, 6000));
    SHOW(buffer[0] | buffer[7] | buffer[5999]);
    SHOW(read(zero, (void*)0xc8000000, 6));
    SHOW(read(random, buffer, 64));
    SHOW(memchr(buffer, 0, 64) == NULL || memcmp(buffer, buffer + 32, 32) != 0);
    show("/dev/null");
    SHOW(lseek(null, 5, SEEK_SET) >= 0);
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    umask(022);
    SHOW(mkdtemp(folder) != NULL);
    given();
    reading_and_writing();
    names();
    folders();
    numbers();
    devices();
    fflush(stdout);
    SHOW(chdir("/"));
    unlink(in("d/mask")), unlink(in("d/link")), unlink(in("d/up")), unlink(in("d/round"));
    SHOW(rmdir(in("d")));
    SHOW(rmdir(folder));
    fflush(stdout);
    abort();  // the files are kept all the same
}
