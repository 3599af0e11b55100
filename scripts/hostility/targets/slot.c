// Writes into the memory that a worker shares with its driver.
//
// It is found in /proc/self/maps by its name. Nothing here knows what lies where: patterns are
// written over all of it, and numbers are written where this process's own number is.

#include "hostile.h"

#include <sys/mman.h>
#include <sys/stat.h>

// Header and ring of a slot; behind them are candidates only.
#define WRITTEN_BYTES ((size_t)512 << 10)
// Written first, where the header is.
#define HEADER_BYTES ((size_t)4096)

typedef struct {
    char *start;
    size_t size;
} Range;

// The mappings whose name contains `name`; the number of them.
static int mappings(const char *name, Range *ranges, int room) {
    FILE *maps = fopen("/proc/self/maps", "r");
    if (maps == NULL) {
        give_up("/proc/self/maps");
    }
    char line[512];
    int count = 0;
    while (count < room && fgets(line, sizeof line, maps) != NULL) {
        unsigned long start, end;
        if (strstr(line, name) != NULL && sscanf(line, "%lx-%lx", &start, &end) == 2) {
            ranges[count].start = (char *)start;
            ranges[count].size = end - start;
            count++;
        }
    }
    fclose(maps);
    return count;
}

static int ranges_of(const char *name, Range *ranges) {
    int count = mappings(name, ranges, 16);
    if (count == 0) {
        give_up("no memory is shared");
    }
    for (int at = 0; at < count; at++) {
        if (ranges[at].size > WRITTEN_BYTES) {
            ranges[at].size = WRITTEN_BYTES;
        }
        // Rights that were taken away are taken back.
        if (mprotect(ranges[at].start, ranges[at].size, PROT_READ | PROT_WRITE) != 0) {
            ranges[at].size = 0;
        }
    }
    return count;
}

typedef uint32_t (*Pattern)(uint32_t before);

static uint32_t zero(uint32_t before) {
    (void)before;
    return 0;
}

static uint32_t ones(uint32_t before) {
    (void)before;
    return UINT32_MAX;
}

static uint32_t one_more(uint32_t before) { return before + 1; }

static uint32_t one_less(uint32_t before) { return before - 1; }

static uint32_t kept(uint32_t before) {
    (void)before;
    return 1;
}

static uint32_t panicked(uint32_t before) {
    (void)before;
    return 3;
}

static uint32_t anything(uint32_t before) {
    static uint64_t state = 0x9e3779b97f4a7c15;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return before ^ (uint32_t)(state >> 16);
}

static void write_pattern(const char *name, size_t from, size_t to, Pattern pattern) {
    Range ranges[16];
    int count = ranges_of(name, ranges);
    for (int at = 0; at < count; at++) {
        size_t end = ranges[at].size < to ? ranges[at].size : to;
        for (size_t place = from; place + 4 <= end; place += 4) {
            volatile uint32_t *word = (volatile uint32_t *)(ranges[at].start + place);
            *word = pattern(*word);
        }
    }
}

static const char SLOT_NAME[] = "seedsmith-slot", BELL_NAME[] = "seedsmith-notifier";

static void header_of(Pattern pattern) { write_pattern(SLOT_NAME, 0, HEADER_BYTES, pattern); }

static void ring_of(Pattern pattern) { write_pattern(SLOT_NAME, HEADER_BYTES, WRITTEN_BYTES, pattern); }

#define WRITES(name, call)                         \
    static void name(const Candidate *candidate) { \
        (void)candidate;                           \
        call;                                      \
    }                                              \
    static void name##_and_spin(const Candidate *candidate) { \
        name(candidate);                           \
        spin_for_ever();                           \
    }

WRITES(header_zero, header_of(zero))
WRITES(header_ones, header_of(ones))
WRITES(header_anything, header_of(anything))
WRITES(header_one_more, header_of(one_more))
WRITES(header_one_less, header_of(one_less))
WRITES(ring_anything, ring_of(anything))
WRITES(ring_kept, ring_of(kept))
WRITES(ring_panicked, ring_of(panicked))
WRITES(bell_anything, write_pattern(BELL_NAME, 0, HEADER_BYTES, anything))
WRITES(bell_one_more, write_pattern(BELL_NAME, 0, HEADER_BYTES, one_more))

// Half of the words, others each time.
static uint32_t some_of_anything(uint32_t before) {
    return anything(0) % 2 == 0 ? before : anything(before);
}

WRITES(header_some, header_of(some_of_anything))

static void name_as_worker(pid_t pid) {
    Range ranges[16];
    int count = ranges_of(SLOT_NAME, ranges);
    pid_t own = getpid();
    for (int at = 0; at < count; at++) {
        for (size_t place = 0; place + 4 <= ranges[at].size && place < HEADER_BYTES; place += 4) {
            volatile pid_t *word = (volatile pid_t *)(ranges[at].start + place);
            if (*word == own) {
                *word = pid;
            }
        }
    }
    spin_for_ever();
}

static void name_the_bystander(const Candidate *candidate) {
    (void)candidate;
    name_as_worker(number_of("HOSTILE_BYSTANDER"));
}

static void name_nobody(const Candidate *candidate) {
    (void)candidate;
    name_as_worker(INT32_MAX);
}

static void name_everybody(const Candidate *candidate) {
    (void)candidate;
    name_as_worker(-1);
}

static void name_zero(const Candidate *candidate) {
    (void)candidate;
    name_as_worker(0);
}

static void name_init(const Candidate *candidate) {
    (void)candidate;
    name_as_worker(1);
}

static void name_the_parent(const Candidate *candidate) {
    (void)candidate;
    name_as_worker(getppid());
}

static void name_the_driver(const Candidate *candidate) {
    (void)candidate;
    name_as_worker(number_of("HOSTILE_DRIVER"));
}

static void name_a_child(const Candidate *candidate) {
    (void)candidate;
    pid_t child = bounded_fork();
    if (child == 0) {
        sleep_for_ever();
    }
    name_as_worker(child);
}

static void unmap(const Candidate *candidate) {
    (void)candidate;
    Range ranges[16];
    int count = ranges_of(SLOT_NAME, ranges);
    for (int at = 0; at < count; at++) {
        munmap(ranges[at].start, ranges[at].size);
    }
}

// Opens the files behind the memory and shortens them: who maps them is ended by SIGBUS when it
// looks there. Through /proc, where the driver holds them open.
static void shorten(const Candidate *candidate) {
    (void)candidate;
    pid_t driver = driver_of_ours();
    for (int file = 3; driver > 1 && file < 64; file++) {
        char path[64], leads_to[128];
        snprintf(path, sizeof path, "/proc/%d/fd/%d", driver, file);
        ssize_t length = readlink(path, leads_to, sizeof leads_to - 1);
        leads_to[length < 0 ? 0 : length] = 0;
        if (strstr(leads_to, "memfd:seedsmith") != NULL) {
            int opened = open(path, O_RDWR);
            if (opened >= 0 && ftruncate(opened, 0) != 0) {
                close(opened);
            }
        }
    }
}

// A child goes on writing when this process is dead.
static void leave_a_writer(const Candidate *candidate) {
    if (candidate->earlier_calls > 0 || bounded_fork() != 0) {
        return;
    }
    setsid();
    for (int count = 0; count < 20000; count++) {
        header_of(some_of_anything);
        usleep(50);
    }
    _exit(0);
}

#define BOTH(name, function) {name, function}, {name "-and-spin", function##_and_spin}

const Behaviour SLOT[] = {
    BOTH("header-of-zeroes", header_zero),
    BOTH("header-of-ones", header_ones),
    BOTH("header-of-anything", header_anything),
    BOTH("header-one-more", header_one_more),
    BOTH("header-one-less", header_one_less),
    BOTH("header-in-parts", header_some),
    BOTH("ring-of-anything", ring_anything),
    BOTH("ring-of-passes", ring_kept),
    BOTH("ring-of-panics", ring_panicked),
    BOTH("bell-of-anything", bell_anything),
    BOTH("bell-one-more", bell_one_more),
    {"name-the-bystander", name_the_bystander},
    {"name-nobody", name_nobody},
    {"name-everybody", name_everybody},
    {"name-zero", name_zero},
    {"name-init", name_init},
    {"name-the-parent", name_the_parent},
    {"name-the-driver", name_the_driver},
    {"name-a-child", name_a_child},
    {"unmap-the-slot", unmap},
    {"shorten-the-slot", shorten},
    {"leave-a-writer", leave_a_writer},
    {NULL, NULL},
};
