#include <algorithm>
#include <map>

#include "postern/model/noise_limits.hpp"

#include "limits.hpp"
#include "measurement_json.hpp"
#include "object_node.hpp"
#include "object_reader.hpp"

namespace postern::release {
namespace {

model::Noise read_noise(ObjectReader reader, Currency currency, bool of_scores) {
  const bool laplace = currency == Currency::pure;
  model::Noise noise{of_scores ? model::NoiseKind::exponential
                     : laplace ? model::NoiseKind::discrete_laplace
                               : model::NoiseKind::discrete_gaussian,
                     0};
  if (reader.text("kind") != to_text(noise.kind))
    inconsistent(reader.path("kind"), "is not paid in the study's currency");
  const std::string_view key = of_scores ? "scale" : laplace ? "lambda" : "sigma2";
  noise.parameter = reader.rational(key);
  if (sgn(noise.parameter) <= 0) inconsistent(reader.path(key), "must be positive");
  if (!model::noise_in_range(noise.parameter))
    refuse(ErrorCode::release_limit, reader.path(key), "is outside 10^-18..10^30");
  reader.refuse_rest();
  return noise;
}

std::vector<Int128> read_block_values(const JsonValue& value, const std::string& where, std::size_t size) {
  const JsonArray& items = as_array(value, where);
  if (items.size() != size) inconsistent(where, "does not have one value for each cell of the shape");
  std::vector<Int128> out;
  out.reserve(size);
  constexpr Int128 kBound = Int128{1} << kValueBits;
  for (const JsonValue& item : items) {
    const Int128 number = as_integer(item, where);
    if (number <= -kBound || number >= kBound)
      refuse(ErrorCode::release_limit, where, "holds a value of 2^100 or more");
    out.push_back(number);
  }
  return out;
}

MeasuredBlock read_block(ObjectReader reader, const model::Study& study) {
  MeasuredBlock out;
  ObjectNode statistic(reader.object("statistic"));
  out.block.statistic = model::read_statistic(statistic);
  const model::StatisticKind& kind = out.block.statistic.kind();
  out.block.noise = read_noise(reader.object("noise"), study.privacy.currency, kind.is_choice());
  out.block.size = model::statistic_size(out.block.statistic, study.schema);
  const std::string shape = to_canonical(shape_json(out.block.statistic, study.schema));
  if (to_canonical(reader.at("shape")) != shape)
    inconsistent(reader.path("shape"), "is not the shape of the statistic");
  out.values = read_block_values(reader.at("values"), reader.path("values"), out.block.size);
  if (kind.is_choice() && (out.values[0] < 0 || out.values[0] >= static_cast<Int128>(kind.candidates(
                                                                     out.block.statistic, study.schema))))
    inconsistent(reader.path("values"), "is not a level of the column");
  reader.refuse_rest();
  return out;
}

model::Request read_request(ObjectReader& reader, const model::Study& study) {
  model::Request out;
  const std::string& mechanism = reader.text("mechanism");
  const std::vector<model::Mechanism> offered = study.model.kind().mechanisms(study);
  const auto found = std::find_if(offered.begin(), offered.end(),
                                  [&](model::Mechanism one) { return to_text(one) == mechanism; });
  if (found == offered.end()) inconsistent(reader.path("mechanism"), "is not paid in the study's currency");
  out.mechanism = *found;
  const JsonValue* stated = reader.find("request");
  if (stated == nullptr) return out;
  ObjectReader request(*stated, reader.path("request"));
  const JsonValue& shares = request.at("shares");
  const std::string where = request.path("shares");
  if (!std::holds_alternative<JsonObject>(shares.data)) malformed(where, "must be an object");
  for (const JsonMember& share : std::get<JsonObject>(shares.data))
    out.shares[share.key] = as_rational(share.value, where);
  if (out.shares.empty()) malformed(where, "is left out where there are none");
  request.refuse_rest();
  return out;
}

Rational read_sensitivity(ObjectReader reader, Currency currency, std::string& method) {
  const std::string_view key = currency == Currency::pure ? "l1" : "l2_squared";
  Rational value = reader.rational(key);
  if (sgn(value) <= 0) inconsistent(reader.path(key), "must be positive");
  if (reader.find("method") != nullptr) {
    method = reader.text("method");
    if (method != "exact" && method != "bound")
      malformed(reader.path("method"), "must be \"exact\" or \"bound\"");
  }
  reader.refuse_rest();
  return value;
}

/// Reads one measurement after another and counts what a document may hold of blocks and cells.
class MeasurementsReader {
 public:
  explicit MeasurementsReader(Release& out) : out_(out) {}

  void read_blocks(ObjectReader& reader) {
    const JsonArray& blocks = as_array(reader.at("blocks"), reader.path("blocks"));
    if (blocks.empty()) malformed(reader.path("blocks"), "is empty");
    if (out_.blocks.size() + blocks.size() > kMaxBlocks)
      refuse(ErrorCode::release_limit, reader.path("blocks"), "holds more than 4096 blocks");
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const std::string path = reader.path("blocks") + "[" + std::to_string(b) + "]";
      out_.blocks.push_back(read_block({blocks[b], path}, out_.study));
      const model::StatisticKind& kind = out_.blocks.back().block.statistic.kind();
      if (++of_kind_[&kind] > kind.most_in_document())
        refuse(ErrorCode::release_limit, path, "is one statistic of its sort too many");
      add_cells(out_.blocks.back().block.size, path);
    }
  }
  void read_round(ObjectReader& reader) {
    Round round;
    round.cost = read_cost(reader.at("cost"), reader.path("cost"), out_.study.privacy.currency);
    std::string method;  // how costs are found is written anew, and so compared
    round.sensitivity = read_sensitivity(reader.object("sensitivity"), out_.study.privacy.currency, method);
    const std::size_t before = out_.blocks.size();
    read_blocks(reader);
    round.blocks = out_.blocks.size() - before;
    if (const JsonValue* table = reader.find("table")) {
      const std::string where = reader.path("table");
      const std::size_t size = as_array(*table, where).size();
      if (size == 0) malformed(where, "is left out where there is none");
      add_cells(size, where);
      round.table = read_block_values(*table, where, size);
    }
    out_.rounds->made.push_back(std::move(round));
  }

 private:
  void add_cells(std::size_t cells, const std::string& path) {
    cells_ += cells;
    if (cells_ > model::kMaxCells) refuse(ErrorCode::release_limit, path, "is one cell of a table too many");
  }

  Release& out_;  // NOLINT(*-avoid-const-or-ref-data-members): a reader of one document
  std::map<const model::StatisticKind*, std::size_t> of_kind_;
  std::size_t cells_ = 0;
};

}  // namespace

Spend read_cost(const JsonValue& value, const std::string& where, Currency currency) {
  ObjectReader reader(value, where);
  const Rational amount = reader.rational(unit_name(currency));
  reader.refuse_rest();
  if (sgn(amount) <= 0) inconsistent(where, "must be positive");
  if (amount > Rational(9'000'000'000)) refuse(ErrorCode::release_limit, where, "is past 9e9");
  const Spend cost = Spend::ceil(currency, amount);
  if (cost.exact() != amount) inconsistent(where, "is not a whole number of billionths");
  return cost;
}

model::RoundsPlan read_rounds(const JsonValue& value, const std::string& where) {
  ObjectReader reader(value, where);
  model::RoundsPlan out;
  out.rule = reader.text("rule");
  out.at_most = static_cast<std::size_t>(reader.integer("at_most", 1, kMaxBlocks));
  reader.refuse_rest();
  return out;
}

void read_measurements(const JsonValue& value, const std::string& where, Release& out) {
  const JsonArray& items = as_array(value, where);
  const std::size_t most = out.rounds ? out.rounds->plan.at_most : 1;
  if (items.empty() || items.size() > most)
    malformed(where, out.rounds ? Piece("must hold one measurement for each round")
                                : Piece("must hold one measurement"));
  MeasurementsReader measurements(out);
  for (std::size_t i = 0; i < items.size(); ++i) {
    ObjectReader reader(items[i], where + "[" + std::to_string(i) + "]");
    // That all rounds state the same request is seen when the document is written again.
    out.request = read_request(reader, out.study);
    if (out.rounds) {
      measurements.read_round(reader);
    } else {
      const Currency currency = out.study.privacy.currency;
      if (read_cost(reader.at("cost"), reader.path("cost"), currency) != out.cost)
        inconsistent(reader.path("cost"), "is not the cost of the release");
      out.sensitivity = read_sensitivity(reader.object("sensitivity"), currency, out.sensitivity_method);
      measurements.read_blocks(reader);
    }
    reader.refuse_rest();
  }
}

}  // namespace postern::release
