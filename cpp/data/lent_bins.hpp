// Bins in memory that others own, such as a file that is mapped: checked before they are trusted,
// and copied to where they shall lie.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/binned_dataset.hpp"

namespace nonet {

// The first row that has a bin which its column does not have, or whose bins by row are not those
// by column; -1: there is none. Whatever reads bins indexes with them.
index_t find_bad_row(const BinnedDataset& dataset, int n_threads);

// Copies rows, in the given order, to columns one after another and, of 8 bits, to rows of
// BinnedMatrix::stride_of bytes. Returns the bins of the columns as of a dataset of these rows
// alone: missing bins that are in use, and categories up to the last one there is.
std::vector<ColumnBins> gather_rows(const BinnedDataset& dataset,
                                    std::span<const std::int64_t> rows, std::uint8_t* columns,
                                    std::uint8_t* by_row, int n_threads);

}  // namespace nonet
