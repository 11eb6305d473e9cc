package dev.berth.model.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.resource.GroupVersionKind;
import dev.berth.time.fixture.SeededTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class SchemasTest {
  private static final GroupVersionKind POD_KIND = new GroupVersionKind("", "v1", "Pod");

  private static final TypeSchema POD =
      new TypeSchema(
          "io.k8s.api.core.v1.Pod",
          POD_KIND,
          Merging.MapType.UNSPECIFIED,
          List.of(
              field("apiVersion", FieldType.Scalar.STRING),
              field("kind", FieldType.Scalar.STRING),
              field("spec", new FieldType.Reference("io.k8s.api.core.v1.PodSpec"))));

  private static final TypeSchema POD_SPEC =
      new TypeSchema(
          "io.k8s.api.core.v1.PodSpec",
          null,
          Merging.MapType.UNSPECIFIED,
          List.of(field("nodeName", FieldType.Scalar.STRING)));

  private static FieldSchema field(String name, FieldType type) {
    return new FieldSchema(name, type, false, Merging.UNSPECIFIED);
  }

  @Test
  void findsTypesByNameAndByKind() {
    Schemas schemas = new Schemas(List.of(POD, POD_SPEC), List::of);
    assertThat(schemas.type("io.k8s.api.core.v1.PodSpec")).contains(POD_SPEC);
    assertThat(schemas.type("io.k8s.api.core.v1.Nothing")).isEmpty();
    assertThat(schemas.kind(POD_KIND)).contains(POD);
    assertThat(schemas.kind(new GroupVersionKind("", "v2", "Pod"))).isEmpty();
    assertThat(schemas.types()).containsExactly(POD, POD_SPEC);
    assertThat(POD.field("kind")).contains(POD.fields().get(1));
    assertThat(POD.field("unknown")).isEmpty();
    assertThat(POD.field("")).isEmpty();
  }

  @Test
  void readsDescriptionsOnlyWhenOneIsAskedFor() {
    AtomicInteger reads = new AtomicInteger();
    Schemas schemas =
        new Schemas(
            List.of(POD, POD_SPEC),
            () -> {
              reads.incrementAndGet();
              return List.of("a pod", "its version", "its kind", "its spec", "a spec", "its node");
            });
    assertThat(schemas.kind(POD_KIND)).isPresent();
    assertThat(reads).hasValue(0);
    assertThat(schemas.descriptions().of(POD)).isEqualTo("a pod");
    assertThat(schemas.descriptions().of(POD, "spec")).isEqualTo("its spec");
    assertThat(schemas.descriptions().of(POD_SPEC)).isEqualTo("a spec");
    assertThat(schemas.descriptions().of(POD_SPEC, "nodeName")).isEqualTo("its node");
    assertThatThrownBy(() -> schemas.descriptions().of(POD, "unknown"))
        .hasMessage("io.k8s.api.core.v1.Pod has no field unknown");
  }

  @Test
  void saysWhenTheBuiltInSchemasAreMissing() {
    assertThatThrownBy(Schemas::builtIn)
        .rootCause()
        .hasMessageContaining("the module \"schemas\" must be on the path");
  }

  @SeededTest(fixed = 2, fresh = 1)
  void readsBackWhatWasWritten(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    List<TypeSchema> types = new ArrayList<>();
    List<String> descriptions = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      types.add(randomType(random, i));
      descriptions.add("d".repeat(random.nextInt(2000)) + "\u00e9\n" + random.nextInt(50));
    }
    assertThat(SchemaReader.types(SchemaWriter.types(types))).as("seed " + seed).isEqualTo(types);
    assertThat(SchemaReader.descriptions(SchemaWriter.descriptions(descriptions)))
        .as("seed " + seed)
        .isEqualTo(descriptions);
    assertThat(SchemaWriter.types(types)).isEqualTo(SchemaWriter.types(types));
  }

  @Test
  void failsOnDamagedBytes() {
    byte[] whole = SchemaWriter.types(List.of(POD, POD_SPEC));
    byte[] half = Arrays.copyOf(whole, whole.length / 2);
    assertThatThrownBy(() -> SchemaReader.types(half)).hasMessage("the schemas are damaged");
  }

  private static TypeSchema randomType(RandomGenerator random, int number) {
    List<FieldSchema> fields = new ArrayList<>();
    for (int i = random.nextInt(20); i > 0; i--) {
      fields.add(
          new FieldSchema(
              "f" + i,
              randomFieldType(random, 0),
              random.nextBoolean(),
              randomMerging(random),
              pick(random, ZeroForm.values())));
    }
    GroupVersionKind kind =
        random.nextBoolean() ? null : new GroupVersionKind("g" + number % 5, "v1", "K" + number);
    return new TypeSchema("t" + number, kind, pick(random, Merging.MapType.values()), fields);
  }

  private static FieldType randomFieldType(RandomGenerator random, int depth) {
    return switch (random.nextInt(depth < 3 ? 4 : 2)) {
      case 0 -> pick(random, FieldType.Scalar.values());
      case 1 -> new FieldType.Reference("t" + random.nextInt(100));
      case 2 -> new FieldType.ListOf(randomFieldType(random, depth + 1));
      default -> new FieldType.MapOf(randomFieldType(random, depth + 1));
    };
  }

  private static Merging randomMerging(RandomGenerator random) {
    if (random.nextBoolean()) {
      return Merging.UNSPECIFIED;
    }
    EnumSet<Merging.PatchStrategy> strategies = EnumSet.noneOf(Merging.PatchStrategy.class);
    for (Merging.PatchStrategy strategy : Merging.PatchStrategy.values()) {
      if (random.nextBoolean()) {
        strategies.add(strategy);
      }
    }
    return new Merging(
        pick(random, Merging.ListType.values()),
        random.nextBoolean() ? List.of() : List.of("a", "b"),
        strategies,
        random.nextBoolean() ? "" : "name",
        pick(random, Merging.MapType.values()));
  }

  private static <T> T pick(RandomGenerator random, T[] values) {
    return values[random.nextInt(values.length)];
  }
}
