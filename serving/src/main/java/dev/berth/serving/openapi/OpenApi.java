package dev.berth.serving.openapi;

import dev.berth.http.Exchange;
import dev.berth.http.Headers;
import dev.berth.http.Response;
import dev.berth.kinds.resource.Catalog;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.tree.JsonWriter;
import dev.berth.serving.aggregation.RemoteOpenApi;
import dev.berth.serving.wire.EntityTag;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers the paths of OpenAPI. The documents are written when somebody first asks for one, and
 * kept compressed: a server that nobody asks never reads a description.
 */
public final class OpenApi {
  private static final String V3 = "/openapi/v3";
  private static final String V2 = "/openapi/v2";
  private static final String JSON = "application/json";

  /** The second is what old clients ask for, though no media type may hold such a character. */
  private static final List<String> V2_PROTOBUF =
      List.of(
          "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
          "application/com.github.proto-openapi.spec.v2@v1.0+protobuf");

  private final Catalog catalog;
  private final Map<GroupVersion, RemoteOpenApi> remote;
  private final Once<Map<String, Packed>> v3;
  private final Supplier<Packed> v2Json;
  private final Supplier<Packed> v2Protobuf;

  /**
   * @param remote what other servers say of the versions that they answer for
   * @param previous the documents of an earlier catalog: what is the same in this one is not
   *     written again
   */
  public OpenApi(Catalog all, Map<GroupVersion, RemoteOpenApi> remote, @Nullable OpenApi previous) {
    this.catalog = own(all, remote.keySet());
    this.remote = remote;
    Optional<Map<String, Packed>> earlier =
        previous == null ? Optional.empty() : previous.v3.made();
    Catalog before = previous == null ? catalog : previous.catalog;
    v3 =
        new Once<>(() -> {
          Map<String, Packed> documents =
              new TreeMap<>(
                  new Documents(catalog).v3(name -> unchanged(name, catalog, before, earlier)));
          upgraded(remote).forEach(documents::put);
          return documents;
        });
    v2Json = new Once<>(() -> Packed.of(JsonWriter.toBytes(v2())));
    v2Protobuf = new Once<>(() -> Packed.of(SwaggerProtobuf.document(v2())));
  }

  /** What servers say that know the older form alone. */
  private static Map<String, Packed> upgraded(Map<GroupVersion, RemoteOpenApi> remote) {
    Map<String, Packed> documents = new TreeMap<>();
    remote.forEach((version, document) -> {
      if (document.v3Url().isEmpty() && !document.swagger().isEmpty()) {
        try {
          JsonObject upgraded = SwaggerUpgrade.upgrade(document.swagger());
          documents.put(Documents.name(version), Packed.of(JsonWriter.toBytes(upgraded)));
        } catch (JsonException _) {
          // No such document as it should be: there is none, then.
        }
      }
    });
    return documents;
  }

  /** Without what others answer for. */
  private static Catalog own(Catalog all, Set<GroupVersion> remote) {
    return remote.stream().noneMatch(all.versions()::contains)
        ? all
        : new Catalog(
            all.versions().stream()
                .filter(version -> !remote.contains(version))
                .flatMap(version -> all.resources(version).stream())
                .toList());
  }

  private JsonObject v2() {
    JsonObject own = new Documents(catalog).v2();
    List<JsonObject> others =
        remote.values().stream()
            .map(RemoteOpenApi::swagger)
            .filter(swagger -> !swagger.isEmpty())
            .toList();
    return others.isEmpty() ? own : SwaggerMerge.merge(own, others);
  }

  private static Optional<Packed> unchanged(
      GroupVersion version,
      Catalog catalog,
      Catalog before,
      Optional<Map<String, Packed>> earlier) {
    return catalog.resources(version).equals(before.resources(version))
        ? earlier.flatMap(all -> Optional.ofNullable(all.get(Documents.name(version))))
        : Optional.empty();
  }

  /** The document at a path, if it is one of these. */
  public Optional<Response> answer(Exchange exchange, String path, Instant now) {
    if (path.equals(V3) || path.equals(V3 + "/")) {
      return Optional.of(index(exchange));
    }
    if (path.equals(V2)) {
      return Optional.of(v2(exchange));
    }
    if (!path.startsWith(V3 + "/")) {
      return Optional.empty();
    }
    String name = path.substring(V3.length() + 1);
    return Optional.ofNullable(v3.get().get(name))
        .map(document -> v3(exchange, name, document, now));
  }

  private Response index(Exchange exchange) {
    JsonObject.Builder paths = new JsonObject.Builder();
    v3.get()
        .forEach((path, document) ->
            paths.put(path, JsonObject.of("serverRelativeURL", url(path, document))));
    remote.forEach((version, document) -> {
      if (!document.v3Url().isEmpty()) {
        paths.put(Documents.name(version), JsonObject.of("serverRelativeURL", document.v3Url()));
      }
    });
    byte[] body = JsonWriter.toBytes(JsonObject.of("paths", paths.build()));
    Headers headers = Headers.of("ETag", EntityTag.quoted(EntityTag.hash(body)));
    return EntityTag.unlessKnown(
        exchange, new Response(200, headers.with("Content-Type", JSON), List.of(body)));
  }

  private static String url(String path, Packed document) {
    return V3 + "/" + path + "?hash=" + document.hash();
  }

  private static Response v3(Exchange exchange, String name, Packed document, Instant now) {
    boolean json = accepts(exchange, List.of(JSON));
    boolean protobuf =
        OpenApi3Protobuf.MEDIA_TYPES.stream().anyMatch(type -> named(exchange, type));
    if (!json && !protobuf) {
      return new Response(406, Headers.of("Vary", "Accept"), List.of());
    }
    Headers headers = Headers.of("Vary", "Accept");
    String hash = hash(exchange);
    if (!hash.isEmpty() && !hash.equals(document.hash())) {
      return new Response(301, headers.with("Location", url(name, document)), List.of());
    }
    if (!hash.isEmpty()) {
      // The address names the content, so what is at it never changes.
      String inAYear =
          DateTimeFormatter.RFC_1123_DATE_TIME.format(now.atOffset(ZoneOffset.UTC).plusYears(1));
      headers = headers.with("Cache-Control", "public, immutable").with("Expires", inAYear);
    }
    return prefersProtobuf(exchange)
        ? sendProtobuf(exchange, headers, document)
        : send(exchange, headers, JSON, document);
  }

  /** Whoever names both gets the one that is named first. */
  private static boolean prefersProtobuf(Exchange exchange) {
    return ranges(exchange).stream()
        .filter(range ->
            OpenApi3Protobuf.MEDIA_TYPES.contains(range)
                || List.of(JSON, "*/*", "application/*").contains(range))
        .findFirst()
        .filter(OpenApi3Protobuf.MEDIA_TYPES::contains)
        .isPresent();
  }

  /** Made from the other form for each of the few who ask for it; its hash is that form's. */
  private static Response sendProtobuf(Exchange exchange, Headers with, Packed document) {
    String tag = EntityTag.quoted(document.hash());
    Headers headers = with.with("ETag", tag);
    if (EntityTag.isKnown(exchange, tag)) {
      return new Response(304, headers, List.of());
    }
    JsonObject tree = JsonReader.object(document.unpacked(), JsonLimits.TRUSTED);
    byte[] bytes = OpenApi3Protobuf.document(tree);
    return new Response(
        200, headers.with("Content-Type", OpenApi3Protobuf.MEDIA_TYPES.getFirst()), List.of(bytes));
  }

  private Response v2(Exchange exchange) {
    Headers headers = Headers.of("Vary", "Accept");
    for (String type : V2_PROTOBUF) {
      if (named(exchange, type)) {
        return send(exchange, headers, V2_PROTOBUF.getFirst(), v2Protobuf.get());
      }
    }
    return accepts(exchange, List.of(JSON))
        ? send(exchange, headers, JSON, v2Json.get())
        : new Response(406, headers, List.of());
  }

  private static Response send(Exchange exchange, Headers with, String type, Packed document) {
    String tag = EntityTag.quoted(document.hash());
    Headers headers = with.with("ETag", tag);
    if (EntityTag.isKnown(exchange, tag)) {
      return new Response(304, headers, List.of());
    }
    headers = headers.with("Content-Type", type);
    return exchange.acceptsGzip()
        ? new Response(200, headers.with("Content-Encoding", "gzip"), List.of(document.gzip()))
        : new Response(200, headers, List.of(document.unpacked()));
  }

  private static String hash(Exchange exchange) {
    for (String part : exchange.query().orElse("").split("&", -1)) {
      if (part.startsWith("hash=")) {
        return part.substring("hash=".length());
      }
    }
    return "";
  }

  private static boolean named(Exchange exchange, String type) {
    return ranges(exchange).contains(type);
  }

  private static boolean accepts(Exchange exchange, List<String> types) {
    List<String> ranges = ranges(exchange);
    return ranges.isEmpty()
        || ranges.contains("*/*")
        || ranges.contains("application/*")
        || ranges.stream().anyMatch(types::contains);
  }

  private static List<String> ranges(Exchange exchange) {
    return exchange.headers("Accept").stream()
        .flatMap(field -> List.of(field.split(",", -1)).stream())
        .map(range -> range.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
        .filter(range -> !range.isEmpty())
        .toList();
  }
}
