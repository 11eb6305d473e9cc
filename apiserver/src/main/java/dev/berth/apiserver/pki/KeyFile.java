package dev.berth.apiserver.pki;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;

/** Private keys that cannot be replaced without harm, and so are refused rather than made anew. */
final class KeyFile {

  private KeyFile() {}

  static KeyPair parse(Path file, String text) {
    try {
      return Keys.pair(Pem.privateKey(text));
    } catch (GeneralSecurityException e) {
      throw new PkiException(
          "The key %s cannot be used (%s): bring back the one that was there, an ECDSA P-256 or RSA key in PKCS#8 form."
              .formatted(file, e.getMessage()),
          e);
    }
  }
}
