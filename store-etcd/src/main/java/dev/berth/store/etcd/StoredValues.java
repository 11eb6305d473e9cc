package dev.berth.store.etcd;

import dev.berth.store.Store.Entry;
import dev.berth.store.Unreadable;
import dev.berth.store.embedded.StoredForms;
import dev.berth.store.embedded.ValueForm;
import dev.berth.store.embedded.ValueTransformer;
import dev.berth.store.embedded.ValueTransformer.Reading;
import dev.berth.store.etcd.EtcdClient.KeyValue;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Entries as they stand in etcd, and the other way round: keys by the layout, values encoded by the
 * layout and then encrypted, bound to their keys in etcd. What cannot be read becomes an entry that
 * says so, is named in the log and is kept in a list.
 */
final class StoredValues {
  private static final Logger LOG = LoggerFactory.getLogger("store");

  /** JSON is about this many times as long as protobuf. */
  private static final int GROWTH = 2;

  private final EtcdLayout layout;
  private final ValueTransformer transformer;
  private final StoredForms forms;
  private final Map<String, Failure> unreadable = new ConcurrentHashMap<>();

  /** What is at a revision of a key, and cannot be read. */
  private record Failure(long revision, String why) {
    Failure orNewer(Failure other) {
      return other.revision > revision ? other : this;
    }
  }

  StoredValues(EtcdOptions options) {
    layout = options.layout();
    transformer = options.transformer();
    forms = new StoredForms(transformer);
  }

  byte[] etcdKey(String key) {
    return layout.etcdKey(key).getBytes(StandardCharsets.UTF_8);
  }

  /** Empty if it is none of the store's. */
  Optional<String> storeKey(byte[] etcdKey) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(etcdKey)).toString();
      return layout.storeKey(text);
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  byte[] stored(String key, byte[] value) {
    byte[] encoded = layout.encode(key, value);
    return transformer
        .form(key)
        .map(form -> form.write(layout.etcdKey(key), encoded))
        .orElse(encoded);
  }

  /** What etcd holds, decoded. */
  Entry entry(String key, KeyValue stored) {
    Entry entry = encoded(key, stored);
    var _ = entry.value();
    return entry;
  }

  /** What etcd holds, decrypted; it is decoded when somebody reads it. */
  Entry encoded(String key, KeyValue stored) {
    return switch (transformer.read(key, place(stored), stored.value())) {
      case Reading.Value(byte[] encoded, Optional<ValueForm> form) -> {
        forms.remember(key, form);
        yield new Entry(
            key,
            entry -> decode(entry, encoded, stored.value()),
            GROWTH * encoded.length,
            stored.modRevision());
      }
      case Reading.Unreadable(String why) -> {
        Entry entry = new Entry(key, stored.value(), stored.modRevision());
        unreadable(entry, why);
        yield entry;
      }
    };
  }

  /** What is encrypted may be bound to its key in etcd, as a kube-apiserver binds it. */
  private static String place(KeyValue stored) {
    return ValueTransformer.isEncrypted(stored.value())
        ? new String(stored.key(), StandardCharsets.UTF_8)
        : "";
  }

  private byte[] decode(Entry entry, byte[] encoded, byte[] stored) {
    try {
      byte[] value = layout.decode(entry.key(), encoded);
      readable(entry.key(), entry.revision());
      return value;
    } catch (UndecodableException e) {
      unreadable(entry, String.valueOf(e.getMessage()));
      return stored;
    }
  }

  private void unreadable(Entry entry, String why) {
    Failure failure = new Failure(entry.revision(), why);
    boolean isNew = !unreadable.containsKey(entry.key());
    var _ = unreadable.merge(entry.key(), failure, Failure::orNewer);
    if (isNew) {
      LOG.atError()
          .addKeyValue("key", layout.etcdKey(entry.key()))
          .addKeyValue("reason", why)
          .log("a stored object cannot be read; requests for it fail");
    }
    var _ = Unreadable.mark(entry, why);
  }

  /** A value that was written here is what etcd holds. */
  void written(String key) {
    forms.remember(key, transformer.form(key));
    readable(key, Long.MAX_VALUE);
  }

  void deleted(String key) {
    forms.remember(key, Optional.empty());
    readable(key, Long.MAX_VALUE);
  }

  /** What was there until a revision does not matter any more. */
  private void readable(String key, long revision) {
    if (!unreadable.isEmpty()) {
      var _ =
          unreadable.computeIfPresent(
              key, (_, failure) -> failure.revision > revision ? failure : null);
    }
  }

  boolean isStale(String key) {
    return forms.isStale(key);
  }

  Optional<String> firstUnreadable(ValueTransformer other) {
    return forms.firstUnreadable(other);
  }

  /** Why an entry cannot be read, if that was tried. */
  Optional<String> unreadable(Entry entry) {
    return Optional.ofNullable(unreadable.get(entry.key()))
        .filter(failure -> failure.revision == entry.revision())
        .map(Failure::why);
  }
}
