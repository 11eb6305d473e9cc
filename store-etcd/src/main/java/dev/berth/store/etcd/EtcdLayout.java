package dev.berth.store.etcd;

import java.util.Optional;

/** How keys and values of the store stand in etcd. */
public interface EtcdLayout {

  /** What all keys of the store begin with. */
  String STORE_PREFIX = "/registry/";

  /** The key in etcd (with the prefix) of a key of the store such as /registry/pods/default/web. */
  String etcdKey(String key);

  /** The other way round; empty for a key of etcd that is none of ours. */
  Optional<String> storeKey(String etcdKey);

  /** What etcd holds for a value of the store (JSON). */
  byte[] encode(String key, byte[] value);

  /**
   * The other way round.
   *
   * @throws UndecodableException with the reason
   */
  byte[] decode(String key, byte[] stored);

  /**
   * Keys and values as they are, but for the prefix, which stands in place of {@code /registry}.
   */
  static EtcdLayout plain(String prefix) {
    return new PlainLayout(prefix);
  }
}
