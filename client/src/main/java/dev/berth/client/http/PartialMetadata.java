package dev.berth.client.http;

import dev.berth.client.ListResult;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;

/**
 * Objects of which only the metadata are asked for. The managed fields, which are more than half of
 * them, come along and are dropped. A server that knows no such form sends whole objects, of which
 * the rest is dropped too.
 */
final class PartialMetadata {
  static final String LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
  static final String OBJECT =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";

  private PartialMetadata() {}

  static ListResult list(HttpResponse<byte[]> response) throws IOException {
    ListResult result = Answers.list(response);
    return result instanceof ListResult.Page page
        ? new ListResult.Page(
            page.items().stream().map(PartialMetadata::of).toList(),
            page.revision(),
            page.continueToken())
        : result;
  }

  static JsonObject of(JsonObject object) {
    return JsonObject.of("metadata", Metadata.of(object).tree().without("managedFields"));
  }
}
