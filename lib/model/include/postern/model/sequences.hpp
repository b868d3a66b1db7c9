#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "postern/model/model.hpp"
#include "postern/model/statistic.hpp"

namespace postern::model {

// Models and statistics of people whose records are a sequence.

/// What a kind of model may also be: one that is of sequences.
class SequenceModel {
 public:
  SequenceModel() = default;
  SequenceModel(const SequenceModel&) = delete;
  SequenceModel& operator=(const SequenceModel&) = delete;
  virtual ~SequenceModel() = default;
  /// The column by whose levels a person's records are put in order.
  [[nodiscard]] virtual std::string time_column(const Model& model) const = 0;
};
/// The column by which a model wants a person's records in order: all records of a person are then read,
/// whatever the unit's `at_most`. Nothing where records stand alone.
[[nodiscard]] std::optional<std::string> ordered_by(const Model& model);

/// Made-up people with all their records, as statistics of people need them.
class SimulatedPeople : public SimulatedRecords {
 public:
  /// Calls `add` with all records of one person in the order of time, row by row: levels of the model's
  /// columns, in their order.
  virtual void for_each_person(const std::function<void(std::span<const std::uint32_t> rows)>& add) const = 0;
};

/// The definition of a statistic that is made from all records of a person at once, and from no record alone.
/// How much one person can move it is its own affair, and its rule's.
class PeopleTally : public Tally {
 public:
  /// Refused as internal: a record alone says nothing.
  void add(std::span<const std::uint32_t> levels, std::int64_t count) final;
  /// All records of one person in the order of time, row by row: the levels of the statistic's columns.
  virtual void add_person(std::span<const std::uint32_t> rows) = 0;
};

}  // namespace postern::model
