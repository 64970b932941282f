/* Records what a program does to files in RECORD_FOLDER, in order, into the file RECORD_TO, for LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static int record = -1;
static char folder[PATH_MAX];

__attribute__((constructor)) static void begin(void) {
    const char *to = getenv("RECORD_TO"), *within = getenv("RECORD_FOLDER");
    if (to && within && realpath(within, folder))
        record = (int)syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void put(const void *data, size_t size) {
    const char *next = data;
    while (size > 0) {
        long done = syscall(SYS_write, record, next, size);
        if (done <= 0)
            abort();
        next += done;
        size -= (size_t)done;
    }
}

/* One entry: the operation, the length of the name, an offset, the number of bytes; then the name and the bytes. */
static void note(char operation, const char *name, uint64_t offset, const void *data, uint64_t size) {
    uint32_t length = (uint32_t)strlen(name);
    put(&operation, 1);
    put(&length, sizeof length);
    put(&offset, sizeof offset);
    put(&size, sizeof size);
    put(name, length);
    put(data, size);
}

/* The name of an open file in the folder, or NULL. */
static const char *name_of(int file, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = record < 0 ? -1 : readlink(link, path, PATH_MAX - 1);
    size_t within = strlen(folder);
    if (length <= (ssize_t)within || strncmp(path, folder, within) || path[within] != '/')
        return NULL;
    path[length] = 0;
    return path + within + 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define NOTED(operation, offset, data, size, call)              \
    char path[PATH_MAX];                                        \
    const char *name = name_of(file, path);                     \
    if (!name)                                                  \
        return call;                                            \
    pthread_mutex_lock(&one_at_a_time);                         \
    __typeof__(call) result = call;                             \
    if (result >= 0)                                            \
        note(operation, name, (uint64_t)(offset), data, (uint64_t)(size)); \
    pthread_mutex_unlock(&one_at_a_time);                       \
    return result

ssize_t pwrite(int file, const void *data, size_t size, off_t at) {
    NOTED('w', at, data, result, REAL(pwrite)(file, data, size, at));
}

ssize_t pwrite64(int file, const void *data, size_t size, off64_t at) {
    NOTED('w', at, data, result, REAL(pwrite64)(file, data, size, at));
}

ssize_t write(int file, const void *data, size_t size) {
    NOTED('w', lseek(file, 0, SEEK_CUR) - result, data, result, REAL(write)(file, data, size));
}

int fsync(int file) { NOTED('s', 0, "", 0, REAL(fsync)(file)); }

int fdatasync(int file) { NOTED('s', 0, "", 0, REAL(fdatasync)(file)); }

int ftruncate(int file, off_t size) { NOTED('t', size, "", 0, REAL(ftruncate)(file, size)); }

int ftruncate64(int file, off64_t size) { NOTED('t', size, "", 0, REAL(ftruncate64)(file, size)); }
