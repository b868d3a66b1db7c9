#include "tell.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/printable.hpp"
#include "postern/infer/kind.hpp"
#include "postern/infer/public_rows.hpp"
#include "postern/infer/warnings/declared.hpp"
#include "postern/infer/warnings/proportion.hpp"
#include "postern/release/foreign.hpp"

namespace postern::infer {
namespace {

/// Of what one release measures.
Evidence evidence_in(const release::Release& release, const SeenN& n) {
  Evidence out = evidence_of(release.measurement(), release.study.schema, n);
  if (!release.foreign) return out;
  for (const model::ForeignBlock& block : release.foreign->blocks) {
    const std::size_t cells = block.statistic.kind().cells(block.statistic, release.study.schema);
    if (cells == 0) continue;
    out.cells = std::max(out.cells, static_cast<double>(cells));
    out.noise_sd = std::max(out.noise_sd, std::sqrt(release::variance(release::noise_law(block))));
  }
  return out;
}

/// Several releases of one record set are several looks at its cells.
Evidence evidence_of_set(const release::RecordSet& set) {
  const SeenN n = seen_n(set);
  Evidence out{n, 0, n, 0};
  double precision = 0;
  for (const release::Release* release : set) {
    const Evidence one = evidence_in(*release, n);
    out.cells = one.cells;
    precision += 1 / (one.noise_sd * one.noise_sd);
  }
  out.noise_sd = out.cells > 0 ? 1 / std::sqrt(precision) : 0;
  return out;
}

/// How many times the count of an average cell the noise is.
double noisiness(const Evidence& evidence) {
  return evidence.cells * evidence.noise_sd / std::max(evidence.table_records.likely_most, 1e-9);
}

/// Of records that are counted apart.
SeenN together(const SeenN& a, const SeenN& b) {
  SeenN out(a.about + b.about);
  out.noise_sd = std::hypot(a.noise_sd, b.noise_sd);
  out.likely_most = a.likely_most + b.likely_most;
  return out;
}

}  // namespace

std::vector<Warning> contradictions_in(const std::vector<release::RecordSet>& sets) {
  std::vector<Warning> out;
  for (const release::RecordSet& set : sets) {
    for (const Warning& warning : contradictions(set)) {
      const std::string whose = sets.size() > 1 ? "dataset " + set.front()->study.dataset + ": " : "";
      out.push_back({warning.name, printable(whose + warning.text)});
    }
  }
  return out;
}

void explain(const Error& refusal, const Warning& warning) {
  throw Error(refusal.code(),
              {quote(refusal.what(), 600), "; ", quote(warning.name, 40), ": ", quote(warning.text, 600)});
}

std::string engines_that_fit(const std::vector<release::RecordSet>& sets) {
  return "--engine " + engines_text(kind_of(sets.front().front()->study.model).engines(sets));
}

void suggest(const Error& refusal, const std::vector<release::RecordSet>& sets) {
  throw Error(refusal.code(), {quote(refusal.what(), 600), "; take ", quote(engines_that_fit(sets), 60)});
}

std::vector<Warning> warnings_about(const std::vector<release::RecordSet>& sets,
                                    const InferOptions& options) {
  std::vector<Warning> out;
  Evidence evidence;
  for (const release::RecordSet& set : sets) {
    const Evidence one = evidence_of_set(set);
    const SeenN records = together(evidence.records, one.records);
    if (noisiness(one) >= noisiness(evidence)) evidence = one;
    evidence.records = records;
  }
  if (options.public_rows) {
    out = public_row_warnings(*options.public_rows);
    const auto rows = static_cast<double>(rows_taken(*options.public_rows));
    evidence.records = together(evidence.records, SeenN(rows));
  }
  model::Model model = sets.front().front()->study.model;
  if (options.prior) model = model.kind().with_prior(model, *options.prior);
  for (Warning& warning : out_of_proportion(model, evidence)) out.push_back(std::move(warning));
  return out;
}

}  // namespace postern::infer
