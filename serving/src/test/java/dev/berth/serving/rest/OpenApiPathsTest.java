package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.berth.http.Response;
import dev.berth.kinds.BuiltIns;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.openapi.OpenApi;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * How the documents of OpenAPI are served: by hash, compressed, and not again if they are known.
 */
class OpenApiPathsTest {
  private static final OpenApi OPEN_API = new OpenApi(BuiltIns.catalog(), Map.of(), null);
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String APPS = "/openapi/v3/apis/apps/v1";

  private static Optional<Response> ask(FakeExchange exchange) {
    return OPEN_API.answer(exchange, exchange.path(), NOW);
  }

  private static Response get(String target) {
    return ask(new FakeExchange("GET", target)).orElseThrow();
  }

  private static String text(Response response) {
    return new String(response.body().getFirst(), UTF_8);
  }

  private static String appsUrl() {
    JsonObject index = JsonReader.object(get("/openapi/v3").body().getFirst(), JsonLimits.TRUSTED);
    assertThat(index.object("paths").names()).contains("api/v1", "apis/apps/v1");
    return index.object("paths").object("apis/apps/v1").text("serverRelativeURL", "");
  }

  @Test
  void theIndexNamesEachDocumentByItsHashAndItNeverChangesThere() {
    assertThat(appsUrl()).matches("/openapi/v3/apis/apps/v1\\?hash=[0-9A-F]{128}");
    Response document = get(appsUrl());
    assertThat(document.headers().first("Cache-Control")).contains("public, immutable");
    assertThat(document.headers().first("Expires")).contains("Fri, 1 Jan 2027 00:00:00 GMT");
    assertThat(document.headers().first("ETag"))
        .contains("\"" + appsUrl().substring(appsUrl().indexOf('=') + 1) + "\"");
    assertThat(get(APPS).headers().first("Cache-Control")).isEmpty();
  }

  @Test
  void anOldHashLeadsToTheNewOne() {
    Response moved = get(APPS + "?hash=OLD");
    assertThat(moved.status()).isEqualTo(301);
    assertThat(moved.headers().first("Location")).contains(appsUrl());
  }

  @Test
  void whoHasTheDocumentIsNotSentItAgain() {
    for (String path : new String[] {"/openapi/v3", APPS, "/openapi/v2"}) {
      String tag = get(path).headers().first("ETag").orElseThrow();
      Response again =
          ask(new FakeExchange("GET", path).with("If-None-Match", "\"other\", " + tag))
              .orElseThrow();
      assertThat(again.status()).isEqualTo(304);
      assertThat(again.body()).isEmpty();
    }
  }

  @Test
  void itIsSentCompressedToWhoTakesIt() {
    Response compressed =
        ask(new FakeExchange("GET", APPS).with("Accept-Encoding", "gzip")).orElseThrow();
    assertThat(compressed.headers().first("Content-Encoding")).contains("gzip");
    assertThat(compressed.body().getFirst().length)
        .isLessThan(get(APPS).body().getFirst().length / 5);
    assertThat(text(get(APPS))).startsWith("{\"openapi\":\"3.0.0\"");
  }

  @Test
  void oldClientsGetSwaggerInProtobufAndOthersInJson() {
    String asked = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
    Response protobuf =
        ask(new FakeExchange("GET", "/openapi/v2").with("Accept", asked)).orElseThrow();
    assertThat(protobuf.headers().first("Content-Type"))
        .contains("application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    // The first field is the version.
    assertThat(text(protobuf)).startsWith("\n\u00032.0");
    assertThat(text(get("/openapi/v2"))).startsWith("{\"swagger\":\"2.0\"");
    assertThat(
            ask(new FakeExchange("GET", "/openapi/v2").with("Accept", "image/png"))
                .orElseThrow()
                .status())
        .isEqualTo(406);
  }

  @Test
  void whoAsksForItGetsProtobufWithTheHashOfTheJson() throws Exception {
    String asked = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
    Response protobuf = ask(new FakeExchange("GET", APPS).with("Accept", asked)).orElseThrow();
    assertThat(protobuf.headers().first("Content-Type")).contains(asked);
    assertThat(protobuf.headers().first("ETag")).isEqualTo(get(APPS).headers().first("ETag"));
    UnknownFieldSet document = UnknownFieldSet.parseFrom(protobuf.body().getFirst());
    assertThat(bytes(document, 1).toStringUtf8()).isEqualTo("3.0.0");
    UnknownFieldSet path = UnknownFieldSet.parseFrom(bytes(parsed(document, 4), 1));
    assertThat(bytes(path, 1).toStringUtf8()).startsWith("/apis/apps/v1/");
    assertThat(parsed(path, 2).asMap()).isNotEmpty();
    UnknownFieldSet schemas = parsed(parsed(document, 5), 1);
    assertThat(schemas.getField(1).getLengthDelimitedList())
        .anySatisfy(schema -> {
          UnknownFieldSet named = UnknownFieldSet.parseFrom(schema);
          assertThat(bytes(named, 1).toStringUtf8()).isEqualTo("io.k8s.api.apps.v1.DeploymentSpec");
          UnknownFieldSet type = parsed(parsed(named, 2), 1);
          assertThat(bytes(type, 25).toStringUtf8()).isEqualTo("object");
          assertThat(type.getField(23).getLengthDelimitedList())
              .extracting(ByteString::toStringUtf8)
              .contains("selector", "template");
          assertThat(parsed(type, 31).getField(1).getLengthDelimitedList()).hasSizeGreaterThan(5);
        });
    Response both =
        ask(new FakeExchange("GET", APPS).with("Accept", "application/json, " + asked))
            .orElseThrow();
    assertThat(both.headers().first("Content-Type")).contains("application/json");
  }

  private static ByteString bytes(UnknownFieldSet message, int field) {
    return message.getField(field).getLengthDelimitedList().getFirst();
  }

  private static UnknownFieldSet parsed(UnknownFieldSet message, int field) throws Exception {
    return UnknownFieldSet.parseFrom(bytes(message, field));
  }

  @Test
  void otherPathsAreNotItsOwn() {
    assertThat(ask(new FakeExchange("GET", "/openapi/v3/apis/none/v1"))).isEmpty();
    assertThat(ask(new FakeExchange("GET", "/openapi"))).isEmpty();
  }
}
