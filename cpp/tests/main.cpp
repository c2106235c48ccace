#include "testing.hpp"

int main() {
    using namespace nonet::testing;
    for (const Test& test : tests()) {
        std::printf("%s\n", test.name);
        test.run();
    }
    std::printf("%zu tests, %d failures\n", tests().size(), n_failures());
    return n_failures() == 0 ? 0 : 1;
}
