// What all files of the hostile target share. See main.c.
#ifndef HOSTILE_H
#define HOSTILE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// A process never makes more children than this, whatever it is asked for.
#define MAX_CHILDREN 64

typedef struct {
    const uint8_t *bytes;
    size_t size;
    // How often this process was called before.
    unsigned earlier_calls;
} Candidate;

typedef struct {
    const char *name;
    void (*act)(const Candidate *candidate);
} Behaviour;

// One table a file; the last row has no name.
extern const Behaviour ENDS[], DESCRIPTORS[], PROCESSES[], SIGNALS[], RESOURCES[], SLOT[], FILES[], STATE[];

// main.c
bool contains(const Candidate *candidate, const char *text);
uint64_t hash_of(const Candidate *candidate);
int number_of(const char *variable);
const char *text_of(const char *variable);
// The parent, if it descends from the run that is tested or is that run itself; else 0, so that
// nobody else is ever meant.
pid_t parent_of_ours(void);
// The run that is tested, if this process descends from it; else 0.
pid_t driver_of_ours(void);
// Forks, but no more often than MAX_CHILDREN times in one process; -1 then.
pid_t bounded_fork(void);
// Lets the candidate pass that is run now, although it contains BUG.
void let_it_pass(void);
void sleep_for_ever(void) __attribute__((noreturn));
void spin_for_ever(void) __attribute__((noreturn));
void give_up(const char *why) __attribute__((noreturn));

#endif
