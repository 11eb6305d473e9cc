package dev.berth.policy.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.apps.DeploymentSpec;
import dev.berth.model.apps.ReplicaSetView;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SizesTest {
  private static JsonObject tree(String json) {
    return JsonReader.object(
        json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }

  private static ReplicaBounds bounds(long replicas, String surge, String unavailable) {
    return ReplicaBounds.of(
        DeploymentSpec.read(
            tree(
                "{'replicas':%d,'strategy':{'type':'RollingUpdate','rollingUpdate':{'maxSurge':%s,'maxUnavailable':%s}}}"
                    .formatted(replicas, surge, unavailable))));
  }

  /** A set of a size, so many pods of which are there and available. */
  private static ReplicaSetView set(String name, long size, long there, long available, long most) {
    return new ReplicaSetView(
        tree(
            ("{'metadata':{'name':'%1$s','creationTimestamp':'2026-01-01T00:00:0%6$sZ',"
                    + "'annotations':{'deployment.kubernetes.io/max-replicas':'%5$d'}},'spec':{'replicas':%2$d},"
                    + "'status':{'replicas':%3$d,'availableReplicas':%4$d}}")
                .formatted(name, size, there, available, most, name.substring(1))));
  }

  @ParameterizedTest
  @CsvSource({
    "10, 3, 2, 13, 8",
    "10, '25%', '25%', 13, 8",
    "3, '25%', '25%', 4, 3",
    "1, '0%', '10%', 1, 0",
    "0, '25%', '25%', 0, 0",
    "2, 0, 5, 2, 0"
  })
  void surgeRoundsUpAndUnavailabilityDown(
      long replicas, String surge, String unavailable, long most, long fewest) {
    ReplicaBounds bounds = bounds(replicas, quoted(surge), quoted(unavailable));
    assertThat(bounds.most()).isEqualTo(most);
    assertThat(bounds.fewest()).isEqualTo(fewest);
  }

  private static String quoted(String value) {
    return value.endsWith("%") ? "'" + value + "'" : value;
  }

  static Stream<Arguments> newest() {
    return Stream.of(
        argumentSet("room for the surge", set("s1", 10, 10, 10, 0), 0, 3L),
        argumentSet("room for what the old one lost", set("s1", 8, 8, 8, 0), 3, 5L),
        argumentSet("none while the old one's pods are there", set("s1", 8, 10, 8, 0), 3, 3L),
        argumentSet("no more than the replicas", set("s1", 0, 0, 0, 0), 4, 10L),
        argumentSet("larger than the replicas", set("s1", 0, 0, 0, 0), 12, 10L));
  }

  @ParameterizedTest
  @MethodSource("newest")
  void theNewestSetGrowsAsAllTogetherAllow(ReplicaSetView old, long size, long expected) {
    ReplicaSetView newest = set("s2", size, size, 0, 0);
    assertThat(Sizes.ofNewest(bounds(10, "3", "2"), size, List.of(old, newest)))
        .isEqualTo(expected);
  }

  static Stream<Arguments> old() {
    return Stream.of(
        argumentSet(
            "what may be missing goes at once",
            set("s9", 3, 3, 0, 0),
            List.of(set("s1", 10, 10, 10, 0)),
            Map.of("s1", 8L)),
        argumentSet(
            "and nothing more while the new ones are not available",
            set("s9", 5, 5, 0, 0),
            List.of(set("s1", 8, 8, 8, 0)),
            Map.of()),
        argumentSet(
            "one for each new one that is",
            set("s9", 5, 5, 2, 0),
            List.of(set("s1", 8, 8, 8, 0)),
            Map.of("s1", 6L)),
        argumentSet(
            "what is not available goes first, from the oldest",
            set("s9", 0, 0, 0, 0),
            List.of(set("s1", 8, 8, 8, 0), set("s2", 5, 5, 0, 0)),
            Map.of("s2", 0L)),
        argumentSet(
            "a status that tells of pods that are to go counts for no more than stay",
            set("s9", 2, 2, 2, 0),
            List.of(set("s1", 6, 10, 10, 0)),
            Map.of()));
  }

  @ParameterizedTest
  @MethodSource("old")
  void oldSetsShrinkAsAvailabilityAllows(
      ReplicaSetView newest, List<ReplicaSetView> old, Map<String, Long> expected) {
    assertThat(byName(Sizes.ofOld(bounds(10, "3", "2"), newest, old))).isEqualTo(expected);
  }

  private static Map<String, Long> byName(Map<ReplicaSetView, Long> sizes) {
    return sizes.entrySet().stream()
        .collect(Collectors.toMap(e -> e.getKey().name(), Map.Entry::getValue));
  }

  @Test
  void whatIsAddedIsSharedInProportion() {
    Map<ReplicaSetView, Long> sizes =
        Sizes.scaled(
            bounds(15, "3", "2"),
            Optional.of(set("s2", 5, 5, 0, 13)),
            List.of(set("s1", 8, 8, 8, 13)),
            13);
    assertThat(byName(sizes)).isEqualTo(Map.of("s1", 11L, "s2", 7L));
  }

  @Test
  void whatIsTakenIsSharedInProportion() {
    Map<ReplicaSetView, Long> sizes =
        Sizes.scaled(
            bounds(5, "1", "1"),
            Optional.of(set("s2", 4, 4, 0, 12)),
            List.of(set("s1", 8, 8, 8, 12)),
            12);
    assertThat(byName(sizes)).isEqualTo(Map.of("s1", 4L, "s2", 2L));
  }

  @Test
  void aSingleSetGetsAll() {
    ReplicaSetView only = set("s1", 3, 3, 3, 4);
    assertThat(byName(Sizes.scaled(bounds(7, "1", "1"), Optional.empty(), List.of(only), 3)))
        .isEqualTo(Map.of("s1", 7L));
  }
}
