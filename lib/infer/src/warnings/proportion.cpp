#include "postern/infer/warnings/proportion.hpp"

#include <algorithm>
#include <string>

#include "postern/infer/kind.hpp"
#include "postern/release/noise_law.hpp"

#include "posterior/words.hpp"

namespace postern::infer {
namespace {

/// "about 500"; of a private n "likely at most 580", and how little that says.
std::string records_text(const SeenN& n) {
  if (n.noise_sd == 0) return "about " + whole_text(n.about);
  std::string text = "likely at most " + whole_text(n.likely_most);
  if (n.hardly_known())
    text += " (n itself is hardly known: the noise of its total has standard deviation " +
            short_text(n.noise_sd) + ")";
  return text;
}

Warning prior_warning(double prior, const SeenN& records) {
  return {"prior-outweighs-data", "the prior is worth " + short_text(prior) + " records, and the data are " +
                                      records_text(records) +
                                      ": the answer is mostly the prior's. State a weaker prior, merge "
                                      "levels of a table, or look at the answer under other priors "
                                      "(--sensitivity)"};
}

Warning noise_warning(const Evidence& evidence) {
  const SeenN& n = evidence.table_records;
  std::string text = "the noise of a cell has standard deviation " + short_text(evidence.noise_sd);
  if (n.hardly_known()) {
    text += ", and that of the total, " + short_text(n.noise_sd) +
            ", is more than the total itself: n is hardly known, and single cells say little";
  } else {
    text += ", and an average cell counts " + std::string(n.noise_sd > 0 ? "likely at most " : "") +
            short_text(n.likely_most / evidence.cells) + " records: single cells say little";
  }
  return {"noise-outweighs-counts", text + ". Merge levels, or spend more on a release"};
}

}  // namespace

Evidence evidence_of(const model::Measurement& measurement, const model::Schema& schema, const SeenN& n) {
  Evidence out{n, 0, n, 0};
  for (const model::Block& block : measurement.blocks) {
    const std::size_t cells = block.statistic.kind().cells(block.statistic, schema);
    if (cells == 0) continue;
    out.cells = std::max(out.cells, static_cast<double>(cells));
    out.noise_sd = std::max(out.noise_sd, release::noise_sd(block.noise).value_or(0));
  }
  return out;
}

std::vector<Warning> out_of_proportion(const model::Model& model, const Evidence& evidence) {
  std::vector<Warning> out;
  const double prior = model.kind().prior_records(model);
  if (prior > evidence.records.likely_most) out.push_back(prior_warning(prior, evidence.records));
  const SeenN& n = evidence.table_records;
  if (evidence.cells > 0 && (n.hardly_known() || evidence.noise_sd > n.likely_most / evidence.cells))
    out.push_back(noise_warning(evidence));
  return out;
}

std::vector<Warning> planned_proportion(const model::Study& study, const model::Measurement& measurement,
                                        std::optional<std::int64_t> n) {
  if (!n) n = study.privacy.n_at_most;
  if (!n || !study.model.kind().has_posterior()) return {};
  std::vector<Warning> out =
      out_of_proportion(study.model, evidence_of(measurement, study.schema, SeenN(static_cast<double>(*n))));
  for (Warning& own : kind_of(study.model).planned_warnings(study, measurement, *n))
    out.push_back(std::move(own));
  return out;
}

}  // namespace postern::infer
