package dev.berth.store.embedded;

import java.util.Optional;

/**
 * Says how values look on disk: as they are, or encrypted. Everything in memory is as it was
 * written; a value is transformed when it is written, by whoever writes it, and when the store is
 * opened. Backups hold what is on disk. May be used from any thread.
 */
public interface ValueTransformer {

  /** What an encrypted value begins with, in Berth as in Kubernetes; no other value does. */
  String ENCRYPTED = "k8s:enc:";

  /** Writes all values as they are, and knows no key to read what is encrypted. */
  ValueTransformer NONE =
      new ValueTransformer() {
        @Override
        public Optional<ValueForm> form(String key) {
          return Optional.empty();
        }

        @Override
        public Reading read(String key, String place, byte[] stored) {
          return isEncrypted(stored)
              ? new Reading.Unreadable("it is encrypted, and no encryption provider is configured")
              : new Reading.Value(stored, Optional.empty());
        }

        @Override
        public boolean canRead(String key, ValueForm form) {
          return false;
        }
      };

  /** The form in which a value is written from now on. Empty: as it is in memory. */
  Optional<ValueForm> form(String key);

  /**
   * A value as it is on disk.
   *
   * @param place what its key is called there, to which an encrypted value may be bound
   */
  Reading read(String key, String place, byte[] stored);

  /** The same where keys are called what they are. */
  default Reading read(String key, byte[] stored) {
    return read(key, key, stored);
  }

  /** Whether a value in a form could be read. */
  boolean canRead(String key, ValueForm form);

  /** Whether a value is encrypted, by whomever. */
  static boolean isEncrypted(byte[] stored) {
    for (int i = 0; i < ENCRYPTED.length(); i++) {
      if (i == stored.length || stored[i] != ENCRYPTED.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** What came of reading a value. */
  sealed interface Reading {
    /**
     * It could be read.
     *
     * @param form the form that it had on disk
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares readings
    record Value(byte[] value, Optional<ValueForm> form) implements Reading {}

    /** It could not, for a reason that follows a colon. */
    record Unreadable(String why) implements Reading {}
  }
}
