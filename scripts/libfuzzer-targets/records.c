// A format of records, each a tag, a length and that many bytes. A `name` record whose text is longer
// than the buffer that a `size` record asked for is copied behind its end.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 4 || memcmp(data, "REC1", 4) != 0) return 0;
    size_t at = 4;
    char *name = NULL;
    while (at + 2 <= size) {
        uint8_t tag = data[at], length = data[at + 1];
        at += 2;
        if (at + length > size) break;
        if (tag == 's' && length == 1 && !name) {
            name = malloc(data[at] + 1);
            memset(name, 0, data[at] + 1);
        }
        if (tag == 'n' && name) memcpy(name, data + at, length);
        at += length;
    }
    free(name);
    return 0;
}
