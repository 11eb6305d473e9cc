package dev.berth.store.etcd;

import org.jspecify.annotations.Nullable;

/** etcd refused a request or did not answer; the message is etcd's, or says what went wrong. */
public final class EtcdException extends RuntimeException {

  /** What is known of the request. */
  public enum Kind {
    /** It was refused, and nothing happened. It would be refused again. */
    REFUSED,
    /** It was refused since the lease that it named is gone. */
    LEASE_GONE,
    /** It named a revision that etcd has forgotten. */
    COMPACTED,
    /** There was no answer, or one that does not say whether it was carried out. */
    NO_ANSWER
  }

  private final Kind kind;

  public EtcdException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
