package dev.berth.policy.cpumanager;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.core.ContainerView;
import dev.berth.model.core.PodSpecView;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.topology.NumaMask;
import dev.berth.policy.topology.TopologyDecision.Hints;
import dev.berth.policy.topology.TopologyPolicy;
import dev.berth.time.fixture.SeededTest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StaticCpusTest {
  private static final CpuOptions.Stages ALL_STAGES = new CpuOptions.Stages(true, true);

  private static StaticCpus policy(String machine, String reserved, String... options) {
    Map<String, String> on = new LinkedHashMap<>();
    Stream.of(options).forEach(option -> on.put(option, "true"));
    return StaticCpus.of(
        TestMachines.machine(machine),
        Quantity.parse(reserved),
        CpuSet.EMPTY,
        CpuOptions.parse(on, ALL_STAGES));
  }

  /** Containers as {@code name:cpus}; {@code i-} makes init containers, {@code s-} sidecars. */
  static PodSpecView pod(String... containers) {
    String init =
        Stream.of(containers)
            .filter(each -> each.contains("-"))
            .map(StaticCpusTest::container)
            .collect(Collectors.joining(","));
    String others =
        Stream.of(containers)
            .filter(each -> !each.contains("-"))
            .map(StaticCpusTest::container)
            .collect(Collectors.joining(","));
    String spec = "{\"initContainers\":[%s],\"containers\":[%s]}".formatted(init, others);
    return PodSpecView.read(JsonReader.object(spec.getBytes(UTF_8), JsonLimits.TRUSTED));
  }

  private static String container(String text) {
    String[] parts = text.split(":", -1);
    String amounts = "{\"cpu\":\"%s\",\"memory\":\"1Gi\"}".formatted(parts[1]);
    return "{\"name\":\"%s\"%s,\"resources\":{\"requests\":%s,\"limits\":%s}}"
        .formatted(
            parts[0],
            parts[0].startsWith("s-") ? ",\"restartPolicy\":\"Always\"" : "",
            amounts,
            parts.length > 2 ? "{}" : amounts);
  }

  private static ContainerView named(PodSpecView pod, String name) {
    return Stream.concat(pod.initContainers().stream(), pod.containers().stream())
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static CpuAssignments given(
      StaticCpus policy, CpuAssignments before, String uid, PodSpecView pod, String name) {
    return switch (policy.allocate(before, uid, pod, named(pod, name), Optional.empty())) {
      case CpuAllocation.Given given -> given.assignments();
      case CpuAllocation.Shared _, CpuAllocation.Kept _ -> before;
      case CpuAllocation.Refused refused -> throw new AssertionError(refused);
    };
  }

  private static String text(Hints hints) {
    return hints.resources().values().stream()
        .flatMap(Optional::stream)
        .flatMap(List::stream)
        .map(hint ->
            hint.affinity().map(NumaMask::toString).orElse("any").replace(",", "")
                + (hint.isPreferred() ? "*" : ""))
        .collect(Collectors.joining(" "));
  }

  @ParameterizedTest(name = "a container with {0} has {1} of its own")
  @CsvSource({"c:2, 2", "c:2000m, 2", "c:1500m, 0", "c:2:burstable, 0", "c:0, 0"})
  void wholeProcessorsOfGuaranteedPodsAreExclusive(String container, int count) {
    PodSpecView pod = pod(container);
    assertThat(StaticCpus.exclusiveCpus(pod, pod.containers().getFirst())).isEqualTo(count);
  }

  @Test
  void whatIsGivenIsSharedNoMoreUntilItIsGivenBack() {
    StaticCpus policy = policy("one-socket-smt", "1");
    PodSpecView pod = pod("c:2");
    CpuAssignments after = given(policy, policy.initial(), "u", pod, "c");
    assertThat(after.find("u", "c")).contains(CpuSet.of(1, 5));
    assertThat(after.shared()).hasToString("0,2-4,6-7");
    assertThat(policy.problem(after)).isEmpty();
    assertThat(policy.allocate(after, "u", pod, named(pod, "c"), Optional.empty()))
        .isEqualTo(new CpuAllocation.Kept(CpuSet.of(1, 5)));
    assertThat(after.without("u")).isEqualTo(policy.initial());
    assertThat(after.retain(List.of("other"))).isEqualTo(policy.initial());
  }

  @Test
  void reservedProcessorsAreSharedButNeverGivenAway() {
    StaticCpus policy = policy("one-socket-smt", "1500m");
    assertThat(policy.allocatable()).hasToString("1-3,5-7");
    assertThat(policy.initial().shared()).hasToString("0-7");
    PodSpecView pod = pod("c:7");
    assertThat(policy.allocate(policy.initial(), "u", pod, named(pod, "c"), Optional.empty()))
        .isInstanceOfSatisfying(
            CpuAllocation.Refused.class,
            refused ->
                assertThat(refused.rejection().message())
                    .isEqualTo(
                        "Allocate failed due to not enough cpus available to satisfy request:"
                            + " requested=7, available=6, which is unexpected"));
    assertThat(policy("one-socket-smt", "1", "strict-cpu-reservation").initial().shared())
        .hasToString("1-7");
  }

  @Test
  void containersTakeOverFromInitContainersButNotFromSidecars() {
    StaticCpus policy = policy("one-socket-smt", "1");
    PodSpecView pod = pod("i-a:4", "s-b:2", "c:2");
    CpuAssignments after = policy.initial();
    for (String name : List.of("i-a", "s-b", "c")) {
      after = given(policy, after, "u", pod, name);
    }
    CpuSet init = after.find("u", "i-a").orElseThrow();
    CpuSet sidecar = after.find("u", "s-b").orElseThrow();
    CpuSet last = after.find("u", "c").orElseThrow();
    assertThat(init.intersection(sidecar)).isEqualTo(sidecar);
    assertThat(init.intersection(last)).isEqualTo(last);
    assertThat(sidecar.intersection(last)).isEqualTo(CpuSet.EMPTY);
    assertThat(after.allExclusive().size()).isEqualTo(4);
  }

  @ParameterizedTest(name = "{1} of {0} ({2} taken): {3}")
  @CsvSource({
    "two-sockets-smt, 2, 0, 0* 1* 01",
    "two-sockets-smt, 6, 0, 1* 01",
    "two-sockets-smt, 7, 0, 01*",
    "two-sockets-smt, 2, 4, 1* 01",
    "four-nodes-smt, 20, 0, 1* 2* 3* 01 02 03 12 13 23 012 013 023 123 0123",
  })
  void hintsNameAllNodesThatHaveEnough(String machine, int count, int taken, String hints) {
    StaticCpus policy = policy(machine, "1");
    CpuAssignments before =
        taken == 0
            ? policy.initial()
            : given(policy, policy.initial(), "x", pod("c:" + taken), "c");
    PodSpecView pod = pod("c:" + count);
    assertThat(text(policy.hints(before, "u", pod, named(pod, "c")))).isEqualTo(hints);
    assertThat(text(policy.podHints(before, "u", pod))).isEqualTo(hints);
  }

  @Test
  void hintsOfAPodCountInitContainersOnce() {
    StaticCpus policy = policy("two-sockets-smt", "1");
    assertThat(text(policy.podHints(policy.initial(), "u", pod("i-a:5", "c:2", "d:2"))))
        .isEqualTo("0* 1* 01");
    assertThat(text(policy.podHints(policy.initial(), "u", pod("s-a:5", "c:2")))).isEqualTo("01*");
    assertThat(policy.podHints(policy.initial(), "u", pod("c:500m"))).isEqualTo(Hints.NONE);
  }

  @Test
  void hintsOfWhatAContainerHasAreTheSameAgain() {
    StaticCpus policy = policy("two-sockets-smt", "1");
    PodSpecView pod = pod("c:2");
    CpuAssignments after = given(policy, policy.initial(), "u", pod, "c");
    assertThat(text(policy.hints(after, "u", pod, named(pod, "c")))).isEqualTo("0* 01");
    PodSpecView other = pod("c:4");
    assertThat(policy.hints(after, "u", other, named(other, "c")))
        .isEqualTo(Hints.of("cpu", List.of()));
  }

  @Test
  void nodesOfOneSocketAreAsGoodAsOneNodeIfAlignedBySocket() {
    StaticCpus policy = policy("four-nodes-smt", "1", "align-by-socket");
    PodSpecView pod = pod("c:2");
    assertThat(text(policy.hints(policy.initial(), "u", pod, named(pod, "c"))))
        .startsWith("0* 1* 2* 3* 01* 02 03 12 13 23* 012");
  }

  @Test
  void affinityIsFollowedAsFarAsItGoes() {
    StaticCpus policy = policy("two-sockets-smt", "1");
    PodSpecView pod = pod("c:8");
    CpuAllocation allocation =
        policy.allocate(policy.initial(), "u", pod, named(pod, "c"), Optional.of(NumaMask.of(1)));
    assertThat(allocation)
        .isInstanceOfSatisfying(
            CpuAllocation.Given.class,
            given -> assertThat(given.cpus()).hasToString("1-3,5,7-9,11"));
  }

  @ParameterizedTest(name = "{0} cpus: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "3 | SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2",
        "8 | SMT Alignment Error: not enough free physical CPUs: available physical CPUs = 6,"
            + " requested CPUs = 8, CPUs per core = 2",
      })
  void wholeCoresOnly(int count, String message) {
    StaticCpus policy = policy("one-socket-smt", "1", "full-pcpus-only");
    PodSpecView pod = pod("c:" + count);
    assertThat(policy.allocate(policy.initial(), "u", pod, named(pod, "c"), Optional.empty()))
        .isInstanceOfSatisfying(
            CpuAllocation.Refused.class,
            refused -> {
              assertThat(refused.rejection().reason()).isEqualTo("SMTAlignmentError");
              assertThat(refused.rejection().message()).isEqualTo(message);
            });
  }

  @ParameterizedTest(name = "shared {0}, of u/c {1}: {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "0-5 | 6-7 | ",
        "0-7 | - | ",
        "- | 1 | default cpuset cannot be empty",
        "1-5 | 6-7 | not all reserved cpus: \"0\" are present in defaultCpuSet: \"1-5\"",
        "0-5 | 5-7 | pod: u, container: c cpuset: \"5-7\" overlaps with default cpuset \"0-5\"",
        "0-5 | 6-8 | current set of available CPUs \"0-7\" doesn't match with CPUs in state"
            + " \"0-8\"",
      })
  void whatWasWrittenDownMustFit(String shared, String exclusive, String problem) {
    TreeMap<String, SortedMap<String, CpuSet>> pods = new TreeMap<>();
    if (!exclusive.equals("-")) {
      pods.put("u", new TreeMap<>(Map.of("c", CpuSet.parse(exclusive))));
    }
    CpuAssignments known =
        new CpuAssignments(shared.equals("-") ? CpuSet.EMPTY : CpuSet.parse(shared), pods);
    assertThat(policy("one-socket-smt", "1").problem(known))
        .isEqualTo(Optional.ofNullable(problem));
  }

  @Test
  void podsMayHaveAllThatIsNotStrictlyReserved() {
    StaticCpus policy = policy("one-socket-smt", "1", "strict-cpu-reservation");
    CpuAssignments full = given(policy, policy.initial(), "u", pod("c:7"), "c");
    assertThat(full.shared()).isEqualTo(CpuSet.EMPTY);
    assertThat(policy.problem(full)).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "full-pcpus-only=maybe | bad value for option \"full-pcpus-only\": strconv.ParseBool:"
            + " parsing \"maybe\": invalid syntax: must be true or false",
        "pack=true | unknown CPU Manager Policy option: \"pack\": must be one of full-pcpus-only,"
            + " distribute-cpus-across-numa, align-by-socket, distribute-cpus-across-cores,"
            + " strict-cpu-reservation, prefer-align-cpus-by-uncorecache",
        "align-by-socket=true | CPU Manager Policy Alpha-level Options not enabled, but option"
            + " \"align-by-socket\" provided: it needs the feature gate CPUManagerPolicyAlphaOptions",
        "prefer-align-cpus-by-uncorecache=true,distribute-cpus-across-numa=true | static policy"
            + " options prefer-align-cpus-by-uncorecache and distribute-cpus-across-numa can not be"
            + " used at the same time",
      })
  void optionsThatCannotBeUsed(String options, String message) {
    Map<String, String> named = new LinkedHashMap<>();
    for (String option : options.split(",", -1)) {
      named.put(option.split("=", -1)[0], option.split("=", -1)[1]);
    }
    assertThatThrownBy(() -> CpuOptions.parse(named, CpuOptions.Stages.DEFAULT))
        .hasMessage(message);
  }

  @Test
  void whatCannotBeReservedOrAligned() {
    assertThatThrownBy(() -> policy("one-socket-smt", "0"))
        .hasMessageContaining("to be greater than zero");
    assertThatThrownBy(() ->
            StaticCpus.of(
                TestMachines.machine("one-socket-smt"),
                Quantity.parse("2"),
                CpuSet.of(0),
                CpuOptions.NONE))
        .hasMessageContaining("(size of 0 did not equal 2)");
    CpuOptions bySocket = CpuOptions.parse(Map.of("align-by-socket", "true"), ALL_STAGES);
    assertThat(
            bySocket.conflict(TopologyPolicy.SINGLE_NUMA_NODE, TestMachines.machine("two-sockets")))
        .isPresent();
    assertThat(
            bySocket.conflict(
                TopologyPolicy.BEST_EFFORT, TestMachines.machine("two-sockets-caches")))
        .isPresent();
    assertThat(
            bySocket.conflict(TopologyPolicy.BEST_EFFORT, TestMachines.machine("four-nodes-smt")))
        .isEmpty();
  }

  /** Pods come and go in any order; no processor is ever lost, or two pods'. */
  @SeededTest(fixed = 3, fresh = 2)
  void nothingIsLostOrGivenTwice(long seed) {
    Random random = new Random(seed);
    List<String> machines =
        List.of("one-socket-smt", "two-sockets-smt", "four-nodes-smt", "two-nodes-caches");
    List<String> options =
        List.of(
            "full-pcpus-only",
            "distribute-cpus-across-numa",
            "strict-cpu-reservation",
            "prefer-align-cpus-by-uncorecache",
            "distribute-cpus-across-cores");
    StaticCpus policy =
        policy(
            machines.get(random.nextInt(machines.size())),
            "1",
            options.get(random.nextInt(options.size())));
    CpuAssignments now = policy.initial();
    for (int step = 0; step < 300; step++) {
      String uid = "u" + random.nextInt(6);
      if (random.nextInt(3) == 0 || !now.of(uid).isEmpty()) {
        now = now.without(uid);
      } else {
        PodSpecView pod =
            pod(
                "i-a:" + random.nextInt(4),
                "s-b:" + random.nextInt(3),
                "c:" + random.nextInt(4),
                "d:" + (1 + random.nextInt(3)));
        now = letIn(policy, now, uid, pod, random);
      }
      assertThat(policy.problem(now)).as("step %d", step).isEmpty();
      CpuSet seen = CpuSet.EMPTY;
      for (String each : now.exclusive().keySet()) {
        CpuSet own = CpuSet.EMPTY;
        for (CpuSet cpus : now.of(each).values()) {
          own = own.union(cpus);
        }
        assertThat(own.intersection(seen)).as("step %d", step).isEqualTo(CpuSet.EMPTY);
        seen = seen.union(own);
      }
    }
    assertThat(now.retain(List.of())).isEqualTo(policy.initial());
  }

  private static CpuAssignments letIn(
      StaticCpus policy, CpuAssignments before, String uid, PodSpecView pod, Random random) {
    CpuAssignments now = before;
    for (ContainerView container :
        Stream.concat(pod.initContainers().stream(), pod.containers().stream()).toList()) {
      Optional<NumaMask> affinity =
          random.nextBoolean()
              ? Optional.empty()
              : Optional.of(NumaMask.of(random.nextInt(policy.machine().numaNodes().size())));
      switch (policy.allocate(now, uid, pod, container, affinity)) {
        case CpuAllocation.Given given -> {
          assertThat(given.cpus().size()).isEqualTo(StaticCpus.exclusiveCpus(pod, container));
          now = given.assignments();
        }
        case CpuAllocation.Refused _ -> {
          return before;
        }
        case CpuAllocation.Shared _, CpuAllocation.Kept _ -> {}
      }
    }
    return now;
  }
}
