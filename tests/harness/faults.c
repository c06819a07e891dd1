/* Fails, or kills the process, at the Nth system call that touches a folder: LD_PRELOAD.

   FAULT_FOLDER  the folder      FAULT_AT   N, from 1
   FAULT_DO      an errno: that call fails; -errno: that call and all later that take space fail;
                 0: the process is killed before it; 1000: after half of what it would write
   FAULT_MARK    a file that is created when it happens */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static int calls;

static int inside(const char *path) {
  const char *folder = getenv("FAULT_FOLDER");
  return folder && path && !strncmp(path, folder, strlen(folder));
}

static int inside_fd(int fd) {
  char link[64], path[4096];
  if (fd < 3 || !getenv("FAULT_FOLDER")) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return inside(path);
}

/* Whether this call fails (errno is set then); *cut: it does half of its work and dies. */
static int fails(int takes_space, int *cut) {
  int what = atoi(getenv("FAULT_DO")), at = atoi(getenv("FAULT_AT"));
  calls++;
  if (calls < at || (calls > at && !(what < 0 && takes_space))) return 0;
  if (calls == at) close(creat(getenv("FAULT_MARK"), 0600));
  if (what == 1000) { *cut = 1; return 0; }
  if (what == 0) kill(getpid(), SIGKILL);
  if (what < 0 && !takes_space) return 0;
  errno = what < 0 ? -what : what;
  return 1;
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)
#define DIE_IF(cut) if (cut) kill(getpid(), SIGKILL)

static int opened(const char *name, int folder, const char *path, int flags, mode_t mode) {
  REAL(int, "openat", int, const char *, int, mode_t);
  int cut = 0;
  if ((flags & (O_CREAT | O_WRONLY | O_RDWR)) && inside(path) && fails(flags & O_CREAT, &cut))
    return -1;
  int found = real(folder, path, flags, mode);
  DIE_IF(cut);
  return found;
}
#define MODE mode_t mode = 0; \
  if (flags & O_CREAT) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }
int open(const char *path, int flags, ...) { MODE return opened("open", AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return opened("open64", AT_FDCWD, path, flags, mode); }
int openat(int at, const char *path, int flags, ...) { MODE return opened("openat", at, path, flags, mode); }
int openat64(int at, const char *path, int flags, ...) { MODE return opened("openat64", at, path, flags, mode); }

#define WRITES(name, parameters, whole, half) \
  ssize_t name parameters { \
    static ssize_t (*real) parameters; \
    if (!real) real = (ssize_t (*) parameters)dlsym(RTLD_NEXT, #name); \
    int cut = 0; \
    if (inside_fd(fd) && fails(1, &cut)) { \
      if (size > 1) real half;  /* a full disk takes a part */ \
      return -1; \
    } \
    ssize_t done = cut ? real half : real whole; \
    DIE_IF(cut); \
    return done; \
  }
WRITES(write, (int fd, const void *data, size_t size), (fd, data, size), (fd, data, size / 2))
WRITES(pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at),
       (fd, data, size / 2, at))
WRITES(pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at),
       (fd, data, size / 2, at))

#define ON_FD(name, parameters, arguments) \
  int name parameters { \
    static int (*real) parameters; \
    if (!real) real = (int (*) parameters)dlsym(RTLD_NEXT, #name); \
    int cut = 0; \
    if (inside_fd(fd) && fails(0, &cut)) return -1; \
    int done = real arguments; \
    DIE_IF(cut); \
    return done; \
  }
ON_FD(fsync, (int fd), (fd))
ON_FD(fdatasync, (int fd), (fd))
ON_FD(ftruncate, (int fd, off_t size), (fd, size))
ON_FD(ftruncate64, (int fd, off64_t size), (fd, size))
ON_FD(fchmod, (int fd, mode_t mode), (fd, mode))
ON_FD(flock, (int fd, int what), (fd, what))

#define ON_PATH(name, space, parameters, arguments) \
  int name parameters { \
    static int (*real) parameters; \
    if (!real) real = (int (*) parameters)dlsym(RTLD_NEXT, #name); \
    int cut = 0; \
    if (inside(path) && fails(space, &cut)) return -1; \
    int done = real arguments; \
    DIE_IF(cut); \
    return done; \
  }
ON_PATH(rename, 0, (const char *path, const char *to), (path, to))
ON_PATH(renameat, 0, (int at, const char *path, int other, const char *to), (at, path, other, to))
ON_PATH(unlink, 0, (const char *path), (path))
ON_PATH(mkdir, 1, (const char *path, mode_t mode), (path, mode))
