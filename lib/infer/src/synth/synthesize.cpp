#include "postern/infer/synthesize.hpp"

#include <algorithm>
#include <span>

#include "postern/core/draw.hpp"
#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/core/rng.hpp"
#include "postern/infer/kind.hpp"

#include "posterior/stream_key.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kBlock = 4096;  ///< records, or people, that share a stream of random numbers
constexpr std::size_t kMostFields = std::size_t{1} << 31;
constexpr std::size_t kMostReadyBytes = std::size_t{2} << 30;

/// Parameters to draw records from, ready: one set, or one a draw.
using Ready = std::vector<std::vector<double>>;

void check_size(const SynthesisOptions& options, std::size_t columns) {
  if (options.records < 1 || options.datasets < 1)
    throw Error(ErrorCode::bad_option, {"-n and --datasets must be at least 1"});
  if (options.records > kMostFields / columns / options.datasets)
    throw Error(ErrorCode::bad_option,
                {"so many records have more than 2^31 fields; ask for fewer at a time"});
}

/// How many records a person has; 1 where records stand alone.
std::size_t length_of(const std::optional<Sequences>& sequences, const SynthesisOptions& options) {
  if (!sequences && options.length)
    throw Error(ErrorCode::bad_option,
                {"this model's records stand alone: they have no sequences, and no length"});
  if (!sequences) return 1;
  const std::size_t length = options.length.value_or(sequences->usual);
  if (length < 1 || length > sequences->longest) {
    throw Error(ErrorCode::bad_option,
                {"a sequence has 1 to ", public_number(static_cast<long long>(sequences->longest)),
                 " records, as many as there are times in the study"});
  }
  return length;
}

Ready draws_ready(const Basis& basis, const RecordSampler& law, std::size_t most) {
  const std::size_t bytes = 8 * std::max<std::size_t>(1, basis.parameters);
  const SomeDraws draws =
      probability_draws(basis, std::min(most, std::max<std::size_t>(1, kMostReadyBytes / bytes)));
  Ready out;
  std::vector<double> theta(basis.parameters);
  for (std::size_t d = 0; d < draws.draws; ++d) {
    for (std::size_t q = 0; q < theta.size(); ++q) theta[q] = draws.of(q)[d];
    out.push_back(law.ready(theta));
  }
  return out;
}

/// The posterior means, exact where the engine's are.
Ready means_ready(const Basis& basis, const RecordSampler& law) {
  std::vector<double> theta;
  for (std::size_t q = 0; q < basis.parameters; ++q) {
    theta.push_back(basis.posterior.summary.at(q).mean);
    if (!(theta.back() >= 0 && theta.back() <= 1 + 1e-9))
      throw Error(ErrorCode::input_unreadable, {"the posterior's summary is not one of probabilities"});
  }
  return {law.ready(theta)};
}

/// Which draw each data set has: different ones as long as there are enough.
std::vector<std::size_t> draws_of_datasets(std::size_t datasets, std::size_t draws, std::uint64_t seed) {
  Rng rng(seed, 0xFFFFFFFF, Purpose::synthesis);
  std::vector<std::size_t> order(draws);
  for (std::size_t i = 0; i < draws; ++i) order[i] = i;
  for (std::size_t i = draws; i > 1; --i) std::swap(order[i - 1], order[draw_below(i, rng)]);
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < datasets; ++k) out.push_back(order[k % draws]);
  return out;
}

/// A posterior of one draw is a point: its data sets do not differ by what is unknown.
SynthesisFrom source(const SynthesisOptions& options, std::size_t draws) {
  if (options.plug_in || draws == 1) return SynthesisFrom::mean;
  return options.datasets > 1 ? SynthesisFrom::dataset_draws : SynthesisFrom::record_draws;
}

}  // namespace

Synthetic synthesize(const Posterior& posterior, const SynthesisOptions& options,
                     const Conversation& conversation) {
  const Basis basis = basis_of(posterior);
  const model::Study& study = basis.study();
  const std::unique_ptr<const RecordSampler> law = kind_of(study.model).record_sampler(study);
  Synthetic out{{}, {}, source(options, posterior.chains * posterior.iterations), options, {}, 1, 0};
  for (const std::string& name : model::columns_of(study.model)) out.columns.push_back(study.schema.at(name));
  const std::size_t columns = out.columns.size();
  const std::optional<Sequences> sequences = law->sequences();
  out.length = length_of(sequences, options);
  if (sequences) out.person = sequences->person;
  check_size(options, columns);
  const Ready ready = options.plug_in ? means_ready(basis, *law)
                                      : draws_ready(basis, *law, posterior.chains * posterior.iterations);
  out.stream = stream_key(options.seed, posterior.releases);
  const std::vector<std::size_t> chosen = draws_of_datasets(options.datasets, ready.size(), out.stream);
  out.datasets.assign(options.datasets, std::vector<std::uint32_t>(options.records * columns));
  const std::size_t people = (options.records + out.length - 1) / out.length;
  const std::size_t blocks = (people + kBlock - 1) / kBlock;
  const StopScope scope(conversation.stop);
  conversation.report("synthesizing", 0);
  parallel_for(blocks * options.datasets, options.threads, [&](std::size_t i) {
    const std::size_t dataset = i / blocks;
    Rng rng(out.stream, static_cast<std::uint32_t>(i), Purpose::synthesis);
    const std::size_t first = (i % blocks) * kBlock;
    const std::size_t last = std::min(first + kBlock, people);
    for (std::size_t one = first; one < last; ++one) {
      const bool own = out.from == SynthesisFrom::record_draws;
      const std::size_t at = own ? draw_below(ready.size(), rng) : chosen[dataset];
      const std::size_t begin = one * out.length;
      const std::size_t size = std::min(out.length, options.records - begin);
      law->draw(ready[at], {out.datasets[dataset].data() + begin * columns, size * columns}, rng);
    }
  });
  conversation.report("synthesizing", 1);
  return out;
}

std::vector<std::string> synthesis_notes(const Synthetic& synthetic) {
  std::vector<std::string> out;
  if (!synthetic.person.empty()) {
    out.push_back("people have " + std::to_string(synthetic.length) +
                  " records each, from the study's first time on, and leave an idle state at once: how long "
                  "sequences are, when they begin and how long people stay idle is not in the model");
  }
  const std::string each = synthetic.person.empty() ? "record" : "person";
  switch (synthetic.from) {
    case SynthesisFrom::record_draws:
      out.emplace_back(
          "each " + each + " has a posterior draw of its own: the posterior predictive of a " + each +
          ". Standard "
          "errors "
          "computed from it ignore the posterior's uncertainty; ask for several data sets, or queries, "
          "instead");
      break;
    case SynthesisFrom::dataset_draws:
      out.emplace_back(
          "each data set has a posterior draw of its own. Combine an estimate q with variance u from each of "
          "m: "
          "the mean of q; its variance (1 + 1/m) B - U, B the variance of q between data sets, U the mean of "
          "u "
          "(if that is negative, there are too few data sets)");
      break;
    case SynthesisFrom::mean:
      out.emplace_back(
          "all records are drawn at one point, the posterior's mean or what was estimated instead (plug-in): "
          "what is uncertain about "
          "the parameters is not in them, and several data sets do not show it");
      break;
  }
  out.emplace_back(
      "synthetic records cost no privacy beyond the releases, and are as good as the model and no better: "
      "what "
      "it does not know of, they do not show");
  return out;
}

}  // namespace postern::infer
