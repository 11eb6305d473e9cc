package dev.berth.apiserver.layout;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.store.etcd.UndecodableException;

/**
 * Custom resources: JSON in both stores, of which Berth wants kind, version and metadata to come
 * first, in this order. A kube-apiserver sorts all fields by their names.
 */
final class CustomForm {
  private static final byte[] KIND = "{\"kind\":\"".getBytes(US_ASCII);
  private static final byte[] API_VERSION = "\",\"apiVersion\":\"".getBytes(US_ASCII);
  private static final byte[] METADATA = "\",\"metadata\":{\"".getBytes(US_ASCII);

  private CustomForm() {}

  static byte[] decode(byte[] stored) {
    return isInOrder(stored) ? stored : inOrder(JsonReader.object(stored, JsonLimits.TRUSTED));
  }

  /** Whether it was Berth that wrote this; nobody else has metadata so early. */
  private static boolean isInOrder(byte[] stored) {
    int end = behind(stored, 0, KIND);
    end = behind(stored, nextQuote(stored, end), API_VERSION);
    end = behind(stored, nextQuote(stored, end), METADATA);
    return end > 0 && stored[stored.length - 1] == '}';
  }

  /** Where the text ends if it is there, or -1. */
  private static int behind(byte[] bytes, int at, byte[] text) {
    if (at < 0 || at + text.length > bytes.length) {
      return -1;
    }
    for (int i = 0; i < text.length; i++) {
      if (bytes[at + i] != text[i]) {
        return -1;
      }
    }
    return at + text.length;
  }

  private static int nextQuote(byte[] bytes, int from) {
    for (int i = from; i >= 0 && i < bytes.length; i++) {
      if (bytes[i] == '"') {
        return i;
      }
    }
    return -1;
  }

  private static byte[] inOrder(JsonObject object) {
    if (object.text("kind", "").isEmpty()
        || object.text("apiVersion", "").isEmpty()
        || Metadata.of(object).name().isEmpty()) {
      throw new UndecodableException("it does not say its kind, version and name");
    }
    JsonObject.Builder ordered =
        new JsonObject.Builder()
            .put("kind", object.text("kind", ""))
            .put("apiVersion", object.text("apiVersion", ""))
            .put(
                "metadata",
                object.object("metadata").without("resourceVersion").without("selfLink"));
    object.forEach((name, value) -> {
      if (!name.equals("kind") && !name.equals("apiVersion") && !name.equals("metadata")) {
        ordered.put(name, value);
      }
    });
    return JsonWriter.toBytes(ordered.build());
  }
}
