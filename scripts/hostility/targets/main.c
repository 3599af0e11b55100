// A target that does what HOSTILE_DOES names, on the candidates that HOSTILE_WHEN names.
//
// A candidate that contains BUG fails by an abort; nothing else of this program is the bug that is
// looked for. Run in one of three ways:
//
//   injected   LLVMFuzzerTestOneInput, by seedsmith's preloaded runtime
//   FILE       the same on a file, as libFuzzer executables do it
//   --command FILE    exit status 0 if the file contains BUG, else 1
//
// and as `--bystander MB`, a process that holds memory and does nothing.

#include "hostile.h"

#include <sys/stat.h>

static const Behaviour *const TABLES[] = {ENDS, DESCRIPTORS, PROCESSES, SIGNALS,
                                          RESOURCES, SLOT, FILES, STATE};

static unsigned calls;
static unsigned children;
static bool passes;

bool contains(const Candidate *candidate, const char *text) {
    return memmem(candidate->bytes, candidate->size, text, strlen(text)) != NULL;
}

uint64_t hash_of(const Candidate *candidate) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t at = 0; at < candidate->size; at++) {
        hash = (hash ^ candidate->bytes[at]) * 0x100000001b3;
    }
    return hash ^ (hash >> 29);
}

const char *text_of(const char *variable) {
    const char *text = getenv(variable);
    return text == NULL ? "" : text;
}

int number_of(const char *variable) { return atoi(text_of(variable)); }

void let_it_pass(void) { passes = true; }

void give_up(const char *why) {
    // Not by abort: that is the bug that is looked for.
    dprintf(2, "hostile: %s: %s\n", why, strerror(errno));
    _exit(99);
}

void sleep_for_ever(void) {
    for (;;) {
        sleep(3600);
    }
}

void spin_for_ever(void) {
    for (volatile unsigned count = 0;; count++) {
    }
}

static pid_t parent_of(pid_t pid) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    int file = open(path, O_RDONLY);
    if (file < 0) {
        return 0;
    }
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length < 0 ? 0 : length] = 0;
    // A process may be called anything: the fields begin after the last bracket.
    const char *fields = strrchr(text, ')');
    int parent = 0;
    char state;
    if (fields == NULL || sscanf(fields, ") %c %d", &state, &parent) != 2) {
        return 0;
    }
    return parent;
}

pid_t driver_of_ours(void) {
    pid_t driver = number_of("HOSTILE_DRIVER");
    for (pid_t pid = getppid(); pid > 1; pid = parent_of(pid)) {
        if (pid == driver) {
            return driver;
        }
    }
    return 0;
}

pid_t parent_of_ours(void) { return driver_of_ours() == 0 ? 0 : getppid(); }

pid_t bounded_fork(void) {
    if (children >= MAX_CHILDREN) {
        errno = EAGAIN;
        return -1;
    }
    children++;
    return fork();
}

// Whether this is call number `which` of the whole run: each call adds a byte to a file.
static bool is_call(size_t which) {
    int file = open(text_of("HOSTILE_CALLS"), O_WRONLY | O_APPEND | O_CREAT, 0666);
    struct stat status;
    if (file < 0 || write(file, "c", 1) != 1 || fstat(file, &status) != 0) {
        return false;
    }
    close(file);
    return (size_t)status.st_size == which;
}

static bool acts_on(const Candidate *candidate, bool fails) {
    const char *when = text_of("HOSTILE_WHEN");
    if (strcmp(when, "always") == 0) {
        return true;
    }
    if (strcmp(when, "failing") == 0) {
        return fails;
    }
    if (strcmp(when, "others") == 0) {
        return !fails;
    }
    if (strcmp(when, "some") == 0) {
        return !fails && hash_of(candidate) % 8 == 0;
    }
    if (strncmp(when, "call-", 5) == 0) {
        return is_call(strtoul(when + 5, NULL, 10));
    }
    give_up("HOSTILE_WHEN");
}

static const Behaviour *behaviour(void) {
    static const Behaviour *found;
    const char *name = text_of("HOSTILE_DOES");
    for (size_t table = 0; found == NULL && table < sizeof TABLES / sizeof *TABLES; table++) {
        for (const Behaviour *row = TABLES[table]; row->name != NULL; row++) {
            if (strcmp(row->name, name) == 0) {
                found = row;
            }
        }
    }
    if (found == NULL) {
        give_up("HOSTILE_DOES");
    }
    return found;
}

static bool run(const uint8_t *bytes, size_t size) {
    Candidate candidate = {bytes, size, calls++};
    bool fails = contains(&candidate, "BUG");
    passes = false;
    // Found before it acts: some behaviours leave nothing to find it with.
    const Behaviour *row = behaviour();
    if (acts_on(&candidate, fails)) {
        row->act(&candidate);
    }
    return fails && !passes;
}

__attribute__((noinline)) static void the_bug(void) { abort(); }

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    if (run(bytes, size)) {
        the_bug();
    }
    return 0;
}

static int bystander(const char *megabytes) {
    size_t size = strtoul(megabytes, NULL, 10) << 20;
    volatile char *memory = malloc(size + 1);
    for (size_t at = 0; at < size; at += 4096) {
        memory[at] = 1;
    }
    puts("ready");
    fflush(stdout);
    sleep_for_ever();
}

static size_t read_file(const char *path, uint8_t *bytes, size_t room) {
    int file = open(path, O_RDONLY);
    if (file < 0) {
        give_up(path);
    }
    size_t size = 0;
    ssize_t length;
    while ((length = read(file, bytes + size, room - size)) > 0) {
        size += (size_t)length;
    }
    close(file);
    return size;
}

int main(int count, char **words) {
    static uint8_t bytes[1 << 20];
    if (count == 3 && strcmp(words[1], "--bystander") == 0) {
        return bystander(words[2]);
    }
    if (count == 3 && strcmp(words[1], "--command") == 0) {
        setenv("HOSTILE_CANDIDATE", words[2], 1);
        return run(bytes, read_file(words[2], bytes, sizeof bytes)) ? 0 : 1;
    }
    if (count == 2) {
        return LLVMFuzzerTestOneInput(bytes, read_file(words[1], bytes, sizeof bytes));
    }
    give_up("usage");
}
