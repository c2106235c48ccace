#include "bindings/bindings.hpp"

namespace nb = nanobind;

NB_MODULE(_core, module) {
    // An interpreter may end with objects still held, which is no news to a user.
    nb::set_leak_warnings(false);
    module.doc() = "Kernels of nonet; every use goes through nonet._native.";
    nonet::bind_base(module);
    nonet::bind_data(module);
    nonet::bind_grow(module);
    nonet::bind_loss(module);
    nonet::bind_partitions(module);
    nonet::bind_cuda(module);
    nonet::bind_explain(module);
    nonet::bind_tree(module);
    nonet::bind_resample(module);
    nonet::bind_vote(module);
}
