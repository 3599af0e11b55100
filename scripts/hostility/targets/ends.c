// Ways to end a process, or a part of it.

#include "hostile.h"

#include <pthread.h>

static void exit_0(const Candidate *candidate) {
    (void)candidate;
    exit(0);
}

static void exit_1(const Candidate *candidate) {
    (void)candidate;
    exit(1);
}

static void exit_255(const Candidate *candidate) {
    (void)candidate;
    exit(255);
}

static void fast_exit_0(const Candidate *candidate) {
    (void)candidate;
    _exit(0);
}

static void quick(const Candidate *candidate) {
    (void)candidate;
    quick_exit(3);
}

// What a worker of seedsmith ends with when it is old, and when a leak was reported.
static void exit_as_retired(const Candidate *candidate) {
    (void)candidate;
    _exit(119);
}

static void exit_as_reported(const Candidate *candidate) {
    (void)candidate;
    _exit(86);
}

static void another_abort(const Candidate *candidate) {
    (void)candidate;
    abort();
}

static void abort_at_exit(void) { abort(); }

static void exit_5_at_exit(void) { _exit(5); }

static void sleep_at_exit(void) { sleep_for_ever(); }

static void exit_into_abort(const Candidate *candidate) {
    (void)candidate;
    atexit(abort_at_exit);
    exit(0);
}

static void exit_into_another_exit(const Candidate *candidate) {
    (void)candidate;
    atexit(exit_5_at_exit);
    exit(0);
}

static void exit_into_sleep(const Candidate *candidate) {
    (void)candidate;
    atexit(sleep_at_exit);
    exit(0);
}

static void *exit_here(void *argument) {
    (void)argument;
    exit(4);
}

static void *abort_here(void *argument) {
    (void)argument;
    abort();
}

static void *sleep_here(void *argument) {
    (void)argument;
    sleep_for_ever();
}

static void *abort_later(void *argument) {
    (void)argument;
    usleep(20000);
    abort();
}

static pthread_t start(void *(*body)(void *)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, NULL) != 0) {
        give_up("pthread_create");
    }
    return thread;
}

static void exit_in_a_thread(const Candidate *candidate) {
    (void)candidate;
    pthread_join(start(exit_here), NULL);
}

static void abort_in_a_thread(const Candidate *candidate) {
    (void)candidate;
    pthread_join(start(abort_here), NULL);
}

static void abort_in_a_detached_thread(const Candidate *candidate) {
    (void)candidate;
    pthread_detach(start(abort_later));
}

// Instead of the bug: nothing fails before the thread does.
static void only_abort_in_a_detached_thread(const Candidate *candidate) {
    abort_in_a_detached_thread(candidate);
    if (contains(candidate, "BUG")) {
        exit(0);
    }
}

static void leave_a_thread(const Candidate *candidate) {
    // Bounded for each process, as children are.
    if (candidate->earlier_calls < 32) {
        pthread_detach(start(sleep_here));
    }
}

static void end_the_only_thread(const Candidate *candidate) {
    (void)candidate;
    pthread_exit(NULL);
}

static void end_the_first_thread_only(const Candidate *candidate) {
    leave_a_thread(candidate);
    pthread_exit(NULL);
}

static void become_another_program(const Candidate *candidate) {
    (void)candidate;
    execl("/bin/true", "true", NULL);
    give_up("execl");
}

static void become_a_sleeper(const Candidate *candidate) {
    (void)candidate;
    execl("/bin/sleep", "sleep", "3600", NULL);
    give_up("execl");
}

static void spin(const Candidate *candidate) {
    (void)candidate;
    spin_for_ever();
}

static void sleep_now(const Candidate *candidate) {
    (void)candidate;
    sleep_for_ever();
}

static void sleep_a_moment(const Candidate *candidate) {
    (void)candidate;
    usleep(100000);
}

const Behaviour ENDS[] = {
    {"exit-0", exit_0},
    {"exit-1", exit_1},
    {"exit-255", exit_255},
    {"_exit-0", fast_exit_0},
    {"quick_exit", quick},
    {"exit-as-retired", exit_as_retired},
    {"exit-as-reported", exit_as_reported},
    {"another-abort", another_abort},
    {"exit-into-abort", exit_into_abort},
    {"exit-into-another-exit", exit_into_another_exit},
    {"exit-into-sleep", exit_into_sleep},
    {"exit-in-a-thread", exit_in_a_thread},
    {"abort-in-a-thread", abort_in_a_thread},
    {"abort-in-a-detached-thread", abort_in_a_detached_thread},
    {"only-abort-in-a-detached-thread", only_abort_in_a_detached_thread},
    {"leave-threads", leave_a_thread},
    {"end-the-only-thread", end_the_only_thread},
    {"end-the-first-thread", end_the_first_thread_only},
    {"become-another-program", become_another_program},
    {"become-a-sleeper", become_a_sleeper},
    {"spin", spin},
    {"sleep", sleep_now},
    {"sleep-a-moment", sleep_a_moment},
    {NULL, NULL},
};
