// Memory of a GPU, and errors of its library as exceptions.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace nonet::cuda {

inline void check_cuda(cudaError_t status) {
    if (status == cudaSuccess) return;
    throw std::runtime_error(std::string("The GPU has failed: ") + cudaGetErrorString(status) +
                             "; fit without use_device('cuda').");
}

// Numbers in the memory of the GPU; more than there is of it is an error that names the bytes.
template <typename T>
class DeviceArray {
public:
    DeviceArray() = default;
    explicit DeviceArray(std::size_t size) : size_(size) {
        if (size == 0) return;
        if (cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)) == cudaSuccess) return;
        cudaGetLastError();  // forgotten: the next call may succeed
        std::size_t n_free = 0, n_all = 0;
        cudaMemGetInfo(&n_free, &n_all);
        throw std::runtime_error("The GPU has no memory for " + std::to_string(size * sizeof(T)) +
                                 " bytes more, " + std::to_string(n_free) +
                                 " are free; fit fewer rows or columns, or without "
                                 "use_device('cuda').");
    }
    explicit DeviceArray(std::span<const T> numbers) : DeviceArray(numbers.size()) {
        upload(numbers);
    }
    DeviceArray(DeviceArray&& other) noexcept { swap(other); }
    DeviceArray& operator=(DeviceArray&& other) noexcept {
        swap(other);
        return *this;
    }
    ~DeviceArray() {
        if (data_ != nullptr) cudaFree(data_);
    }

    T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    // Streams that do not wait for others may read the numbers when this returns.
    void upload(std::span<const T> numbers) {
        check_cuda(cudaMemcpy(data_, numbers.data(), numbers.size_bytes(), cudaMemcpyHostToDevice));
        check_cuda(cudaDeviceSynchronize());
    }
    void clear(cudaStream_t stream) {
        check_cuda(cudaMemsetAsync(data_, 0, size_ * sizeof(T), stream));
    }
    void swap(DeviceArray& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
    }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// Numbers of the processor that the GPU writes at the speed of the bus; it grows as needed.
template <typename T>
class PinnedArray {
public:
    PinnedArray() = default;
    PinnedArray(const PinnedArray&) = delete;
    PinnedArray& operator=(const PinnedArray&) = delete;
    ~PinnedArray() {
        if (data_ != nullptr) cudaFreeHost(data_);
    }

    T* data(std::size_t size) {
        if (size > size_) {
            if (data_ != nullptr) check_cuda(cudaFreeHost(std::exchange(data_, nullptr)));
            size_ = 0;
            check_cuda(cudaMallocHost(reinterpret_cast<void**>(&data_), size * sizeof(T)));
            size_ = size;
        }
        return data_;
    }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace nonet::cuda
