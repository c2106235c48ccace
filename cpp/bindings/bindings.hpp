// One function a binding file; module.cpp calls them all.
#pragma once

#include <nanobind/nanobind.h>

namespace nonet {

void bind_base(nanobind::module_& module);
void bind_data(nanobind::module_& module);
void bind_explain(nanobind::module_& module);
void bind_grow(nanobind::module_& module);
void bind_loss(nanobind::module_& module);
void bind_tree(nanobind::module_& module);
void bind_resample(nanobind::module_& module);
void bind_vote(nanobind::module_& module);

}  // namespace nonet
