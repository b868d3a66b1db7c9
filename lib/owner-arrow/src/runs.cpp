#include "runs.hpp"

namespace postern::arrow_plugin {

bool RunReader::begin_run() {
  std::uint64_t header = 0;
  for (unsigned shift = 0;; shift += 7) {
    if (next_ >= bytes_.size() || shift > 28) return false;
    const std::uint8_t byte = bytes_[next_++];
    header |= std::uint64_t{byte & 0x7Fu} << shift;
    if ((byte & 0x80u) == 0) break;
  }
  packed_ = (header & 1) != 0;
  const std::uint64_t size = header >> 1;
  const std::size_t room = bytes_.size() - next_;
  if (packed_) {
    // The last run may promise more numbers than there are bytes for; it is cut where the bytes end.
    const std::uint64_t wanted = size * static_cast<std::uint64_t>(width_);
    const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, room));
    left_ = width_ == 0 ? static_cast<std::int64_t>(size * 8)
                        : static_cast<std::int64_t>(taken * 8 / static_cast<std::size_t>(width_));
    bit_ = next_ * 8;
    next_ += taken;
    return left_ > 0;
  }
  const auto bytes = static_cast<std::size_t>(width_ + 7) / 8;
  if (room < bytes || size == 0) return false;
  repeated_ = 0;
  std::memcpy(&repeated_, bytes_.data() + next_, bytes);
  next_ += bytes;
  left_ = static_cast<std::int64_t>(size);
  return true;
}

std::uint32_t RunReader::number_at(std::size_t bit) const {
  std::uint64_t word = 0;
  const std::size_t byte = bit / 8;
  std::memcpy(&word, bytes_.data() + byte, std::min(sizeof word, bytes_.size() - byte));
  return static_cast<std::uint32_t>(word >> (bit % 8) & ((std::uint64_t{1} << width_) - 1));
}

}  // namespace postern::arrow_plugin
