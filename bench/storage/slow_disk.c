/* A slow disk for LD_PRELOAD: each call that waits for the disk takes SLOW_DISK_MS milliseconds longer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static struct timespec delay;

__attribute__((constructor)) static void read_delay(void) {
    const char *text = getenv("SLOW_DISK_MS");
    double ms = text ? atof(text) : 0;
    delay.tv_sec = (time_t)(ms / 1000);
    delay.tv_nsec = (long)((ms - 1000.0 * (double)delay.tv_sec) * 1e6);
}

static void wait_for_disk(void) { nanosleep(&delay, NULL); }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int file) {
    wait_for_disk();
    return REAL(fsync)(file);
}

int fdatasync(int file) {
    wait_for_disk();
    return REAL(fdatasync)(file);
}

int sync_file_range(int file, off64_t offset, off64_t size, unsigned int flags) {
    wait_for_disk();
    return REAL(sync_file_range)(file, offset, size, flags);
}

int syncfs(int file) {
    wait_for_disk();
    return REAL(syncfs)(file);
}

int msync(void *start, size_t size, int flags) {
    wait_for_disk();
    return REAL(msync)(start, size, flags);
}
