#pragma once

namespace postern::release::testing {

// Made for these tests; they sign nothing else.
inline constexpr const char* kPrivateKey =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIAmMbqek+qdXI2N+noFOPJPe+v4Y0WW9n0wofMYGlyMb\n"
    "-----END PRIVATE KEY-----\n";
inline constexpr const char* kOtherPrivateKey =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEINxSm75dYD+IyGBnN1L6uc4D5k1KfeeFmpzAYEI/6ljn\n"
    "-----END PRIVATE KEY-----\n";
/// The public halves of the two.
inline constexpr const char* kPublicKey =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEAOPJVV43jHNvMteM08BGgH6QjGOnGcrYL1saFdRh0mcI=\n"
    "-----END PUBLIC KEY-----\n";
inline constexpr const char* kOtherPublicKey =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEAmD7aFo7L3ZkllOPJhgWMVrfJUvf9uwolQoFce51/vhY=\n"
    "-----END PUBLIC KEY-----\n";
/// The first key behind a passphrase.
inline constexpr const char* kLockedPrivateKey =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
    "MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhydK1RDldE6AICCAAw\n"
    "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEG6ZWWI8qE7+eODAvXXl6LgEQMWL\n"
    "8RAQzRDyGktOsfL5eV4XB4ol0O0Vq6aY8wAFHvAF6zWPzIq5l04vAUKQAcXsQ7sI\n"
    "Vo8wgHGSmYz062o8500=\n"
    "-----END ENCRYPTED PRIVATE KEY-----\n";

}  // namespace postern::release::testing
