#include "postern/infer/predict.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/core/parallel.hpp"
#include "postern/infer/kind.hpp"

#include "numbers.hpp"

namespace postern::infer {
namespace {

constexpr std::size_t kBlock = 64;  ///< records that a worker takes at a time

std::size_t target_of(const model::Study& study, const std::optional<std::string>& asked) {
  const std::vector<std::string> columns = model::columns_of(study.model);
  const std::optional<std::string> wanted = asked ? asked : kind_of(study.model).usual_target(study);
  if (!wanted && columns.size() == 1) return 0;
  if (!wanted) {
    throw Error(ErrorCode::bad_option,
                {"which column is to be predicted? name it with --target; there are '",
                 from_document(columns.front()), "' to '", from_document(columns.back()), "'"});
  }
  const auto found = std::find(columns.begin(), columns.end(), *wanted);
  if (found != columns.end()) return static_cast<std::size_t>(found - columns.begin());
  const auto nearest = model::nearest_name(*wanted, columns);
  throw Error(ErrorCode::bad_option,
              {"--target '", from_option(*wanted), "' is no column of the model; did you mean '",
               from_document(nearest.value_or(columns.front())), "'?"});
}

/// Rows that differ in more than the target, and which of them each row is.
struct Different {
  std::vector<std::vector<std::int32_t>> records;
  std::vector<std::size_t> of_row;
};

Different different(const Rows& rows, std::size_t target) {
  Different out;
  std::map<std::vector<std::int32_t>, std::size_t> seen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::int32_t> record(rows.row(i).begin(), rows.row(i).end());
    record[target] = -1;
    const auto [place, fresh] = seen.emplace(std::move(record), out.records.size());
    if (fresh) out.records.push_back(place->first);
    out.of_row.push_back(place->second);
  }
  return out;
}

/// What is said of one record: by level, three numbers each.
struct Answers {
  std::vector<double> probability, low, high;
};

struct Ends {
  double low = 0;
  double high = 1;
};

/// The 5 % and 95 % quantiles, linear between order statistics.
Ends ends_of(std::span<double> draws) {
  auto from = draws.begin();
  const auto quantile = [&](double p) {
    const double at = p * static_cast<double>(draws.size() - 1);
    const auto place = draws.begin() + static_cast<std::ptrdiff_t>(at);
    std::nth_element(from, place, draws.end());
    from = place;  // what is behind it is not less
    if (place + 1 == draws.end()) return *place;
    const double next = *std::min_element(place + 1, draws.end());
    return *place + (at - std::floor(at)) * (next - *place);
  };
  if (draws.empty()) return {};
  const double low = quantile(0.05);
  return {low, quantile(0.95)};
}

/// One thread's work.
class Desk {
 public:
  Desk(const Predictor& predictor, std::size_t levels)
      : predictor_(predictor),
        worker_(predictor.worker()),
        levels_(levels),
        draws_(levels * predictor.draws()) {}

  void answer(std::span<const std::int32_t> record, Answers& out, std::size_t at) {
    worker_->conditional(record, draws_);
    const std::optional<std::vector<double>> known = predictor_.predictive(record);
    for (std::size_t level = 0; level < levels_; ++level) {
      const std::span<double> draws = known_draws(level);
      double mean = draws.empty() ? 1 / static_cast<double>(levels_) : 0;  // no draw allows the record
      for (const double x : draws) mean += x / static_cast<double>(draws.size());
      out.probability[at + level] = known ? (*known)[level] : mean;
      const bool mirrored = level == 1 && levels_ == 2 && !draws.empty();
      const Ends ends = mirrored ? Ends{1 - out.high[at], 1 - out.low[at]} : ends_of(draws);
      out.low[at + level] = ends.low;
      out.high[at + level] = ends.high;
    }
  }

 private:
  /// The probabilities of a level under the draws that allow the record.
  [[nodiscard]] std::span<double> known_draws(std::size_t level) {
    const auto begin = draws_.begin() + static_cast<std::ptrdiff_t>(level * predictor_.draws());
    const auto end = std::remove_if(begin, begin + static_cast<std::ptrdiff_t>(predictor_.draws()),
                                    [](double x) { return !std::isfinite(x); });
    return {begin, end};
  }

  const Predictor& predictor_;
  std::unique_ptr<Predictor::Worker> worker_;
  std::size_t levels_;
  std::vector<double> draws_;
};

Answers answer_all(const Predictor& predictor, const Different& rows, std::size_t levels, int threads,
                   const Conversation& conversation) {
  const std::size_t count = rows.records.size();
  Answers out{std::vector<double>(count * levels), std::vector<double>(count * levels),
              std::vector<double>(count * levels)};
  const std::size_t workers = static_cast<std::size_t>(threads > 0 ? threads : default_threads());
  std::atomic<std::size_t> next = 0;
  const StopScope scope(conversation.stop);
  parallel_for(std::min(workers, (count + kBlock - 1) / kBlock), threads, [&](std::size_t) {
    Desk desk(predictor, levels);
    for (std::size_t first = next.fetch_add(kBlock); first < count; first = next.fetch_add(kBlock)) {
      conversation.check();
      for (std::size_t i = first; i < std::min(first + kBlock, count); ++i)
        desk.answer(rows.records[i], out, i * levels);
    }
  });
  return out;
}

/// Log-loss and accuracy over the rows whose truth is known.
void judge(Predictions& out) {
  const std::size_t levels = out.levels.size();
  double loss = 0;
  std::size_t right = 0;
  for (std::size_t i = 0; i < out.rows; ++i) {
    if (out.truth[i] < 0) continue;
    const auto truth = static_cast<std::size_t>(out.truth[i]);
    ++out.judged;
    loss -= std::log(out.probability[i * levels + truth]);
    right += out.best(i) == truth ? 1 : 0;
  }
  if (out.judged == 0) return;
  out.log_loss = loss / static_cast<double>(out.judged);
  out.accuracy = static_cast<double>(right) / static_cast<double>(out.judged);
}

/// The answers of each row, and its truth.
void fill(Predictions& out, const Rows& rows, const Different& records, const Answers& answers,
          std::size_t target) {
  const std::size_t levels = out.levels.size();
  for (std::size_t i = 0; i < out.rows; ++i) {
    const auto from = static_cast<std::ptrdiff_t>(records.of_row[i] * levels);
    const auto to = from + static_cast<std::ptrdiff_t>(levels);
    const auto copy = [&](const std::vector<double>& of, std::vector<double>& into) {
      into.insert(into.end(), of.begin() + from, of.begin() + to);
    };
    copy(answers.probability, out.probability);
    copy(answers.low, out.low);
    copy(answers.high, out.high);
    out.truth.push_back(rows.row(i)[target]);
  }
}

}  // namespace

std::uint32_t Predictions::best(std::size_t row) const {
  const auto first = probability.begin() + static_cast<std::ptrdiff_t>(row * levels.size());
  return static_cast<std::uint32_t>(
      std::max_element(first, first + static_cast<std::ptrdiff_t>(levels.size())) - first);
}

Predictions predict(const Posterior& posterior, const Rows& rows, const PredictOptions& options,
                    const Conversation& conversation) {
  Basis basis = basis_of(posterior);
  basis.options.threads = options.threads;
  const model::Study& study = basis.study();
  const Kind& kind = kind_of(study.model);
  const std::vector<std::string> columns = model::columns_of(study.model);
  if (rows.columns != columns.size())
    throw Error(ErrorCode::bad_option, {"the rows have not the columns of the posterior's model"});
  const std::size_t target = target_of(study, options.target);
  const model::Column& column = study.schema.at(columns[target]);
  basis.options.draws = options.draws;
  Predictions out;
  out.target = column.name;
  out.rows = rows.size();
  out.warnings = rows.warnings;
  // A point has no interval here either: the draws are all the same, and low and high with them.
  std::copy_if(posterior.warnings.begin(), posterior.warnings.end(), std::back_inserter(out.warnings),
               [](const Warning& warning) { return warning.name == "no-interval"; });
  if (const auto numbers = kind.number_predictor(basis, target)) {
    out.draws = numbers->draws();
    out.how = numbers->how();
    conversation.report("predicting", 0);
    predict_numbers(out, *numbers, rows, target, options.threads, conversation);
    conversation.report("predicting", 1);
    return out;
  }
  const std::unique_ptr<const Predictor> predictor = kind.predictor(basis, target);
  for (std::uint32_t level = 0; level < column.levels(); ++level) out.levels.push_back(column.label(level));
  out.exact = predictor->exact();
  out.draws = predictor->draws();
  out.how = predictor->how();
  const Rows arranged = predictor->arranged(rows);
  const Different records = different(arranged, target);
  conversation.report("predicting", 0);
  const Answers answers = answer_all(*predictor, records, out.levels.size(), options.threads, conversation);
  conversation.report("predicting", 1);
  fill(out, arranged, records, answers, target);
  judge(out);
  return out;
}

}  // namespace postern::infer
