#include "chain.hpp"

#include <algorithm>
#include <array>

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include "postern/core/error.hpp"

namespace postern::owner {
namespace {

[[noreturn]] void refuse(const Database& database) {
  throw Error(
      ErrorCode::ledger_tampered,
      {"the chain of the ledger '", from_option(database.path()),
       "' is broken: a row was changed, moved or removed, or the key is another ledger's; restore a backup"});
}

std::string_view name_of(LinkKind kind) {
  switch (kind) {
    case LinkKind::dataset:
      return "dataset";
    case LinkKind::charge:
      return "charge";
    default:
      return "event";
  }
}

/// Type, length and bytes of a value: no two rows share an encoding.
void encode(std::string& out, char type, std::string_view bytes) {
  out += type;
  out += std::to_string(bytes.size());
  out += ':';
  out += bytes;
}

std::string canonical(const Link& link) {
  struct Encoder {
    std::string& out;
    void operator()(std::monostate) const { encode(out, 'n', {}); }
    void operator()(std::int64_t value) const { encode(out, 'i', std::to_string(value)); }
    void operator()(const std::string& value) const { encode(out, 't', value); }
    void operator()(const Blob& value) const {
      encode(out, 'b', {reinterpret_cast<const char*>(value.data()), value.size()});
    }
  };
  std::string out = "postern ledger 1\n";
  encode(out, 'l', name_of(link.kind));
  for (const Cell& cell : link.cells) std::visit(Encoder{out}, cell);
  return out;
}

const char* insert_sql(LinkKind kind) {
  switch (kind) {
    case LinkKind::dataset:
      return "INSERT INTO dataset VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)";
    case LinkKind::charge:
      return "INSERT INTO charge VALUES (?,?,?,?,?,?,?,?,?,?,?)";
    default:
      return "INSERT INTO event VALUES (?,?,?,?,?,?,?,?)";
  }
}

Blob to_blob(const Digest& digest) { return {digest.begin(), digest.end()}; }

std::int64_t seq_of(const Cells& row) {
  const auto* seq = std::get_if<std::int64_t>(&row.front());
  return seq == nullptr ? -1 : *seq;
}

bool same_bytes(const Cell& cell, const Digest& digest) {
  const auto* blob = std::get_if<Blob>(&cell);
  return blob != nullptr && blob->size() == digest.size() &&
         CRYPTO_memcmp(blob->data(), digest.data(), digest.size()) == 0;
}

/// Rows of one table in the order of the chain, one ahead.
class Cursor {
 public:
  Cursor(const Database& database, const char* sql, LinkKind kind, std::int64_t after)
      : query_(database.query(sql)), kind_(kind) {
    query_.bind(after);
    advance();
  }
  void advance() { row_ = query_.step() ? std::optional(query_.cells()) : std::nullopt; }
  [[nodiscard]] bool at(std::int64_t seq) const { return row_ && seq_of(*row_) == seq; }
  [[nodiscard]] bool done() const { return !row_; }
  [[nodiscard]] const Cells& row() const { return *row_; }
  [[nodiscard]] LinkKind kind() const { return kind_; }

 private:
  Query query_;
  LinkKind kind_;
  std::optional<Cells> row_;
};

}  // namespace

void Chain::Free::operator()(evp_mac_ctx_st* keyed) const { EVP_MAC_CTX_free(keyed); }

Chain::Chain(LedgerKey key) : key_(std::move(key)) {
  const std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> hmac(EVP_MAC_fetch(nullptr, "HMAC", nullptr),
                                                               EVP_MAC_free);
  std::array<char, 7> digest{"SHA256"};
  const std::array<OSSL_PARAM, 2> parameters{
      OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0), OSSL_PARAM_construct_end()};
  keyed_.reset(hmac ? EVP_MAC_CTX_new(hmac.get()) : nullptr);
  if (!keyed_ ||
      EVP_MAC_init(keyed_.get(), key_.bytes().data(), key_.bytes().size(), parameters.data()) != 1) {
    throw Error(ErrorCode::internal, {"OpenSSL has no HMAC"});
  }
}

Digest Chain::seal(const Link& link) const {
  const std::string text = canonical(link);
  Digest mac{};
  std::size_t size = 0;
  if (EVP_MAC_init(keyed_.get(), nullptr, 0, nullptr) != 1 ||
      EVP_MAC_update(keyed_.get(), reinterpret_cast<const std::uint8_t*>(text.data()), text.size()) != 1 ||
      EVP_MAC_final(keyed_.get(), mac.data(), &size, mac.size()) != 1 || size != mac.size()) {
    throw Error(ErrorCode::internal, {"the HMAC of OpenSSL failed"});
  }
  return mac;
}

Head Chain::append(const Database& database, const Head& head, LinkKind kind, Cells cells) const {
  Link link{kind, {}};
  link.cells.reserve(cells.size() + 2);
  link.cells.emplace_back(head.seq + 1);
  std::move(cells.begin(), cells.end(), std::back_inserter(link.cells));
  link.cells.emplace_back(to_blob(head.mac));
  const Head next{head.seq + 1, seal(link)};
  Query insert = database.query(insert_sql(kind));
  for (const Cell& cell : link.cells) insert.bind(cell);
  insert.bind(to_blob(next.mac)).run();
  return next;
}

Head Chain::check(const Database& database, LinkKind kind, Cells row) const {
  const Cell stored = std::move(row.back());
  row.pop_back();
  const Link link{kind, std::move(row)};
  const Head head{seq_of(link.cells), seal(link)};
  if (!same_bytes(stored, head.mac)) refuse(database);
  return head;
}

Head Chain::verify(const Database& database, const Head& from) const {
  std::array<Cursor, 3> cursors{
      Cursor(database, "SELECT * FROM dataset WHERE seq > ? ORDER BY seq", LinkKind::dataset, from.seq),
      Cursor(database, "SELECT * FROM charge WHERE seq > ? ORDER BY seq", LinkKind::charge, from.seq),
      Cursor(database, "SELECT * FROM event WHERE seq > ? ORDER BY seq", LinkKind::event, from.seq)};
  Head head = from;
  while (!std::all_of(cursors.begin(), cursors.end(), [](const Cursor& cursor) { return cursor.done(); })) {
    const auto next = std::find_if(cursors.begin(), cursors.end(),
                                   [&](const Cursor& cursor) { return cursor.at(head.seq + 1); });
    if (next == cursors.end()) refuse(database);
    if (!same_bytes(*(next->row().end() - 2), head.mac)) refuse(database);
    head = check(database, next->kind(), next->row());
    next->advance();
  }
  if (head.seq < 0) refuse(database);
  return head;
}

bool Chain::holds(const Database& database, const Head& head) const {
  for (const char* sql : {"SELECT mac FROM dataset WHERE seq = ?", "SELECT mac FROM charge WHERE seq = ?",
                          "SELECT mac FROM event WHERE seq = ?"}) {
    Query row = database.query(sql);
    if (row.bind(head.seq).step()) return same_bytes(row.cell(0), head.mac);
  }
  return false;
}

}  // namespace postern::owner
