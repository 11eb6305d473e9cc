package dev.berth.pki;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;

/** Private keys that cannot be replaced without harm, and so are refused rather than made anew. */
final class KeyFile {

  private KeyFile() {}

  static PrivateKey privateKey(Path file, String text) {
    try {
      return Pem.privateKey(text);
    } catch (GeneralSecurityException e) {
      throw unusable(file, e);
    }
  }

  /** The key with its public half, which takes some computing and many classes. */
  static KeyPair pair(Path file, String text) {
    try {
      return KeyPairs.pair(Pem.privateKey(text));
    } catch (GeneralSecurityException e) {
      throw unusable(file, e);
    }
  }

  private static PkiException unusable(Path file, GeneralSecurityException cause) {
    return new PkiException(
        "The key %s cannot be used (%s): bring back the one that was there, an ECDSA P-256 or RSA key in PKCS#8 form."
            .formatted(file, cause.getMessage()),
        cause);
  }
}
