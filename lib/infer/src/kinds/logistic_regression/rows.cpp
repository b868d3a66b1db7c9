#include "rows.hpp"

#include <optional>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/infer/public_tally.hpp"

namespace postern::infer {

PublicRows encoded_rows(const std::vector<PublicColumn>& columns, const model::Study& study) {
  PublicTally tally(study);
  std::vector<std::int64_t> levels;
  std::vector<std::optional<std::string_view>> fields(columns.size());
  for (std::size_t row = 0; row < columns.front().size(); ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::optional<std::string>& text = columns[c][row];
      fields[c] = text ? std::optional<std::string_view>(*text) : std::nullopt;
    }
    if (!tally.add(fields)) continue;
    for (std::size_t c = 0; c < columns.size(); ++c) levels.push_back(tally.level(c));
  }
  PublicCounts out = tally.counts();
  out.counts = std::move(levels);
  return out;
}

std::vector<LabelledRow> labelled_rows(const PublicRows& rows, const model::Study& study) {
  const auto& model = study.model.get<model::LogisticRegression>();
  const std::vector<std::string> names = model::columns_of(study.model);
  const auto* encoded = std::get_if<PublicCounts>(&rows);
  if (encoded == nullptr || encoded->counts.size() % names.size() != 0)
    throw Error(ErrorCode::bad_option, {"public rows need a field for each of the model's columns"});
  const model::GradientEntries entries(model::gradient_at(model, {}), study.schema);
  std::vector<std::int64_t> w(entries.size());
  std::vector<std::uint32_t> record(names.size());
  std::vector<LabelledRow> out;
  for (std::size_t at = 0; at < encoded->counts.size(); at += names.size()) {
    for (std::size_t c = 0; c < names.size(); ++c) {
      const std::int64_t level = encoded->counts[at + c];
      if (level < 0 || level >= study.schema.at(names[c]).levels())
        throw Error(ErrorCode::bad_option,
                    {"public rows hold a level that column '", from_document(names[c]), "' does not have"});
      record[c] = static_cast<std::uint32_t>(level);
    }
    entries.fill(record, w);
    LabelledRow& row = out.emplace_back();
    for (const std::int64_t one : w)
      row.w.push_back(static_cast<double>(one) / static_cast<double>(model::kGradientSteps));
    row.y = record.back() == 1;
  }
  return out;
}

}  // namespace postern::infer
