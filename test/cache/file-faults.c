/*
 * Preloaded into a process of the tests: counts the calls that change files, and lets the one with the number FAULT_AT go wrong. It counts
 * the files whose paths begin with one of the texts in FAULT_UNDER, separated by colons. FAULT_KIND: `kill` ends the process before the call, `half` ends it in the middle of a write, `full` makes this call and all later
 * ones that need space fail, as a full disk does. Each counted call adds its name to the file FAULT_LOG.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_long calls;

static int is_kind(const char *kind) {
  const char *wanted = getenv("FAULT_KIND");
  return wanted != NULL && strcmp(wanted, kind) == 0;
}

static int is_under(const char *path) {
  const char *under = getenv("FAULT_UNDER");
  while (under != NULL && path != NULL && *under != 0) {
    size_t length = strcspn(under, ":");
    if (strncmp(path, under, length) == 0) return 1;
    under += length + (under[length] == ':');
  }
  return 0;
}

static int is_open_under(int file) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_under(path);
}

static void end(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* Counts a call. True if it must fail for lack of space. */
static int fails(const char *name, int needs_space, int file, const void *bytes, size_t size, off_t at) {
  long number = atomic_fetch_add(&calls, 1) + 1;
  const char *log = getenv("FAULT_LOG"), *wanted = getenv("FAULT_AT");
  if (log != NULL) {
    int out = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    char line[64];
    int length = snprintf(line, sizeof line, "%s\n", name);
    if (REAL(write)(out, line, length) < 0) end();
    close(out);
  }
  long fault = wanted == NULL ? 0 : atol(wanted);
  if (fault == 0) return 0;
  if (is_kind("full")) return number >= fault && needs_space;
  if (number != fault) return 0;
  if (is_kind("half") && bytes != NULL) {
    if (at < 0 ? REAL(write)(file, bytes, size / 2) : REAL(pwrite)(file, bytes, size / 2, at)) end();
  }
  end();
  return 0;
}

static int full(void) {
  errno = ENOSPC;
  return -1;
}

ssize_t write(int file, const void *bytes, size_t size) {
  if (is_open_under(file) && fails("write", 1, file, bytes, size, -1)) return full();
  return REAL(write)(file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
  if (is_open_under(file) && fails("pwrite", 1, file, bytes, size, at)) return full();
  return REAL(pwrite)(file, bytes, size, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t at) {
  return pwrite(file, bytes, size, at);
}

int ftruncate(int file, off_t size) {
  if (is_open_under(file) && fails("ftruncate", 0, file, NULL, 0, 0)) return full();
  return REAL(ftruncate)(file, size);
}

int fallocate(int file, int mode, off_t at, off_t size) {
  if (is_open_under(file) && fails("fallocate", mode == 0, file, NULL, 0, 0)) return full();
  return REAL(fallocate)(file, mode, at, size);
}

int fsync(int file) {
  if (is_open_under(file) && fails("fsync", 0, file, NULL, 0, 0)) return full();
  return REAL(fsync)(file);
}

static int opens(const char *path, int flags, mode_t mode) {
  if (is_under(path) && (flags & O_CREAT) && access(path, F_OK) != 0 && fails("open", 1, -1, NULL, 0, 0)) return full();
  return REAL(open)(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return opens(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return opens(path, flags, mode);
}

int mkdir(const char *path, mode_t mode) {
  if (is_under(path) && fails("mkdir", 1, -1, NULL, 0, 0)) return full();
  return REAL(mkdir)(path, mode);
}

char *mkdtemp(char *template) {
  if (is_under(template) && fails("mkdtemp", 1, -1, NULL, 0, 0)) {
    full();
    return NULL;
  }
  return REAL(mkdtemp)(template);
}

int unlink(const char *path) {
  if (is_under(path)) fails("unlink", 0, -1, NULL, 0, 0);
  return REAL(unlink)(path);
}

int remove(const char *path) {
  if (is_under(path)) fails("remove", 0, -1, NULL, 0, 0);
  return REAL(remove)(path);
}

int rename(const char *from, const char *to) {
  if (is_under(to)) fails("rename", 0, -1, NULL, 0, 0);
  return REAL(rename)(from, to);
}
