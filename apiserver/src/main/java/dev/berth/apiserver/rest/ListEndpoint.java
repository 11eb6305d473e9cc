package dev.berth.apiserver.rest;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.apiserver.http.Response;
import dev.berth.apiserver.http.ResponseStream;
import dev.berth.apiserver.http.Streaming;
import dev.berth.apiserver.registry.Listing;
import dev.berth.apiserver.registry.Registry;
import dev.berth.apiserver.registry.StoredForm;
import dev.berth.apiserver.resource.Resource;
import dev.berth.apiserver.table.Table;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.store.Store.Entry;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Answers lists. A list is its head, and the stored bytes of one object after the other; a large
 * one is sent piece by piece, so that it is nowhere in memory as a whole.
 */
final class ListEndpoint {
  /** Lists with more objects are streamed. */
  private static final int WHOLE = 500;

  private static final byte[] COMMA = {','};
  private static final byte[] END = "]}\n".getBytes(UTF_8);

  private final Registry registry;

  ListEndpoint(Registry registry) {
    this.registry = registry;
  }

  void list(Call call) {
    Rendering rendering = Rendering.of(call, registry.now());
    Resource resource = call.resource();
    Listing.Page page = registry.list(resource, Selections.list(call));
    JsonObject metadata = metadata(page);
    Representation form = rendering.form();
    switch (form.form()) {
      case OBJECTS ->
          send(
              call,
              head(resource.kind().kind() + "List", resource.kind().apiVersion(), metadata),
              page.entries(),
              entry -> StoredForm.itemBytes(resource, entry));
      case METADATA ->
          send(
              call,
              head("PartialObjectMetadataList", form.apiVersion(), metadata),
              page.entries(),
              entry ->
                  JsonWriter.toBytes(Table.partial(StoredForm.tree(entry), form.apiVersion())));
      case TABLE ->
          call.respond(
              200,
              rendering.table(page.entries().stream().map(StoredForm::tree).toList(), metadata));
    }
  }

  static JsonObject metadata(Listing.Page page) {
    JsonObject.Builder metadata =
        new JsonObject.Builder().put("resourceVersion", Long.toString(page.revision()));
    if (!page.continueToken().isEmpty()) {
      metadata.put("continue", page.continueToken());
      if (page.remaining() > 0) {
        metadata.put("remainingItemCount", page.remaining());
      }
    }
    return metadata.build();
  }

  private static byte[] head(String kind, String apiVersion, JsonObject metadata) {
    String head =
        "{\"kind\":\"%s\",\"apiVersion\":\"%s\",\"metadata\":%s,\"items\":["
            .formatted(kind, apiVersion, metadata);
    return head.getBytes(UTF_8);
  }

  private static void send(
      Call call, byte[] head, List<Entry> entries, Function<Entry, byte[]> item) {
    if (entries.size() > WHOLE && !call.query().flag("pretty")) {
      stream(call, head, entries, item);
      return;
    }
    List<byte[]> parts = new ArrayList<>(2 * entries.size() + 2);
    parts.add(head);
    for (Entry entry : entries) {
      if (parts.size() > 1) {
        parts.add(COMMA);
      }
      parts.add(item.apply(entry));
    }
    parts.add(END);
    if (call.query().flag("pretty")) {
      call.respond(200, joined(parts));
    } else {
      call.exchange().respond(new Response(200, call.headers(), parts));
    }
  }

  private static void stream(
      Call call, byte[] head, List<Entry> entries, Function<Entry, byte[]> item) {
    try (ResponseStream stream = call.exchange().stream(200, call.headers(), Streaming.BULK)) {
      boolean taken = stream.write(head);
      for (int i = 0; taken && i < entries.size(); i++) {
        taken = (i == 0 || stream.write(COMMA)) && stream.write(item.apply(entries.get(i)));
      }
      if (taken) {
        stream.write(END);
      }
    }
  }

  private static byte[] joined(List<byte[]> parts) {
    var out = new ByteArrayOutputStream();
    parts.forEach(out::writeBytes);
    return new String(out.toByteArray(), UTF_8).strip().getBytes(UTF_8);
  }
}
