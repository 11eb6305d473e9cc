package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.model.tree.Subtrees;
import dev.berth.registry.status.Failures;
import dev.berth.store.Store.Entry;
import dev.berth.store.Unreadable;
import java.util.function.Function;

/**
 * Objects as they are stored, and sent.
 *
 * <p>An object is serialized once, when it is written, and those bytes are what every GET, LIST and
 * WATCH sends. What they cannot hold is the revision, which is only known once they are stored. So
 * all objects of a resource begin alike, with their kind, their version and the opening of their
 * metadata, and the revision is put in behind that.
 *
 * <p>Who needs the tree shares it with all others who do: it stays with the entry.
 */
public final class StoredEncoding {
  private StoredEncoding() {}

  /** The largest object that is stored, in bytes: as much as etcd takes. */
  public static final int MOST_BYTES = 1536 * 1024;

  /**
   * How many bytes an object takes at least, its managed fields aside: less than counting them
   * takes, so that what is far too large can be refused before anything is made of it.
   */
  public static long leastBytes(JsonObject object) {
    return least(Metadata.update(object, metadata -> metadata.without("managedFields")));
  }

  private static long least(Object value) {
    return switch (value) {
      case JsonObject object -> {
        long bytes = 2;
        for (int i = 0; i < object.size(); i++) {
          bytes += 4 + object.name(i).length() + least(object.value(i));
        }
        yield bytes;
      }
      case JsonArray array -> {
        long bytes = 2;
        for (int i = 0; i < array.size(); i++) {
          bytes += 1 + least(array.get(i));
        }
        yield bytes;
      }
      case String text -> 2 + text.length();
      default -> 1;
    };
  }

  /** The bytes to store. */
  static byte[] encode(JsonObject object) {
    return JsonWriter.toBytes(
        Metadata.update(object, metadata -> metadata.without("resourceVersion")));
  }

  /**
   * The bytes to store of an object that another server stored: with the defaults that its version
   * did not have, which an update would add, and with the fields that are there though they are
   * zero.
   */
  public static byte[] adopted(Resource resource, JsonObject object) {
    JsonObject whole =
        Preparation.filled(resource, resource.rules().defaults(object), JsonObject.EMPTY);
    return JsonWriter.toBytes(
        Metadata.update(
            whole, metadata -> metadata.without("resourceVersion").without("selfLink")));
  }

  /** An object with its fields in the order in which they are stored. */
  static JsonObject inOrder(Resource resource, JsonObject object) {
    JsonObject.Builder ordered =
        new JsonObject.Builder()
            .put("kind", resource.kind().kind())
            .put("apiVersion", resource.kind().apiVersion())
            .put("metadata", object.object("metadata"));
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      if (!name.equals("kind") && !name.equals("apiVersion") && !name.equals("metadata")) {
        ordered.put(name, object.value(i));
      }
    }
    return ordered.build();
  }

  /** The object of an entry, its revision included. */
  public static JsonObject tree(Entry entry) {
    return entry.view(
        JsonObject.class,
        e -> {
          checkReadable(e);
          JsonObject read = JsonReader.object(e.value(), JsonLimits.TRUSTED);
          return withRevision(Subtrees.share(read, JsonObject.EMPTY), e.revision());
        });
  }

  /** The same, in the version of a resource. */
  public static JsonObject tree(Resource resource, Entry entry) {
    return resource.read(tree(entry));
  }

  /**
   * Refuses what is encrypted with a key that this server does not have. All that it could read
   * begins with a brace.
   */
  public static void checkReadable(Entry entry) {
    byte[] value = entry.value();
    if (value.length == 0 || value[0] != '{') {
      throw Failures.internal(
          "unable to transform key \"%s\": %s".formatted(entry.key(), Unreadable.of(entry).why()));
    }
  }

  /** Leaves the tree that is written with its entry, so that nobody parses it again. */
  static Function<Entry, JsonObject> treeOf(JsonObject object) {
    return entry -> withRevision(object, entry.revision());
  }

  static JsonObject withRevision(JsonObject object, long revision) {
    return Metadata.update(
        object, metadata -> metadata.with("resourceVersion", Long.toString(revision)));
  }

  /** The bytes to send of an object by itself. */
  public static byte[] bytes(Resource resource, Entry entry) {
    return bytes(resource, entry, entry.revision());
  }

  /** The same, as of a later revision: the one at which the object was deleted. */
  public static byte[] bytes(Resource resource, Entry entry, long revision) {
    return bytes("", resource, entry, revision, "");
  }

  /**
   * The same between two texts of ASCII letters, as events of watches have them: copied once, since
   * each watcher is told.
   */
  @SuppressWarnings("ReferenceEquality") // what needs no change is the same object
  public static byte[] bytes(
      String before, Resource resource, Entry entry, long revision, String after) {
    if (resource.storedAs().isPresent()) {
      byte[] served = JsonWriter.toBytes(resource.served(withRevision(tree(entry), revision)));
      return spliced(before, served, 0, after);
    }
    checkReadable(entry);
    if (resource.custom().isPresent()) {
      JsonObject stored = tree(entry);
      JsonObject read = resource.read(stored);
      if (read != stored) {
        return spliced(before, JsonWriter.toBytes(withRevision(read, revision)), 0, after);
      }
    }
    return spliced(
        before + head(resource) + revisionField(revision),
        entry.value(),
        metadataBegin(resource),
        after);
  }

  /**
   * The same of an object that was read already.
   *
   * @param tree the object of the entry in the version of the resource
   */
  @SuppressWarnings("ReferenceEquality") // what needs no change is the same object
  static byte[] bytes(Resource resource, Entry entry, JsonObject tree) {
    return resource.custom().isPresent() && tree == tree(entry)
        ? spliced(
            head(resource) + revisionField(entry.revision()),
            entry.value(),
            metadataBegin(resource),
            "")
        : bytes(resource, entry);
  }

  /** The bytes to send of an object in a list, whose kind the list says, if it is built in. */
  public static byte[] itemBytes(Resource resource, Entry entry) {
    if (resource.custom().isPresent()) {
      return bytes(resource, entry);
    }
    if (resource.storedAs().isPresent()) {
      return JsonWriter.toBytes(resource.served(tree(entry)).without("kind").without("apiVersion"));
    }
    checkReadable(entry);
    return spliced(
        "{\"metadata\":{" + revisionField(entry.revision()),
        entry.value(),
        metadataBegin(resource),
        "");
  }

  private static String head(Resource resource) {
    return "{\"kind\":\""
        + resource.kind().kind()
        + "\",\"apiVersion\":\""
        + resource.kind().apiVersion()
        + "\",\"metadata\":{";
  }

  /** Kinds and versions are of ASCII letters, so characters are bytes. */
  private static int metadataBegin(Resource resource) {
    return head(resource).length();
  }

  /** Metadata are never empty, so a comma always follows. */
  private static String revisionField(long revision) {
    return "\"resourceVersion\":\"" + revision + "\",";
  }

  @SuppressWarnings("deprecation") // characters that are all ASCII become bytes without an array
  private static byte[] spliced(String head, byte[] stored, int from, String tail) {
    int length = stored.length - from;
    byte[] whole = new byte[head.length() + length + tail.length()];
    head.getBytes(0, head.length(), whole, 0);
    System.arraycopy(stored, from, whole, head.length(), length);
    tail.getBytes(0, tail.length(), whole, head.length() + length);
    return whole;
  }
}
