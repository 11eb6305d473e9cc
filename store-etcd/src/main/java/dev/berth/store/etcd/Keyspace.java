package dev.berth.store.etcd;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The keys of a store in etcd: all that begin with its prefix and a slash. */
final class Keyspace {

  /** Written by whoever needs a revision of its own; holds nothing. */
  private static final String PROGRESS = "berth/progress";

  final byte[] from;
  final byte[] to;
  final byte[] progress;

  Keyspace(String prefix) {
    from = (prefix + "/").getBytes(StandardCharsets.UTF_8);
    to = end(from);
    progress = (prefix + "/" + PROGRESS).getBytes(StandardCharsets.UTF_8);
  }

  /** The first key behind those that begin with a prefix which ends in a slash. */
  private static byte[] end(byte[] prefix) {
    byte[] end = prefix.clone();
    end[end.length - 1]++;
    return end;
  }

  boolean isProgress(byte[] key) {
    return Arrays.equals(key, progress);
  }

  /** The first key behind a key. */
  static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }
}
