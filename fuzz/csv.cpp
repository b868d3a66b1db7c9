// The CSV reader against hostile bytes. Every line is one record; its levels and its id are those it has when
// it is read alone, whatever stands around it, however the bytes are fetched and wherever a chunk is cut. No
// line is an error.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/model/schema.hpp"

#include "../lib/owner/src/records/csv/header.hpp"
#include "../lib/owner/src/records/csv/lines.hpp"
#include "../lib/owner/src/records/csv/rows.hpp"
#include "harness.hpp"

namespace {

using namespace postern;
using fuzz::demand;

const owner::RowPlan& plan() {
  static const owner::RowPlan kPlan = [] {
    owner::RowPlan plan;
    plan.fields = 3;
    plan.places = {0, 1, 2};
    owner::Entropy entropy;
    plan.id_place = 1;
    plan.key = std::make_shared<const owner::BoundingKey>(entropy);
    plan.encoders.emplace_back(model::Column{
        "a", model::Categories{{"x", "yes", "p,q", "u\"v", "\xC3\xA9", "a label of more than 16", "none"}},
        model::MapTo{6}, model::MapTo{0}, true});
    plan.encoders.emplace_back(
        model::Column{"b", model::IntegerRange{-5, 300, {}}, model::MapTo{1}, model::Clamp{}, true});
    plan.encoders.emplace_back(model::Column{"c",
                                             model::RealRange{Rational(-1), Rational(1), Rational(1, 8), {}},
                                             model::MapTo{2}, model::MapTo{3}, true});
    return plan;
  }();
  return kPlan;
}

owner::LineFeed make_feed(const std::string& content, std::size_t from, std::size_t at_a_time) {
  return owner::LineFeed(
      [&content, from](char* into, std::size_t bytes) mutable {
        const std::size_t count = content.copy(into, bytes, from);
        from += count;
        return count;
      },
      at_a_time);
}

/// Three levels and the two halves of a digest for every row, row after row.
constexpr std::size_t kWidth = 5;
using Rows = std::vector<std::uint64_t>;

Rows read(owner::LineFeed feed) {
  owner::RowEncoder encoder(plan());
  for (auto block = feed.next(); !block.empty(); block = feed.next()) encoder.add(feed.memory(), block);
  Rows rows(encoder.rows() * kWidth);
  for (std::size_t c = 0; c < plan().encoders.size(); ++c) {
    std::visit(
        [&](const auto& codes) {
          demand(codes.size() == encoder.rows());
          for (std::size_t i = 0; i < codes.size(); ++i) {
            demand(codes[i] < plan().encoders[c].levels());
            rows[i * kWidth + c] = codes[i];
          }
        },
        encoder.columns()[c]);
  }
  demand(encoder.people().size() == encoder.rows());
  for (std::size_t i = 0; i < encoder.rows(); ++i) {
    rows[i * kWidth + 3] = encoder.people()[i].high;
    rows[i * kWidth + 4] = encoder.people()[i].low;
  }
  return rows;
}

/// All of the bytes in one fetch.
Rows read_at_once(const std::string& content) { return read(make_feed(content, 0, content.size() + 1)); }

Rows read_cut(const std::string& content, std::size_t cut, std::size_t at_a_time) {
  owner::LineFeed before = make_feed(content, 0, at_a_time);
  before.stop_at(cut);
  Rows rows = read(std::move(before));
  owner::LineFeed behind = make_feed(content, cut - 1, at_a_time);
  behind.skip_line();
  const Rows rest = read(std::move(behind));
  rows.insert(rows.end(), rest.begin(), rest.end());
  return rows;
}

void read_line_by_line(const std::string& content, const Rows& rows) {
  constexpr std::size_t kAlone = 8;  // lines read alone; the others are only counted
  std::size_t row = 0;
  for (std::size_t begin = 0; begin < content.size(); ++row) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    demand((row + 1) * kWidth <= rows.size());
    if (row < kAlone) {
      const Rows alone = read_at_once(content.substr(begin, end - begin) + "\n");
      demand(std::equal(alone.begin(), alone.end(), rows.begin() + static_cast<std::ptrdiff_t>(row * kWidth),
                        rows.begin() + static_cast<std::ptrdiff_t>((row + 1) * kWidth)));
    }
    begin = end + 1;
  }
  demand(row * kWidth == rows.size());
}

void read_header(const std::string& content, std::size_t at_a_time) {
  try {
    owner::LineFeed feed = make_feed(content, 0, at_a_time);
    demand(!owner::take_header(feed, "file").empty());
  } catch (const Error& error) {
    demand(error.code() == ErrorCode::no_header);
  }
}

}  // namespace

/// Three bytes choose what is compared with reading all at once, how much is fetched at a time and where the
/// content is cut; the rest is the content.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return -1;
  const std::size_t at_a_time = std::size_t{1} + data[1];
  const std::string content(data + 3, data + size);
  const std::size_t way = data[0] % 8;
  if (way == 0) {
    read_header(content, at_a_time);
    return 0;
  }
  const Rows rows = read_at_once(content);
  if (way < 4) demand(read(make_feed(content, 0, at_a_time)) == rows);
  if (way == 4 || way == 5) demand(read_cut(content, 1 + data[2] % content.size(), at_a_time) == rows);
  if (way > 5) read_line_by_line(content, rows);
  return 0;
}
