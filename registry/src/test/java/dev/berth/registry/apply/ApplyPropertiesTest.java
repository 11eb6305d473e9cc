package dev.berth.registry.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.patch.AnyPod;
import dev.berth.time.fixture.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** What holds whatever is applied. */
class ApplyPropertiesTest {
  private static final int ROUNDS = 150;

  private static void forEachRound(long seed, BiConsumer<RandomGenerator, String> property) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < ROUNDS; i++) {
      property.accept(random, "seed " + seed + ", round " + i);
    }
  }

  private static JsonObject pod(RandomGenerator random) {
    return new AnyPod(random).pod().with("apiVersion", "apps/v1");
  }

  /** A cluster after some applies and updates of others. */
  private static AppliedCluster used(RandomGenerator random) {
    AppliedCluster cluster = new AppliedCluster(TestStructures.POD);
    for (int i = random.nextInt(4); i > 0; i--) {
      if (random.nextBoolean()) {
        cluster.apply("other" + i, pod(random), true);
      } else {
        cluster.update("updater" + i, pod(random).toString());
      }
      cluster.advance(1);
    }
    return cluster;
  }

  @SeededTest(fixed = 2, fresh = 1)
  void applyingTwiceIsApplyingOnce(long seed) {
    forEachRound(
        seed,
        (random, round) -> {
          AppliedCluster cluster = used(random);
          JsonObject configuration = pod(random);
          cluster.apply("mine", configuration, true);
          JsonObject once = cluster.live();
          cluster.advance(60);
          cluster.apply("mine", configuration, false);
          assertThat(cluster.live()).as(round).isSameAs(once);
        });
  }

  @SeededTest(fixed = 2, fresh = 1)
  void whoForcesOwnsAllThatItApplied(long seed) {
    forEachRound(
        seed,
        (random, round) -> {
          AppliedCluster cluster = used(random);
          JsonObject configuration = pod(random);
          cluster.apply("mine", configuration, true);
          FieldSet applied =
              ObjectFields.of(configuration, TestStructures.POD).minus(ObjectFields.NEVER_OWNED);
          assertThat(FieldSet.parse(cluster.fields("mine"))).as(round).isEqualTo(applied);
          Comparison comparison =
              Comparison.of(
                  cluster.live(),
                  AppliedMerge.merge(cluster.live(), configuration, TestStructures.POD),
                  TestStructures.POD);
          assertThat(comparison.isEmpty()).as(round).isTrue();
        });
  }

  @SeededTest(fixed = 2, fresh = 1)
  void managersOfDifferentFieldsMayApplyInAnyOrder(long seed) {
    forEachRound(
        seed,
        (random, round) -> {
          JsonObject whole = pod(random);
          List<JsonObject> halves = halves(whole, random);
          AppliedCluster first = new AppliedCluster(TestStructures.POD);
          first.apply("a", halves.getFirst(), false);
          first.apply("b", halves.getLast(), false);
          AppliedCluster second = new AppliedCluster(TestStructures.POD);
          second.apply("b", halves.getLast(), false);
          second.apply("a", halves.getFirst(), false);
          assertSameButForOrder(first.live(), second.live(), round);
          assertSameButForOrder(first.live(), whole, round);
          assertThat(first.fields("a")).as(round).isEqualTo(second.fields("a"));
          assertThat(first.managers()).as(round).isEqualTo(second.managers());
          first.apply("b", bare(), false);
          AppliedCluster alone = new AppliedCluster(TestStructures.POD);
          alone.apply("a", halves.getFirst(), false);
          assertThat(first.content(false)).as(round).isEqualTo(alone.content(false));
        });
  }

  /** Who comes first has its elements first in lists; that aside, nothing may differ. */
  private static void assertSameButForOrder(JsonObject left, JsonObject right, String round) {
    assertThat(Comparison.of(left, right, TestStructures.POD))
        .as(round)
        .isEqualTo(new Comparison(FieldSet.EMPTY, FieldSet.EMPTY, true));
  }

  @SeededTest(fixed = 2, fresh = 1)
  void whatNobodyOwnsIsNeverRemoved(long seed) {
    forEachRound(
        seed,
        (random, round) -> {
          AppliedCluster cluster = new AppliedCluster(TestStructures.POD);
          cluster.apply("mine", pod(random), true);
          // As the server's defaults do: fields appear that no entry names.
          JsonObject live = cluster.live();
          cluster.store(
              live.with(
                  "spec",
                  live.object("spec")
                      .with("dnsPolicy", "ClusterFirst")
                      .with("overhead", JsonObject.of("cpu", "1"))));
          cluster.apply("mine", pod(random), true);
          JsonObject spec = cluster.live().object("spec");
          assertThat(spec.text("dnsPolicy")).as(round).isEqualTo("ClusterFirst");
          assertThat(spec.object("overhead")).as(round).isEqualTo(JsonObject.of("cpu", "1"));
        });
  }

  @SeededTest(fixed = 2, fresh = 1)
  void fieldsOfAllEntriesAreFieldsOfTheObject(long seed) {
    forEachRound(
        seed,
        (random, round) -> {
          AppliedCluster cluster = used(random);
          cluster.apply("mine", pod(random), true);
          FieldSet there =
              Comparison.of(JsonObject.EMPTY, cluster.live(), TestStructures.POD)
                  .changed()
                  .union(FieldSet.of("spec.containers"));
          for (String manager : cluster.managers()) {
            FieldSet owned = FieldSet.parse(cluster.fields(manager));
            assertThat(owned.minus(there)).as(round + ": " + manager).isEqualTo(FieldSet.EMPTY);
            assertThat(owned.tree().toString()).isEqualTo(cluster.fields(manager).toString());
          }
        });
  }

  private static JsonObject bare() {
    return JsonObject.of("apiVersion", "apps/v1").with("kind", "Pod");
  }

  /** Two configurations that have no field in common and make up the whole. */
  private static List<JsonObject> halves(JsonObject whole, RandomGenerator random) {
    JsonObject left = bare();
    JsonObject right = bare();
    for (String part : List.of("metadata", "spec")) {
      JsonObject.Builder one = new JsonObject.Builder();
      JsonObject.Builder other = new JsonObject.Builder();
      whole
          .object(part)
          .forEach((name, value) -> {
            if (name.equals("containers")) {
              List<Object> mine = new ArrayList<>();
              List<Object> yours = new ArrayList<>();
              for (Object item : ((JsonArray) value).values()) {
                (mine.size() < 2 ? mine : yours).add(item);
              }
              one.put(name, JsonArray.copyOf(mine));
              if (!yours.isEmpty()) {
                other.put(name, JsonArray.copyOf(yours));
              }
            } else {
              (random.nextBoolean() ? one : other).put(name, value);
            }
          });
      left = left.with(part, one.build());
      right = right.with(part, other.build());
    }
    return List.of(left, right);
  }
}
