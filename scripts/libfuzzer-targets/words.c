// Three words have to be in the input, in any order: memory is read after it was freed.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int has(const uint8_t *data, size_t size, const char *word) {
    size_t length = strlen(word);
    for (size_t at = 0; at + length <= size; at++)
        if (memcmp(data + at, word, length) == 0) return 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (has(data, size, "open") && has(data, size, "read") && has(data, size, "wipe")) {
        char *freed = malloc(8);
        free(freed);
        return *(volatile char *)freed;
    }
    return 0;
}
