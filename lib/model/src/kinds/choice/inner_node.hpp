#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "postern/model/node.hpp"

namespace postern::model {

/// The node of a model that chooses, as the reader of the records' family sees it: `kind` is "family", and
/// keys that concern the choice are none of its business.
class InnerNode : public Node {
 public:
  InnerNode(Node& node, std::vector<std::string_view> beside) : node_(node), beside_(std::move(beside)) {}

  [[nodiscard]] bool states_all() const override { return node_.states_all(); }
  void allow(std::span<const std::string_view> known) override {
    std::vector<std::string_view> all(known.begin(), known.end());
    all.insert(all.end(), beside_.begin(), beside_.end());
    node_.allow(all);
  }
  [[nodiscard]] bool has(std::string_view key) override { return node_.has(key); }
  [[nodiscard]] bool is_list(std::string_view key) override { return node_.is_list(key); }
  [[nodiscard]] bool is_text(std::string_view key) override { return node_.is_text(key); }
  [[nodiscard]] bool is_table(std::string_view key) override { return node_.is_table(key); }
  [[nodiscard]] std::string text(std::string_view key) override {
    return key == "kind" ? "family" : node_.text(key);
  }
  [[nodiscard]] bool truth(std::string_view key) override { return node_.truth(key); }
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t lo, std::int64_t hi) override {
    return node_.integer(key, lo, hi);
  }
  [[nodiscard]] Rational rational(std::string_view key) override { return node_.rational(key); }
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) override { return node_.texts(key); }
  [[nodiscard]] std::vector<std::vector<std::string>> text_rows(std::string_view key,
                                                                std::size_t width) override {
    return node_.text_rows(key, width);
  }
  [[nodiscard]] std::vector<Rational> rationals(std::string_view key, std::size_t count) override {
    return node_.rationals(key, count);
  }
  [[nodiscard]] std::vector<Rational> rational_rows(std::string_view key, std::size_t rows,
                                                    std::size_t width) override {
    return node_.rational_rows(key, rows, width);
  }
  [[nodiscard]] std::uint32_t level(std::string_view key, const Column& column) override {
    return node_.level(key, column);
  }
  [[nodiscard]] std::unique_ptr<Node> inner(std::string_view key) override { return node_.inner(key); }
  [[nodiscard]] std::unique_ptr<Node> beside(std::string_view key) override { return node_.beside(key); }
  /// What is read beside the family is still to come.
  void finish() override {}

 protected:
  [[nodiscard]] Error refusal(ErrorCode code, std::string_view key, const PublicText& text) override {
    try {
      node_.refuse(code, key, text);
    } catch (const Error& error) {
      return error;
    }
  }

 private:
  Node& node_;  // NOLINT(*-avoid-const-or-ref-data-members): outlives this view of it
  std::vector<std::string_view> beside_;
};

}  // namespace postern::model
