#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "postern/core/error.hpp"
#include "postern/core/rational.hpp"
#include "postern/model/column.hpp"

namespace postern::model {

/// A table of a study file, or an object of a release document. Kinds and statistics read themselves from it,
/// once for both. Every refusal names the place: file, line and column, or the path in the document.
class Node {
 public:
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;

  /// A document states everything; a study may leave out what has a default.
  [[nodiscard]] virtual bool states_all() const = 0;
  /// Has a model that states no prior the one whose scale is learned, as in a study of version 2?
  [[nodiscard]] virtual bool learns_priors() const { return false; }
  /// Refuses every other key: a study at once, with the nearest known one; a document when it has been read.
  virtual void allow(std::span<const std::string_view> known) = 0;
  void allow(std::initializer_list<std::string_view> known) {
    allow(std::span<const std::string_view>(known.begin(), known.size()));
  }

  [[nodiscard]] virtual bool has(std::string_view key) = 0;
  [[nodiscard]] virtual bool is_list(std::string_view key) = 0;
  [[nodiscard]] virtual bool is_text(std::string_view key) = 0;
  [[nodiscard]] virtual bool is_table(std::string_view key) = 0;
  [[nodiscard]] virtual std::string text(std::string_view key) = 0;
  [[nodiscard]] virtual bool truth(std::string_view key) = 0;
  [[nodiscard]] virtual std::int64_t integer(std::string_view key, std::int64_t lo, std::int64_t hi) = 0;
  [[nodiscard]] virtual Rational rational(std::string_view key) = 0;
  [[nodiscard]] virtual std::vector<std::string> texts(std::string_view key) = 0;
  /// [["a", "b"], ["b", "c"]]: any number of rows, none too, of `width` texts; 0: of any number.
  [[nodiscard]] virtual std::vector<std::vector<std::string>> text_rows(std::string_view key,
                                                                        std::size_t width) = 0;
  /// `count` = 0: any number of them.
  [[nodiscard]] virtual std::vector<Rational> rationals(std::string_view key, std::size_t count = 0) = 0;
  /// [["4", "1"], ["1", "9"]]: rows x width numbers, row by row.
  [[nodiscard]] virtual std::vector<Rational> rational_rows(std::string_view key, std::size_t rows,
                                                            std::size_t width) = 0;
  /// A level of a column: by its label in a study, by its number in a document.
  [[nodiscard]] virtual std::uint32_t level(std::string_view key, const Column& column) = 0;
  [[nodiscard]] virtual std::unique_ptr<Node> inner(std::string_view key) = 0;
  /// Keys that a study writes beside the others and a document keeps in an object of that name.
  [[nodiscard]] virtual std::unique_ptr<Node> beside(std::string_view key) = 0;
  /// Refuses what `allow` did not name, in a document.
  virtual void finish() = 0;

  /// Refuses the value at `key`, or the whole where it is empty.
  [[noreturn]] void refuse(ErrorCode code, std::string_view key, const PublicText& text) {
    throw refusal(code, key, text);
  }

 protected:
  [[nodiscard]] virtual Error refusal(ErrorCode code, std::string_view key, const PublicText& text) = 0;
};

}  // namespace postern::model
