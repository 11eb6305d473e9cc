package dev.berth.serving.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersion;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a kube-apiserver accepts is accepted here in every form, and becomes the same object: as
 * JSON, YAML and protobuf, and with the zero values that a Go client writes.
 */
class AcceptedObjectsTest {
  private static final long FIRST_SEED = Long.getLong("berth.seed", 1);
  private static final int VARIANTS = 12;

  static Stream<Arguments> objects() throws IOException {
    try (InputStream lines =
        Objects.requireNonNull(
            AcceptedObjectsTest.class.getResourceAsStream("accepted-objects.jsonl"))) {
      return new String(lines.readAllBytes(), UTF_8)
          .lines()
          .map(AcceptedObjectsTest::read)
          .map(line -> {
            JsonObject object = line.object("object");
            String name = object.text("apiVersion", "") + " " + object.text("kind", "");
            return argumentSet(name, line.text("path", ""), object);
          });
    }
  }

  @ParameterizedTest
  @MethodSource("objects")
  void isAcceptedInEveryForm(String path, JsonObject object) {
    try (Requests requests = new Requests(new TestCluster())) {
      JsonObject created = create(requests, path, WireFormat.JSON, object);
      assertThat(create(requests, path, WireFormat.YAML, object)).isEqualTo(created);
      assertThat(create(requests, path, WireFormat.PROTOBUF, object)).isEqualTo(created);
      for (long seed = FIRST_SEED; seed < FIRST_SEED + VARIANTS; seed++) {
        JsonObject variant = withZeros(object, seed);
        assertThat(create(requests, path, WireFormat.JSON, variant))
            .as("./test --seed %d: %s", seed, variant)
            .isEqualTo(created);
      }
    }
  }

  private static JsonObject withZeros(JsonObject object, long seed) {
    GroupVersion version = GroupVersion.parse(object.text("apiVersion", ""));
    var type = Schemas.builtIn().kind(version.kind(object.text("kind", ""))).orElseThrow();
    return new ZeroValues(new SplittableRandom(seed)).in(object, type);
  }

  /** What it becomes, but for what tells objects apart. */
  private static JsonObject create(
      Requests requests, String path, WireFormat format, JsonObject object) {
    FakeExchange exchange =
        new FakeExchange("POST", path + "?dryRun=All&fieldManager=test&fieldValidation=Strict")
            .with("User", "root")
            .with("Content-Type", format.mediaType())
            .body(format.bytes(object));
    requests.handle(exchange);
    assertThat(exchange.status()).as(exchange.answer()).isEqualTo(201);
    // Jobs have their UID in labels, too.
    String uid = Metadata.of(read(exchange.answer())).uid();
    return Metadata.update(
        read(exchange.answer().replace(uid, "uid")),
        metadata -> metadata.without("creationTimestamp"));
  }

  private static JsonObject read(String json) {
    return JsonReader.object(json.getBytes(UTF_8), JsonLimits.TRUSTED);
  }
}
