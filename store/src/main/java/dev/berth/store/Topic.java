package dev.berth.store;

import org.jspecify.annotations.Nullable;

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

    /** By hand: each write compares topics, and what Java makes of a record is slow for long. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Name that && name.equals(that.name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  /**
   * Writes to entries whose {@link Store#index indexed} field has a value, or had it before: what
   * moves from one value to another concerns both.
   */
  record Value(String value) implements Topic {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Value that && value.equals(that.value);
    }

    @Override
    public int hashCode() {
      return value.hashCode();
    }
  }
}
