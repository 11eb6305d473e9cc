package dev.berth.policy.memorymanager;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.memorymanager.StaticMemory.NodeMemory;
import dev.berth.policy.topology.NumaMask;
import dev.berth.policy.topology.TopologyDecision.Hints;
import dev.berth.policy.topology.TopologyHint;
import dev.berth.time.fixture.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes have 10 Gi each, of which 1 Gi is the system's and 2 Gi are huge pages. */
class StaticMemoryTest {
  private static final long GIB = 1L << 30;
  private static final String HUGE = "hugepages-1Gi";

  private static NumaMemory node(MemoryAssignments assignments, int node) {
    return Objects.requireNonNull(assignments.nodes().get(node));
  }

  private static StaticMemory policy(int nodes) {
    SortedMap<Integer, NodeMemory> machine = new TreeMap<>();
    List<ReservedMemory> reserved = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      machine.put(node, new NodeMemory(10 * GIB, new TreeMap<>(Map.of(HUGE, 2 * GIB))));
      reserved.add(new ReservedMemory(node, amounts("memory", "1Gi")));
    }
    return StaticMemory.of(machine, reserved, amounts("memory", nodes + "Gi"));
  }

  private static ResourceList amounts(String... pairs) {
    SortedMap<String, Quantity> amounts = new TreeMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      amounts.put(pairs[i], Quantity.parse(pairs[i + 1]));
    }
    return new ResourceList(amounts);
  }

  /** Containers as {@code name:gibibytes:gibibytes of huge pages}; {@code i-} and {@code s-}. */
  private static PodSpecView pod(String... containers) {
    String init =
        Stream.of(containers)
            .filter(each -> each.contains("-"))
            .map(StaticMemoryTest::container)
            .collect(Collectors.joining(","));
    String others =
        Stream.of(containers)
            .filter(each -> !each.contains("-"))
            .map(StaticMemoryTest::container)
            .collect(Collectors.joining(","));
    String spec = "{\"initContainers\":[%s],\"containers\":[%s]}".formatted(init, others);
    return PodSpecView.read(JsonReader.object(spec.getBytes(UTF_8), JsonLimits.TRUSTED));
  }

  private static String container(String text) {
    String[] parts = text.split(":", -1);
    String pages = parts.length > 2 ? ",\"%s\":\"%sGi\"".formatted(HUGE, parts[2]) : "";
    String amounts = "{\"cpu\":\"1\",\"memory\":\"%sGi\"%s}".formatted(parts[1], pages);
    String policy = parts[0].startsWith("s-") ? ",\"restartPolicy\":\"Always\"" : "";
    return "{\"name\":\"%s\"%s,\"resources\":{\"requests\":%s,\"limits\":%s}}"
        .formatted(parts[0], policy, amounts, amounts);
  }

  private static ContainerView named(PodSpecView pod, String name) {
    return Stream.concat(pod.initContainers().stream(), pod.containers().stream())
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static MemoryAllocation allocate(
      StaticMemory policy,
      MemoryAssignments before,
      String uid,
      PodSpecView pod,
      TopologyHint hint) {
    return policy.allocate(before, uid, pod, named(pod, "c"), hint);
  }

  private static MemoryAssignments given(
      StaticMemory policy, MemoryAssignments before, String uid, String container, int... nodes) {
    PodSpecView pod = pod(container);
    TopologyHint hint = TopologyHint.of(NumaMask.of(nodes), false);
    return ((MemoryAllocation.Given) allocate(policy, before, uid, pod, hint)).assignments();
  }

  private static String text(Hints hints) {
    return new TreeMap<>(hints.resources())
        .entrySet().stream()
            .map(type ->
                type.getKey()
                    + " "
                    + type.getValue().orElseThrow().stream()
                        .map(hint ->
                            hint.affinity().orElseThrow().toString().replace(",", "")
                                + (hint.isPreferred() ? "*" : ""))
                        .collect(Collectors.joining(" ")))
            .collect(Collectors.joining("; "));
  }

  @ParameterizedTest(name = "{0} on {1} nodes, after {2} of {3}: {4}")
  @CsvSource({
    "c:4, 2, -, -, memory 0* 1* 01",
    "c:8, 2, -, -, memory 01*",
    "c:4:1, 2, -, -, hugepages-1Gi 0* 1* 01; memory 0* 1* 01",
    "c:1:3, 2, -, -, hugepages-1Gi 01*; memory 01*",
    "c:4, 2, c:4, 0, memory 1*",
    "c:4, 2, c:8, 01, memory 01",
    "c:4, 3, c:1, 1, memory 0* 1* 2* 02",
    "c:20, 2, -, -, ''",
  })
  void hintsNameAllNodesThatHaveEnoughAndMayGiveIt(
      String container, int count, String before, String nodes, String expected) {
    StaticMemory policy = policy(count);
    MemoryAssignments start = policy.initial();
    if (!before.equals("-")) {
      start = given(policy, start, "x", before, nodes.chars().map(c -> c - '0').toArray());
    }
    PodSpecView pod = pod(container);
    assertThat(text(policy.hints(start, "u", pod, named(pod, "c")))).isEqualTo(expected);
    assertThat(text(policy.podHints(start, "u", pod))).isEqualTo(expected);
  }

  @Test
  void memoryIsTakenFromTheFirstNodesAndGivenBack() {
    StaticMemory policy = policy(2);
    MemoryAssignments after = given(policy, policy.initial(), "u", "c:9", 0, 1);
    assertThat(node(after, 0).table("memory").free()).isZero();
    assertThat(node(after, 1).table("memory").reserved()).isEqualTo(2 * GIB);
    assertThat(node(after, 0).cells()).containsExactly(0, 1);
    assertThat(after.find("u", "c"))
        .containsExactly(new MemoryBlock(List.of(0, 1), "memory", 9 * GIB));
    assertThat(policy.problem(after)).isEmpty();
    assertThat(after.without("u")).isEqualTo(policy.initial());
    assertThat(after.retain(List.of("u"))).isEqualTo(after);
    assertThat(allocate(policy, after, "u", pod("c:9"), TopologyHint.ANYWHERE))
        .isEqualTo(new MemoryAllocation.Nothing());
  }

  @ParameterizedTest(name = "{0} with {1} after {2}: {3}")
  @CsvSource({
    "c:4, any,  -,      0",
    "c:4, 1*,   -,      1",
    "c:8, 1,    -,      '0, 1'",
    "c:8, 1*,   -,      '0, 1'",
    "c:4, any*, c:5@0,  1",
  })
  void aHintIsExtendedUntilThereIsEnough(
      String container, String hint, String before, String nodes) {
    StaticMemory policy = policy(2);
    MemoryAssignments start =
        before.equals("-") ? policy.initial() : given(policy, policy.initial(), "x", "c:5", 0);
    TopologyHint merged =
        hint.startsWith("any")
            ? hint.endsWith("*") ? TopologyHint.ANYWHERE : TopologyHint.NOWHERE
            : TopologyHint.of(NumaMask.of(hint.charAt(0) - '0'), hint.endsWith("*"));
    assertThat(allocate(policy, start, "u", pod(container), merged))
        .isInstanceOfSatisfying(
            MemoryAllocation.Given.class,
            given ->
                assertThat(given.assignments().find("u", "c").getFirst().nodes())
                    .hasToString("[" + nodes + "]"));
  }

  @ParameterizedTest(name = "{0} with {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "c:30 | any* | failed to get the default NUMA affinity, no NUMA nodes with enough memory is"
            + " available",
        "c:4  | any* | failed to find the default preferred hint",
        "c:4  | 0    | failed to find NUMA nodes to extend the current topology hint",
        "c:1  | 02   | preferred hint violates NUMA node allocation",
      })
  void refusals(String container, String hint, String message) {
    StaticMemory policy = policy(4);
    MemoryAssignments start = given(policy, policy.initial(), "x", "c:5", 0);
    start = given(policy, start, "y", "c:5", 1);
    if (hint.equals("any*")) {
      start = given(policy, start, "z", "c:8", 2, 3);
    }
    int[] nodes = hint.chars().filter(Character::isDigit).map(c -> c - '0').toArray();
    TopologyHint merged =
        hint.startsWith("any") ? TopologyHint.ANYWHERE : TopologyHint.of(NumaMask.of(nodes), false);
    assertThat(allocate(policy, start, "u", pod(container), merged))
        .isInstanceOfSatisfying(
            MemoryAllocation.Refused.class,
            refused ->
                assertThat(refused.rejection().message())
                    .isEqualTo(
                        "Allocate failed due to [memorymanager] "
                            + message
                            + ", which is unexpected"));
  }

  @Test
  void initContainersPassTheirMemoryOn() {
    StaticMemory policy = policy(1);
    PodSpecView pod = pod("i-a:5", "i-b:3", "s-c:2", "c:4");
    MemoryAssignments after = policy.initial();
    for (String name : List.of("i-a", "i-b", "s-c", "c")) {
      MemoryAllocation allocation =
          policy.allocate(after, "u", pod, named(pod, name), TopologyHint.of(NumaMask.of(0), true));
      after = ((MemoryAllocation.Given) allocation).assignments();
    }
    assertThat(node(after, 0).table("memory").reserved()).isEqualTo(6 * GIB);
    long held =
        after.of("u").values().stream().flatMap(List::stream).mapToLong(MemoryBlock::bytes).sum();
    assertThat(held).isEqualTo(6 * GIB);
    assertThat(policy.problem(after)).isEmpty();
    assertThat(after.without("u")).isEqualTo(policy.initial());
  }

  @Test
  void whatWasWrittenDownMustFit() {
    StaticMemory policy = policy(2);
    MemoryAssignments known = given(policy, policy.initial(), "u", "c:4", 1);
    assertThat(policy(1).problem(known))
        .contains(
            "[memorymanager] (pod: u, container: c) the memory assignment uses the NUMA that does"
                + " not exist");
    assertThat(policy(3).problem(known))
        .contains("[memorymanager] the expected machine state is different from the real one");
    assertThat(policy.problem(new MemoryAssignments(new TreeMap<>(), known.blocks())))
        .contains("[memorymanager] machine state can not be empty when it has memory assignments");
    assertThat(policy.problem(MemoryAssignments.NONE)).isEmpty();
  }

  @ParameterizedTest(name = "{0} of node {1} where {2} is reserved in all: {3}")
  @CsvSource(
      delimiter = '|',
      value = {
        "1Gi | 7 | 1Gi | the reserved memory configuration references a NUMA node 7 that does not"
            + " exist on this machine",
        "1Gi | 0 | 2Gi | the total amount \"1Gi\" of type \"memory\" is not equal to the value"
            + " \"2Gi\" determined by Node Allocatable feature: reservedMemory of all NUMA nodes"
            + " together must be what systemReserved, kubeReserved and evictionHard keep from"
            + " pods",
        "0   | 0 | 0   | [memorymanager] you should specify the system reserved memory",
      })
  void whatIsReservedMustAddUp(String amount, int node, String whole, String message) {
    SortedMap<Integer, NodeMemory> machine = new TreeMap<>();
    machine.put(0, new NodeMemory(10 * GIB, new TreeMap<>()));
    List<ReservedMemory> reserved = List.of(new ReservedMemory(node, amounts("memory", amount)));
    assertThatThrownBy(() -> StaticMemory.of(machine, reserved, amounts("memory", whole)))
        .hasMessage(message);
  }

  /** Pods come and go in any order; what each node says fits who has what, and nothing is lost. */
  @SeededTest(fixed = 3, fresh = 2)
  void nothingIsLostOrGivenTwice(long seed) {
    Random random = new Random(seed);
    StaticMemory policy = policy(1 + random.nextInt(4));
    MemoryAssignments now = policy.initial();
    int given = 0;
    for (int step = 0; step < 300; step++) {
      String uid = "u" + random.nextInt(8);
      if (random.nextInt(3) == 0 || !now.of(uid).isEmpty()) {
        now = now.without(uid);
      } else {
        PodSpecView pod =
            pod(
                "i-a:" + (1 + random.nextInt(4)),
                "s-b:1",
                "c:%d:%d".formatted(1 + random.nextInt(8), random.nextInt(3)));
        MemoryAssignments before = now;
        for (String name : List.of("i-a", "s-b", "c")) {
          switch (policy.allocate(now, uid, pod, named(pod, name), TopologyHint.NOWHERE)) {
            case MemoryAllocation.Given(MemoryAssignments after) -> now = after;
            case MemoryAllocation.Refused _ -> now = before;
            case MemoryAllocation.Nothing _ -> {}
          }
          if (now.equals(before)) {
            break;
          }
          given++;
        }
      }
      assertThat(policy.problem(now)).as("step %d", step).isEmpty();
      now.nodes()
          .values()
          .forEach(node ->
              node.tables()
                  .values()
                  .forEach(table ->
                      assertThat(table.free() + table.reserved()).isEqualTo(table.allocatable())));
    }
    assertThat(given).isPositive();
    assertThat(now.retain(List.of())).isEqualTo(policy.initial());
  }
}
