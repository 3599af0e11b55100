// An expression parser that recurses for each bracket and asserts that a product has no empty factor.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

struct Parser {
    const uint8_t *at;
    const uint8_t *end;

    uint8_t peek() const { return at < end ? *at : 0; }

    long factor(int depth) {
        if (peek() == '(' && depth < 200) {
            at++;
            long value = sum(depth + 1);
            if (peek() == ')') at++;
            return value;
        }
        long value = 0;
        const uint8_t *begin = at;
        while (peek() >= '0' && peek() <= '9') value = (value * 10 + (*at++ - '0')) % 1000003;
        return at == begin ? -1 : value;
    }

    long product(int depth) {
        long value = factor(depth);
        while (peek() == '*') {
            at++;
            long right = factor(depth);
            // Planted: nested three times, a missing factor is not an error but a bug.
            if (right < 0 && depth >= 3) abort();
            value = value * right % 1000003;
        }
        return value;
    }

    long sum(int depth) {
        long value = 0;
        for (;;) {
            value += product(depth);
            if (peek() != '+' && peek() != ' ' && peek() != '\n') return value;
            at++;
        }
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Parser parser{data, data + size};
    volatile long sink = parser.sum(0);
    (void)sink;
    return 0;
}
