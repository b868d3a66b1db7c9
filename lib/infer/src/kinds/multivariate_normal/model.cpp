#include "model.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/error.hpp"
#include "postern/model/kinds/multivariate_normal.hpp"
#include "postern/model/statistic/sums.hpp"
#include "postern/model/statistic/table.hpp"
#include "postern/model/study.hpp"

#include "kinds/plug_in.hpp"
#include "posterior/named_total.hpp"

namespace postern::infer {
namespace {

class Places {
 public:
  explicit Places(const std::vector<std::string>& columns) : columns_(columns) {}

  [[nodiscard]] std::size_t of(const std::string& column) const {
    const auto at = std::find(columns_.begin(), columns_.end(), column);
    if (at == columns_.end())
      throw Error(ErrorCode::release_inconsistent, {"a release holds a sum of a column outside its model"});
    return static_cast<std::size_t>(at - columns_.begin());
  }
  [[nodiscard]] std::size_t of(const std::string& first, const std::string& second) const {
    const std::size_t i = of(first);
    const std::size_t j = of(second);
    return packed(std::min(i, j), std::max(i, j), columns_.size());
  }

 private:
  const std::vector<std::string>& columns_;
};

void add_noisy_value(VectorRecords& records, const Places& places, const release::MeasuredBlock& measured) {
  const NoisyValue noisy_value{static_cast<double>(measured.values.at(0)),
                               release::noise_law(measured.block.noise)};
  const model::Statistic& statistic = measured.block.statistic;
  if (const auto* sum = statistic.as<model::LevelSum>()) {
    if (sum->mirrored || sum->transform.kind != model::Transform::Kind::identity || sum->power == 0)
      throw Error(ErrorCode::release_inconsistent, {"a release holds a sum that its model does not need"});
    if (sum->power == 1) {
      records.sums[places.of(sum->column)].push_back(noisy_value);
    } else {
      records.products[places.of(sum->column, sum->column)].push_back(noisy_value);
    }
  } else if (const auto* product = statistic.as<model::ProductSum>()) {
    records.products[places.of(product->first, product->second)].push_back(noisy_value);
  } else if (statistic.as<model::RecordCount>() != nullptr) {
    records.counts.push_back(noisy_value);
  } else {
    throw Error(ErrorCode::release_inconsistent, {"a release of a multivariate normal holds a table"});
  }
}

double combine_or(const std::vector<NoisyValue>& noisy_values, double otherwise) {
  return noisy_values.empty() ? otherwise : combine(noisy_values);
}

double plug_in_size(const VectorRecords& records) {
  if (const auto* known = std::get_if<KnownTotal>(&records.total)) return static_cast<double>(known->n);
  const auto most = static_cast<double>(std::get<LatentTotal>(records.total).at_most);
  return std::clamp(combine_or(records.counts, most), 0.0, most);
}

}  // namespace

VectorModel make_vector_model(const model::Study& study, const InferOptions& options) {
  auto model = study.model.get<model::MultivariateNormal>();
  if (options.prior) {
    const std::size_t d = model.columns.size();
    const std::size_t needed = d + 2 + d * d;
    if (options.prior->size() != needed) {
      throw Error(ErrorCode::bad_prior,
                  {"the prior given has ", public_number(static_cast<long long>(options.prior->size())),
                   " parameters; this model needs ", public_number(static_cast<long long>(needed))});
    }
    model = model::with_prior(std::move(model), *options.prior);
    study.model.kind().check(model, study.schema);
  }
  VectorModel out{model.columns, model::wishart_prior(model), {}, {}, study.model.kind().notes(model),
                  model.learned};
  for (const model::Parameter& parameter : model::vector_parameters(model)) {
    out.names.push_back(parameter.name);
    out.labels.push_back(parameter.label);
  }
  return out;
}

VectorRecords make_vector_records(const VectorModel& model, const release::RecordSet& releases) {
  const model::Study& study = releases.front()->study;
  const std::size_t d = model.columns.size();
  VectorRecords out;
  for (const std::string& column : model.columns)
    out.numbers.push_back(model::encoded_number(study.schema.at(column), {}, model::Wholes::rounded));
  out.sums.resize(d);
  out.products.resize(d * (d + 1) / 2);
  const Places places(model.columns);
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks) add_noisy_value(out, places, block);
  }
  out.total = total_of(releases);
  return out;
}

std::vector<std::size_t> released_sums(const VectorModel& model, const release::RecordSet& releases) {
  const std::size_t d = model.columns.size();
  const Places places(model.columns);
  std::vector<std::size_t> out;
  for (const release::Release* release : releases) {
    for (const release::MeasuredBlock& block : release->blocks) {
      const model::Statistic& statistic = block.block.statistic;
      std::size_t at = 0;
      if (const auto* sum = statistic.as<model::LevelSum>())
        at = sum->power == 1 ? 1 + places.of(sum->column) : 1 + d + places.of(sum->column, sum->column);
      if (const auto* product = statistic.as<model::ProductSum>())
        at = 1 + d + places.of(product->first, product->second);
      out.push_back(at);
    }
  }
  return out;
}

VectorMoments plug_in(const VectorRecords& records) {
  const std::size_t d = records.numbers.size();
  VectorMoments out;
  const double n = plug_in_size(records);
  out.weight = out.degrees = n;
  if (n == 0) return out;
  Row k{};
  for (std::size_t i = 0; i < d; ++i) {
    const auto& values = records.numbers[i].values;
    const auto low = static_cast<double>(values.adds.front());
    const auto high = static_cast<double>(values.adds.back());
    k[i] = std::clamp(combine_or(records.sums[i], n * (low + high) / 2) / n, low, high);
    out.mean[i] = values.zero + values.unit * k[i];
  }
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double units = records.numbers[i].values.unit * records.numbers[j].values.unit;
      const double product = combine_or(records.products[packed(j, i, d)], n * k[i] * k[j]);
      // A variance of nothing is a thousandth of a step's square.
      const double spread = product / n - k[i] * k[j];
      out.scatter(i, j) = n * units * (i == j ? std::max(spread, 1e-3) : spread);
    }
  }
  out.scatter = made_definite(out.scatter, d);
  return out;
}

VectorMoments together(const VectorMoments& a, const VectorMoments& b, std::size_t d) {
  if (a.weight == 0) return b;
  if (b.weight == 0) return a;
  VectorMoments out = a;
  out.weight += b.weight;
  out.degrees += b.degrees;
  for (std::size_t i = 0; i < d; ++i) {
    out.mean[i] += b.weight / out.weight * (b.mean[i] - a.mean[i]);
    for (std::size_t j = 0; j <= i; ++j) {
      out.scatter(i, j) += b.scatter(i, j) + a.weight * b.weight / out.weight * (b.mean[i] - a.mean[i]) *
                                                 (b.mean[j] - a.mean[j]);
    }
  }
  return out;
}

}  // namespace postern::infer
