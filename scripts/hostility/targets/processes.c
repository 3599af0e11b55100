// Children that stay, get away or hang, and what one process can do to another.
//
// Signals go to this process, its children, its group, and ancestors up to the run that is tested;
// never to anybody else, and never to everybody.

#include "hostile.h"

#include <linux/sched.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static bool is_first_call(const Candidate *candidate) { return candidate->earlier_calls == 0; }

static void leave_a_child(const Candidate *candidate) {
    if (is_first_call(candidate) && bounded_fork() == 0) {
        sleep_for_ever();
    }
}

static void daemonize(void) {
    if (bounded_fork() == 0) {
        setsid();
        if (bounded_fork() == 0) {
            sleep_for_ever();
        }
        _exit(0);
    }
}

static void leave_a_daemon(const Candidate *candidate) {
    if (is_first_call(candidate)) {
        daemonize();
    }
}

static void leave_a_stubborn_daemon(const Candidate *candidate) {
    if (!is_first_call(candidate) || bounded_fork() != 0) {
        return;
    }
    setsid();
    for (int number = 1; number < 65; number++) {
        signal(number, SIG_IGN);
    }
    for (int file = 0; file < 1024; file++) {
        close(file);
    }
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NAME, ") Z 1 (");
    if (chdir("/") == 0 && bounded_fork() == 0) {
        sleep_for_ever();
    }
    _exit(0);
}

static void burst(const Candidate *candidate) {
    for (int count = 0; is_first_call(candidate) && count < MAX_CHILDREN; count++) {
        if (bounded_fork() == 0) {
            sleep_for_ever();
        }
    }
}

static void leave_zombies(const Candidate *candidate) {
    for (int count = 0; is_first_call(candidate) && count < MAX_CHILDREN; count++) {
        if (bounded_fork() == 0) {
            _exit(0);
        }
    }
}

// A chain of processes, each of which ends as soon as the next one lives.
static void run_away(const Candidate *candidate) {
    if (!is_first_call(candidate) || bounded_fork() != 0) {
        return;
    }
    for (int hop = 0; hop < MAX_CHILDREN - 4; hop++) {
        setsid();
        if (bounded_fork() != 0) {
            _exit(0);
        }
        usleep(1000);
    }
    sleep_for_ever();
}

static void hang_in_a_child(const Candidate *candidate) {
    (void)candidate;
    pid_t child = bounded_fork();
    if (child == 0) {
        sleep_for_ever();
    }
    waitpid(child, NULL, 0);
}

static void spin_in_a_child(const Candidate *candidate) {
    (void)candidate;
    pid_t child = bounded_fork();
    if (child == 0) {
        spin_for_ever();
    }
    waitpid(child, NULL, 0);
}

static void be_killed_later(const Candidate *candidate) {
    pid_t victim = getpid();
    if (is_first_call(candidate) && bounded_fork() == 0) {
        usleep(3000);
        if (getppid() == victim) {
            kill(victim, SIGKILL);
        }
        _exit(0);
    }
}

static void die_in_a_vfork(const Candidate *candidate) {
    (void)candidate;
    if (vfork() == 0) {
        raise(SIGKILL);
        _exit(0);
    }
}

// A child of the process that forks workers.
static void leave_a_sibling(const Candidate *candidate) {
    if (is_first_call(candidate) &&
        syscall(SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL) == 0) {
        sleep_for_ever();
    }
}

static void new_namespaces(const Candidate *candidate) {
    if (is_first_call(candidate)) {
        // Without rights only the first one may work.
        (void)unshare(CLONE_NEWUSER);
        (void)unshare(CLONE_NEWPID);
        (void)unshare(CLONE_NEWNS);
        daemonize();
    }
}

static void be_a_subreaper(const Candidate *candidate) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    leave_a_daemon(candidate);
}

static void hide(const Candidate *candidate) {
    (void)candidate;
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_DUMPABLE, 0);
    prctl(PR_SET_NAME, ") Z 1 (");
}

static void leave_the_group(const Candidate *candidate) {
    (void)candidate;
    setsid();
    leave_a_child(candidate);
}

static void be_nice(const Candidate *candidate) {
    (void)candidate;
    struct sched_param idle = {0};
    cpu_set_t first;
    CPU_ZERO(&first);
    CPU_SET(0, &first);
    setpriority(PRIO_PROCESS, 0, 19);
    sched_setaffinity(0, sizeof first, &first);
    sched_setscheduler(0, SCHED_IDLE, &idle);
}

static void signal_the_parent(int number) {
    pid_t parent = parent_of_ours();
    if (parent > 1) {
        kill(parent, number);
    }
}

static void kill_the_parent(const Candidate *candidate) {
    (void)candidate;
    signal_the_parent(SIGKILL);
}

static void terminate_the_parent(const Candidate *candidate) {
    (void)candidate;
    signal_the_parent(SIGTERM);
}

static void stop_the_parent(const Candidate *candidate) {
    (void)candidate;
    signal_the_parent(SIGSTOP);
}

static void stop_the_parent_and_spin(const Candidate *candidate) {
    (void)candidate;
    signal_the_parent(SIGSTOP);
    spin_for_ever();
}

static void storm(const Candidate *candidate) {
    (void)candidate;
    pid_t parent = parent_of_ours();
    for (int count = 0; parent > 1 && getppid() == parent && count < 300; count++) {
        kill(parent, SIGCHLD);
        kill(parent, SIGCONT);
        kill(parent, SIGWINCH);
    }
}

static void trace_the_parent(const Candidate *candidate) {
    (void)candidate;
    pid_t parent = parent_of_ours();
    if (parent > 1 && ptrace(PTRACE_ATTACH, parent, NULL, NULL) == 0) {
        spin_for_ever();
    }
}

static void trace_the_parent_and_return(const Candidate *candidate) {
    (void)candidate;
    pid_t parent = parent_of_ours();
    if (parent > 1) {
        (void)ptrace(PTRACE_ATTACH, parent, NULL, NULL);
    }
}

static void be_traced(const Candidate *candidate) {
    (void)candidate;
    (void)ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGUSR1);
}

static void kill_the_group(const Candidate *candidate) {
    (void)candidate;
    // A worker leads a group of its own; another group may be the run's.
    if (getpgrp() == getpid()) {
        kill(0, SIGKILL);
    }
}

static void stop_the_group(const Candidate *candidate) {
    (void)candidate;
    if (getpgrp() == getpid()) {
        kill(0, SIGSTOP);
    }
}

static void signal_the_driver(int number) {
    pid_t driver = driver_of_ours();
    if (driver > 1) {
        kill(driver, number);
    }
}

static void kill_the_driver(const Candidate *candidate) {
    (void)candidate;
    signal_the_driver(SIGKILL);
}

static void terminate_the_driver(const Candidate *candidate) {
    (void)candidate;
    signal_the_driver(SIGTERM);
}

static void hang_up_the_driver(const Candidate *candidate) {
    (void)candidate;
    signal_the_driver(SIGHUP);
}

static void interrupt_the_driver(const Candidate *candidate) {
    (void)candidate;
    signal_the_driver(SIGINT);
}

// Holds the driver for a moment and lets it go on.
static void stop_the_driver_for_a_moment(const Candidate *candidate) {
    (void)candidate;
    signal_the_driver(SIGSTOP);
    usleep(200000);
    signal_the_driver(SIGCONT);
}

const Behaviour PROCESSES[] = {
    {"leave-a-child", leave_a_child},
    {"leave-a-daemon", leave_a_daemon},
    {"leave-a-stubborn-daemon", leave_a_stubborn_daemon},
    {"fork-burst", burst},
    {"leave-zombies", leave_zombies},
    {"run-away", run_away},
    {"hang-in-a-child", hang_in_a_child},
    {"spin-in-a-child", spin_in_a_child},
    {"be-killed-later", be_killed_later},
    {"die-in-a-vfork", die_in_a_vfork},
    {"leave-a-sibling", leave_a_sibling},
    {"new-namespaces", new_namespaces},
    {"be-a-subreaper", be_a_subreaper},
    {"hide", hide},
    {"leave-the-group", leave_the_group},
    {"be-nice", be_nice},
    {"kill-the-parent", kill_the_parent},
    {"terminate-the-parent", terminate_the_parent},
    {"stop-the-parent", stop_the_parent},
    {"stop-the-parent-and-spin", stop_the_parent_and_spin},
    {"signal-storm", storm},
    {"trace-the-parent", trace_the_parent},
    {"trace-the-parent-and-return", trace_the_parent_and_return},
    {"be-traced", be_traced},
    {"kill-the-group", kill_the_group},
    {"stop-the-group", stop_the_group},
    {"kill-the-driver", kill_the_driver},
    {"terminate-the-driver", terminate_the_driver},
    {"hang-up-the-driver", hang_up_the_driver},
    {"interrupt-the-driver", interrupt_the_driver},
    {"stop-the-driver-for-a-moment", stop_the_driver_for_a_moment},
    {NULL, NULL},
};
