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

#include "../lib/owner/src/csv_header.hpp"
#include "../lib/owner/src/csv_lines.hpp"
#include "../lib/owner/src/csv_rows.hpp"

namespace {

using namespace postern;

void demand(bool holds) {
  if (!holds) __builtin_trap();
}

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

using Rows = std::vector<std::vector<std::uint64_t>>;

Rows read(owner::LineFeed feed) {
  owner::RowEncoder encoder(plan());
  for (auto block = feed.next(); !block.empty(); block = feed.next()) encoder.add(feed.memory(), block);
  Rows rows(encoder.rows());
  for (std::size_t c = 0; c < plan().encoders.size(); ++c) {
    std::visit(
        [&](const auto& codes) {
          demand(codes.size() == rows.size());
          for (std::size_t i = 0; i < codes.size(); ++i) {
            demand(codes[i] < plan().encoders[c].levels());
            rows[i].push_back(codes[i]);
          }
        },
        encoder.columns()[c]);
  }
  demand(encoder.people().size() == rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].push_back(encoder.people()[i].high);
    rows[i].push_back(encoder.people()[i].low);
  }
  return rows;
}

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

void read_header(const std::string& content) {
  try {
    owner::LineFeed feed = make_feed(content, 0, 32);
    demand(!owner::take_header(feed, "file").empty());
  } catch (const Error& error) {
    demand(error.code() == ErrorCode::no_header);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const std::size_t at_a_time = 1 + data[0];
  const std::string content(data + 2, data + size);
  const Rows rows = read(make_feed(content, 0, 4096));
  demand(read(make_feed(content, 0, at_a_time)) == rows);
  demand(read_cut(content, 1 + data[1] % content.size(), at_a_time) == rows);
  std::size_t row = 0;
  for (std::size_t begin = 0; begin < content.size(); ++row) {
    const std::size_t end = std::min(content.find('\n', begin), content.size());
    demand(row < rows.size());
    const std::string line = content.substr(begin, end - begin) + "\n";
    if (row < 8) demand(read(make_feed(line, 0, 4096)) == Rows{rows[row]});
    begin = end + 1;
  }
  demand(row == rows.size());
  read_header(content);
  return 0;
}
