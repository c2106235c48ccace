// A column of strings that another library lends, chunk by chunk.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.hpp"
#include "data/arrow_interface.hpp"

namespace nonet {

// How the strings of a column are stored.
enum class StringLayout {
    none,           // these are no strings
    offsets,        // one buffer of bytes, and where each string begins in it (32 bits)
    large_offsets,  // the same with 64 bits
    views           // 16 bytes each: the string itself, or where it is in one of many buffers
};

class ArrowStrings {
public:
    // Takes all chunks out of a stream; it holds them, and so the bytes, as long as it lives.
    explicit ArrowStrings(ArrowArrayStream& stream);
    ~ArrowStrings();
    ArrowStrings(ArrowStrings&& other) noexcept;
    ArrowStrings(const ArrowStrings&) = delete;
    ArrowStrings& operator=(const ArrowStrings&) = delete;
    ArrowStrings& operator=(ArrowStrings&&) = delete;

    StringLayout layout() const noexcept { return layout_; }
    index_t n_rows() const noexcept { return n_rows_; }
    const std::vector<ArrowArray>& chunks() const noexcept { return chunks_; }

private:
    void release() noexcept;

    StringLayout layout_ = StringLayout::none;
    index_t n_rows_ = 0;
    std::vector<ArrowArray> chunks_;
};

}  // namespace nonet
