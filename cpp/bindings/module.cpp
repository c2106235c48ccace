#include "bindings/bindings.hpp"

NB_MODULE(_core, module) {
    module.doc() = "Kernels of nonet; every use goes through nonet._native.";
    nonet::bind_base(module);
    nonet::bind_data(module);
    nonet::bind_grow(module);
    nonet::bind_tree(module);
    nonet::bind_vote(module);
}
