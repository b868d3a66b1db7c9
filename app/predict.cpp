#include "postern/infer/predict.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "postern/core/error.hpp"
#include "postern/infer/basis.hpp"
#include "postern/infer/posterior_files.hpp"
#include "postern/owner/records_format.hpp"

#include "command.hpp"
#include "csv_rows.hpp"
#include "describe.hpp"
#include "errors.hpp"
#include "files.hpp"
#include "json_out.hpp"
#include "progress.hpp"
#include "session.hpp"
#include "table.hpp"

namespace postern::app {
namespace {

constexpr std::size_t kMostRows = 10;
constexpr std::size_t kMostLevels = 4;  ///< whose probabilities are shown; others are in the file

struct PredictCommand {
  std::string posterior;
  std::string rows;
  std::optional<std::string> target;
  std::optional<std::string> output;
  std::optional<std::string> delimiter;
  std::int64_t draws = 1000;
  std::int64_t threads = 0;
  bool force = false;
};

PredictCommand parse_predict(Arguments arguments) {
  PredictCommand options;
  Command command("predict",
                  "what a posterior says of rows that it has not seen: the probabilities of one column's "
                  "values given the others, of a Markov chain's state given the one before, or of a "
                  "regression's target its mean, with 90 % intervals.");
  command.argument("POSTERIOR", options.posterior, "a folder that `postern infer -o` made")
      .argument("ROWS", options.rows,
                "public rows in CSV, or - for standard input; columns in any order, fields may be empty and "
                "columns absent")
      .option("--target", options.target, "COLUMN",
              "the column to predict (default: the class of a naive Bayes model, the target of a regression, "
              "the state of a chain)")
      .option("-o,--output", options.output, "FILE", "write all predictions there, in CSV")
      .option("--delimiter", options.delimiter, "CHAR",
              "what separates the fields of the rows: , ; | or tab (default: ,)")
      .whole("--draws", options.draws, 1, "posterior draws behind the intervals, at most (default 1000)")
      .whole("--threads", options.threads, 0, "threads (default: all cores)")
      .flag("--force", options.force, "replace an existing file")
      .note(
          "Where the column itself is among the rows, log-loss and accuracy are told, or of numbers the root "
          "mean "
          "square error, the share inside the intervals and the log score. Values that the "
          "study does not declare count as missing, and are told too: the rows are public. Rows of a chain "
          "are "
          "sequences with the column of people's ids; a state that is left empty is predicted all the same.")
      .examples(
          "postern predict posterior/ patients.csv -o predictions.csv\n"
          "postern predict posterior/ patients.csv --target cancer --json");
  command.parse(arguments);
  return options;
}

infer::Rows read_rows(const PredictCommand& options, const model::Study& study) {
  const owner::RecordsFormat format = owner::records_format(options.rows, std::nullopt, options.delimiter);
  if (!format.csv) {
    throw Error(ErrorCode::unsupported,
                {"rows to predict are read from CSV; the Python package takes them from any frame"});
  }
  infer::RowReader reader(study);
  for_each_row(options.rows, study, format.delimiter, owner::PublicColumns::some,
               [&](const auto& fields) { reader.add(fields); });
  return reader.take();
}

std::string shown(double value) { return std::isnan(value) ? "" : number(value); }

void add_judgement(Facts& facts, const infer::Predictions& predictions) {
  const std::string rows = ", over " + grouped(static_cast<long long>(predictions.judged)) + " rows";
  if (predictions.numbers) {
    facts.emplace_back("rmse", number(*predictions.numbers->rmse) + rows);
    facts.emplace_back("coverage", number(*predictions.numbers->coverage) + " of the truths lie inside");
    facts.emplace_back("log score", number(*predictions.numbers->log_score) + " nats a row");
    return;
  }
  facts.emplace_back("log-loss", number(*predictions.log_loss) + " nats a row" + rows);
  facts.emplace_back("accuracy", number(*predictions.accuracy));
}

Facts header(const PredictCommand& options, const infer::Predictions& predictions) {
  Facts facts{{"posterior", printable(options.posterior)},
              {"rows", printable(options.rows) + ": " + grouped(static_cast<long long>(predictions.rows))},
              {"target", printable(predictions.target)},
              {predictions.numbers ? "mean" : "P", predictions.how},
              {"intervals", "90 %, from " + std::to_string(predictions.draws) + " draws"}};
  if (predictions.judged > 0) add_judgement(facts, predictions);
  return facts;
}

TextTable first_numbers(const infer::Predictions& predictions) {
  const infer::NumberPredictions& numbers = *predictions.numbers;
  TextTable table;
  table.column("row", Align::right).column("prediction", Align::right);
  table.column("5%", Align::right).column("95%", Align::right);
  for (std::size_t i = 0; i < std::min(kMostRows, predictions.rows); ++i) {
    table.row({std::to_string(i + 1), shown(numbers.mean[i]), shown(numbers.low[i]), shown(numbers.high[i])});
  }
  return table;
}

TextTable first_rows(const infer::Predictions& predictions) {
  if (predictions.numbers) return first_numbers(predictions);
  const std::size_t levels = predictions.levels.size();
  const std::size_t shown = levels <= kMostLevels ? levels : 1;
  TextTable table;
  table.column("row", Align::right).column("prediction", Align::left);
  if (shown == 1) table.column("P", Align::right).column("5%", Align::right).column("95%", Align::right);
  for (std::size_t level = 0; shown > 1 && level < shown; ++level) {
    table.column("P(" + printable(predictions.levels[level]) + ")", Align::right);
    table.column("5%", Align::right).column("95%", Align::right);
  }
  for (std::size_t i = 0; i < std::min(kMostRows, predictions.rows); ++i) {
    const std::size_t best = predictions.best(i);
    std::vector<std::string> cells{std::to_string(i + 1), printable(predictions.levels[best])};
    for (std::size_t k = 0; k < shown; ++k) {
      const std::size_t at = i * levels + (shown == 1 ? best : k);
      for (const auto* of : {&predictions.probability, &predictions.low, &predictions.high})
        cells.push_back(number((*of)[at]));
    }
    table.row(std::move(cells));
  }
  return table;
}

void print_text(const PredictCommand& options, const infer::Predictions& predictions) {
  std::cout << fact_lines(header(options, predictions)) << '\n' << first_rows(predictions).text();
  if (predictions.rows > kMostRows) {
    std::cout << "... and " << grouped(static_cast<long long>(predictions.rows - kMostRows))
              << " more rows, in "
              << (options.output ? printable(*options.output) : "a CSV file with -o FILE") << '\n';
  }
  if (!predictions.warnings.empty()) std::cout << '\n' << warning_lines(predictions.warnings);
}

Json numbers_json(const PredictCommand& options, const infer::Predictions& predictions) {
  const infer::NumberPredictions& numbers = *predictions.numbers;
  const auto known = [](double value) { return std::isnan(value) ? std::nullopt : std::optional(value); };
  Json rows = Json::array();
  for (std::size_t i = 0; i < predictions.rows; ++i) {
    rows.push(Json::object()
                  .set("prediction", known(numbers.mean[i]))
                  .set("q05", known(numbers.low[i]))
                  .set("q95", known(numbers.high[i])));
  }
  Json out = Json::object().set("target", predictions.target).set("rows", predictions.rows);
  out.set("how", predictions.how).set("draws", predictions.draws).set("judged", predictions.judged);
  out.set("rmse", numbers.rmse).set("coverage", numbers.coverage).set("log_score", numbers.log_score);
  out.set("warnings", warnings_json(predictions.warnings)).set("output", options.output);
  return options.output ? out : out.set("predictions", std::move(rows));
}

Json to_json(const PredictCommand& options, const infer::Predictions& predictions) {
  if (predictions.numbers) return numbers_json(options, predictions);
  const std::size_t levels = predictions.levels.size();
  Json rows = Json::array();
  for (std::size_t i = 0; i < predictions.rows; ++i) {
    Json row = Json::object().set("prediction", predictions.levels[predictions.best(i)]);
    const auto part = [&](const std::vector<double>& of) {
      const auto from = of.begin() + static_cast<std::ptrdiff_t>(i * levels);
      return Json::list(std::vector<double>(from, from + static_cast<std::ptrdiff_t>(levels)));
    };
    row.set("probability", part(predictions.probability));
    rows.push(row.set("q05", part(predictions.low)).set("q95", part(predictions.high)));
  }
  Json out = Json::object().set("target", predictions.target).set("levels", Json::list(predictions.levels));
  out.set("rows", predictions.rows).set("exact", predictions.exact).set("how", predictions.how);
  out.set("draws", predictions.draws).set("judged", predictions.judged);
  out.set("log_loss", predictions.log_loss).set("accuracy", predictions.accuracy);
  out.set("warnings", warnings_json(predictions.warnings)).set("output", options.output);
  return options.output ? out : out.set("predictions", std::move(rows));
}

}  // namespace

int run_predict(Arguments arguments, const Session& session) {
  const PredictCommand options = parse_predict(arguments);
  if (options.output) refuse_overwriting(*options.output, {options.rows});
  const infer::Posterior posterior = infer::read_posterior(options.posterior);
  const infer::Rows rows = read_rows(options, infer::basis_of(posterior).study());
  infer::Predictions predictions;
  {
    Progress progress(session);
    predictions = infer::predict(
        posterior, rows,
        {options.target, static_cast<std::size_t>(options.draws), static_cast<int>(options.threads)},
        progress.conversation());
  }
  if (options.output) write_file(*options.output, infer::predictions_csv(predictions), options.force);
  if (session.json) {
    std::cout << to_json(options, predictions).text();
  } else {
    print_text(options, predictions);
    if (options.output) log_line(session, "Wrote " + printable(*options.output));
  }
  return 0;
}

}  // namespace postern::app
