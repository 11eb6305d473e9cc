package dev.berth.store.etcd;

import java.util.Optional;

/** Keys and values as they are, below a prefix. */
record PlainLayout(String prefix) implements EtcdLayout {

  @Override
  public String etcdKey(String key) {
    if (!key.startsWith(STORE_PREFIX)) {
      throw new IllegalArgumentException(
          "%s is no key of a server, since it does not begin with %s."
              .formatted(key, STORE_PREFIX));
    }
    return prefix + "/" + key.substring(STORE_PREFIX.length());
  }

  @Override
  public Optional<String> storeKey(String etcdKey) {
    return etcdKey.startsWith(prefix + "/")
        ? Optional.of(STORE_PREFIX + etcdKey.substring(prefix.length() + 1))
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
