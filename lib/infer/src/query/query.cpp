#include "postern/infer/query.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "postern/core/error.hpp"
#include "postern/core/printable.hpp"
#include "postern/model/kinds/table.hpp"
#include "postern/model/study.hpp"

#include "posterior/draw_summary.hpp"

namespace postern::infer {
namespace {

/// column = value
struct Condition {
  std::size_t column = 0;  ///< among the model's columns
  std::uint32_t level = 0;
};

class QueryReader {
 public:
  QueryReader(const std::string& text, const model::Study& study)
      : text_(text), schema_(study.schema), columns_(model::columns_of(study.model)) {}

  /// Conditions of the event, then those of what is given.
  std::pair<std::vector<Condition>, std::vector<Condition>> read() {
    skip();
    if (at_ >= text_.size() || text_[at_] != 'P') fault();
    ++at_;
    take('(');
    std::vector<Condition> event = conditions();
    std::vector<Condition> given;
    if (peek() == '|') {
      ++at_;
      given = conditions();
    }
    take(')');
    if (peek() != '\0') fault();
    return {std::move(event), std::move(given)};
  }

 private:
  [[noreturn]] void fault() const {
    throw Error(ErrorCode::bad_option,
                {"query '", from_option(text_), "' is not understood; write it like \"P(",
                 from_document(columns_.front()), " = ", from_document(schema_.at(columns_.front()).label(0)),
                 ")\" or \"P(a = x, b = y | c = z)\"; a value that holds a comma, a bracket or a bar goes in "
                 "double quotes"});
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void take(char c) {
    if (peek() != c) fault();
    ++at_;
  }
  /// A name or a value: quoted, or up to one of the stops.
  std::string word(std::string_view stops) {
    if (peek() == '"') {
      const std::size_t end = text_.find('"', at_ + 1);
      if (end == std::string::npos) fault();
      std::string quoted = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
      return quoted;
    }
    const std::size_t end = std::min(text_.find_first_of(stops, at_), text_.size());
    std::string plain = text_.substr(at_, end - at_);
    plain.erase(plain.find_last_not_of(' ') + 1);
    at_ = end;
    if (plain.empty()) fault();
    return plain;
  }
  std::vector<Condition> conditions() {
    std::vector<Condition> found{condition()};
    while (peek() == ',') {
      ++at_;
      found.push_back(condition());
    }
    return found;
  }
  Condition condition() {
    const std::string column = word("=,|()");
    take('=');
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) refuse(column, columns_, "a column of the model");
    const model::Column& declared = schema_.at(column);
    skip();
    const std::size_t start = at_;
    std::string value = word(",|)");
    // Labels of real intervals hold a comma and a bracket of their own: [0,10) or [10,20].
    while (!declared.find_level(value) && value.front() == '[' && at_ < text_.size() && text_[at_] != '|')
      value += text_[at_++];
    const auto level = declared.find_level(value);
    if (!level) {
      std::vector<std::string> labels;
      for (std::uint32_t i = 0; i < std::min(declared.levels(), 1000U); ++i)
        labels.push_back(declared.label(i));
      refuse_unquoted(start, labels);
      refuse(value, labels, "a value of that column");
    }
    return {static_cast<std::size_t>(found - columns_.begin()), *level};
  }
  /// Refuses a value that was cut at a comma, a bracket or a bar of its own.
  void refuse_unquoted(std::size_t start, const std::vector<std::string>& labels) const {
    for (const std::string& label : labels) {
      if (start + label.size() <= at_ || text_.compare(start, label.size(), label) != 0) continue;
      throw Error(ErrorCode::bad_option, {"query: the value ", from_document(label),
                                          " holds a comma, a bracket or a bar; put it in double quotes: \"",
                                          from_document(label), "\""});
    }
  }
  [[noreturn]] void refuse(const std::string& wanted, const std::vector<std::string>& known,
                           const char* what) const {
    if (const auto nearest = model::nearest_name(wanted, known)) {
      throw Error(ErrorCode::bad_option, {"query: '", from_option(wanted), "' is not ", quote(what, 40),
                                          "; is it '", from_document(*nearest), "'?"});
    }
    std::string all;
    for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
    throw Error(ErrorCode::bad_option, {"query: '", from_option(wanted), "' is not ", quote(what, 40),
                                        "; it has ", from_option(all)});
  }

  std::string text_;
  const model::Schema& schema_;
  std::vector<std::string> columns_;
  std::size_t at_ = 0;
};

bool meets(const std::vector<std::uint32_t>& levels, const std::vector<Condition>& conditions) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& c) { return levels[c.column] == c.level; });
}

/// Where each cell's probability is found among a posterior's draws: a quantity, and for a bernoulli's
/// failure one minus it.
struct CellSource {
  std::size_t quantity = 0;
  bool complement = false;
};

std::vector<CellSource> cell_sources(const model::Study& study, const Posterior& posterior) {
  const auto find = [&](const std::string& name) {
    const auto found = std::find(posterior.names.begin(), posterior.names.end(), name);
    if (found == posterior.names.end())
      throw Error(ErrorCode::internal, {"the posterior has no quantity '", from_document(name), "'"});
    return static_cast<std::size_t>(found - posterior.names.begin());
  };
  if (const auto* bernoulli = study.model.as<model::Bernoulli>()) {
    std::vector<CellSource> sources(2, {find("theta"), true});
    sources[bernoulli->success].complement = false;
    return sources;
  }
  std::vector<CellSource> sources;
  const std::size_t first = find("p.1");
  for (std::size_t i = 0; i < study.model.get<model::Categorical>().alpha.size(); ++i)
    sources.push_back({first + i, false});
  return sources;
}

}  // namespace

Query parse_query(const std::string& text, const model::Study& study) {
  if (study.model.as<model::Bernoulli>() == nullptr && study.model.as<model::Categorical>() == nullptr) {
    throw Error(ErrorCode::bad_option,
                {"query '", from_option(text),
                 "': queries are probabilities of a table's cells, and this model has no table; take its "
                 "draws from the chains"});
  }
  const auto [event, given] = QueryReader(text, study).read();
  const std::vector<std::string> columns = model::columns_of(study.model);
  const graph::Domain domain = study.schema.domain(columns);
  Query query{text, {}, {}};
  for (std::size_t cell = 0; cell < domain.cells(); ++cell) {
    const std::vector<std::uint32_t> levels = domain.levels_of(cell);
    query.given.push_back(meets(levels, given));
    query.event.push_back(query.given.back() && meets(levels, event));
  }
  if (std::find(query.given.begin(), query.given.end(), true) == query.given.end()) {
    throw Error(ErrorCode::bad_option,
                {"query '", from_option(text), "' asks for one column to have two values"});
  }
  return query;
}

void answer_query(const Query& query, std::size_t number, const model::Study& study, Posterior& posterior) {
  const std::vector<CellSource> sources = cell_sources(study, posterior);
  const std::string name = "query." + std::to_string(number);
  const bool markov = std::any_of(posterior.summary.begin(), posterior.summary.end(),
                                  [](const SummaryRow& row) { return row.ess || row.rhat; });
  for (std::vector<double>& chain : posterior.draws) {
    for (std::size_t i = 0; i < posterior.iterations; ++i) {
      double event = 0;
      double given = 0;
      for (std::size_t cell = 0; cell < sources.size(); ++cell) {
        if (!query.given[cell]) continue;
        const double draw = chain[sources[cell].quantity * posterior.iterations + i];
        const double probability = sources[cell].complement ? 1 - draw : draw;
        given += probability;
        if (query.event[cell]) event += probability;
      }
      chain.push_back(given > 0 ? event / given : 0);
    }
  }
  posterior.names.push_back(name);
  posterior.labels.push_back(printable(query.text));
  posterior.summary.push_back(summarise_draws(posterior, posterior.names.size() - 1,
                                              markov ? DrawKind::markov : DrawKind::independent));
}

}  // namespace postern::infer
