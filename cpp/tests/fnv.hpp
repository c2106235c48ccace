// The hash that seals bytes of trees: FNV-1a (Fowler, Noll and Vo).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace nonet::testing {

inline std::uint64_t fnv_hash(std::string_view bytes) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    return hash;
}

inline std::string sealed(std::string content) {
    const std::uint64_t hash = fnv_hash(content);
    content.append(reinterpret_cast<const char*>(&hash), sizeof(hash));
    return content;
}

}  // namespace nonet::testing
