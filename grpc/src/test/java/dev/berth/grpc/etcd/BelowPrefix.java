package dev.berth.grpc.etcd;

import dev.berth.store.etcd.EtcdLayout;
import java.util.Optional;

/** Any key, below a prefix: the contract's keys need not begin as a server's do. */
record BelowPrefix(String prefix) implements EtcdLayout {
  @Override
  public String etcdKey(String key) {
    return prefix + "/" + key;
  }

  @Override
  public Optional<String> storeKey(String etcdKey) {
    return etcdKey.startsWith(prefix + "/")
        ? Optional.of(etcdKey.substring(prefix.length() + 1))
        : Optional.empty();
  }

  @Override
  public byte[] encode(String key, byte[] value) {
    return value;
  }

  @Override
  public byte[] decode(String key, byte[] stored) {
    return stored;
  }
}
