package dev.berth.policy.node;

import static dev.berth.model.fixture.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.berth.model.core.ConditionStatus;
import dev.berth.model.core.Zone;
import dev.berth.policy.node.ZoneRate.Reason;
import dev.berth.time.fixture.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ZoneRatesTest {
  private static final Zone A = new Zone("", "a");
  private static final Zone B = new Zone("", "b");

  private static ZoneRates rates(ZoneHealth... zones) {
    return ZoneRates.of(List.of(zones), ZoneSettings.DEFAULT);
  }

  static Stream<Arguments> zonesBesideAHealthyOne() {
    return Stream.of(
        argumentSet("all healthy", 0, 10, ZoneState.NORMAL, Reason.ZONE_WORKS, 0.1),
        argumentSet("fewer than 55 %", 54, 100, ZoneState.NORMAL, Reason.ZONE_WORKS, 0.1),
        argumentSet(
            "exactly 55 %, large",
            55, 100, ZoneState.PARTIAL_DISRUPTION, Reason.LARGE_ZONE_DISRUPTED, 0.01),
        argumentSet(
            "exactly 55 % of 20, small",
            11, 20, ZoneState.PARTIAL_DISRUPTION, Reason.SMALL_ZONE_DISRUPTED, 0.0),
        argumentSet(
            "disrupted with 50 nodes: stopped",
            49,
            50,
            ZoneState.PARTIAL_DISRUPTION,
            Reason.SMALL_ZONE_DISRUPTED,
            0.0),
        argumentSet(
            "disrupted with 51 nodes: secondary rate",
            50,
            51,
            ZoneState.PARTIAL_DISRUPTION,
            Reason.LARGE_ZONE_DISRUPTED,
            0.01),
        argumentSet("two of three are bad luck", 2, 3, ZoneState.NORMAL, Reason.ZONE_WORKS, 0.1),
        argumentSet(
            "three of four are not",
            3,
            4,
            ZoneState.PARTIAL_DISRUPTION,
            Reason.SMALL_ZONE_DISRUPTED,
            0.0),
        argumentSet(
            "wholly down: normal rate", 10, 10, ZoneState.FULL_DISRUPTION, Reason.ZONE_DOWN, 0.1),
        argumentSet("one node, down", 1, 1, ZoneState.FULL_DISRUPTION, Reason.ZONE_DOWN, 0.1));
  }

  @ParameterizedTest
  @MethodSource("zonesBesideAHealthyOne")
  void ratesAZone(int unhealthy, int nodes, ZoneState state, Reason reason, double nodesPerSecond) {
    ZoneHealth health = new ZoneHealth(A, nodes, unhealthy);
    ZoneRates rates = rates(health, new ZoneHealth(B, 10, 0));
    assertThat(rates.of(A)).contains(new ZoneRate(health, state, reason, nodesPerSecond));
    assertThat(rates.allDown()).isFalse();
  }

  @Test
  void allZonesWhollyDownEvictNothing() {
    ZoneRates rates = rates(new ZoneHealth(A, 60, 60), new ZoneHealth(B, 1, 1));
    assertThat(rates.allDown()).isTrue();
    assertThat(rates.rates())
        .allSatisfy(rate -> {
          assertThat(rate.nodesPerSecond()).isZero();
          assertThat(rate.reason()).isEqualTo(Reason.ALL_ZONES_DOWN);
        });
  }

  @Test
  void aClusterOfOneZoneThatIsDownEvictsNothing() {
    assertThat(rates(new ZoneHealth(Zone.NONE, 3, 3)).allDown()).isTrue();
  }

  @Test
  void aClusterWithoutNodesIsNotDown() {
    assertThat(rates().allDown()).isFalse();
  }

  @Test
  void whenSomeNodesComeBackEvictionsResumeForTheRest() {
    ZoneRates before = rates(new ZoneHealth(A, 60, 60), new ZoneHealth(B, 60, 60));
    ZoneRates after = rates(new ZoneHealth(A, 60, 60), new ZoneHealth(B, 60, 50));
    assertThat(after.since(before)).isEqualTo(ZoneRates.Change.SOME_CAME_BACK);
    assertThat(after.rates()).extracting(ZoneRate::nodesPerSecond).containsExactly(0.1, 0.01);
    assertThat(before.since(after)).isEqualTo(ZoneRates.Change.ALL_WENT_DOWN);
    assertThat(after.since(after)).isEqualTo(ZoneRates.Change.NONE);
    assertThat(before.since(before)).isEqualTo(ZoneRates.Change.NONE);
  }

  @Test
  void everyNumberIsAFlag() {
    ZoneSettings settings = new ZoneSettings(7, 3, 0.9, 5);
    ZoneRates rates =
        ZoneRates.of(
            List.of(
                new ZoneHealth(A, 10, 8),
                new ZoneHealth(B, 10, 9),
                new ZoneHealth(Zone.NONE, 5, 4)),
            settings);
    assertThat(rates.rates()).extracting(ZoneRate::nodesPerSecond).containsExactly(7.0, 3.0, 7.0);
  }

  @Test
  void zonesAreCountedFromTheNodes() {
    assertThat(
            ZoneHealth.ofNodes(
                List.of(
                    node("1").inZone("b").ready().view(),
                    node("2").inZone("a").ready(ConditionStatus.FALSE, null).view(),
                    node("3").inZone("a").ready(ConditionStatus.UNKNOWN, null).view(),
                    node("4").inZone("a").ready().view(),
                    node("5").inZone("b").view(),
                    node("6").ready().view(),
                    node("7").inZone("a").labelled(ZoneHealth.EXCLUDED_LABEL, "").view())))
        .containsExactly(
            new ZoneHealth(Zone.NONE, 1, 0), new ZoneHealth(A, 3, 2), new ZoneHealth(B, 2, 1));
  }

  /**
   * For every cluster there is a rate for every zone, one of three, and zero or not for a reason.
   */
  @SeededTest(fixed = 2, fresh = 1)
  void everyZoneHasARate(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Reason> seen = new ArrayList<>();
    for (int round = 0; round < 2_000; round++) {
      List<ZoneHealth> zones = new ArrayList<>();
      int zoneCount = random.nextInt(1, 4);
      for (int z = 0; z < zoneCount; z++) {
        int nodes = random.nextInt(1, 100);
        int unhealthy = random.nextInt(3) == 0 ? nodes : random.nextInt(nodes + 1);
        zones.add(new ZoneHealth(new Zone("r", "z" + z), nodes, unhealthy));
      }
      ZoneRates rates = ZoneRates.of(zones, ZoneSettings.DEFAULT);
      assertThat(rates.rates()).extracting(ZoneRate::health).isEqualTo(zones);
      boolean anyHealthy = zones.stream().anyMatch(z -> z.unhealthy() < z.nodes());
      for (ZoneRate rate : rates.rates()) {
        seen.add(rate.reason());
        assertThat(rate.nodesPerSecond())
            .as("seed %d, round %d: %s", seed, round, zones)
            .isEqualTo(
                switch (rate.reason()) {
                  case ZONE_WORKS, ZONE_DOWN -> 0.1;
                  case LARGE_ZONE_DISRUPTED -> 0.01;
                  case SMALL_ZONE_DISRUPTED, ALL_ZONES_DOWN -> 0.0;
                });
        assertThat(rate.reason() == Reason.ALL_ZONES_DOWN).isEqualTo(!anyHealthy);
      }
    }
    assertThat(seen).contains(Reason.values());
  }

  @Test
  void onlyAnotherStateOrReasonIsNews() {
    ZoneRate works = rate(rates(new ZoneHealth(A, 10, 0), new ZoneHealth(B, 10, 0)));
    ZoneRate worksStill = rate(rates(new ZoneHealth(A, 11, 1), new ZoneHealth(B, 10, 0)));
    ZoneRate disrupted = rate(rates(new ZoneHealth(A, 10, 9), new ZoneHealth(B, 10, 0)));
    ZoneRate down = rate(rates(new ZoneHealth(A, 10, 10), new ZoneHealth(B, 10, 0)));
    ZoneRate allDown = rate(rates(new ZoneHealth(A, 10, 10), new ZoneHealth(B, 10, 10)));
    assertThat(works.isNewsAfter(null)).isFalse();
    assertThat(disrupted.isNewsAfter(null)).isTrue();
    assertThat(worksStill.isNewsAfter(works)).isFalse();
    assertThat(disrupted.isNewsAfter(works)).isTrue();
    assertThat(works.isNewsAfter(disrupted)).isTrue();
    assertThat(allDown.isNewsAfter(down)).isTrue();
  }

  private static ZoneRate rate(ZoneRates rates) {
    return rates.of(A).orElseThrow();
  }
}
