// Signals to itself, and how they are dealt with.

#include "hostile.h"

#include <setjmp.h>
#include <sys/time.h>
#include <time.h>

// One signal for each candidate, of all that end a process by default.
static void raise_any(const Candidate *candidate) {
    static const int ALL[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP,   SIGBUS,  SIGFPE,
                              SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE,   SIGALRM, SIGTERM,
                              SIGXCPU, SIGXFSZ, SIGPROF, SIGSYS,  SIGVTALRM, SIGIO,   SIGPWR};
    raise(ALL[hash_of(candidate) % (sizeof ALL / sizeof *ALL)]);
}

static void raise_real_time(const Candidate *candidate) {
    (void)candidate;
    raise(SIGRTMIN + 1);
}

static void stop(const Candidate *candidate) {
    (void)candidate;
    raise(SIGSTOP);
}

static void ignore_all(const Candidate *candidate) {
    (void)candidate;
    for (int number = 1; number < 65; number++) {
        signal(number, SIG_IGN);
    }
}

static void block_all(const Candidate *candidate) {
    (void)candidate;
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

static void leave(int number) {
    (void)number;
    _exit(0);
}

static void catch_all_and_exit(const Candidate *candidate) {
    (void)candidate;
    for (int number = 1; number < 65; number++) {
        signal(number, leave);
    }
}

static void swallow(int number) { (void)number; }

// A fault that is caught and not mended happens again, for ever.
static void catch_faults_and_go_on(const Candidate *candidate) {
    (void)candidate;
    signal(SIGSEGV, swallow);
    *(volatile int *)8 = 1;
}

static sigjmp_buf back;

static void jump_back(int number) {
    (void)number;
    siglongjmp(back, 1);
}

static void jump_out_of_an_abort(const Candidate *candidate) {
    (void)candidate;
    signal(SIGABRT, jump_back);
    if (sigsetjmp(back, 1) == 0) {
        abort();
    }
}

static unsigned recurse(unsigned depth) {
    volatile char room[1024];
    room[depth % sizeof room] = (char)depth;
    // More than any stack holds.
    if (depth == UINT32_MAX) {
        return 0;
    }
    return recurse(depth + 1) + (unsigned)room[0];
}

static void overflow_the_stack(const Candidate *candidate) {
    volatile unsigned depth = (unsigned)candidate->size;
    depth = recurse(depth);
}

static void take_the_signal_stack_away(void) {
    stack_t none = {.ss_sp = NULL, .ss_flags = SS_DISABLE, .ss_size = 0};
    sigaltstack(&none, NULL);
}

static void overflow_without_a_signal_stack(const Candidate *candidate) {
    take_the_signal_stack_away();
    overflow_the_stack(candidate);
}

static void abort_without_a_signal_stack(const Candidate *candidate) {
    (void)candidate;
    take_the_signal_stack_away();
}

static void set_timer(int which, long microseconds) {
    struct itimerval timer = {{0, 0}, {microseconds / 1000000, microseconds % 1000000}};
    setitimer(which, &timer, NULL);
}

static void set_an_alarm(const Candidate *candidate) {
    (void)candidate;
    set_timer(ITIMER_REAL, 2000);
}

static void set_a_processor_alarm(const Candidate *candidate) {
    (void)candidate;
    set_timer(ITIMER_PROF, 2000);
}

static void set_ticking_timers(const Candidate *candidate) {
    if (candidate->earlier_calls > 0) {
        return;
    }
    signal(SIGALRM, swallow);
    struct itimerval timer = {{0, 500}, {0, 500}};
    setitimer(ITIMER_REAL, &timer, NULL);
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerspec often = {{0, 700000}, {0, 700000}};
    timer_t made;
    if (timer_create(CLOCK_MONOTONIC, &event, &made) == 0) {
        timer_settime(made, 0, &often, NULL);
    }
}

const Behaviour SIGNALS[] = {
    {"raise-any", raise_any},
    {"raise-real-time", raise_real_time},
    {"stop", stop},
    {"ignore-all-signals", ignore_all},
    {"block-all-signals", block_all},
    {"catch-all-signals-and-exit", catch_all_and_exit},
    {"catch-faults-and-go-on", catch_faults_and_go_on},
    {"jump-out-of-an-abort", jump_out_of_an_abort},
    {"overflow-the-stack", overflow_the_stack},
    {"overflow-without-a-signal-stack", overflow_without_a_signal_stack},
    {"take-the-signal-stack-away", abort_without_a_signal_stack},
    {"set-an-alarm", set_an_alarm},
    {"set-a-processor-alarm", set_a_processor_alarm},
    {"set-ticking-timers", set_ticking_timers},
    {NULL, NULL},
};
