package dev.berth.client.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;
import dev.berth.client.ListResult;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Reads the responses of a server. */
final class Answers {
  private static final int FIRST_ERROR = 300;
  private static final int SHOWN = 200;

  private Answers() {}

  static ApiResult object(HttpResponse<byte[]> response) throws IOException {
    byte[] body = body(response);
    if (response.statusCode() >= FIRST_ERROR) {
      return new ApiResult.Refused(error(response.statusCode(), response.headers(), body));
    }
    return new ApiResult.Done(read(response, body));
  }

  static ListResult list(HttpResponse<byte[]> response) throws IOException {
    byte[] body = body(response);
    if (response.statusCode() >= FIRST_ERROR) {
      return new ApiResult.Refused(error(response.statusCode(), response.headers(), body));
    }
    JsonObject list = read(response, body);
    try {
      JsonObject metadata = list.object("metadata");
      return new ListResult.Page(
          items(list), metadata.text("resourceVersion", ""), metadata.text("continue", ""));
    } catch (JsonException | ClassCastException e) {
      throw new IOException("the list is malformed: " + e.getMessage(), e);
    }
  }

  /** A list says the kind of its objects, which do not. */
  private static List<JsonObject> items(JsonObject list) {
    String kind = list.text("kind", "");
    String ofItems = kind.endsWith("List") ? kind.substring(0, kind.length() - 4) : kind;
    String apiVersion = list.text("apiVersion", "");
    List<JsonObject> items = new ArrayList<>(list.array("items").size());
    for (JsonObject item : list.array("items").objects()) {
      items.add(item.has("kind") ? item : typed(item, ofItems, apiVersion));
    }
    return items;
  }

  private static JsonObject typed(JsonObject item, String kind, String apiVersion) {
    String[] names = new String[item.size() + 2];
    Object[] values = new Object[names.length];
    names[0] = "kind";
    values[0] = kind;
    names[1] = "apiVersion";
    values[1] = apiVersion;
    for (int i = 0; i < item.size(); i++) {
      names[i + 2] = item.name(i);
      values[i + 2] = item.value(i);
    }
    return JsonObject.ofDistinct(names, values, names.length);
  }

  static ApiError error(int code, HttpHeaders headers, byte[] body) {
    ApiError error = error(code, body);
    Optional<Duration> wait =
        headers
            .firstValue("Retry-After")
            .filter(text -> text.matches("\\d{1,6}"))
            .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    return wait.map(error::retryAfter).orElse(error);
  }

  private static ApiError error(int code, byte[] body) {
    try {
      JsonObject status = JsonReader.object(body, JsonLimits.REQUEST);
      if (status.text("kind", "").equals("Status")) {
        return ApiError.of(code, status);
      }
    } catch (JsonException _) {
      // Whoever answered is no Kubernetes.
    }
    String text = new String(body, UTF_8).strip();
    String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    return ApiError.of(
        code, "the server answered %d%s".formatted(code, shown.isEmpty() ? "" : ": " + shown));
  }

  private static JsonObject read(HttpResponse<byte[]> response, byte[] body) throws IOException {
    try {
      return JsonReader.object(body, JsonLimits.TRUSTED);
    } catch (JsonException e) {
      throw new IOException(
          "it answered %d with what is no JSON object (%s)"
              .formatted(response.statusCode(), e.getMessage()),
          e);
    }
  }

  static byte[] body(HttpResponse<byte[]> response) throws IOException {
    boolean gzip = response.headers().firstValue("Content-Encoding").orElse("").equals("gzip");
    if (!gzip) {
      return response.body();
    }
    try (GZIPInputStream plain = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      return plain.readAllBytes();
    }
  }
}
