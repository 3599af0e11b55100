// Memory, limits of the system, and system calls.

#include "hostile.h"

#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>

// No process of this program takes more memory than this.
#define MOST_BYTES ((size_t)1 << 30)

static void touch(size_t bytes, size_t step) {
    for (size_t taken = 0; taken < bytes; taken += step) {
        volatile char *memory = malloc(step);
        for (size_t at = 0; memory != NULL && at < step; at += 4096) {
            memory[at] = 1;
        }
    }
}

static void grow(const Candidate *candidate) {
    (void)candidate;
    touch(MOST_BYTES, 1 << 20);
}

static void grow_slowly(const Candidate *candidate) {
    (void)candidate;
    for (size_t taken = 0; taken < MOST_BYTES; taken += 1 << 20) {
        touch(1 << 20, 1 << 20);
        usleep(2000);
    }
}

static void allocate_at_once(const Candidate *candidate) {
    (void)candidate;
    char *memory = malloc((size_t)64 << 30);
    if (memory == NULL) {
        _exit(9);
    }
    memset(memory, 1, MOST_BYTES);
}

static void leak_memory(const Candidate *candidate) {
    (void)candidate;
    touch(1 << 20, 1 << 20);
}

static void map_until_nothing_fits(const Candidate *candidate) {
    (void)candidate;
    // Neighbours with different rights are not merged: the number of mappings ends first.
    for (int count = 0; count < 100000; count++) {
        int rights = count % 2 == 0 ? PROT_NONE : PROT_READ;
        void *made = mmap(NULL, 4096, rights, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (made == MAP_FAILED) {
            return;
        }
    }
}

static void grow_in_a_child(const Candidate *candidate) {
    if (candidate->earlier_calls == 0 && bounded_fork() == 0) {
        touch(MOST_BYTES / 4, 1 << 20);
        sleep_for_ever();
    }
}

static void grow_in_a_memory_file(const Candidate *candidate) {
    int file = candidate->earlier_calls == 0 ? memfd_create("hostile", 0) : -1;
    if (file >= 0 && ftruncate(file, MOST_BYTES / 8) == 0) {
        char *memory = mmap(NULL, MOST_BYTES / 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory != MAP_FAILED) {
            memset(memory, 1, MOST_BYTES / 8);
        }
    }
}

static void lower(int resource, rlim_t value) {
    struct rlimit limit = {value, value};
    setrlimit(resource, &limit);
}

static void lower_files(const Candidate *candidate) {
    (void)candidate;
    lower(RLIMIT_NOFILE, 0);
}

static void lower_address_space(const Candidate *candidate) {
    (void)candidate;
    lower(RLIMIT_AS, 1 << 20);
}

static void lower_data(const Candidate *candidate) {
    (void)candidate;
    lower(RLIMIT_DATA, 0);
}

static void lower_stack(const Candidate *candidate) {
    (void)candidate;
    lower(RLIMIT_STACK, 0);
}

static void lower_processes(const Candidate *candidate) {
    (void)candidate;
    lower(RLIMIT_NPROC, 0);
}

static void lower_processor_time(const Candidate *candidate) {
    (void)candidate;
    lower(RLIMIT_CPU, 1);
}

static void lower_file_size_and_print(const Candidate *candidate) {
    (void)candidate;
    lower(RLIMIT_FSIZE, 0);
    dprintf(2, "more than nothing\n");
}

static void raise_core_size(const Candidate *candidate) {
    (void)candidate;
    struct rlimit limit = {1 << 20, 1 << 20};
    setrlimit(RLIMIT_CORE, &limit);
}

static void lower_for(pid_t pid, int resource, rlim_t value) {
    struct rlimit limit = {value, value};
    if (pid > 1) {
        prlimit(pid, resource, &limit, NULL);
    }
}

static void lower_all_of_the_parent(const Candidate *candidate) {
    (void)candidate;
    pid_t parent = parent_of_ours();
    lower_for(parent, RLIMIT_NOFILE, 0);
    lower_for(parent, RLIMIT_FSIZE, 0);
    lower_for(parent, RLIMIT_NPROC, 0);
    lower_for(parent, RLIMIT_AS, 1 << 20);
}

static void lower_files_of_the_driver(const Candidate *candidate) {
    (void)candidate;
    lower_for(driver_of_ours(), RLIMIT_NOFILE, 8);
}

static void lower_memory_of_the_driver(const Candidate *candidate) {
    (void)candidate;
    lower_for(driver_of_ours(), RLIMIT_DATA, 1 << 20);
}

static void lower_file_size_of_the_driver(const Candidate *candidate) {
    (void)candidate;
    lower_for(driver_of_ours(), RLIMIT_FSIZE, 16);
}

static void change_personality(const Candidate *candidate) {
    (void)candidate;
    personality(PER_LINUX32 | ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC);
}

// The strict mode, which allows read, write and exit. Filters are left out: loading thousands of
// them one after the other has made a kernel hang.
static void strict_system_calls(const Candidate *candidate) {
    (void)candidate;
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
}

const Behaviour RESOURCES[] = {
    {"grow", grow},
    {"grow-slowly", grow_slowly},
    {"allocate-at-once", allocate_at_once},
    {"leak-memory", leak_memory},
    {"map-until-nothing-fits", map_until_nothing_fits},
    {"grow-in-a-child", grow_in_a_child},
    {"grow-in-a-memory-file", grow_in_a_memory_file},
    {"lower-files", lower_files},
    {"lower-address-space", lower_address_space},
    {"lower-data", lower_data},
    {"lower-stack", lower_stack},
    {"lower-processes", lower_processes},
    {"lower-processor-time", lower_processor_time},
    {"lower-file-size-and-print", lower_file_size_and_print},
    {"raise-core-size", raise_core_size},
    {"lower-all-of-the-parent", lower_all_of_the_parent},
    {"lower-files-of-the-driver", lower_files_of_the_driver},
    {"lower-memory-of-the-driver", lower_memory_of_the_driver},
    {"lower-file-size-of-the-driver", lower_file_size_of_the_driver},
    {"change-personality", change_personality},
    {"strict-system-calls", strict_system_calls},
    {NULL, NULL},
};
