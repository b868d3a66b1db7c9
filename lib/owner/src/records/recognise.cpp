#include "postern/core/error.hpp"

#include "unpack.hpp"

namespace postern::owner {
namespace {

using namespace std::string_view_literals;

[[noreturn]] void refuse(const std::string& path, const Piece& what) {
  throw Error(ErrorCode::input_unreadable, {"'", from_option(path), "' is ", what});
}

/// Text of two bytes a character, with its mark or, in a header's first letter, without.
bool is_utf16(std::string_view first) {
  return first.starts_with("\xFF\xFE"sv) || first.starts_with("\xFE\xFF"sv) ||
         (first.size() > 1 && (first[0] == '\0') != (first[1] == '\0'));
}

bool is_parquet(std::string_view first) {  // a header may well begin with the letters
  return first.starts_with("PAR1"sv) && first.size() > 4 && static_cast<unsigned char>(first[4]) < 0x20 &&
         first[4] != '\n' && first[4] != '\r' && first[4] != '\t';
}

}  // namespace

Packing recognise(std::string_view first, const std::string& path) {
  if (first.starts_with("\x1F\x8B"sv)) return Packing::gzip;
  if (first.starts_with("\x28\xB5\x2F\xFD"sv)) return Packing::zstd;
  if (first.starts_with("PK\x03\x04"sv))
    refuse(path, "a spreadsheet (.xlsx, .ods) or another zip archive; save the table as CSV first");
  if (first.starts_with("\xD0\xCF\x11\xE0"sv))
    refuse(path, "an old spreadsheet (.xls); save the table as CSV first");
  if (first.starts_with("SQLite format 3"sv))
    refuse(path, "a SQLite database; export the table as CSV first (sqlite3 -header -csv)");
  if (is_parquet(first)) refuse(path, "a Parquet file; name it .parquet, or say so with --format");
  if (first.starts_with("ARROW1\0"sv) || first.starts_with("\xFF\xFF\xFF\xFF"sv))
    refuse(path, "an Arrow file; name it .arrow, or say so with --format");
  if (first.starts_with("\xFD\x37zXZ"sv) ||
      (first.starts_with("BZh"sv) && first.substr(4).starts_with("1AY&SY")))
    refuse(path, "packed by xz or bzip2; unpack it first (gzip and zstd are read as they are)");
  if (is_utf16(first)) refuse(path, "UTF-16 text; convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8)");
  return Packing::none;
}

}  // namespace postern::owner
