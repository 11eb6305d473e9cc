package dev.berth.store.etcd;

/** What stands in etcd is no value that Berth can read; the message is the reason. */
public final class UndecodableException extends RuntimeException {

  public UndecodableException(String why) {
    super(why);
  }

  public UndecodableException(String why, Throwable cause) {
    super(why, cause);
  }
}
