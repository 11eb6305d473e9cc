package dev.berth.registry.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.schema.FieldType;
import dev.berth.model.schema.Schemas;
import dev.berth.model.schema.TypeSchema;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.fixture.SeededTest;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

class StrategicDiffTest {
  private static final TypeSchema POD =
      Schemas.builtIn().type("io.k8s.api.core.v1.Pod").orElseThrow();

  /** Whatever kubectl changes in an editor, the patch that it sends leads there, in order. */
  @SeededTest(fixed = 3, fresh = 1)
  void applyingTheDifferenceOfTwoPodsLeadsFromOneToTheOther(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    AnyPod any = new AnyPod(random);
    StrategicMergePatch patches = new StrategicMergePatch(Schemas.builtIn());
    FieldType type = new FieldType.Reference(POD.name());
    for (int i = 0; i < 2_000; i++) {
      JsonObject from = any.pod();
      JsonObject to = any.pod();
      JsonObject patch = StrategicDiff.between(from, to, type);
      assertThat(patches.apply(POD, from, patch))
          .as("seed %s, round %s: %s patched by %s", seed, i, from, patch)
          .isEqualTo(to);
    }
  }
}
