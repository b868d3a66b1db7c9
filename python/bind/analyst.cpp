#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "postern/assess/calibrate.hpp"
#include "postern/assess/mechanisms.hpp"
#include "postern/assess/outlook.hpp"
#include "postern/infer/analysis.hpp"
#include "postern/infer/difference.hpp"
#include "postern/infer/foresight.hpp"
#include "postern/infer/model_file.hpp"
#include "postern/infer/posterior_files.hpp"
#include "postern/infer/public_rows.hpp"
#include "postern/infer/round_fit.hpp"
#include "postern/infer/warnings/proportion.hpp"
#include "postern/model/plan.hpp"
#include "postern/model/planning_law.hpp"
#include "postern/release/document.hpp"

#include "common.hpp"
#include "interruptible.hpp"
#include "network.hpp"
#include "predict.hpp"
#include "view.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace postern::bind {
namespace {

infer::ImpliedNoise implied_noise_from(const nb::dict& fact) {
  infer::ImpliedNoise out;
  out.chance = nb::cast<double>(fact["chance"]);
  out.tests = nb::cast<std::size_t>(fact["tests"]);
  for (const nb::handle one : nb::cast<nb::list>(fact["blocks"])) {
    out.blocks.push_back({nb::cast<std::string>(one["block"]), nb::cast<std::size_t>(one["values"]),
                          nb::cast<double>(one["size"]), nb::cast<double>(one["sum"]),
                          nb::cast<double>(one["deviations"]), nb::cast<std::string>(one["worst"]),
                          nb::cast<double>(one["chance"]), nb::cast<bool>(one["by_sum"]),
                          nb::cast<double>(one["worst_deviations"])});
  }
  return out;
}

/// What posterior.json says, into the posterior that said it.
infer::Posterior from_facts(const nb::dict& facts) {
  const auto optional = [&](const char* key) -> nb::object { return facts.get(key, nb::none()); };
  infer::Posterior out;
  out.engine = nb::cast<std::string>(facts["engine"]);
  out.reason = nb::cast<std::string>(facts["reason"]);
  out.names = nb::cast<std::vector<std::string>>(facts["names"]);
  out.labels = nb::cast<std::vector<std::string>>(facts["labels"]);
  out.notes = nb::cast<std::vector<std::string>>(facts["notes"]);
  out.seed = nb::cast<std::uint64_t>(facts["seed"]);
  out.releases = nb::cast<std::vector<std::string>>(facts["releases"]);
  out.prior = nb::cast<std::optional<std::string>>(optional("prior"));
  out.public_rows = nb::cast<std::optional<std::int64_t>>(optional("public_rows"));
  if (facts.contains("cut")) out.cut = nb::cast<std::vector<std::string>>(facts["cut"]);
  out.log_evidence = nb::cast<std::optional<double>>(optional("log_evidence"));
  if (facts.contains("implied_noise"))
    out.implied_noise = implied_noise_from(nb::cast<nb::dict>(facts["implied_noise"]));
  for (const nb::handle column : nb::cast<nb::list>(facts.get("table", nb::list()))) {
    out.table.push_back(
        {nb::cast<std::string>(column["column"]), nb::cast<std::vector<std::string>>(column["levels"])});
  }
  for (const nb::handle warning : nb::cast<nb::list>(facts.get("warnings", nb::list()))) {
    out.warnings.push_back({nb::cast<std::string>(warning["name"]), nb::cast<std::string>(warning["text"])});
  }
  return out;
}

using ChainDraws = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using SummaryCells = std::tuple<std::string, std::string, double, double, double, double, double,
                                std::optional<double>, std::optional<double>>;
using AlternativeCells = std::tuple<double, std::vector<SummaryCells>>;

std::vector<infer::SummaryRow> summary_rows(const std::vector<SummaryCells>& table) {
  std::vector<infer::SummaryRow> rows;
  for (const SummaryCells& row : table)
    rows.push_back(std::apply([](const auto&... cells) { return infer::SummaryRow{cells...}; }, row));
  return rows;
}

/// The public rows that were taken: counts by cell, or n, sum and sum of squares.
std::optional<std::vector<std::int64_t>> public_counts(const infer::Posterior& posterior) {
  if (!posterior.public_data) return std::nullopt;
  const auto* counts = std::get_if<infer::PublicCounts>(&*posterior.public_data);
  return counts == nullptr ? std::nullopt : std::optional(counts->counts);
}
std::optional<std::vector<double>> public_sums(const infer::Posterior& posterior) {
  if (!posterior.public_data) return std::nullopt;
  const auto* rows = std::get_if<infer::PublicSums>(&*posterior.public_data);
  if (rows == nullptr) return std::nullopt;
  return std::vector<double>{rows->sums.n, rows->sums.t, rows->sums.squares};
}

/// A posterior from what a pickle holds of it.
infer::Posterior restore(const nb::typed<nb::dict, nb::str, nb::object>& facts,
                         const std::vector<SummaryCells>& summary,
                         const std::vector<AlternativeCells>& sensitivity,
                         const std::vector<ChainDraws>& draws, const std::vector<std::string>& documents,
                         const std::optional<std::vector<std::int64_t>>& public_counts,
                         const std::optional<std::vector<double>>& public_sums) {
  infer::Posterior out = from_facts(facts);
  out.documents = documents;
  if (public_counts) out.public_data = infer::PublicCounts{*public_counts, out.public_rows.value_or(0)};
  if (public_sums)
    out.public_data = infer::PublicSums{{public_sums->at(0), public_sums->at(1), public_sums->at(2)}};
  out.chains = draws.size();
  out.iterations = draws.at(0).shape(1);
  for (const ChainDraws& chain : draws) out.draws.emplace_back(chain.data(), chain.data() + chain.size());
  out.summary = summary_rows(summary);
  for (const auto& [prior_times, table] : sensitivity)
    out.sensitivity.push_back({prior_times, summary_rows(table)});
  return out;
}

void bind_posterior(nb::module_& m) {
  nb::class_<infer::SummaryRow>(m, "SummaryRow")
      .def_ro("name", &infer::SummaryRow::name)
      .def_ro("label", &infer::SummaryRow::label)
      .def_ro("mean", &infer::SummaryRow::mean)
      .def_ro("sd", &infer::SummaryRow::sd)
      .def_ro("q05", &infer::SummaryRow::q05)
      .def_ro("q50", &infer::SummaryRow::q50)
      .def_ro("q95", &infer::SummaryRow::q95)
      .def_ro("ess", &infer::SummaryRow::ess)
      .def_ro("rhat", &infer::SummaryRow::rhat);
  nb::class_<infer::Alternative>(m, "Alternative")
      .def_ro("prior_times", &infer::Alternative::prior_times)
      .def_ro("summary", &infer::Alternative::summary);
  nb::class_<Warning>(m, "Warning").def_ro("name", &Warning::name).def_ro("text", &Warning::text);
  nb::class_<infer::Posterior>(m, "Posterior")
      .def_ro("names", &infer::Posterior::names)
      .def_ro("labels", &infer::Posterior::labels)
      .def_ro("chains", &infer::Posterior::chains)
      .def_ro("iterations", &infer::Posterior::iterations)
      .def_ro("summary", &infer::Posterior::summary)
      .def_ro("engine", &infer::Posterior::engine)
      .def_ro("reason", &infer::Posterior::reason)
      .def_ro("sensitivity", &infer::Posterior::sensitivity)
      .def_ro("warnings", &infer::Posterior::warnings)
      .def_ro("notes", &infer::Posterior::notes)
      .def_ro("cut", &infer::Posterior::cut)
      .def_ro("log_evidence", &infer::Posterior::log_evidence)
      .def_static("restore", &restore, "facts"_a, "summary"_a, "sensitivity"_a, "draws"_a, "documents"_a,
                  "public_counts"_a.none(), "public_sums"_a.none())
      .def_static("read", &infer::read_posterior, "folder"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_ro("documents", &infer::Posterior::documents)
      .def_prop_ro("public_counts", &public_counts)
      .def_prop_ro("public_sums", &public_sums)
      .def("facts", &infer::posterior_facts)
      .def("model_files",
           [](const infer::Posterior& posterior) {
             std::map<std::string, std::string> files;
             for (infer::ModelFile& file : infer::model_files(posterior))
               files.emplace(std::move(file.name), std::move(file.text));
             return files;
           })
      .def(
          "draws",
          [](const infer::Posterior& posterior, std::size_t chain) {
            return view(posterior, posterior.draws.at(chain), {posterior.names.size(), posterior.iterations});
          },
          "chain"_a)
      .def(
          "output_warnings",
          [](const infer::Posterior& posterior, const std::string& format) {
            return infer::output_warnings(posterior, infer::parse_draws_format(format));
          },
          "format"_a)
      .def(
          "write",
          [](const infer::Posterior& posterior, const std::string& folder, bool force,
             const std::string& format) {
            infer::write_posterior(posterior, folder, force, infer::parse_draws_format(format));
          },
          "folder"_a, "force"_a, "format"_a, nb::call_guard<nb::gil_scoped_release>());
}

void bind_difference(nb::module_& m) {
  nb::class_<infer::Difference>(m, "Difference")
      .def_ro("summary", &infer::Difference::summary)
      .def("draws", [](const infer::Difference& difference) {
        return view(difference, difference.draws, {difference.draws.size()});
      });
  m.def("difference", &infer::difference, "a"_a, "b"_a, "query"_a, nb::call_guard<nb::gil_scoped_release>());
}

/// Public records as the model takes them; Python only passes them on.
struct ReadRows {
  infer::PublicRows rows;
};

void bind_infer(nb::module_& m) {
  nb::class_<ReadRows>(m, "PublicRows");
  m.def(
      "read_public_rows",
      [](const std::vector<infer::PublicColumn>& columns, const model::Study& study) {
        return ReadRows{infer::read_public_rows(columns, study)};
      },
      "columns"_a, "study"_a);
  m.def(
      "infer",
      [](std::vector<release::Release> releases, const std::vector<std::string>& sources,
         const std::string& engine, const std::optional<std::string>& prior,
         const std::vector<std::string>& queries, const ReadRows* public_rows, bool sensitivity, int chains,
         std::size_t draws, std::uint64_t seed, int threads, std::size_t memory_limit,
         const std::string& estimator) {
        infer::InferOptions options{.estimator = estimator,
                                    .chains = chains,
                                    .draws = draws,
                                    .seed = seed,
                                    .threads = threads,
                                    .prior = {},
                                    .public_rows = {},
                                    .memory_limit = memory_limit};
        for (std::size_t i = 0; i < releases.size(); ++i) releases[i].source = sources.at(i);
        if (public_rows != nullptr) options.public_rows = public_rows->rows;
        return interruptible([&](const Conversation& conversation) {
          return infer::analyse(releases, {engine, prior, queries, sensitivity}, options, conversation);
        });
      },
      "releases"_a, "sources"_a, "engine"_a, "prior"_a.none(), "queries"_a, "public_rows"_a.none(),
      "sensitivity"_a, "chains"_a, "draws"_a, "seed"_a, "threads"_a, "memory_limit"_a, "estimator"_a);
  m.def(
      "planned_proportion",
      [](const model::Study& study, const model::NoisePlan& plan, std::optional<std::int64_t> n) {
        return infer::planned_proportion(study, plan.measurement, n);
      },
      "study"_a, "plan"_a, "n"_a.none());
}

void bind_outlook(nb::module_& m) {
  m.def(
      "truths_text", [](const model::Study& study) { return model::truths_text(study.model); }, "study"_a);
  nb::class_<assess::WidthRow>(m, "WidthRow")
      .def_ro("label", &assess::WidthRow::label)
      .def_ro("prior", &assess::WidthRow::prior)
      .def_ro("q25", &assess::WidthRow::q25)
      .def_ro("median", &assess::WidthRow::median)
      .def_ro("q75", &assess::WidthRow::q75)
      .def_ro("expected", &assess::WidthRow::expected)
      .def_ro("without_noise", &assess::WidthRow::without_noise);
  nb::class_<assess::Outlook>(m, "Outlook")
      .def_ro("bytes", &assess::Outlook::bytes)
      .def_ro("most_draws", &assess::Outlook::most_draws)
      .def_prop_ro("rows", [](const assess::Outlook& outlook) { return outlook.width.rows; })
      .def_prop_ro("simulations", [](const assess::Outlook& outlook) { return outlook.width.draws; })
      .def_prop_ro("close_to_prior",
                   [](const assess::Outlook& outlook) { return outlook.width.close_to_prior(); })
      .def_prop_ro("ruled_by_the_prior",
                   [](const assess::Outlook& outlook) { return outlook.width.ruled_by_the_prior(); })
      .def_prop_ro("outside", [](const assess::Outlook& outlook) { return outlook.width.outside; })
      .def_prop_ro("seconds", [](const assess::Outlook& outlook) { return outlook.width.seconds; });
  m.def(
      "look_ahead",
      [](const model::Study& study, const model::NoisePlan& plan, std::optional<std::int64_t> n,
         std::optional<std::int64_t> simulations, std::optional<double> seconds,
         std::optional<std::string> at, std::uint64_t seed, int threads) {
        const assess::OutlookOptions options{n, simulations, seconds, std::move(at), seed, threads};
        return interruptible([&](const Conversation& conversation) {
          return assess::look_ahead(study, plan, options, conversation);
        });
      },
      "study"_a, "plan"_a, "n"_a.none(), "simulations"_a.none(), "seconds"_a.none(), "at"_a.none(), "seed"_a,
      "threads"_a);
  nb::class_<assess::MechanismOutlook>(m, "MechanismOutlook")
      .def_prop_ro("mechanism",
                   [](const assess::MechanismOutlook& row) { return std::string(to_text(row.mechanism)); })
      .def_prop_ro("cost", [](const assess::MechanismOutlook& row) { return row.cost.text(); })
      .def_ro("loss", &assess::MechanismOutlook::loss)
      .def_ro("loss_error", &assess::MechanismOutlook::loss_error)
      .def_ro("bound", &assess::MechanismOutlook::bound)
      .def_ro("limit", &assess::MechanismOutlook::limit)
      .def_ro("refused", &assess::MechanismOutlook::refused);
  nb::class_<assess::MechanismComparison>(m, "MechanismComparison")
      .def_ro("rows", &assess::MechanismComparison::rows)
      .def_ro("without_noise", &assess::MechanismComparison::without_noise)
      .def_ro("studies", &assess::MechanismComparison::studies)
      .def_prop_ro("recommended",
                   [](const assess::MechanismComparison& comparison) {
                     return std::string(to_text(comparison.recommended));
                   })
      .def_ro("reason", &assess::MechanismComparison::reason);
  m.def(
      "round_table",
      [](const std::string& document) {
        const release::Release so_far = release::parse_document(document);
        const release::Fit fit = infer::round_fit(so_far.study);
        const std::vector<Int128> table = fit ? fit(so_far) : std::vector<Int128>();
        return std::vector<std::int64_t>(table.begin(), table.end());
      },
      "document"_a, nb::call_guard<nb::gil_scoped_release>());
  m.def("foreseen_refusal", &infer::foreseen_refusal, "study"_a, "plan"_a, "n"_a.none(),
        nb::call_guard<nb::gil_scoped_release>());
  m.def(
      "compare_mechanisms",
      [](const model::Study& study, std::optional<std::string> epsilon, std::optional<std::string> rho,
         std::optional<std::int64_t> n, std::optional<std::string> at, std::uint64_t seed, int threads) {
        const model::BudgetRequest budget{std::move(epsilon), std::move(rho), {}, {}};
        const assess::CompareOptions options{n, std::move(at), seed, threads};
        return interruptible([&](const Conversation& conversation) {
          return assess::compare_mechanisms(study, budget, options, conversation);
        });
      },
      "study"_a, "epsilon"_a.none(), "rho"_a.none(), "n"_a.none(), "at"_a.none(), "seed"_a, "threads"_a);
}

void bind_calibrate(nb::module_& m) {
  nb::class_<assess::QuantityCalibration>(m, "QuantityCalibration")
      .def_ro("name", &assess::QuantityCalibration::name)
      .def_ro("label", &assess::QuantityCalibration::label)
      .def_ro("ks", &assess::QuantityCalibration::ks)
      .def_ro("coverage_50", &assess::QuantityCalibration::coverage_50)
      .def_ro("coverage_90", &assess::QuantityCalibration::coverage_90)
      .def_ro("coverage_95", &assess::QuantityCalibration::coverage_95)
      .def_prop_ro("histogram",
                   [](const assess::QuantityCalibration& quantity) {
                     const auto& bins = quantity.histogram.bins;
                     return std::vector<std::size_t>(bins.begin(), bins.end());
                   })
      .def("ranks", [](const assess::QuantityCalibration& quantity) {
        return view(quantity, quantity.ranks, {quantity.ranks.size()});
      });
  nb::class_<assess::Calibration>(m, "Calibration")
      .def_ro("quantities", &assess::Calibration::quantities)
      .def_ro("studies", &assess::Calibration::studies)
      .def_ro("truths", &assess::Calibration::truths)
      .def_ro("cut", &assess::Calibration::cut)
      .def("ranks_are_even", &assess::Calibration::ranks_are_even)
      .def_ro("notes", &assess::Calibration::notes)
      .def("ks_limit", &assess::Calibration::ks_limit)
      .def("passed", &assess::Calibration::passed)
      .def("verdict", &assess::Calibration::verdict);
  m.attr("calibration_alpha") = assess::kCalibrationAlpha;
  m.def(
      "calibrate",
      [](const model::Study& study, const model::NoisePlan& plan, std::size_t studies, std::size_t draws,
         std::optional<std::int64_t> n, const std::string& engine, std::uint64_t seed, int threads) {
        const assess::CalibrateOptions options{studies, draws, n, infer::parse_engine(engine), seed, threads};
        return interruptible([&](const Conversation& conversation) {
          return assess::calibrate(study, plan, options, conversation);
        });
      },
      "study"_a, "plan"_a, "studies"_a, "draws"_a, "n"_a.none(), "engine"_a, "seed"_a, "threads"_a);
}

}  // namespace

NB_MODULE(_analyst, m) {
  bind_common(m);
  bind_posterior(m);
  bind_difference(m);
  bind_infer(m);
  bind_predict(m);
  bind_synthesize(m);
  bind_network(m);
  bind_outlook(m);
  bind_calibrate(m);
}

}  // namespace postern::bind
