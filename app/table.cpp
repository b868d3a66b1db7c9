#include "table.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "text.hpp"

namespace postern::app {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;  // a text column is not cut below this

constexpr std::size_t kProse = 40;  // columns that sentences get at least, when others must be cut for them

std::string padded(const std::string& cell, std::size_t width, Align align) {
  const std::string text = cut_to_width(cell, width);
  const std::string space(width - display_width(text), ' ');
  return align == Align::left ? text + space : space + text;
}

}  // namespace

TextTable& TextTable::column(const std::string& title, Align align) {
  titles_.push_back(title);
  aligns_.push_back(align);
  return *this;
}

void TextTable::row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

std::size_t TextTable::telling_width(std::size_t column, std::size_t width) const {
  std::set<std::string> texts;
  for (const auto& row : rows_) texts.insert(row[column]);
  for (;; ++width) {
    std::set<std::string> seen;
    for (const std::string& text : texts) seen.insert(cut_to_width(text, width));
    if (seen.size() == texts.size()) return width;
  }
}

std::vector<std::size_t> TextTable::widths(std::size_t limit) const {
  std::vector<std::size_t> widths;
  for (std::size_t j = 0; j < titles_.size(); ++j) {
    std::size_t width = display_width(titles_[j]);
    for (const auto& row : rows_) width = std::max(width, display_width(row[j]));
    widths.push_back(aligns_[j] == Align::prose ? std::min(width, kProse) : width);
  }
  const auto total = [&] {
    return std::accumulate(widths.begin(), widths.end(),
                           kGap * (std::max<std::size_t>(widths.size(), 1) - 1));
  };
  while (total() > limit) {
    std::size_t* widest = nullptr;
    for (std::size_t j = 0; j < widths.size(); ++j) {
      if (aligns_[j] == Align::left && widths[j] > kNarrowest && (widest == nullptr || widths[j] > *widest)) {
        widest = &widths[j];
      }
    }
    if (widest == nullptr) break;
    --*widest;
  }
  for (std::size_t j = 0; j < widths.size(); ++j) {
    if (aligns_[j] == Align::left) widths[j] = telling_width(j, widths[j]);
  }
  return widths;
}

std::string TextTable::text(std::size_t width) const {
  const std::vector<std::size_t> wide = widths(width);
  const auto line = [&](const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t j = 0; j < cells.size(); ++j) {
      if (j > 0) out += std::string(kGap, ' ');
      const bool prose = aligns_[j] == Align::prose;
      out += prose ? wrap(cells[j], width, display_width(out)) : padded(cells[j], wide[j], aligns_[j]);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + '\n';
  };
  std::string out = line(titles_);
  for (const auto& row : rows_) out += line(row);
  return out;
}

}  // namespace postern::app
