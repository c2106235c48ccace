// The errors of a build without GPU code.
#include <stdexcept>

#include "cuda/device_rows.hpp"

namespace nonet::cuda {

struct DeviceRows::State {};

namespace {

[[noreturn]] void refuse() {
    throw std::runtime_error("This build of nonet has no GPU code; build it with NONET_CUDA=ON.");
}

}  // namespace

int n_devices() noexcept { return -1; }

DeviceRows::DeviceRows(const BinnedDataset&, std::span<const double>, std::span<const std::int32_t>,
                       std::span<const double>, std::span<const double>, index_t) {
    refuse();
}
DeviceRows::~DeviceRows() = default;
void DeviceRows::find_gradients(LossKind) { refuse(); }
MomentSizes DeviceRows::sizes(index_t) const { refuse(); }
MomentTotals DeviceRows::totals(index_t, const MomentSizes&) const { refuse(); }
LightRows DeviceRows::count_light(index_t, MomentKind, const MeasuredMoments&) const { refuse(); }
void DeviceRows::start(index_t, MomentKind, const MeasuredMoments&, std::span<std::int64_t>) {
    refuse();
}
void DeviceRows::split(index_t, std::span<const SplitOrder>, std::span<std::int64_t>) { refuse(); }
void DeviceRows::sum_leaves(index_t, std::span<const std::int32_t>, const MomentSizes&,
                            std::span<double>) {
    refuse();
}
void DeviceRows::add(index_t, std::span<const double>) { refuse(); }
void DeviceRows::copy_leaves(index_t, std::span<std::int32_t>) const { refuse(); }
void DeviceRows::copy_scores(std::span<double>) const { refuse(); }

}  // namespace nonet::cuda
