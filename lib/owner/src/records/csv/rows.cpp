#include "rows.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "line.hpp"
#include "lines.hpp"

namespace postern::owner {

RowEncoder::RowEncoder(const RowPlan& plan) : plan_(plan) {
  for (const model::Encoder& encoder : plan.encoders) {
    may_drop_ = may_drop_ || encoder.may_drop();
    columns_.push_back(make_coded_column(encoder.levels()));
  }
  if (plan.id_place) digester_.emplace(*plan.key);
}

void RowEncoder::add(char* memory, std::span<char> block) {
  const auto begin = static_cast<std::size_t>(block.data() - memory);
  scan(memory, begin, begin + block.size(), plan_.delimiter, marks_);
  find_rows(memory, begin);
  copies_.assign(starts_.size(), 1);
  encode_plain_rows(memory);
  encode_asides();
  if (digester_) digest_ids(memory);
  rows_ += may_drop_ ? keep_copies() : starts_.size();
}

void RowEncoder::find_rows(char* memory, std::size_t begin) {
  starts_.resize(marks_.newline_count);
  firsts_.resize(marks_.newline_count);
  asides_.clear();
  aside_levels_.clear();
  aside_ids_.clear();
  std::uint32_t* const ends = marks_.ends.data();
  const std::uint32_t* const newlines = marks_.newlines.data();
  const std::uint32_t* const odd = marks_.odd.data();
  Line line;
  line.start = begin;
  std::size_t first = 0;  // the mark that ends the line's first field
  for (std::size_t row = 0; row < starts_.size(); ++row) {
    const std::size_t newline = newlines[row];
    const bool crlf = newline > line.start && memory[newline - 1] == '\r';
    line.end = newline - (crlf ? 1 : 0);
    while (line.last_odd < marks_.odd_count && odd[line.last_odd] < newline) ++line.last_odd;
    std::size_t last = first + plan_.fields - 1;
    line.counted = last < marks_.end_count && ends[last] == newline;
    starts_.data()[row] = static_cast<std::uint32_t>(line.start);
    firsts_.data()[row] = static_cast<std::uint32_t>(first);
    if (!line.counted)
      last = static_cast<std::size_t>(std::find(ends + first, ends + marks_.end_count, newline) - ends);
    if (const Verdict verdict = judge(memory, line); verdict != Verdict::plain) {
      set_aside(memory, line, row, verdict);
    } else {
      ends[last] = static_cast<std::uint32_t>(line.end);
    }
    first = last + 1;
    line.start = newline + 1;
    line.first_odd = line.last_odd;
  }
}

RowEncoder::Verdict RowEncoder::judge(const char* memory, const Line& line) const {
  const std::size_t size = line.end - line.start;
  if (size == 0 || size > kLongestLine) return Verdict::bad;
  const Verdict by_count = line.counted ? Verdict::plain : Verdict::bad;
  if (line.first_odd == line.last_odd) return by_count;
  bool quotes = false;
  bool ascii = true;
  for (std::size_t i = line.first_odd; i < line.last_odd; ++i) {
    const char byte = memory[marks_.odd[i]];
    if (byte == '\0') return Verdict::bad;
    quotes = quotes || byte == '"';
    ascii = ascii && byte == '"';
  }
  if (!ascii && !is_utf8({memory + line.start, size})) return Verdict::bad;
  return !quotes || has_neat_quotes(memory, line) ? by_count : Verdict::careful;
}

/// Whether quotes only stand around whole fields that hold no delimiter: then delimiters alone separate the
/// fields.
bool RowEncoder::has_neat_quotes(const char* memory, const Line& line) const {
  const auto next_quote = [&](std::size_t i) {
    while (i < line.last_odd && memory[marks_.odd[i]] != '"') ++i;
    return i;
  };
  for (std::size_t i = next_quote(line.first_odd); i < line.last_odd; i = next_quote(i + 1)) {
    const std::size_t open = marks_.odd[i];
    i = next_quote(i + 1);
    if (i == line.last_odd) return false;
    const std::size_t close = marks_.odd[i];
    const bool opens = open == line.start || memory[open - 1] == plan_.delimiter;
    const bool closes = close + 1 == line.end || memory[close + 1] == plan_.delimiter;
    if (!opens || !closes || std::memchr(memory + open, plan_.delimiter, close - open) != nullptr)
      return false;
  }
  return true;
}

void RowEncoder::set_aside(char* memory, const Line& line, std::size_t row, Verdict verdict) {
  const bool good = verdict == Verdict::careful &&
                    split_line(memory + line.start, memory + line.end, plan_.delimiter, split_) &&
                    split_.size() == plan_.fields;
  asides_.push_back({row, !good});
  if (digester_) aside_ids_.push_back(good ? PersonId(split_[*plan_.id_place]) : PersonId());
  if (!good) return;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    aside_levels_.push_back(plan_.encoders[c].encode(model::Field(split_[plan_.places[c]])));
  }
}

void RowEncoder::encode_plain_rows(const char* memory) {
  const std::size_t count = starts_.size();
  const auto encode_run = [&](std::size_t c, auto* codes, std::size_t begin, std::size_t end) {
    if (begin == end) return;
    const model::FieldBlock run(memory, std::span(starts_).subspan(begin, end - begin),
                                std::span(firsts_).subspan(begin, end - begin), marks_.ends);
    plan_.encoders[c].encode(run, plan_.places[c], codes + begin, copies_.data() + begin);
  };
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::visit(
        [&](auto& codes) {
          codes.resize(rows_ + count);
          std::size_t begin = 0;
          for (const Aside& aside : asides_) {
            encode_run(c, codes.data() + rows_, begin, aside.row);
            begin = aside.row + 1;
          }
          encode_run(c, codes.data() + rows_, begin, count);
        },
        columns_[c]);
  }
}

void RowEncoder::encode_asides() {
  std::size_t next = 0;
  for (const Aside& aside : asides_) {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::uint32_t level = aside.bad ? plan_.encoders[c].missing() : aside_levels_[next++];
      if (level == model::kDropped) copies_[aside.row] = 0;
      std::visit(
          [&](auto& codes) {
            using Level = typename std::decay_t<decltype(codes)>::value_type;
            codes[rows_ + aside.row] = level == model::kDropped ? Level{0} : static_cast<Level>(level);
          },
          columns_[c]);
    }
  }
}

/// The places are those of model::FieldBlock. A bad line is nobody's.
void RowEncoder::digest_ids(const char* memory) {
  const std::size_t place = *plan_.id_place;
  const std::uint32_t* const ends = marks_.ends.data();
  ids_.resize(starts_.size());
  auto aside = asides_.begin();
  for (std::size_t row = 0; row < ids_.size(); ++row) {
    if (aside != asides_.end() && aside->row == row) {
      ids_[row] = aside_ids_[static_cast<std::size_t>(aside++ - asides_.begin())];
      continue;
    }
    const std::size_t mark = firsts_[row] + place;
    const std::size_t begin = place == 0 ? starts_[row] : ends[mark - 1] + std::size_t{1};
    const std::size_t quoted = memory[begin] == '"' ? 1 : 0;
    ids_[row] = PersonId({memory + begin + quoted, ends[mark] - begin - 2 * quoted});
  }
  people_.resize(rows_ + ids_.size());
  digester_->digest(ids_, std::span(people_).subspan(rows_));
}

template <class Code>
void RowEncoder::keep_copies(Wiped<Code>& column, std::size_t total) {
  const Wiped<Code> block(column.begin() + static_cast<std::ptrdiff_t>(rows_), column.end());
  column.resize(rows_ + total);
  auto* out = column.data() + rows_;
  for (std::size_t i = 0; i < block.size(); ++i) out = std::fill_n(out, copies_[i], block[i]);
}

/// Leaves each row of the block as often as it counts, and returns how many rows that makes.
std::size_t RowEncoder::keep_copies() {
  const std::size_t total = std::accumulate(copies_.begin(), copies_.end(), std::size_t{0});
  for (CodedColumn& column : columns_) {
    std::visit([&](auto& codes) { keep_copies(codes, total); }, column);
  }
  if (digester_) keep_copies(people_, total);
  return total;
}

}  // namespace postern::owner
