package dev.berth.wire;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonObject;

/**
 * A list in protobuf, piece by piece. Its length comes before its objects, so each of them is
 * measured first; nobody has to hold them all. For one thread.
 */
public final class ProtobufList {
  private static final int METADATA = 1;
  private static final int ITEMS = 2;

  private final GroupVersionKind kind;
  private final WireMessage item;
  private final byte[] metadata;
  private final WireOutput out = new WireOutput(1 << 14);
  private final WireEncoder encoder = new WireEncoder(out);
  private long length;

  /**
   * Begins a list.
   *
   * @param kind of the list
   */
  public ProtobufList(GroupVersionKind kind, JsonObject metadata) {
    this.kind = kind;
    WireMessage list = WireTypes.of(kind).orElseThrow();
    WireField items = list.field(ITEMS);
    WireField own = list.field(METADATA);
    if (items == null || own == null || !items.name.equals("items")) {
      throw new IllegalArgumentException(kind + " is no list.");
    }
    this.item = items.message();
    encoder.message(own.message(), metadata);
    out.close(METADATA, 0);
    this.metadata = out.toBytes();
    this.length = this.metadata.length;
  }

  /** Counts an object that will be in the list. */
  public void measure(JsonObject object) {
    write(object);
    length += out.size();
  }

  /** What comes before the first object, once all were measured. */
  public byte[] head() {
    out.clear();
    out.raw(metadata);
    out.varint(length);
    out.tag(Protobuf.RAW, WireInput.BYTES);
    Protobuf.endEnvelope(out, kind.apiVersion(), kind.kind());
    return out.toBytes();
  }

  /** The piece that is one object. */
  public byte[] item(JsonObject object) {
    write(object);
    return out.toBytes();
  }

  /** What comes after the last object. */
  public byte[] tail() {
    out.clear();
    Protobuf.beginEnvelope(out);
    return out.toBytes();
  }

  private void write(JsonObject object) {
    out.clear();
    encoder.message(item, object);
    out.close(ITEMS, 0);
  }
}
