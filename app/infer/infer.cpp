#include <algorithm>
#include <filesystem>
#include <iostream>

#include "postern/core/error.hpp"
#include "postern/infer/analysis.hpp"
#include "postern/infer/posterior_files.hpp"

#include "command.hpp"
#include "describe.hpp"
#include "errors.hpp"
#include "files.hpp"
#include "infer/summary.hpp"
#include "json_out.hpp"
#include "progress.hpp"
#include "public_rows.hpp"
#include "session.hpp"

namespace postern::app {
namespace {

struct InferCommand {
  std::vector<std::string> releases;
  std::vector<std::string> foreign;
  std::optional<std::string> output;
  std::string engine = "auto";
  std::string estimator;
  std::optional<std::string> prior;
  std::optional<std::string> public_rows;
  std::optional<std::string> delimiter;
  std::vector<std::string> queries;
  std::int64_t chains = 4;
  std::int64_t draws = 1000;
  std::int64_t seed = 1;
  std::int64_t threads = 0;
  bool sensitivity = false;
  std::string format = "csv";
  bool force = false;
};

InferCommand parse(Arguments arguments) {
  InferCommand options;
  Command command("infer",
                  "the posterior distribution of a study's parameters, from releases alone. It knows how "
                  "much noise the gate added.");
  command
      .optional_arguments("RELEASE", options.releases,
                          "release documents; several are combined, datasets assumed disjoint")
      .repeated("--foreign", options.foreign, "FILE",
                "a release by another tool, as FILE declares it (docs/foreign.md): its noise is taken at its "
                "word, and the answer says so; may be repeated")
      .option("-o,--output", options.output, "FOLDER",
              "write chain_1.csv ... (CmdStan's form), summary.csv and posterior.json there, and a network "
              "as files for other programs: network.bif, of Markov networks network.uai, network.json")
      .option("--format", options.format, "NAME",
              "how the folder holds the draws: csv (default), or npy, which NumPy and R read and which takes "
              "less than half the room")
      .option("--engine", options.engine, "NAME",
              "auto (default), exact, tables, potentials, moments, augment, gibbs (chains), bounds (of a "
              "choice), "
              "map (the mode of a Markov network, no interval), or naive (ignores the noise: a baseline)")
      .option(
          "--estimator", options.estimator, "NAME",
          "of a Markov network: how its point is learnt (na-map, naive, em, nlbp, l2, l1, pgm, uniform or "
          "random; docs/engines/estimators.md); no interval")
      .option("--prior", options.prior, "PRIOR",
              "replace the study's prior: \"learned\", or its name and numbers in the study's order, such as "
              "\"beta 1 1\", \"dirichlet 0.5\", \"normal-inverse-wishart [0, 0], 1, 5, [[4, 1], [1, 9]]\"")
      .option("--public", options.public_rows, "ROWS",
              "public records of the same kind, used as they are: CSV, Parquet, Arrow or a folder")
      .option("--delimiter", options.delimiter, "CHAR",
              "what separates the fields of public records in CSV: , ; | or tab (default: ,)")
      .repeated("--query", options.queries, "QUERY",
                "a derived quantity: \"P(cancer = yes | smoker = yes)\", \"P(beta.2 > 0)\"; may be repeated")
      .flag("--sensitivity", options.sensitivity,
            "also the answer under a prior worth half and twice as many records, or, where its scale is "
            "learned, with that scale about half and twice as large (takes three times as long)")
      .whole("--chains", options.chains, 1, "chains (default 4)")
      .whole("--draws", options.draws, 1, "draws per chain (default 1000)")
      .whole("--seed", options.seed, 0, "seed of the draws (default 1)")
      .whole("--threads", options.threads, 0, "threads (default: all cores)")
      .flag("--force", options.force, "replace an existing folder")
      .examples(
          "postern infer survey.release.json -o posterior/ --sensitivity\n"
          "postern infer first.release.json second.release.json --prior \"beta 2 2\"\n"
          "postern infer --foreign opendp.toml -o posterior/\n"
          "postern infer joint.release.json --query \"P(cancer = yes | smoker = yes)\"");
  command.parse(arguments);
  return options;
}

/// What options say of each other and of the folder.
void check_options(const InferCommand& options, infer::DrawsFormat format) {
  if (options.releases.empty() && options.foreign.empty())
    throw Error(ErrorCode::usage,
                {"RELEASE is required: the document that `postern release` wrote, or --foreign and the file "
                 "that declares a release made elsewhere"});
  if (!options.output && format != infer::DrawsFormat::csv)
    throw Error(ErrorCode::bad_option,
                {"--format says how a folder holds the draws, and none is written; name one with -o"});
  if (options.delimiter && !options.public_rows)
    throw Error(ErrorCode::bad_option, {"--delimiter is that of the records that --public names"});
  if (options.output) infer::check_writable(*options.output, options.force);
}

Facts header(const InferCommand& options, const std::vector<ReleaseFile>& files,
             const infer::Posterior& posterior) {
  const model::Study& study = files.front().release.study;
  Facts facts{{"study", printable(study.name) + " (dataset " + printable(study.dataset) + ")"},
              {"model", chosen_model_text(files.front().release)},
              {"engine", posterior.engine + ": " + posterior.reason}};
  for (const ReleaseFile& file : files) {
    if (file.release.foreign) {
      facts.emplace_back("foreign", printable(file.path + ": " + file.release.foreign->made_by) +
                                        ", noise not verified, n " + count_text(file.release.n));
      continue;
    }
    facts.emplace_back("release", printable(file.path) + ": " + spend_text(file.release.cost) + ", " +
                                      std::string(to_text(file.release.request.mechanism)) + ", n " +
                                      count_text(file.release.n));
  }
  if (options.prior) facts.emplace_back("prior", printable(*options.prior) + " (replaces the study's)");
  if (options.public_rows)
    facts.emplace_back("public", printable(*options.public_rows) + ": " +
                                     grouped(posterior.public_rows.value_or(0)) + " rows taken");
  facts.emplace_back("draws", std::to_string(posterior.chains) + " x " +
                                  std::to_string(posterior.iterations) + ", seed " +
                                  std::to_string(options.seed));
  return facts;
}

void print_text(const InferCommand& options, const std::vector<ReleaseFile>& files,
                const infer::Posterior& posterior) {
  const std::vector<infer::SummaryRow> shown = shown_rows(posterior.summary, options.queries.size());
  const std::size_t hidden = posterior.summary.size() - shown.size();
  const bool diagnostics =
      std::any_of(shown.begin(), shown.end(), [](const auto& row) { return row.ess || row.rhat; });
  std::cout << fact_lines(header(options, files, posterior)) << '\n'
            << summary_table(shown, diagnostics).text();
  if (hidden > 0) {
    std::cout << "... and " << hidden << " more rows, in "
              << (options.output
                      ? printable((std::filesystem::path(*options.output) / "summary.csv").string())
                      : "summary.csv with -o FOLDER")
              << '\n';
  }
  if (!posterior.sensitivity.empty())
    std::cout << "\nif the prior were worth half or twice as many records, or its learned scale were half or "
                 "twice as large\n"
              << sensitivity_table(posterior, options.queries.size()).text();
  if (!posterior.warnings.empty() || !posterior.notes.empty()) std::cout << '\n';
  std::cout << warning_lines(posterior.warnings);
  for (const std::string& note : posterior.notes)
    std::cout << "note: " << wrap(printable(note), 96, 6) << '\n';
}

Json implied_noise_json(const std::optional<infer::ImpliedNoise>& implied) {
  if (!implied) return {};
  Json blocks = Json::array();
  for (const infer::ImpliedNoise::Block& block : implied->blocks) {
    blocks.push(Json::object()
                    .set("block", block.what)
                    .set("values", block.values)
                    .set("size", block.size)
                    .set("sum", block.sum)
                    .set("deviations", block.deviations)
                    .set("worst", block.worst)
                    .set("worst_deviations", block.worst_deviations)
                    .set("by_sum", block.by_sum)
                    .set("chance", block.chance));
  }
  Json out = Json::object();
  return out.set("chance", implied->chance).set("tests", implied->tests).set("blocks", std::move(blocks));
}

Json to_json(const InferCommand& options, const std::vector<ReleaseFile>& files,
             const infer::Posterior& posterior) {
  Json releases = Json::array();
  for (const ReleaseFile& file : files) {
    Json one = Json::object();
    one.set("path", file.path).set("release_id", file.release.release_id);
    if (file.release.foreign) {
      one.set("made_by", file.release.foreign->made_by).set("noise_verified", false);
    } else {
      one.set("cost", spend_json(file.release.cost));
    }
    releases.push(one.set("n", count_json(file.release.n)));
  }
  Json out = Json::object();
  out.set("study", files.front().release.study.name)
      .set("engine", posterior.engine)
      .set("reason", posterior.reason);
  out.set("releases", std::move(releases)).set("chains", posterior.chains).set("draws", posterior.iterations);
  out.set("seed", options.seed)
      .set("summary", rows_json(posterior.summary))
      .set("log_evidence", posterior.log_evidence);
  out.set("prior", posterior.prior).set("public_rows", posterior.public_rows);
  if (!posterior.cut.empty()) out.set("cut", Json::list(posterior.cut));
  if (options.sensitivity) out.set("sensitivity", sensitivity_json(posterior.sensitivity));
  out.set("implied_noise", implied_noise_json(posterior.implied_noise));
  out.set("warnings", warnings_json(posterior.warnings));
  return out.set("output", options.output).set("notes", Json::list(posterior.notes));
}

}  // namespace

int run_infer(Arguments arguments, const Session& session) {
  const InferCommand options = parse(arguments);
  infer::InferOptions inference;
  inference.estimator = options.estimator;
  inference.chains = static_cast<int>(std::min<std::int64_t>(options.chains, 1 << 20));
  inference.draws = static_cast<std::size_t>(options.draws);
  inference.seed = static_cast<std::uint64_t>(options.seed);
  inference.threads = static_cast<int>(options.threads);
  const infer::DrawsFormat format = infer::parse_draws_format(options.format);
  (void)infer::parse_engine(options.engine);  // a misspelt option is told before a file is looked at
  check_options(options, format);
  std::vector<ReleaseFile> files = read_releases(options.releases);
  for (const std::string& path : options.foreign) files.push_back(read_foreign(path));
  if (options.public_rows)
    inference.public_rows =
        read_public_rows(*options.public_rows, options.delimiter,
                         release::settled(files.front().release).study, inference.threads);

  std::vector<release::Release> releases;
  for (const ReleaseFile& file : files) releases.push_back(file.release);
  infer::Posterior posterior;
  {
    Progress progress(session);
    posterior =
        infer::analyse(releases, {options.engine, options.prior, options.queries, options.sensitivity},
                       inference, progress.conversation());
  }
  if (options.output) {
    for (const Warning& warning : infer::output_warnings(posterior, format)) {
      if (session.json) posterior.warnings.push_back(warning);
      if (!session.json) warn(warning.text);  // now, before people wait for it
    }
    infer::write_posterior(posterior, *options.output, options.force, format);
  }
  if (session.json) {
    std::cout << to_json(options, files, posterior).text();
  } else {
    print_text(options, files, posterior);
    if (options.output) log_line(session, "Wrote " + printable(*options.output));
  }
  return 0;
}

}  // namespace postern::app
