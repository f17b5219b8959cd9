/* usage: bare_loop PROGRAM FOLDER CASES RUNS WORKERS
   The minimum that any judge must do: runs PROGRAM on FOLDER/00001.in to CASES in turn, RUNS times in total, compares
   the output with the .ans files, and prints the elapsed nanoseconds. A free worker takes the next run. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static size_t read_all(int fd, char *to, size_t room) {
    size_t n = 0;
    ssize_t got;
    while (n < room && (got = read(fd, to + n, room - n)) > 0) n += (size_t)got;
    return n;
}

static int open_case(const char *folder, long number, const char *suffix) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%05ld.%s", folder, number, suffix);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) fail(path);
    return fd;
}

static void run(char *program, const char *folder, long number) {
    char output[4096], answer[4096];
    char *child_argv[] = {program, NULL}, *child_env[] = {NULL};
    int in = open_case(folder, number, "in"), out[2], status;
    if (pipe2(out, O_CLOEXEC) < 0) fail("pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    pid_t pid;
    if (posix_spawn(&pid, program, &actions, NULL, child_argv, child_env) != 0) fail("posix_spawn");
    posix_spawn_file_actions_destroy(&actions);
    close(in);
    close(out[1]);
    size_t got = read_all(out[0], output, sizeof output);
    close(out[0]);
    struct rusage usage;
    if (wait4(pid, &status, 0, &usage) < 0 || status != 0) fail("wait4");
    int fd = open_case(folder, number, "ans");
    size_t want = read_all(fd, answer, sizeof answer);
    close(fd);
    if (got != want || memcmp(output, answer, got) != 0) fail("the answer differs");
}

int main(int argc, char **argv) {
    if (argc != 6) return 2;
    long cases = atol(argv[3]), runs = atol(argv[4]), workers = atol(argv[5]);
    atomic_long *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (next == MAP_FAILED) fail("mmap");
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    int helper = 0;
    for (long i = 1; i < workers && !helper; i++) helper = fork() == 0;
    for (long i; (i = atomic_fetch_add(next, 1)) < runs;) run(argv[1], argv[2], i % cases + 1);
    if (helper) return 0;
    for (int status; wait(&status) > 0;)
        if (status != 0) return 1;
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%lld\n", (b.tv_sec - a.tv_sec) * 1000000000LL + b.tv_nsec - a.tv_nsec);
    return 0;
}
