#include "unpack.hpp"

#include <utility>

#include <zlib.h>
#include <zstd.h>

#include "postern/core/error.hpp"
#include "postern/owner/coded_table.hpp"

namespace postern::owner {
namespace {

constexpr std::size_t kPacked = std::size_t{1} << 16;  // bytes fetched at a time

/// The packed bytes that have been fetched and not yet used.
class PackedBytes {
 public:
  PackedBytes(Unpacker::Fetch fetch, std::string path)
      : fetch_(std::move(fetch)), path_(std::move(path)), memory_(kPacked) {}
  /// False at the end of the file.
  [[nodiscard]] bool ready() {
    if (used_ < size_) return true;
    used_ = 0;
    size_ = fetch_(memory_.data(), memory_.size());
    return size_ > 0;
  }
  [[nodiscard]] char* data() { return memory_.data() + used_; }
  [[nodiscard]] std::size_t left() const { return size_ - used_; }
  void use(std::size_t bytes) { used_ += bytes; }
  [[noreturn]] void fail() const {
    throw Error(ErrorCode::input_unreadable, {"the file '", from_option(path_),
                                              "' cannot be unpacked: it is damaged or cut short; make it "
                                              "anew, or give it unpacked"});
  }

 private:
  Unpacker::Fetch fetch_;
  std::string path_;
  Wiped<char> memory_;
  std::size_t used_ = 0;
  std::size_t size_ = 0;
};

/// One or more gzip members, one behind the other.
class Gunzip final : public Unpacker {
 public:
  Gunzip(Fetch packed, std::string path) : packed_(std::move(packed), std::move(path)) {
    constexpr int kGzipWindow = 15 + 16;  // the largest window; a gzip header is wanted
    if (inflateInit2(&state_, kGzipWindow) != Z_OK)
      throw Error(ErrorCode::out_of_memory, {"there is no memory to unpack a gzip file"});
  }
  ~Gunzip() override { inflateEnd(&state_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  std::size_t read(char* into, std::size_t bytes) override {
    state_.next_out = reinterpret_cast<Bytef*>(into);
    state_.avail_out = static_cast<uInt>(bytes);
    while (state_.avail_out > 0) {
      if (!packed_.ready()) {
        if (inside_) packed_.fail();
        break;
      }
      if (!inside_ && inflateReset(&state_) != Z_OK) packed_.fail();
      inside_ = true;
      state_.next_in = reinterpret_cast<Bytef*>(packed_.data());
      state_.avail_in = static_cast<uInt>(packed_.left());
      const int result = inflate(&state_, Z_NO_FLUSH);
      packed_.use(packed_.left() - state_.avail_in);
      if (result == Z_STREAM_END) {
        inside_ = false;
      } else if (result != Z_OK) {
        packed_.fail();
      }
    }
    return bytes - state_.avail_out;
  }

 private:
  PackedBytes packed_;
  z_stream state_{};
  bool inside_ = false;  // of a member
};

/// One or more zstd frames.
class Unzstd final : public Unpacker {
 public:
  Unzstd(Fetch packed, std::string path)
      : packed_(std::move(packed), std::move(path)), state_(ZSTD_createDStream(), &ZSTD_freeDStream) {
    if (!state_) throw Error(ErrorCode::out_of_memory, {"there is no memory to unpack a zstd file"});
  }

  std::size_t read(char* into, std::size_t bytes) override {
    ZSTD_outBuffer out{into, bytes, 0};
    while (out.pos < out.size) {
      const bool more = packed_.ready();
      ZSTD_inBuffer in{packed_.data(), packed_.left(), 0};
      const std::size_t before = out.pos;
      const std::size_t result = ZSTD_decompressStream(state_.get(), &out, &in);
      if (ZSTD_isError(result) != 0) packed_.fail();
      packed_.use(in.pos);
      if (in.pos > 0 || out.pos > before) {
        inside_ = result != 0;
      } else if (!more) {
        if (inside_) packed_.fail();
        break;
      }
    }
    return out.pos;
  }

 private:
  PackedBytes packed_;
  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> state_;
  bool inside_ = false;  // of a frame
};

}  // namespace

std::unique_ptr<Unpacker> make_unpacker(Packing packing, Unpacker::Fetch packed, const std::string& path) {
  if (packing == Packing::gzip) return std::make_unique<Gunzip>(std::move(packed), path);
  return std::make_unique<Unzstd>(std::move(packed), path);
}

}  // namespace postern::owner
