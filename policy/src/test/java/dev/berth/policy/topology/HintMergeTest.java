package dev.berth.policy.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.topology.TopologyDecision.Hints;
import dev.berth.time.fixture.SeededTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hints are written as the numbers of nodes, with a star if they are preferred: {@code 01*}. */
class HintMergeTest {

  private static NumaNodes nodes(int count) {
    TreeMap<Integer, List<Integer>> distances = new TreeMap<>();
    for (int node = 0; node < count; node++) {
      Integer[] row = new Integer[count];
      Arrays.fill(row, 20);
      row[node] = 10;
      distances.put(node, List.of(row));
    }
    return new NumaNodes(distances);
  }

  private static TopologyHint hint(String text) {
    boolean preferred = text.endsWith("*");
    int[] numbers = text.chars().filter(Character::isDigit).map(c -> c - '0').toArray();
    return text.startsWith("any")
        ? new TopologyHint(Optional.empty(), preferred)
        : TopologyHint.of(NumaMask.of(numbers), preferred);
  }

  private static String text(TopologyHint hint) {
    String nodes = hint.affinity().map(mask -> mask.toString().replace(",", "")).orElse("any");
    return nodes + (hint.isPreferred() ? "*" : "");
  }

  /** {@code ?}: no preference; {@code !}: cannot be had. */
  private static Hints provider(String text) {
    Map<String, Optional<List<TopologyHint>>> resources = new LinkedHashMap<>();
    for (String resource : text.split("\\+", -1)) {
      String name = "r" + resources.size();
      switch (resource.strip()) {
        case "" -> {}
        case "?" -> resources.put(name, Optional.empty());
        case "!" -> resources.put(name, Optional.of(List.of()));
        default ->
            resources.put(
                name,
                Optional.of(
                    Arrays.stream(resource.strip().split(" ", -1))
                        .map(HintMergeTest::hint)
                        .toList()));
      }
    }
    return new Hints(resources);
  }

  /** Sentences of upstream's documents, and rows of its tests. */
  @ParameterizedTest(name = "{0} with {1} nodes of {2}: {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "best-effort | 2 | 0* 1* 01 / | 0* yes",
        "best-effort | 2 | 0* 1* 01 / 0* 1* 01 | 0* yes",
        "best-effort | 2 | 0* / 1* | 01 yes",
        "best-effort | 2 | 0* 01 / 1* 01 | 0 yes",
        "best-effort | 2 | 1* / 01* | 1 yes",
        "best-effort | 2 | ? / 1* | 1* yes",
        "best-effort | 2 | ! / 1* | 1 yes",
        "best-effort | 2 | ! / | 01 yes",
        "best-effort | 2 | / | 01* yes",
        "best-effort | 2 | 0* 1* + 1* | 1* yes",
        "best-effort | 4 | 01* / 12* / 123 | 1 yes",
        "best-effort | 4 | 012 123 / 012 013 | 012 yes",
        "best-effort | 4 | 01 23 / 0123 | 01 yes",
        "best-effort | 4 | 0123* / 1 3 / 012 | 1 yes",
        "best-effort | 3 | 0* 1* 012 / 012* | 012 yes",
        "restricted | 2 | 0* 1* 01 / 1* 01 | 1* yes",
        "restricted | 2 | 0* / 1* | 01 no",
        "restricted | 2 | 01* / 01* | 01* yes",
        "restricted | 2 | 1* / 01* | 1 no",
        "restricted | 2 | ! / 1* | 1 no",
        "restricted | 2 | / | 01* yes",
        "single-numa-node | 2 | 0* 1* 01 / 1* 01 | 1* yes",
        "single-numa-node | 2 | 0* / 1* | any no",
        "single-numa-node | 2 | 01* / 01* | any no",
        "single-numa-node | 2 | ? / 1* | 1* yes",
        "single-numa-node | 2 | ! / 1* | any no",
        "single-numa-node | 2 | / | any* yes",
        "single-numa-node | 1 | 0* / 0* | any* yes",
        "single-numa-node | 4 | 2* 3* 23 / 3* 0* | 3* yes",
      })
  void decisions(String policy, int count, String providers, String expected) {
    List<Hints> hints =
        Arrays.stream(providers.split("/", -1)).map(HintMergeTest::provider).toList();
    TopologyDecision decision =
        TopologyDecision.decide(
            TopologyPolicy.of(policy).orElseThrow(), TopologyOptions.DEFAULT, nodes(count), hints);
    assertThat(text(decision.hint()) + (decision.isAdmitted() ? " yes" : " no"))
        .isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0} with {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "false | 01* 02* 03* / 01* 02* 03* | 01*",
        "true | 01* 02* 03* / 01* 02* 03* | 03*",
        "true | 02* 13* / 02* 13* | 02*",
        "true | 0123* 03* / 0123* 03* | 03*",
      })
  void closerNodesArePreferredIfThatIsAskedFor(boolean asked, String providers, String expected) {
    TreeMap<Integer, List<Integer>> distances = new TreeMap<>();
    distances.put(0, List.of(10, 31, 21, 11));
    distances.put(1, List.of(31, 10, 11, 21));
    distances.put(2, List.of(21, 11, 10, 31));
    distances.put(3, List.of(11, 21, 31, 10));
    List<Hints> hints =
        Arrays.stream(providers.split("/", -1)).map(HintMergeTest::provider).toList();
    TopologyOptions options = new TopologyOptions(asked, 8);
    TopologyDecision decision =
        TopologyDecision.decide(
            TopologyPolicy.BEST_EFFORT, options, new NumaNodes(distances), hints);
    assertThat(text(decision.hint())).isEqualTo(expected);
  }

  /** All ways to take one hint of each resource, one after the other, as upstream does it. */
  private static TopologyHint slowly(NumaNodes nodes, List<List<TopologyHint>> resources) {
    int most = 0;
    for (List<TopologyHint> hints : resources) {
      int least =
          hints.stream()
              .flatMap(hint -> hint.affinity().stream())
              .mapToInt(NumaMask::count)
              .min()
              .orElse(0);
      most = Math.max(most, least);
    }
    List<TopologyHint> best = new ArrayList<>();
    combine(nodes, resources, new ArrayList<>(), best, most);
    return best.isEmpty() ? TopologyHint.of(nodes.all(), false) : best.getFirst();
  }

  private static void combine(
      NumaNodes nodes,
      List<List<TopologyHint>> resources,
      List<TopologyHint> taken,
      List<TopologyHint> best,
      int most) {
    if (taken.size() < resources.size()) {
      for (TopologyHint hint : resources.get(taken.size())) {
        taken.add(hint);
        combine(nodes, resources, taken, best, most);
        taken.removeLast();
      }
      return;
    }
    long bits = nodes.all().bits();
    boolean preferred = taken.stream().allMatch(TopologyHint::isPreferred);
    List<NumaMask> masks = taken.stream().flatMap(hint -> hint.affinity().stream()).toList();
    for (NumaMask mask : masks) {
      bits &= mask.bits();
      preferred &= mask.equals(masks.getFirst());
    }
    TopologyHint candidate = TopologyHint.of(new NumaMask(bits), preferred);
    if (bits != 0 && (best.isEmpty() || isBetter(candidate, best.getFirst(), most))) {
      best.clear();
      best.add(candidate);
    }
  }

  private static boolean isBetter(TopologyHint candidate, TopologyHint current, int most) {
    NumaMask one = candidate.affinity().orElseThrow();
    NumaMask other = current.affinity().orElseThrow();
    if (candidate.isPreferred() != current.isPreferred()) {
      return candidate.isPreferred();
    }
    boolean narrower = one.compareTo(other) < 0;
    if (current.isPreferred() || other.count() > most) {
      return narrower;
    }
    if (other.count() == most) {
      return one.count() == most && narrower;
    }
    if (one.count() >= most) {
      return one.count() == most;
    }
    return one.count() == other.count() ? narrower : one.count() > other.count();
  }

  @SeededTest(fixed = 4, fresh = 2)
  void nothingDiffersFromTryingAll(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      int count = 1 + random.nextInt(4);
      List<List<TopologyHint>> resources = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        resources.add(randomHints(random, count));
      }
      NumaNodes nodes = nodes(count);
      assertThat(new HintMerge(nodes, NumaMask::compareTo).merge(resources))
          .as("%s", resources)
          .isEqualTo(slowly(nodes, resources));
    }
  }

  private static List<TopologyHint> randomHints(Random random, int count) {
    if (random.nextInt(8) == 0) {
      return List.of(random.nextBoolean() ? TopologyHint.ANYWHERE : TopologyHint.NOWHERE);
    }
    List<TopologyHint> hints = new ArrayList<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      long bits = 1L + random.nextInt((1 << count) - 1);
      hints.add(TopologyHint.of(new NumaMask(bits), random.nextInt(3) > 0));
    }
    return hints;
  }

  /** Tables are used up to 16 nodes; with more, sets are. */
  @SeededTest(fixed = 2, fresh = 1)
  void manyNodesMakeNoDifference(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      List<List<TopologyHint>> resources = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        resources.add(randomHints(random, 12));
      }
      NumaMask few =
          new HintMerge(nodes(12), NumaMask::compareTo).merge(resources).affinity().orElseThrow();
      TopologyHint many = new HintMerge(nodes(20), NumaMask::compareTo).merge(resources);
      if (few.count() < 12) {
        assertThat(many.affinity()).contains(few);
      }
    }
  }
}
