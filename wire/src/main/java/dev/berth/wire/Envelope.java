package dev.berth.wire;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonObject;

/** What a client sent as protobuf: what it says it is, and the message that says the rest. */
public final class Envelope {
  private final String apiVersion;
  private final String kind;
  private final byte[] message;

  private Envelope(String apiVersion, String kind, byte[] message) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.message = message;
  }

  /** Empty if the client leaves it to the path. */
  public String apiVersion() {
    return apiVersion;
  }

  /** Empty if the client leaves it to the path. */
  public String kind() {
    return kind;
  }

  /**
   * Reads an envelope, but not yet what is in it.
   *
   * @throws WireException if there is none
   */
  public static Envelope read(byte[] bytes) {
    if (bytes.length == 0) {
      throw new WireException("empty data");
    }
    if (!Protobuf.isEnvelope(bytes)) {
      throw new WireException(
          "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
    }
    if (bytes.length == Protobuf.PREFIX_LENGTH) {
      throw new WireException("empty body");
    }
    WireInput in = new WireInput(bytes, Protobuf.PREFIX_LENGTH, bytes.length);
    String[] type = {"", ""};
    byte[] message = {};
    while (in.hasMore()) {
      int tag = in.tag();
      if (tag == ((Protobuf.TYPE << 3) | WireInput.BYTES)) {
        type = type(in);
      } else if (tag == ((Protobuf.RAW << 3) | WireInput.BYTES)) {
        message = in.bytes();
      } else {
        in.skip(tag);
      }
    }
    return new Envelope(type[0], type[1], message);
  }

  private static String[] type(WireInput in) {
    String[] type = {"", ""};
    int outer = in.enter(in.length());
    while (in.hasMore()) {
      int tag = in.tag();
      int number = tag >>> 3;
      if ((number == 1 || number == 2) && (tag & 7) == WireInput.BYTES) {
        type[number - 1] = in.text();
      } else {
        in.skip(tag);
      }
    }
    in.leave(outer);
    return type;
  }

  /**
   * The object, read as one of a kind, with the kind and version that the envelope says.
   *
   * @throws WireException if the message is malformed
   */
  public JsonObject object(GroupVersionKind as) {
    WireMessage type =
        WireTypes.of(as).orElseThrow(() -> new WireException("there is no message of " + as));
    JsonObject fields = new WireDecoder(message, 0, message.length).message(type);
    String[] names = new String[fields.size() + 2];
    Object[] values = new Object[names.length];
    int size = 0;
    if (!kind.isEmpty()) {
      names[size] = "kind";
      values[size++] = kind;
    }
    if (!apiVersion.isEmpty()) {
      names[size] = "apiVersion";
      values[size++] = apiVersion;
    }
    for (int i = 0; i < fields.size(); i++) {
      names[size] = fields.name(i);
      values[size++] = fields.value(i);
    }
    return JsonObject.ofDistinct(names, values, size);
  }
}
