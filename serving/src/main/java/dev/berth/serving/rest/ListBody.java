package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.http.Response;
import dev.berth.http.ResponseStream;
import dev.berth.http.Streaming;
import dev.berth.model.resource.GroupVersionKind;
import dev.berth.model.tree.JsonObject;
import dev.berth.serving.wire.WireFormat;
import dev.berth.store.Store.Entry;
import dev.berth.wire.ProtobufList;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The bytes of a list: what goes before its objects, each of them, and what goes after them. */
final class ListBody {
  /** Lists with more objects are streamed. */
  private static final int WHOLE = 500;

  private static final byte[] COMMA = {','};
  private static final byte[] NOTHING = {};
  private static final byte[] END = "]}\n".getBytes(UTF_8);

  private final byte[] head;
  private final byte[] between;
  private final byte[] tail;
  private final List<Entry> entries;
  private final Function<Entry, byte[]> item;

  private ListBody(
      byte[] head, byte[] between, byte[] tail, List<Entry> entries, Function<Entry, byte[]> item) {
    this.head = head;
    this.between = between;
    this.tail = tail;
    this.entries = entries;
    this.item = item;
  }

  /** A list whose objects are JSON already. */
  static ListBody json(JsonObject empty, List<Entry> entries, Function<Entry, byte[]> item) {
    String whole = empty.toString();
    byte[] head = whole.substring(0, whole.length() - "]}".length()).getBytes(UTF_8);
    return new ListBody(head, COMMA, END, entries, item);
  }

  /**
   * A list in protobuf, whose length has to be known from the start. A large one is written twice,
   * once to measure it, rather than held.
   */
  static ListBody protobuf(
      JsonObject empty, List<Entry> entries, Function<Entry, JsonObject> tree) {
    ProtobufList list = new ProtobufList(GroupVersionKind.of(empty), empty.object("metadata"));
    entries.forEach(entry -> list.measure(tree.apply(entry)));
    byte[] head = list.head();
    byte[] tail = list.tail();
    return new ListBody(head, NOTHING, tail, entries, entry -> list.item(tree.apply(entry)));
  }

  void send(Call call) {
    boolean pretty =
        call.query().flag("pretty") && call.representation().format() == WireFormat.JSON;
    if (entries.size() > WHOLE && !pretty) {
      stream(call);
      return;
    }
    List<byte[]> parts = new ArrayList<>(2 * entries.size() + 2);
    parts.add(head);
    for (Entry entry : entries) {
      if (parts.size() > 1) {
        parts.add(between);
      }
      parts.add(item.apply(entry));
    }
    parts.add(tail);
    if (pretty) {
      call.respond(200, joined(parts));
    } else {
      call.exchange().respond(new Response(200, call.headers(), parts));
    }
  }

  private void stream(Call call) {
    try (ResponseStream stream = call.exchange().stream(200, call.headers(), Streaming.BULK)) {
      boolean taken = stream.write(head);
      for (int i = 0; taken && i < entries.size(); i++) {
        boolean separated = i == 0 || between.length == 0 || stream.write(between);
        taken = separated && stream.write(item.apply(entries.get(i)));
      }
      if (taken) {
        stream.write(tail);
      }
    }
  }

  private static byte[] joined(List<byte[]> parts) {
    var out = new ByteArrayOutputStream();
    parts.forEach(out::writeBytes);
    return new String(out.toByteArray(), UTF_8).strip().getBytes(UTF_8);
  }
}
