package dev.berth.store;

/**
 * Which writes to the keys with a prefix a watch is about. What is written to the others does not
 * wake its reader, whose cost then does not depend on how many others there are.
 */
public sealed interface Topic {
  /** Every write. */
  Topic ALL = new All();

  record All() implements Topic {}

  /** Writes to the keys that end in a name: what follows their last slash. */
  record Name(String name) implements Topic {
    static Name of(String key) {
      return new Name(key.substring(key.lastIndexOf('/') + 1));
    }
  }

  /**
   * Writes to entries whose {@link Store#index indexed} field has a value, or had it before: what
   * moves from one value to another concerns both.
   */
  record Value(String value) implements Topic {}
}
