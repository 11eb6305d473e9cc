package dev.berth.pki.cipher;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;

/** The numbers in front of what is encrypted, which must never repeat under one key. */
final class Nonces {
  private static final SecureRandom RANDOM = new SecureRandom();

  private Nonces() {}

  /** Truly random, whatever the seed of a run: one that could be made again would repeat. */
  static byte[] random(int bytes) {
    byte[] nonce = new byte[bytes];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  static void checkLength(byte[] encrypted, int least) throws GeneralSecurityException {
    if (encrypted.length < least) {
      throw new GeneralSecurityException("the stored data was shorter than the required size");
    }
  }
}
