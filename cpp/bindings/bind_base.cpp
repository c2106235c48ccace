// Random words, the number of cores, and how Ctrl-C reaches a parallel region.
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/cores.hpp"
#include "base/exact_sum.hpp"
#include "base/parallel.hpp"
#include "base/phases.hpp"
#include "base/random.hpp"
#include "bindings/arrays.hpp"
#include "bindings/bindings.hpp"
#include "loss/exponential.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace nonet {
namespace {

using Words = nb::ndarray<std::uint64_t, nb::numpy, nb::ndim<1>, nb::c_contig>;

void philox_words(std::uint64_t seed, const std::vector<std::uint64_t>& stream, std::uint64_t block,
                  const Words& out) {
    std::array<std::uint64_t, 4> names{};
    check(stream.size() <= names.size(), "A random stream is named by at most 4 integers.");
    std::ranges::copy(stream, names.begin());
    RandomStream random(seed, names, block);
    for (std::size_t i = 0; i < out.shape(0); ++i) out.data()[i] = random.bits();
}

unsigned long python_main_thread = 0;

// Only Python's main thread handles signals; other threads need not wait for the lock to check, and
// stop when the interpreter ends. A handler that raises leaves its exception set in this thread's
// state, where translate_interrupt finds it.
bool should_stop() {
    if (PyThread_get_thread_ident() != python_main_thread) return is_python_ending();
    const nb::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
}

void translate_interrupt(const std::exception_ptr& error, void*) {
    try {
        std::rethrow_exception(error);
    } catch (const Interrupted&) {
        if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
}

// Name of each phase, with seconds: of the phase, of its parallel regions, of all threads at their
// tasks; and the number of regions.
using NamedTimes = nb::typed<nb::dict, nb::str, nb::typed<nb::tuple, double, double, double, int>>;

NamedTimes times_by_phase() {
    constexpr double nanosecond = 1e-9;
    nb::dict by_name;
    const std::vector<PhaseTime> times = phase_times();
    for (std::size_t p = 0; p < times.size(); ++p) {
        const auto& [wall, in_regions, at_tasks, n_regions] = times[p];
        by_name[nb::str(phase_names[p].data())] = nb::make_tuple(
            nanosecond * static_cast<double>(wall), nanosecond * static_cast<double>(in_regions),
            nanosecond * static_cast<double>(at_tasks), n_regions);
    }
    return NamedTimes(std::move(by_name));
}

void handle_interrupts() {
    const nb::object main_thread = nb::module_::import_("threading").attr("main_thread")();
    python_main_thread = nb::cast<unsigned long>(main_thread.attr("ident"));
    set_interrupt_check(should_stop);
    nb::register_exception_translator(translate_interrupt);
}

ExactSum sum_of_bytes(const nb::bytes& bytes) {
    check(bytes.size() == sizeof(ExactSum::State), "These bytes are not those of an exact sum.");
    ExactSum::State state;
    std::memcpy(state.data(), bytes.c_str(), sizeof state);
    return ExactSum::of_state(state);
}

void bind_exact_sum(nb::module_& module) {
    nb::class_<ExactSum>(module, "ExactSum")
        .def(nb::init<>())
        .def("add", nb::overload_cast<const ExactSum&>(&ExactSum::add), "other"_a)
        .def_prop_ro("value", &ExactSum::value)
        .def("__getstate__",
             [](const ExactSum& sum) {
                 const ExactSum::State state = sum.state();
                 return nb::bytes(state.data(), sizeof state);
             })
        .def("__setstate__", [](ExactSum& sum, const nb::bytes& state) {
            new (&sum) ExactSum(sum_of_bytes(state));
        });
    module.def(
        "exact_sum",
        [](const Vector<const double>& terms, const Vector<const double>& weights, int n_threads) {
            check(weights.size() == 0 || weights.size() == terms.size(),
                  "There must be a weight for each term.");
            return exact_sum(span_of(terms), span_of(weights), n_threads);
        },
        "terms"_a.noconvert(), "weights"_a.noconvert(), "n_threads"_a, ReleaseLock(),
        "The exact sum of the terms, or of their products with weights.");
    module.def(
        "log_of", [](double x) { return log_of(x); }, "x"_a,
        "The logarithm, with the same bits on all machines.");
}

}  // namespace

void bind_base(nb::module_& module) {
    handle_interrupts();
    module.def("available_cores", &available_cores,
               "Cores this process may use: machine, affinity mask and control group.");
    module.def("quota_cores", &quota_cores, "root"_a, "groups"_a,
               "Cores that the quotas of control groups leave: their folders, and a list of them.");
    module.def("pool_size", &pool_size, "Worker threads that are alive in this process.");
    module.def("measure_phases", &measure_phases, "is_wanted"_a,
               "Begin to measure from zero where time goes, or end it.");
    module.def("phase_times", &times_by_phase,
               "By phase: seconds, those in regions, those at tasks, and the number of regions.");
    bind_exact_sum(module);
    module.def("philox_words", &philox_words, "seed"_a, "stream"_a, "block"_a, "out"_a,
               "Fill out with the words of a Philox4x64-10 stream.");
}

}  // namespace nonet
