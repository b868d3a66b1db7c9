#include "runs.hpp"

#include <utility>

namespace postern::arrow_plugin {
namespace {

template <unsigned Width>
void spread_groups_of(const std::uint8_t* in, std::size_t groups, std::uint8_t* out) {
  constexpr auto ones = [](unsigned bits) { return (std::uint64_t{1} << bits) - 1; };
  constexpr std::uint64_t kFours = ones(4 * Width);
  constexpr std::uint64_t kTwos = ones(2 * Width) * 0x0000'0001'0000'0001u;
  constexpr std::uint64_t kOnes = ones(Width) * 0x0001'0001'0001'0001u;
  for (std::size_t group = 0; group < groups; ++group) {
    std::uint64_t word = 0;
    std::memcpy(&word, in + group * Width, sizeof word);
    word = (word & kFours) | (word >> 4 * Width & kFours) << 32;
    word = (word & kTwos) | (word >> 2 * Width & kTwos) << 16;
    word = (word & kOnes) | (word >> Width & kOnes) << 8;
    std::memcpy(out + group * sizeof word, &word, sizeof word);
  }
}

}  // namespace

void spread_groups(unsigned width, const std::uint8_t* in, std::size_t groups, std::uint8_t* out) {
  constexpr auto kOfWidth = []<unsigned... Width>(std::integer_sequence<unsigned, Width...>) {
    return std::array{&spread_groups_of<Width>...};
  }(std::make_integer_sequence<unsigned, 9>());
  kOfWidth.at(width)(in, groups, out);
}

bool RunReader::begin_run() {
  if (parse_run()) return true;
  bytes_ = {};
  next_ = 0;
  left_ = 0;
  return false;
}

bool RunReader::parse_run() {
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
    const std::uint64_t wanted = size * width_;
    const auto taken = static_cast<std::size_t>(std::min<std::uint64_t>(wanted, room));
    left_ = width_ == 0 ? static_cast<std::int64_t>(size * 8) : static_cast<std::int64_t>(taken * 8 / width_);
    bit_ = next_ * 8;
    next_ += taken;
    return left_ > 0;
  }
  const std::size_t bytes = (width_ + 7) / 8;
  if (room < bytes || size == 0) return false;
  repeated_ = 0;
  std::memcpy(&repeated_, bytes_.data() + next_, bytes);
  // A number that does not fit its width would count for more rows than it has.
  if (std::uint64_t{repeated_} >> width_ != 0) return false;
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
