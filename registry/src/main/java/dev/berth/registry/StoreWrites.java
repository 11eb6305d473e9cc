package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.Subtrees;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.status.Failures;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.Guard;
import dev.berth.store.Store.WriteResult;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Single attempts to write an object that is ready to be stored, on the conditions that its request
 * set and that its writer still leads.
 */
final class StoreWrites {
  private final Store store;

  StoreWrites(Store store) {
    this.store = store;
  }

  /** An object, and the bytes to store of it. */
  @SuppressWarnings("ArrayRecordComponent") // the bytes are the object's, and nobody compares them
  record Encoded(JsonObject object, byte[] bytes) {
    static Encoded of(Resource resource, JsonObject object) {
      JsonObject stored = resource.write(object);
      return new Encoded(stored, StoredEncoding.encode(stored));
    }
  }

  /**
   * An object that is not too large to be stored. As in Kubernetes, one that is only because of its
   * managed fields loses them, unless it is applied. One that was stored when the limit was another
   * may change as long as it does not grow.
   */
  static Encoded fitting(
      Resource resource, JsonObject object, int bytesBefore, WriteOptions options) {
    int limit = Math.max(StoredEncoding.MOST_BYTES, bytesBefore);
    Encoded whole = Encoded.of(resource, object);
    if (whole.bytes.length <= limit) {
      return whole;
    }
    Encoded without =
        Encoded.of(
            resource, Metadata.update(object, metadata -> metadata.without("managedFields")));
    if (options.fieldManager().isEmpty() || without.bytes.length > limit) {
      throw Failures.objectTooLarge(whole.bytes.length, StoredEncoding.MOST_BYTES);
    }
    return without;
  }

  /** Stores an object that is new. */
  WriteResult create(String key, Encoded made, AdmissionRequest request) {
    return put(key, new Encoded(Subtrees.shareNew(made.object), made.bytes), Store.ABSENT, request);
  }

  /** Stores an object in place of another; empty if somebody else was faster. */
  Optional<Stored> replace(Resource resource, Entry entry, Encoded next, AdmissionRequest request) {
    JsonObject shared = Subtrees.share(next.object, StoredEncoding.tree(entry));
    Encoded encoded = new Encoded(shared, next.bytes);
    return switch (put(entry.key(), encoded, entry.revision(), request)) {
      case WriteResult.Written written ->
          Optional.of(Stored.of(resource, written.entry().orElseThrow()));
      case WriteResult.Conflict _ -> Optional.empty();
      case WriteResult.Prevented prevented -> prevented(prevented);
    };
  }

  /** Removes an object; empty if somebody else was faster. */
  Optional<Stored> remove(
      Resource resource, Entry entry, JsonObject last, AdmissionRequest request) {
    return switch (store.delete(entry.key(), entry.revision(), guards(request))) {
      case WriteResult.Written written ->
          Optional.of(
              new Stored(resource, StoredEncoding.withRevision(last, written.revision()), null));
      case WriteResult.Conflict _ -> Optional.empty();
      case WriteResult.Prevented prevented -> prevented(prevented);
    };
  }

  private WriteResult put(String key, Encoded encoded, long expected, AdmissionRequest request) {
    return store.put(
        key, encoded.bytes, expected, StoredEncoding.treeOf(encoded.object), guards(request));
  }

  private static List<Guard> guards(AdmissionRequest request) {
    List<Guard> own = request.settlement().guards();
    return LeaderGuard.current()
        .map(leader -> Stream.concat(Stream.of(leader.guard()), own.stream()).toList())
        .orElse(own);
  }

  /** As if somebody else had been faster, unless it is for good. */
  private static Optional<Stored> prevented(WriteResult.Prevented prevented) {
    LeaderGuard.check(prevented);
    return Optional.empty();
  }
}
