#include "data/arrow_strings.hpp"

#include <string_view>
#include <utility>

#include "base/check.hpp"

namespace nonet {
namespace {

StringLayout layout_of(std::string_view format) {
    if (format == "u") return StringLayout::offsets;
    if (format == "U") return StringLayout::large_offsets;
    if (format == "vu") return StringLayout::views;
    return StringLayout::none;
}

StringLayout take_layout(ArrowArrayStream& stream) {
    ArrowSchema schema{};
    check(stream.get_schema(&stream, &schema) == 0, "A column cannot be read as one of Arrow.");
    const StringLayout layout = layout_of(schema.format);
    if (schema.release != nullptr) schema.release(&schema);
    return layout;
}

}  // namespace

ArrowStrings::ArrowStrings(ArrowArrayStream& stream) : layout_(take_layout(stream)) {
    if (layout_ == StringLayout::none) return;
    while (true) {
        ArrowArray chunk{};
        if (stream.get_next(&stream, &chunk) != 0) {
            release();
            check(false, "A column cannot be read as one of Arrow.");
        }
        if (chunk.release == nullptr) return;  // the end
        chunks_.push_back(chunk);
        n_rows_ += static_cast<index_t>(chunk.length);
    }
}

ArrowStrings::ArrowStrings(ArrowStrings&& other) noexcept
    : layout_(other.layout_), n_rows_(other.n_rows_), chunks_(std::exchange(other.chunks_, {})) {}

ArrowStrings::~ArrowStrings() { release(); }

void ArrowStrings::release() noexcept {
    for (ArrowArray& chunk : chunks_)
        if (chunk.release != nullptr) chunk.release(&chunk);
    chunks_.clear();
}

}  // namespace nonet
