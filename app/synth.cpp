#include <iostream>

#include "postern/core/error.hpp"
#include "postern/infer/posterior_files.hpp"
#include "postern/infer/synthesize.hpp"

#include "command.hpp"
#include "describe.hpp"
#include "errors.hpp"
#include "files.hpp"
#include "json_out.hpp"
#include "progress.hpp"
#include "session.hpp"

namespace postern::app {
namespace {

struct SynthCommand {
  std::string posterior;
  std::optional<std::string> output;
  std::int64_t records = 1000;
  std::int64_t datasets = 1;
  std::int64_t seed = 1;
  std::int64_t threads = 0;
  std::optional<std::int64_t> length;
  bool plug_in = false;
  bool intervals = false;
  bool force = false;
};

SynthCommand parse_synth(Arguments arguments) {
  SynthCommand options;
  Command command(
      "synth",
      "synthetic records of a posterior, in CSV. They cost no privacy beyond the releases, and are "
      "only as good as the model.");
  command.argument("POSTERIOR", options.posterior, "a folder that `postern infer -o` made")
      .whole("-n,--records", options.records, 1, "records of a data set (default 1000)")
      .option("-o,--output", options.output, "FILE",
              "where the records go (default: standard output); of several data sets, FILE with _1, _2 ... "
              "before its suffix")
      .whole("--datasets", options.datasets, 1,
             "data sets, each from a posterior draw of its own (default 1, of which each record has its own)")
      .whole("--length", options.length, 1,
             "records of a person, where the model is of sequences (default: as many transitions as count)")
      .flag("--plug-in", options.plug_in, "draw all records at the posterior mean instead")
      .flag("--intervals", options.intervals,
            "write a number with cuts as its interval, not as a number from it")
      .whole("--seed", options.seed, 0, "seed of the records (default 1)")
      .whole("--threads", options.threads, 0, "threads (default: all cores)")
      .flag("--force", options.force, "replace existing files")
      .examples(
          "postern synth posterior/ -n 10000 -o synthetic.csv\n"
          "postern synth posterior/ -n 10000 --datasets 20 --seed 7 -o synthetic.csv");
  command.parse(arguments);
  return options;
}

/// "synthetic.csv" becomes "synthetic_3.csv".
std::string numbered(const std::string& path, std::size_t number) {
  const std::size_t name = path.find_last_of('/') + 1;  // npos + 1 is 0
  const std::size_t dot = path.find_last_of('.');
  const std::size_t at = dot == std::string::npos || dot <= name ? path.size() : dot;
  return path.substr(0, at) + '_' + std::to_string(number) + path.substr(at);
}

std::vector<std::string> files_of(const SynthCommand& options) {
  std::vector<std::string> files;
  if (!options.output) return files;
  if (options.datasets == 1) return {*options.output};
  for (std::int64_t k = 1; k <= options.datasets; ++k)
    files.push_back(numbered(*options.output, static_cast<std::size_t>(k)));
  return files;
}

std::optional<std::size_t> length_of(const SynthCommand& options) {
  if (!options.length) return std::nullopt;
  return static_cast<std::size_t>(*options.length);
}

void check_options(const SynthCommand& options, const Session& session) {
  if (options.datasets > 10'000) throw Error(ErrorCode::bad_option, {"--datasets takes at most 10000"});
  if (!options.output && (options.datasets > 1 || session.json)) {
    throw Error(ErrorCode::bad_option,
                {"several data sets, or a result in JSON, need a file for the records; name it with -o"});
  }
  if (options.output) refuse_overwriting(*options.output, {});
}

std::string_view source_text(const infer::Synthetic& synthetic) {
  if (synthetic.from == infer::SynthesisFrom::mean) return "one point";
  if (synthetic.from == infer::SynthesisFrom::dataset_draws) return "a posterior draw a data set";
  return synthetic.person.empty() ? "a posterior draw a record" : "a posterior draw a person";
}

void report(const SynthCommand& options, const infer::Synthetic& synthetic,
            const std::vector<std::string>& files, const Session& session) {
  const std::vector<std::string> notes = infer::synthesis_notes(synthetic);
  if (session.json) {
    std::cout << Json::object()
                     .set("files", Json::list(files))
                     .set("records", options.records)
                     .set("datasets", options.datasets)
                     .set("from", source_text(synthetic))
                     .set("seed", options.seed)
                     .set("notes", Json::list(notes))
                     .text();
    return;
  }
  for (const std::string& file : files)
    std::cout << printable(file) << ": " << grouped(options.records) << " synthetic records\n";
  for (const std::string& note : notes) log_line(session, "note: " + wrap(note, 96, 6));
}

}  // namespace

int run_synth(Arguments arguments, const Session& session) {
  const SynthCommand options = parse_synth(arguments);
  check_options(options, session);
  const infer::Posterior posterior = infer::read_posterior(options.posterior);
  infer::Synthetic synthetic;
  {
    Progress progress(session);
    synthetic = infer::synthesize(posterior,
                                  {.records = static_cast<std::size_t>(options.records),
                                   .datasets = static_cast<std::size_t>(options.datasets),
                                   .plug_in = options.plug_in,
                                   .intervals = options.intervals,
                                   .seed = static_cast<std::uint64_t>(options.seed),
                                   .threads = static_cast<int>(options.threads),
                                   .length = length_of(options)},
                                  progress.conversation());
  }
  const std::vector<std::string> files = files_of(options);
  for (std::size_t k = 0; k < files.size(); ++k)
    write_file(files[k], infer::synthetic_csv(synthetic, k), options.force);
  if (files.empty()) std::cout << infer::synthetic_csv(synthetic, 0);
  report(options, synthetic, files, session);
  return 0;
}

}  // namespace postern::app
