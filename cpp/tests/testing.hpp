// As much of a test framework as the sanitizer builds need: NONET_TEST(name) { EXPECT(...); }
#pragma once

#include <cstdio>
#include <vector>

namespace nonet::testing {

struct Test {
    const char* name;
    void (*run)();
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

inline int& n_failures() {
    static int count = 0;
    return count;
}

struct Registration {
    Registration(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

inline void expect(bool holds, const char* expression, const char* file, int line) {
    if (holds) return;
    ++n_failures();
    std::printf("%s:%d: expected %s\n", file, line, expression);
}

}  // namespace nonet::testing

#define NONET_TEST(name)                                                        \
    static void name();                                                         \
    static const nonet::testing::Registration name##_registration(#name, name); \
    static void name()

#define EXPECT(condition) nonet::testing::expect((condition), #condition, __FILE__, __LINE__)

#define EXPECT_THROWS(Error, expression)                                                     \
    do {                                                                                     \
        bool thrown = false;                                                                 \
        try {                                                                                \
            expression;                                                                      \
        } catch (const Error&) {                                                             \
            thrown = true;                                                                   \
        }                                                                                    \
        nonet::testing::expect(thrown, #expression " to throw " #Error, __FILE__, __LINE__); \
    } while (false)
