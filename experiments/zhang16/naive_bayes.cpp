#include "naive_bayes.hpp"

#include <algorithm>
#include <cmath>

#include "postern/core/special.hpp"

namespace postern::zhang16 {
namespace {

constexpr std::size_t kByte = 256;

/// P(class, features) as a product of two table entries, one for each half of the features.
class Joint {
 public:
  explicit Joint(const Coins& coins) {
    for (std::size_t y = 0; y < 2; ++y) {
      half_[y][0][0] = y == 1 ? coins.one : 1 - coins.one;
      half_[y][1][0] = 1;
      for (std::size_t i = 0; i < kFeatures; ++i) extend(half_[y][i / 8], i % 8, coins.feature[i][y]);
    }
  }
  [[nodiscard]] double of(std::size_t y, std::uint16_t features) const {
    return half_[y][0][features % kByte] * half_[y][1][features / kByte];
  }

 private:
  static void extend(std::array<double, kByte>& half, std::size_t bit, double one) {
    const std::size_t known = std::size_t{1} << bit;
    for (std::size_t x = 0; x < known; ++x) {
      half[x + known] = half[x] * one;
      half[x] *= 1 - one;
    }
  }
  std::array<std::array<std::array<double, kByte>, 2>, 2> half_;
};

}  // namespace

Coins draw_truth(Rng& rng) {
  Coins out;
  for (auto& feature : out.feature) {
    for (double& coin : feature) coin = rng.uniform();
  }
  return out;
}

std::vector<Record> draw_records(const Coins& truth, std::size_t n, Rng& rng) {
  std::vector<Record> out(n);
  for (Record& record : out) {
    record.label = rng.uniform() < truth.one ? 1 : 0;
    for (std::size_t i = 0; i < kFeatures; ++i) {
      const unsigned bit = rng.uniform() < truth.feature[i][record.label] ? 1U : 0U;
      record.features = static_cast<std::uint16_t>(record.features | (bit << i));
    }
  }
  return out;
}

Tables count(std::span<const Record> records) {
  Tables out;
  for (const Record& record : records) {
    ++out.label[record.label];
    for (std::size_t i = 0; i < kFeatures; ++i) ++out.feature[i][record.label][record.features >> i & 1U];
  }
  return out;
}

Coins posterior_mean(const Tables& tables, double prior) {
  const auto mean = [prior](const std::array<double, 2>& row) {
    return (prior + row[1]) / (2 * prior + row[0] + row[1]);
  };
  Coins out{mean(tables.label), {}};
  for (std::size_t i = 0; i < kFeatures; ++i) {
    for (std::size_t y = 0; y < 2; ++y) out.feature[i][y] = mean(tables.feature[i][y]);
  }
  return out;
}

double accuracy(std::span<const Coins> draws, std::span<const Record> test) {
  std::vector<double> lead(test.size());  // of class 1
  for (const Coins& coins : draws) {
    const Joint joint(coins);
    for (std::size_t r = 0; r < test.size(); ++r)
      lead[r] += joint.of(1, test[r].features) - joint.of(0, test[r].features);
  }
  std::size_t right = 0;
  for (std::size_t r = 0; r < test.size(); ++r) right += (lead[r] >= 0) == (test[r].label == 1) ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(test.size());
}

double majority_share(std::span<const Record> test) {
  const Tables counts = count(test);
  return std::max(counts.label[0], counts.label[1]) / static_cast<double>(test.size());
}

LogScores log_scores(const Coins& coins, std::span<const Record> test) {
  const Joint joint(coins);
  LogScores out;
  for (const Record& record : test) {
    const double right = std::log(joint.of(record.label, record.features));
    const double wrong = std::log(joint.of(1U - record.label, record.features));
    out.joint += right / static_cast<double>(test.size());
    out.label += (right - log_add_exp(right, wrong)) / static_cast<double>(test.size());
  }
  return out;
}

}  // namespace postern::zhang16
