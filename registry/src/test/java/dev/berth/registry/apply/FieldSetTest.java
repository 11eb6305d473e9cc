package dev.berth.registry.apply;

import static dev.berth.registry.patch.Trees.object;
import static dev.berth.registry.patch.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.fixture.SeededTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSetTest {
  private static final List<String> ELEMENTS =
      List.of("f:a", "f:b", "k:{\"name\":\"x\"}", "v:\"y\"", "i:0");

  @Test
  void tellsPathsInTheSetFromThoseThatLeadToThem() {
    FieldSet set = FieldSet.parse(tree("{'f:a':{'.':{},'f:b':{}},'f:c':{'f:d':{}}}"));
    List<List<String>> paths = new ArrayList<>();
    set.forEach(path -> paths.add(List.copyOf(path)));
    assertThat(paths).containsExactly(List.of("f:a"), List.of("f:a", "f:b"), List.of("f:c", "f:d"));
    assertThat(set.has(List.of("f:a"))).isTrue();
    assertThat(set.has(List.of("f:c"))).isFalse();
    assertThat(set.has(List.of("f:x"))).isFalse();
    assertThat(set.has(List.of())).isFalse();
  }

  @Test
  void putsForeignSetsIntoItsOwnForm() {
    assertThat(
            FieldSet.parse(
                    object(
                        "{'v:1':{},'f:b':{'k:{ \\\"port\\\": 1, \\\"a\\\":\\\"x\\\"}':{'.':{}}},'x:unknown':{},'f:a':{}}"))
                .tree()
                .toString())
        .isEqualTo(
            "{\"f:a\":{},\"f:b\":{\"k:{\\\"a\\\":\\\"x\\\",\\\"port\\\":1}\":{}},\"v:1\":{}}");
    assertThat(FieldSet.parse(tree("{}"))).isEqualTo(FieldSet.EMPTY);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[]", "{'f:a':1}", "{'k:[1]':{}}", "{'k:{':{}}", "{'v:x':{}}", "{'i:x':{}}"})
  void refusesWhatIsNoSet(String json) {
    assertThatThrownBy(() -> FieldSet.parse(tree(json))).isInstanceOf(JsonException.class);
  }

  @Test
  void writesElementsForMessages() {
    assertThat(Elements.text("f:spec")).isEqualTo(".spec");
    assertThat(Elements.text("k:{\"containerPort\":80,\"protocol\":\"TCP\"}"))
        .isEqualTo("[containerPort=80,protocol=\"TCP\"]");
    assertThat(Elements.text("v:\"x\"")).isEqualTo("[=\"x\"]");
    assertThat(Elements.text("i:3")).isEqualTo("[3]");
  }

  @Test
  void takesAllBelowAPathAway() {
    FieldSet set = FieldSet.of("spec.a", "spec.b.c", "status.x");
    assertThat(set.minusAllBelow(FieldSet.of("spec.b", "status"))).isEqualTo(FieldSet.of("spec.a"));
    assertThat(set.minus(FieldSet.of("spec.b", "status"))).isSameAs(set);
  }

  /** The operations agree with those of sets of paths, and share trees when nothing changes. */
  @SeededTest(fixed = 2, fresh = 1)
  void operatesAsSetsOfPathsDo(long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < 3_000; i++) {
      Set<List<String>> left = paths(random);
      Set<List<String>> right = paths(random);
      FieldSet leftSet = set(left);
      FieldSet rightSet = set(right);
      String round = "seed " + seed + ", round " + i + ": " + leftSet + " and " + rightSet;

      Set<List<String>> union = new HashSet<>(left);
      union.addAll(right);
      assertThat(leftSet.union(rightSet)).as(round).isEqualTo(set(union));
      assertThat(leftSet.union(rightSet).tree().toString()).isEqualTo(set(union).toString());
      Set<List<String>> difference = new HashSet<>(left);
      difference.removeAll(right);
      assertThat(leftSet.minus(rightSet)).as(round).isEqualTo(set(difference));
      Set<List<String>> intersection = new HashSet<>(left);
      intersection.retainAll(right);
      assertThat(leftSet.intersection(rightSet)).as(round).isEqualTo(set(intersection));
      assertThat(leftSet.hasAll(rightSet)).as(round).isEqualTo(left.containsAll(right));
      left.forEach(path -> assertThat(leftSet.has(path)).as(round).isTrue());

      assertThat(leftSet.union(leftSet.intersection(rightSet))).as(round).isSameAs(leftSet);
      assertThat(leftSet.minus(rightSet.minus(leftSet))).as(round).isSameAs(leftSet);
      assertThat(FieldSet.parse(leftSet.tree())).as(round).isEqualTo(leftSet);
    }
  }

  private static FieldSet set(Set<List<String>> paths) {
    FieldSet.Builder<String> builder = new FieldSet.Builder<>(element -> element);
    for (List<String> path : paths) {
      builder.insert(path);
      builder.leave(0);
    }
    return builder.build();
  }

  private static Set<List<String>> paths(RandomGenerator random) {
    Set<List<String>> paths = new HashSet<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      List<String> path = new ArrayList<>();
      for (int depth = 1 + random.nextInt(3); depth > 0; depth--) {
        path.add(ELEMENTS.get(random.nextInt(ELEMENTS.size())));
      }
      paths.add(path);
    }
    return paths;
  }

  @Test
  void findsNamesInLargeSets() {
    JsonObject.Builder builder = new JsonObject.Builder();
    for (int i = 0; i < 50_000; i++) {
      builder.put("f:key" + (100_000 + i), JsonObject.EMPTY);
    }
    FieldSet large = FieldSet.trusted(builder.build());
    assertThat(large.union(FieldSet.parse(large.tree()))).isSameAs(large);
    assertThat(large.minus(large).isEmpty()).isTrue();
    assertThat(large.intersection(large)).isEqualTo(large);
  }
}
