// Workspaces that threads borrow and give back.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace nonet {

template <typename Workspace>
class WorkspacePool {
public:
    explicit WorkspacePool(std::function<std::unique_ptr<Workspace>()> make)
        : make_(std::move(make)) {}

    class Loan {
    public:
        Loan(WorkspacePool& pool, std::unique_ptr<Workspace> workspace)
            : pool_(pool), workspace_(std::move(workspace)) {}
        ~Loan() { pool_.give_back(std::move(workspace_)); }
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;
        Workspace& operator*() const noexcept { return *workspace_; }
        Workspace* operator->() const noexcept { return workspace_.get(); }

    private:
        WorkspacePool& pool_;
        std::unique_ptr<Workspace> workspace_;
    };

    Loan borrow() {
        {
            const std::lock_guard lock(mutex_);
            if (!free_.empty()) {
                std::unique_ptr<Workspace> workspace = std::move(free_.back());
                free_.pop_back();
                return Loan(*this, std::move(workspace));
            }
        }
        return Loan(*this, make_());
    }

private:
    void give_back(std::unique_ptr<Workspace> workspace) {
        const std::lock_guard lock(mutex_);
        free_.push_back(std::move(workspace));
    }

    std::function<std::unique_ptr<Workspace>()> make_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Workspace>> free_;
};

}  // namespace nonet
