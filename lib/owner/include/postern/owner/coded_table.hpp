#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <variant>
#include <vector>

namespace postern::owner {

/// Overwrites memory in a way the compiler keeps.
void wipe(void* memory, std::size_t bytes) noexcept;

/// Memory for what must not outlive its use: wiped before it is given back, also when a vector grows out of
/// it. New elements are not initialised.
template <class T>
struct WipingAllocator {
  using value_type = T;
  WipingAllocator() = default;
  template <class U>
  WipingAllocator(const WipingAllocator<U>& /*other*/) noexcept {}  // NOLINT(*-explicit-*)
  [[nodiscard]] T* allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
  void deallocate(T* memory, std::size_t count) noexcept {
    wipe(memory, count * sizeof(T));
    std::allocator<T>().deallocate(memory, count);
  }
  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }
  friend bool operator==(const WipingAllocator& /*a*/, const WipingAllocator& /*b*/) { return true; }
};
template <class T>
using Wiped = std::vector<T, WipingAllocator<T>>;

/// Levels of one column, in the narrowest integer that holds them.
using CodedColumn = std::variant<Wiped<std::uint8_t>, Wiped<std::uint16_t>, Wiped<std::uint32_t>>;
/// An empty column for this many levels.
[[nodiscard]] CodedColumn make_coded_column(std::uint32_t levels);

/// The records, encoded: columns of levels. Move-only, never printed, wiped when done; only the owner's side
/// can name it.
class Records {
 public:
  /// @pre columns[c] holds `rows` levels, each below levels[c]; anything else is refused as internal.
  Records(std::vector<std::string> names, std::vector<std::uint32_t> levels, std::vector<CodedColumn> columns,
          std::size_t rows);
  Records(Records&&) noexcept = default;
  Records& operator=(Records&&) noexcept = default;
  Records(const Records&) = delete;
  Records& operator=(const Records&) = delete;
  ~Records() = default;
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// The column, or unknown_column.
  [[nodiscard]] const CodedColumn& column(const std::string& name) const;
  [[nodiscard]] std::uint32_t levels(const std::string& name) const;

 private:
  [[nodiscard]] std::size_t place(const std::string& name) const;

  std::vector<std::string> names_;
  std::vector<std::uint32_t> levels_;
  std::vector<CodedColumn> columns_;
  std::size_t rows_ = 0;
};

}  // namespace postern::owner
