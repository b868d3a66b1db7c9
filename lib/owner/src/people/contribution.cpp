#include "postern/owner/contribution.hpp"

#include <algorithm>
#include <limits>

#include "postern/core/error.hpp"
#include "postern/core/mutant.hpp"
#include "postern/core/parallel.hpp"

#include "rank.hpp"

namespace postern::owner {
namespace {

/// Rows of people whose digests begin alike, so that a thread can look at all rows of a person at once.
class Buckets {
 public:
  Buckets(const Wiped<PersonDigest>& people, int threads);
  [[nodiscard]] std::size_t count() const { return ends_.size(); }
  [[nodiscard]] std::span<const std::uint64_t> rows(std::size_t bucket) const {
    const std::size_t begin = bucket == 0 ? 0 : ends_[bucket - 1];
    return {rows_.data() + begin, ends_[bucket] - begin};
  }

 private:
  static constexpr std::size_t kRows = 4096;  // of a bucket, about: sorted within the cache
  static constexpr unsigned kMostBits = 12;
  static constexpr std::size_t kStripe = std::size_t{1} << 20;  // rows a thread passes over at a time

  [[nodiscard]] std::size_t bucket_of(const PersonDigest& person) const {
    return bits_ == 0 ? 0 : person.high >> (64 - bits_);
  }
  template <class Use>
  void pass(const Wiped<PersonDigest>& people, std::size_t stripe, Use use) const;

  unsigned bits_ = 0;
  std::vector<std::size_t> ends_;
  Wiped<std::uint64_t> rows_;
};

/// Every row of a stripe that belongs to somebody.
template <class Use>
void Buckets::pass(const Wiped<PersonDigest>& people, std::size_t stripe, Use use) const {
  const std::size_t end = std::min(people.size(), (stripe + 1) * kStripe);
  for (std::size_t row = stripe * kStripe; row < end; ++row) {
    if (people[row] != kNobody) use(bucket_of(people[row]), row);
  }
}

Buckets::Buckets(const Wiped<PersonDigest>& people, int threads) {
  while (bits_ < kMostBits && (people.size() >> bits_) > kRows) ++bits_;
  const std::size_t buckets = std::size_t{1} << bits_;
  const std::size_t stripes = (people.size() + kStripe - 1) / kStripe;
  // places[stripe][bucket]: first how many rows, then where the next one goes.
  std::vector<std::vector<std::size_t>> places(stripes, std::vector<std::size_t>(buckets, 0));
  parallel_for(stripes, threads, [&](std::size_t stripe) {
    pass(people, stripe, [&](std::size_t bucket, std::size_t /*row*/) { ++places[stripe][bucket]; });
  });
  ends_.resize(buckets);
  std::size_t next = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    for (auto& places_of_stripe : places) {
      const std::size_t here = places_of_stripe[bucket];
      places_of_stripe[bucket] = next;
      next += here;
    }
    ends_[bucket] = next;
  }
  rows_.resize(next);
  parallel_for(stripes, threads, [&](std::size_t stripe) {
    pass(people, stripe, [&](std::size_t bucket, std::size_t row) { rows_[places[stripe][bucket]++] = row; });
  });
}

/// Marks the rows that stay.
class Selection {
 public:
  Selection(const std::vector<CodedColumn>& columns, const Wiped<PersonDigest>& people,
            const ContributionBound& bound)
      : columns_(columns), people_(people), bound_(bound), kept_(people.size(), 0) {
    at_most_ = mutant(10) ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(bound.at_most);
  }
  /// Decides about all rows of some people. Different people may be decided about at the same time.
  void decide(std::span<const std::uint64_t> rows);
  [[nodiscard]] const Wiped<std::uint8_t>& kept() const { return kept_; }

 private:
  void choose(std::span<Entry> person, const RecordRanker& ranker);

  const std::vector<CodedColumn>& columns_;
  const Wiped<PersonDigest>& people_;
  const ContributionBound& bound_;
  std::size_t at_most_;
  Wiped<std::uint8_t> kept_;
};

void Selection::decide(std::span<const std::uint64_t> rows) {
  Wiped<Entry> entries;
  entries.reserve(rows.size());
  for (const std::uint64_t row : rows) entries.push_back({people_[row], row});
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.digest < b.digest; });
  // Rows of people with too many are brought together at the front, person by person.
  std::vector<std::size_t> ends;
  std::size_t crowded = 0;
  for (auto begin = entries.begin(); begin != entries.end();) {
    const auto end =
        std::find_if(begin, entries.end(), [&](const Entry& e) { return e.digest != begin->digest; });
    if (static_cast<std::size_t>(end - begin) <= at_most_) {
      std::for_each(begin, end, [&](const Entry& e) { kept_[e.row] = 1; });
    } else {
      crowded = static_cast<std::size_t>(
          std::copy(begin, end, entries.begin() + static_cast<std::ptrdiff_t>(crowded)) - entries.begin());
      ends.push_back(crowded);
    }
    begin = end;
  }
  if (ends.empty()) return;
  RecordRanker ranker(*bound_.key, columns_);
  ranker.hash(std::span(entries).first(crowded));
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    choose(std::span(entries).subspan(begin, end - begin), ranker);
    begin = end;
  }
}

void Selection::choose(std::span<Entry> person, const RecordRanker& ranker) {
  std::sort(person.begin(), person.end(),
            [&](const Entry& a, const Entry& b) { return ranker.before(a, b); });
  // Mutant 23: "hash <= k-th smallest hash" keeps every copy of the k-th record.
  const PersonDigest& last = person[at_most_ - 1].digest;
  std::size_t count = at_most_;
  while (mutant(23) && count < person.size() && person[count].digest == last) ++count;
  for (const Entry& entry : person.first(count)) kept_[entry.row] = 1;
}

template <class Code>
void keep_rows(Wiped<Code>& codes, const Wiped<std::uint8_t>& kept, std::size_t count) {
  std::size_t next = 0;
  for (std::size_t row = 0; row < kept.size(); ++row) {
    codes[next] = codes[row];
    next += kept[row];
    if (next == count) break;
  }
  codes.resize(count);
}

}  // namespace

std::size_t bound_contributions(std::vector<CodedColumn>& columns, const Wiped<PersonDigest>& people,
                                const ContributionBound& bound, int threads) {
  for (const CodedColumn& column : columns) {
    if (std::visit([](const auto& codes) { return codes.size(); }, column) != people.size()) {
      throw Error(ErrorCode::internal, {"the coded records do not fit their ids"});
    }
  }
  Selection selection(columns, people, bound);
  {
    const Buckets buckets(people, threads);
    parallel_for(buckets.count(), threads, [&](std::size_t b) { selection.decide(buckets.rows(b)); });
  }
  const Wiped<std::uint8_t>& kept = selection.kept();
  const auto count = static_cast<std::size_t>(std::count(kept.begin(), kept.end(), 1));
  parallel_for(columns.size(), threads, [&](std::size_t c) {
    std::visit([&](auto& codes) { keep_rows(codes, kept, count); }, columns[c]);
  });
  return count;
}

double bounding_bytes(double rows) {
  constexpr double kEach = sizeof(PersonDigest) + sizeof(std::uint64_t) + sizeof(std::uint8_t);
  return rows * (kEach + sizeof(Entry));  // entries of every row at once only if all begin alike
}

}  // namespace postern::owner
