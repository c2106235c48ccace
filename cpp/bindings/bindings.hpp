// One function a binding file; module.cpp calls them all.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace nonet {

// The interpreter is ending: no thread but the main one will have Python's lock any more.
inline bool is_python_ending() noexcept { return Py_IsInitialized() == 0; }

// Gives Python's lock back while the core works. A daemon thread that comes out of the core while
// the interpreter ends stays here until the process is gone: Python would end the thread where it
// requests the lock (before 3.14), and C++ then calls std::terminate.
class WithoutLock {
public:
    WithoutLock() noexcept : state_(PyEval_SaveThread()) {}
    ~WithoutLock() {
        if (is_python_ending()) stay();
        try {
            PyEval_RestoreThread(state_);
        } catch (...) {  // the end of the thread, as the interpreter began to end just now
            stay();
        }
    }
    WithoutLock(const WithoutLock&) = delete;
    WithoutLock& operator=(const WithoutLock&) = delete;

private:
    [[noreturn]] static void stay() noexcept {
        while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    }

    PyThreadState* state_;
};
// For functions that take their arrays by reference: a copy that ends without the lock would
// request it.
using ReleaseLock = nanobind::call_guard<WithoutLock>;

void bind_base(nanobind::module_& module);
void bind_data(nanobind::module_& module);
void bind_explain(nanobind::module_& module);
void bind_grow(nanobind::module_& module);
void bind_loss(nanobind::module_& module);
void bind_cuda(nanobind::module_& module);
void bind_partitions(nanobind::module_& module);
void bind_tree(nanobind::module_& module);
void bind_resample(nanobind::module_& module);
void bind_vote(nanobind::module_& module);

}  // namespace nonet
