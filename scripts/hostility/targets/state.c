// Answers that depend on more than the candidate: on earlier calls, on time, chance, place.
//
// They are asked about every candidate and say where one with BUG passes this time.

#include "hostile.h"

#include <sys/stat.h>
#include <time.h>

static void do_nothing(const Candidate *candidate) { (void)candidate; }

static uint64_t chance(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t mixed = ((uint64_t)now.tv_nsec ^ ((uint64_t)getpid() << 20)) * 0x9e3779b97f4a7c15;
    return mixed >> 32;
}

static void fail_half_of_the_time(const Candidate *candidate) {
    (void)candidate;
    if (chance() % 2 == 0) {
        let_it_pass();
    }
}

static void fail_rarely(const Candidate *candidate) {
    (void)candidate;
    if (chance() % 50 != 0) {
        let_it_pass();
    }
}

static void fail_on_the_first_call_only(const Candidate *candidate) {
    if (candidate->earlier_calls > 0) {
        let_it_pass();
    }
}

static void fail_on_the_third_call_only(const Candidate *candidate) {
    if (candidate->earlier_calls != 2) {
        let_it_pass();
    }
}

static void fail_in_even_seconds(const Candidate *candidate) {
    (void)candidate;
    if (time(NULL) % 2 != 0) {
        let_it_pass();
    }
}

static void fail_in_processes_of_even_number(const Candidate *candidate) {
    (void)candidate;
    if (getpid() % 2 != 0) {
        let_it_pass();
    }
}

static void fail_until_a_file_says_otherwise(const Candidate *candidate) {
    (void)candidate;
    int file = open(text_of("HOSTILE_CALLS"), O_WRONLY | O_APPEND | O_CREAT, 0666);
    struct stat status;
    if (file >= 0 && write(file, "c", 1) == 1 && fstat(file, &status) == 0 &&
        status.st_size > 40) {
        let_it_pass();
    }
    close(file);
}

// Once a candidate without BUG was seen, everything passes.
static void forgive_after_a_pass(const Candidate *candidate) {
    static bool has_seen_another;
    if (!contains(candidate, "BUG")) {
        has_seen_another = true;
    } else if (has_seen_another) {
        let_it_pass();
    }
}

// Once a candidate with an odd hash was seen, all others fail too.
static void bear_a_grudge(const Candidate *candidate) {
    static bool bears;
    bears = bears || hash_of(candidate) % 2 != 0;
    if (bears && !contains(candidate, "BUG")) {
        abort();
    }
}

static void fail_outside_of_a_terminal_only(const Candidate *candidate) {
    (void)candidate;
    if (isatty(0) || getenv("TERM") != NULL) {
        let_it_pass();
    }
}

// Writes over what it was given, which belongs to who called it.
static void write_over_its_argument(const Candidate *candidate) {
    memset((uint8_t *)candidate->bytes, 'B', candidate->size);
}

const Behaviour STATE[] = {
    {"nothing", do_nothing},
    {"fail-half-of-the-time", fail_half_of_the_time},
    {"fail-rarely", fail_rarely},
    {"fail-on-the-first-call-only", fail_on_the_first_call_only},
    {"fail-on-the-third-call-only", fail_on_the_third_call_only},
    {"fail-in-even-seconds", fail_in_even_seconds},
    {"fail-in-even-processes", fail_in_processes_of_even_number},
    {"fail-until-a-file-says-otherwise", fail_until_a_file_says_otherwise},
    {"forgive-after-a-pass", forgive_after_a_pass},
    {"bear-a-grudge", bear_a_grudge},
    {"fail-outside-of-a-terminal-only", fail_outside_of_a_terminal_only},
    {"write-over-its-argument", write_over_its_argument},
    {NULL, NULL},
};
