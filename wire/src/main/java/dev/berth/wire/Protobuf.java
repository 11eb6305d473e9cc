package dev.berth.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonObject;
import java.util.Arrays;

/**
 * Kubernetes' protobuf: four bytes that say so, and an envelope with the kind and version of the
 * object and its message.
 *
 * <p>Objects are written from their trees, by a table of field numbers; there are no classes for
 * messages, and no protobuf library.
 */
public final class Protobuf {
  private static final byte[] PREFIX = "k8s\0".getBytes(ISO_8859_1);

  static final int PREFIX_LENGTH = PREFIX.length;

  /** The fields of an envelope. */
  static final int TYPE = 1;

  static final int RAW = 2;
  private static final int CONTENT_ENCODING = 3;
  private static final int CONTENT_TYPE = 4;

  /** Most objects fit, and the buffer grows for the others. */
  private static final int USUAL_SIZE = 4096;

  private Protobuf() {}

  /** Whether objects of a kind have a message. */
  public static boolean has(GroupVersionKind kind) {
    return WireTypes.of(kind).isPresent();
  }

  /** Whether bytes say that they are one. */
  public static boolean isEnvelope(byte[] bytes) {
    return bytes.length >= PREFIX.length
        && Arrays.equals(bytes, 0, PREFIX.length, PREFIX, 0, PREFIX.length);
  }

  /** An object that says its kind and version, in its envelope. */
  public static byte[] encode(JsonObject object) {
    WireOutput out = new WireOutput(USUAL_SIZE);
    envelope(out, object);
    return out.toBytes();
  }

  /** An event of a watch with its length before it; the object in it is in its envelope. */
  public static byte[] event(String type, JsonObject object) {
    WireOutput out = new WireOutput(USUAL_SIZE);
    envelope(out, object);
    out.close(1, 0);
    out.close(2, 0);
    out.text(1, type);
    int size = out.size();
    out.raw(
        new byte[] {(byte) (size >>> 24), (byte) (size >>> 16), (byte) (size >>> 8), (byte) size});
    return out.toBytes();
  }

  private static void envelope(WireOutput out, JsonObject object) {
    String apiVersion = object.text("apiVersion", "");
    String kind = object.text("kind", "");
    WireMessage type = type(GroupVersionKind.of(object));
    beginEnvelope(out);
    int message = out.size();
    new WireEncoder(out).message(type, object);
    out.close(RAW, message);
    endEnvelope(out, apiVersion, kind);
  }

  private static WireMessage type(GroupVersionKind kind) {
    return WireTypes.of(kind)
        .orElseThrow(() -> new IllegalArgumentException("There is no protobuf message of " + kind));
  }

  /** What comes last, and so is written first. */
  static void beginEnvelope(WireOutput out) {
    out.text(CONTENT_TYPE, "");
    out.text(CONTENT_ENCODING, "");
  }

  static void endEnvelope(WireOutput out, String apiVersion, String kind) {
    int before = out.size();
    out.text(2, kind);
    out.text(1, apiVersion);
    out.close(TYPE, before);
    out.raw(PREFIX);
  }
}
