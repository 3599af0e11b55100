// Files and folders: those of the run, of the target, and the executable itself.
//
// HOSTILE_HOME is a folder that holds all that one run of the catalogue uses. Nothing outside of it
// is written.

#include "hostile.h"

#include <dirent.h>
#include <sys/stat.h>

static void path_in_home(char *path, size_t room, const char *name) {
    snprintf(path, room, "%s/%s", text_of("HOSTILE_HOME"), name);
}

static void go_to_the_root(const Candidate *candidate) {
    (void)candidate;
    if (chdir("/") != 0) {
        give_up("chdir");
    }
}

static void lose_the_folder(const Candidate *candidate) {
    (void)candidate;
    char path[512];
    path_in_home(path, sizeof path, "lost-XXXXXX");
    if (mkdtemp(path) == NULL || chdir(path) != 0 || rmdir(path) != 0) {
        give_up(path);
    }
}

static void mask_all(const Candidate *candidate) {
    (void)candidate;
    umask(0777);
}

static void change_the_root(const Candidate *candidate) {
    (void)candidate;
    // Without rights nothing happens.
    if (chroot(text_of("HOSTILE_HOME")) == 0 && chdir("/") != 0) {
        give_up("chdir");
    }
}

// Removes all files in the folder for temporary files, which is this run's own.
static void empty_the_temporary_folder(const Candidate *candidate) {
    (void)candidate;
    const char *home = text_of("HOSTILE_HOME"), *folder = text_of("TMPDIR");
    if (*home == 0 || strncmp(folder, home, strlen(home)) != 0) {
        give_up("TMPDIR is another's");
    }
    char pattern[512];
    snprintf(pattern, sizeof pattern, "rm -rf \"%s\"/*", folder);
    if (system(pattern) != 0) {
        return;
    }
}

static void remove_the_input(const Candidate *candidate) {
    (void)candidate;
    unlink(text_of("HOSTILE_INPUT"));
}

static void write_over_the_input(const Candidate *candidate) {
    (void)candidate;
    int file = open(text_of("HOSTILE_INPUT"), O_WRONLY | O_TRUNC);
    if (file >= 0 && write(file, "changed", 7) == 7) {
        close(file);
    }
}

static void remove_the_result(const Candidate *candidate) {
    (void)candidate;
    char path[512];
    path_in_home(path, sizeof path, "out/result");
    unlink(path);
}

static void take_the_result_folder_away(const Candidate *candidate) {
    (void)candidate;
    char path[512], elsewhere[512];
    path_in_home(path, sizeof path, "out");
    path_in_home(elsewhere, sizeof elsewhere, "taken-away");
    rename(path, elsewhere);
}

static void own_path(char *path, size_t room) {
    ssize_t length = readlink("/proc/self/exe", path, room - 1);
    path[length < 0 ? 0 : length] = 0;
    // Only a copy in this run's own folder is ever replaced.
    const char *home = text_of("HOSTILE_HOME");
    if (*home == 0 || strncmp(path, home, strlen(home)) != 0) {
        give_up("the executable is another's");
    }
}

static void copy_executable(const char *from, const char *to) {
    static char bytes[1 << 16];
    int source = open(from, O_RDONLY), target = open(to, O_WRONLY | O_CREAT | O_TRUNC, 0755);
    ssize_t length;
    while ((length = read(source, bytes, sizeof bytes)) > 0) {
        if (write(target, bytes, (size_t)length) != length) {
            give_up(to);
        }
    }
    close(source);
    close(target);
}

static void replace_executable_by(const char *source) {
    char path[512], beside[600];
    own_path(path, sizeof path);
    if (strstr(path, " (deleted)") != NULL) {
        return;
    }
    snprintf(beside, sizeof beside, "%s.%d", path, getpid());
    copy_executable(source, beside);
    rename(beside, path);
}

static void replace_executable_by_its_copy(const Candidate *candidate) {
    (void)candidate;
    replace_executable_by("/proc/self/exe");
}

static void replace_executable_by_another(const Candidate *candidate) {
    (void)candidate;
    replace_executable_by("/bin/true");
}

static void replace_executable_by_nothing(const Candidate *candidate) {
    (void)candidate;
    replace_executable_by("/dev/null");
}

static void remove_executable(const Candidate *candidate) {
    (void)candidate;
    char path[512];
    own_path(path, sizeof path);
    unlink(path);
}

// What of this program answers to candidates is written over, by way of /proc.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void write_over_own_code(const Candidate *candidate) {
    (void)candidate;
    static const char garbage[32] = {0};
    int file = open("/proc/self/mem", O_RDWR);
    off_t place = (off_t)(uintptr_t)LLVMFuzzerTestOneInput;
    if (file < 0 || pwrite(file, garbage, sizeof garbage, place) < 0) {
        give_up("/proc/self/mem");
    }
    close(file);
}

// For a command: its own input, which is the run's file and not the user's.
static void write_over_the_candidate(const Candidate *candidate) {
    (void)candidate;
    int file = open(text_of("HOSTILE_CANDIDATE"), O_WRONLY | O_TRUNC);
    if (file >= 0) {
        close(file);
    }
}

const Behaviour FILES[] = {
    {"go-to-the-root", go_to_the_root},
    {"lose-the-folder", lose_the_folder},
    {"mask-all", mask_all},
    {"change-the-root", change_the_root},
    {"empty-the-temporary-folder", empty_the_temporary_folder},
    {"remove-the-input", remove_the_input},
    {"write-over-the-input", write_over_the_input},
    {"remove-the-result", remove_the_result},
    {"take-the-result-folder-away", take_the_result_folder_away},
    {"replace-executable-by-its-copy", replace_executable_by_its_copy},
    {"replace-executable-by-another", replace_executable_by_another},
    {"replace-executable-by-nothing", replace_executable_by_nothing},
    {"remove-executable", remove_executable},
    {"write-over-own-code", write_over_own_code},
    {"write-over-the-candidate", write_over_the_candidate},
    {NULL, NULL},
};
