/* usage: bare_rounds ROUNDS SIZE GENERATOR REFERENCE SOLUTION [VALIDATOR [CHECKER]]
   The minimum that any stress test must do: in each round, starts the generator with the number of the round and SIZE,
   the validator, the reference and the solution on its output, and compares their outputs, or starts the checker.
   `-` instead of a program leaves it out. Prints the elapsed nanoseconds. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
    perror(what);
    exit(1);
}

struct text {
    size_t length;
    char bytes[60000];
};

/* Starts a program with `input`, whose length is below the capacity of a pipe, and reads its output. */
static void run(char **argv, const struct text *input, struct text *output, int wanted) {
    char *env[] = {NULL};
    int in[2], out[2], status;
    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0) fail("pipe");
    if (input && write(in[1], input->bytes, input->length) != (ssize_t)input->length) fail("write");
    close(in[1]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    pid_t pid;
    if (posix_spawn(&pid, argv[0], &actions, NULL, argv, env) != 0) fail(argv[0]);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    ssize_t got;
    output->length = 0;
    while ((got = read(out[0], output->bytes + output->length, sizeof output->bytes - output->length)) > 0)
        output->length += (size_t)got;
    close(out[0]);
    struct rusage usage;
    if (wait4(pid, &status, 0, &usage) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != wanted) {
        fprintf(stderr, "%s: status %d\n", argv[0], status);
        exit(1);
    }
}

static void keep(const char *file, const struct text *text) {
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, text->bytes, text->length) != (ssize_t)text->length) fail(file);
    close(fd);
}

int main(int argc, char **argv) {
    if (argc < 6) return 2;
    static struct text input, answer, output, ignored;
    char *validator = argc > 6 && strcmp(argv[6], "-") ? argv[6] : NULL;
    char *checker = argc > 7 && strcmp(argv[7], "-") ? argv[7] : NULL;
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long round = 1; round <= atol(argv[1]); round++) {
        char number[32];
        snprintf(number, sizeof number, "%ld", round);
        run((char *[]){argv[3], number, argv[2], NULL}, NULL, &input, 0);
        if (validator) run((char *[]){validator, NULL}, &input, &ignored, 42);
        run((char *[]){argv[4], NULL}, &input, &answer, 0);
        run((char *[]){argv[5], NULL}, &input, &output, 0);
        if (checker) {
            keep("input.in", &input);
            keep("input.ans", &answer);
            run((char *[]){checker, "input.in", "input.ans", "./", NULL}, &output, &ignored, 42);
        } else if (answer.length != output.length || memcmp(answer.bytes, output.bytes, answer.length) != 0) {
            fail("the outputs differ");
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%lld\n", (b.tv_sec - a.tv_sec) * 1000000000LL + b.tv_nsec - a.tv_nsec);
    return 0;
}
