#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace postern::owner {

/// How the bytes of a file are packed.
enum class Packing { none, gzip, zstd };

/// What the first bytes of a CSV file tell. Throws input_unreadable, with the way on, for files that are
/// known to be something else: spreadsheets, Parquet and Arrow files, UTF-16, other packings, databases.
[[nodiscard]] Packing recognise(std::string_view first_bytes, const std::string& path);
/// As many first bytes as that needs.
inline constexpr std::size_t kFirstBytes = 16;

/// Packed bytes, unpacked front to back as they are asked for.
class Unpacker {
 public:
  /// Fills the memory as far as it can; fewer bytes mean the end.
  using Fetch = std::function<std::size_t(char* into, std::size_t bytes)>;

  Unpacker() = default;
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;
  virtual ~Unpacker() = default;
  /// Fills as much of `into` as there is; less only at the end. Throws input_unreadable if what is packed is
  /// damaged or cut short, in words that hold nothing of it. @pre bytes < 2^31
  [[nodiscard]] virtual std::size_t read(char* into, std::size_t bytes) = 0;
};

/// @pre packing is not none
[[nodiscard]] std::unique_ptr<Unpacker> make_unpacker(Packing packing, Unpacker::Fetch packed,
                                                      const std::string& path);

}  // namespace postern::owner
