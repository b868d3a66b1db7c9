#include "network/event.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "postern/core/error.hpp"
#include "postern/graph/compiled_network.hpp"
#include "postern/model/kinds/bayes_net.hpp"

namespace postern::infer {
namespace {

/// A column with one allowed level is evidence. One with several is summed over these alone: the other levels
/// get probability 0 in its table, and what is left of the total is the event's probability.
class EventAtWork {
 public:
  EventAtWork(const Event& event, const model::Study& study, std::size_t first)
      : first_(first), dag_(model::dag_of(study.model.get<model::BayesNet>())) {
    const std::vector<std::string> columns = model::columns_of(study.model);
    graph::NetworkQuestion question;
    for (std::uint32_t v = 0; v < columns.size(); ++v) {
      sizes_.push_back(study.schema.at(columns[v]).levels());
      const std::vector<bool>& allowed = event.levels[v];
      const auto count = std::count(allowed.begin(), allowed.end(), true);
      if (allowed.empty() || count == static_cast<std::ptrdiff_t>(allowed.size())) continue;
      if (count == 0) impossible_ = true;
      if (count == 1) {
        question.evidence.push_back(v);
        levels_.push_back(
            static_cast<std::uint32_t>(std::find(allowed.begin(), allowed.end(), true) - allowed.begin()));
      } else {
        question.targets.push_back({v});
        restricted_.push_back({v, allowed});
      }
    }
    certain_ = question.evidence.empty() && question.targets.empty();
    if (impossible_ || certain_) return;
    network_.emplace(dag_, sizes_, std::move(question), graph::kPropagationBytes, columns);
    work_ = network_->workspace();
    out_.resize(network_->offset(restricted_.size()));
    for (std::uint32_t v = 0; v < columns.size(); ++v) cells_ += graph::table_cells(dag_, sizes_, v);
    flat_.resize(cells_);
    tables_ = graph::split_tables(dag_, sizes_, flat_);
  }

  [[nodiscard]] double mass(const DrawOfChain& draw) {
    if (impossible_) return 0;
    if (certain_) return 1;
    for (std::size_t cell = 0; cell < cells_; ++cell) flat_[cell] = draw[first_ + cell];
    for (const Restricted& one : restricted_) restrict(one);
    return std::exp(network_->run(tables_, levels_, work_, out_));
  }

 private:
  struct Restricted {
    std::uint32_t variable = 0;
    std::vector<bool> allowed;
  };

  void restrict(const Restricted& one) {
    const std::span<const double> table = tables_[one.variable];
    double* cells = flat_.data() + (table.data() - flat_.data());
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (!one.allowed[i % one.allowed.size()]) cells[i] = 0;
    }
  }

  std::size_t first_;  ///< of the tables' cells among the posterior's quantities
  graph::Dag dag_;
  graph::Sizes sizes_;
  std::size_t cells_ = 0;
  bool impossible_ = false;
  bool certain_ = false;
  std::vector<std::uint32_t> levels_;
  std::vector<Restricted> restricted_;
  std::optional<graph::CompiledNetwork> network_;
  graph::CompiledNetwork::Workspace work_;
  std::vector<double> flat_;
  std::vector<std::span<const double>> tables_;
  std::vector<double> out_;
};

}  // namespace

EventMass network_event(const Event& event, const model::Study& study, const Posterior& posterior) {
  const auto found = std::find(posterior.names.begin(), posterior.names.end(), "cpt_1.1.1");
  if (found == posterior.names.end())
    throw Error(ErrorCode::internal, {"the posterior has no table of the network"});
  const auto first = static_cast<std::size_t>(found - posterior.names.begin());
  const auto at_work = std::make_shared<EventAtWork>(event, study, first);
  return [at_work](const DrawOfChain& draw) { return at_work->mass(draw); };
}

}  // namespace postern::infer
