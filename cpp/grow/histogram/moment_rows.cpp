#include "grow/histogram/moment_rows.hpp"

#include "base/dispatch.hpp"

namespace nonet {

NONET_CLONES void move_packed_sums(std::span<std::uint64_t> sums, const PackedLayout& layout,
                                   MomentCell* cells) {
    const auto [hessian_shift, hessian_mask, gradient_shift] = layout;
    const std::uint64_t sign = std::uint64_t{1} << (63 - gradient_shift);
    auto* words = reinterpret_cast<std::uint64_t*>(cells);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::uint64_t sum = sums[i];
        const std::uint64_t hessian = sum >> hessian_shift & hessian_mask;
        // A shift that keeps the sign, of operations that all vector units have.
        words[2 * i] += ((sum >> gradient_shift) ^ sign) - sign;
        words[2 * i + 1] +=
            hessian << PackedLayout::cell_row_bits | (sum & PackedLayout::count_mask);
        sums[i] = 0;
    }
}

}  // namespace nonet
