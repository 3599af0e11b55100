// What can be done to descriptors, and to what they lead to.

#include "hostile.h"

#include <sys/file.h>

#define HIGHEST 1024

static void close_all(const Candidate *candidate) {
    (void)candidate;
    for (int file = 0; file < HIGHEST; file++) {
        close(file);
    }
}

static void close_the_standard_streams(const Candidate *candidate) {
    (void)candidate;
    for (int file = 0; file < 3; file++) {
        close(file);
    }
}

static void replace_all(const Candidate *candidate) {
    (void)candidate;
    int null = open("/dev/null", O_RDWR);
    for (int file = 0; file < 64; file++) {
        if (file != null) {
            dup2(null, file);
        }
    }
}

static void leak_one(const Candidate *candidate) {
    (void)candidate;
    if (open("/dev/null", O_RDONLY) < 0 && errno != EMFILE) {
        give_up("open");
    }
}

static void use_up_all(const Candidate *candidate) {
    (void)candidate;
    for (int count = 0; count < 100000 && dup(0) >= 0; count++) {
    }
}

static void change_flags(const Candidate *candidate) {
    (void)candidate;
    for (int file = 0; file < 64; file++) {
        int flags = fcntl(file, F_GETFL);
        if (flags >= 0) {
            fcntl(file, F_SETFL, (flags | O_NONBLOCK | O_ASYNC) & ~O_APPEND);
            fcntl(file, F_SETOWN, getpid());
            fcntl(file, F_SETFD, FD_CLOEXEC);
        }
    }
}

static void lock_all(const Candidate *candidate) {
    (void)candidate;
    for (int file = 0; file < 64; file++) {
        flock(file, LOCK_EX | LOCK_NB);
    }
}

static void write_to_all(const Candidate *candidate) {
    (void)candidate;
    static const char garbage[512] = "\x1b[2J\xff\xfegarbage\n";
    for (int file = 0; file < 64; file++) {
        // What a slow reader leaves in a pipe must not hold this process.
        int flags = fcntl(file, F_GETFL);
        if (flags >= 0 && fcntl(file, F_SETFL, flags | O_NONBLOCK) == 0 &&
            write(file, garbage, sizeof garbage) < 0) {
            continue;
        }
    }
}

static void print(int file, size_t megabytes) {
    static char line[1 << 16];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (size_t count = 0; count < megabytes * 16; count++) {
        if (write(file, line, sizeof line) < 0) {
            return;
        }
    }
}

static void flood_stdout(const Candidate *candidate) {
    (void)candidate;
    print(1, 16);
}

static void flood_stderr(const Candidate *candidate) {
    (void)candidate;
    print(2, 16);
}

static void flood_and_spin(const Candidate *candidate) {
    (void)candidate;
    print(1, 64);
    print(2, 64);
    spin_for_ever();
}

static void truncate_stderr(const Candidate *candidate) {
    (void)candidate;
    if (ftruncate(2, 0) != 0) {
        return;
    }
}

// A file that is terabytes long and has no contents.
static void stretch_stderr(const Candidate *candidate) {
    (void)candidate;
    if (ftruncate(2, (off_t)1 << 42) != 0) {
        return;
    }
}

static void print_a_false_report(const Candidate *candidate) {
    (void)candidate;
    dprintf(2, "==%d==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n"
               "    #0 0x5555 in forged \x1b[31mred\x1b[0m forged.c:1:2\n"
               "thread 'main' panicked at src/forged.rs:1:1:\nforged \x07 message\n",
            getpid());
}

const Behaviour DESCRIPTORS[] = {
    {"close-all", close_all},
    {"close-standard-streams", close_the_standard_streams},
    {"replace-all-descriptors", replace_all},
    {"leak-descriptors", leak_one},
    {"use-up-descriptors", use_up_all},
    {"change-descriptor-flags", change_flags},
    {"lock-descriptors", lock_all},
    {"write-to-all-descriptors", write_to_all},
    {"flood-stdout", flood_stdout},
    {"flood-stderr", flood_stderr},
    {"flood-and-spin", flood_and_spin},
    {"truncate-stderr", truncate_stderr},
    {"stretch-stderr", stretch_stderr},
    {"print-a-false-report", print_a_false_report},
    {NULL, NULL},
};
