package dev.berth.sim.agent;

import static dev.berth.sim.VirtualCluster.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.config.AgentSettings;
import dev.berth.agent.eviction.EvictionManager;
import dev.berth.agent.eviction.ResourceSnapshot;
import dev.berth.agent.pod.RunningPods;
import dev.berth.agent.runtime.ContainerStatus;
import dev.berth.agent.runtime.PodId;
import dev.berth.agent.runtime.PodUsage;
import dev.berth.agent.volume.DiskUsage;
import dev.berth.client.Resources;
import dev.berth.metrics.Metrics;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pressure.Observation;
import dev.berth.policy.pressure.Signal;
import dev.berth.policy.pressure.Thresholds;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pods leave a node that is short of something, in time, in order, and one after the other. */
class EvictionManagerTest {
  private static final long MEBIBYTE = 1 << 20;

  @TempDir Path folder;

  private NodeFixture node;
  private Optional<EvictionManager> manager = Optional.empty();
  private final Pods pods = new Pods();
  private final Map<String, PodUsage> usage = new LinkedHashMap<>();
  private final Map<String, Map<String, DiskUsage>> volumes = new HashMap<>();
  private final Map<Signal, Long> available = new HashMap<>();
  private final List<Signal> reclaimed = new ArrayList<>();
  private Optional<Long> freedByReclaim = Optional.empty();
  private int changes;

  /** The pods whose files the last look has measured. */
  private Set<String> measured = Set.of();

  /** Pods that end when the test says so. */
  private static final class Pods implements RunningPods {
    private final Map<String, JsonObject> all = new LinkedHashMap<>();
    private final Map<String, Eviction> evicted = new LinkedHashMap<>();
    private final Map<String, Duration> graces = new HashMap<>();

    @Override
    public List<JsonObject> pods() {
      return List.copyOf(all.values());
    }

    @Override
    public Optional<JsonObject> find(String namespace, String name) {
      return Optional.ofNullable(all.get(name));
    }

    @Override
    public Optional<ContainerStatus> container(PodId pod, String name, boolean previous) {
      return all.containsKey(pod.name())
          ? Optional.of(
              new ContainerStatus("id", name, 0, "i", "i", List.of(), "i", Instant.EPOCH, "", null))
          : Optional.empty();
    }

    @Override
    public void evict(PodId pod, Eviction eviction, Duration grace) {
      evicted.put(pod.name(), eviction);
      graces.put(pod.name(), grace);
      all.computeIfPresent(
          pod.name(), (_, tree) -> tree.with("status", tree("{'phase':'Failed'}")));
    }
  }

  @BeforeEach
  void open() {
    node = new NodeFixture(folder);
    available.put(Signal.MEMORY_AVAILABLE, 1000 * MEBIBYTE);
  }

  @AfterEach
  void close() {
    node.close();
  }

  private void start(Thresholds.Written written, Duration longestGrace) {
    node.settings(before ->
        before.with(
            new AgentSettings.Eviction(written, Duration.ofMinutes(5), longestGrace, true)));
    node.cluster.run(
        "eviction",
        () -> {
          EvictionManager started =
              EvictionManager.start(
                  new EvictionManager.Parts(
                      node.api(),
                      node.cluster.time(),
                      new Metrics(),
                      node.settings(),
                      pods,
                      emptyDirs -> observe(emptyDirs.keySet()),
                      signal -> {
                        reclaimed.add(signal);
                        freedByReclaim.ifPresent(
                            bytes -> available.merge(signal, bytes, Long::sum));
                        return freedByReclaim.isPresent();
                      },
                      () -> changes++));
          manager = Optional.of(started);
          return started;
        });
  }

  private void startHard() {
    start(
        new Thresholds.Written(Map.of("memory.available", "100Mi"), Map.of(), Map.of(), Map.of()),
        Duration.ZERO);
  }

  private ResourceSnapshot observe(Set<String> pods) {
    measured = Set.copyOf(pods);
    Map<Signal, Observation> signals = new HashMap<>();
    available.forEach(
        (signal, amount) -> signals.put(signal, Observation.of(signal, amount, 4096 * MEBIBYTE)));
    return new ResourceSnapshot(signals, false, usage, volumes);
  }

  private void pod(String name, long memory, String spec) {
    JsonObject own =
        tree(
            "{'metadata':{'namespace':'default','name':'%s','uid':'%s'},'spec':%s,'status':{'phase':'Running'}}"
                .formatted(name, name, spec));
    pods.all.put(name, own);
    PodUsage.Usage used =
        new PodUsage.Usage(0, memory * MEBIBYTE, memory * MEBIBYTE, memory * MEBIBYTE, 1);
    usage.put(
        name,
        new PodUsage(
            new PodId("default", name, name),
            used,
            List.of(new PodUsage.OfContainer("c", used, PodUsage.Files.NONE, PodUsage.Files.NONE)),
            List.of()));
  }

  private void pod(String name, long memory) {
    pod(name, memory, "{'containers':[{'name':'c'}]}");
  }

  private void ended(String name) {
    pods.all.remove(name);
    usage.remove(name);
  }

  private List<String> notes(String reason) {
    return node.cluster.list(Resources.CORE_EVENTS).stream()
        .filter(event -> event.text("reason", "").equals(reason))
        .map(event -> event.text("message", ""))
        .toList();
  }

  @Test
  void evictsAtTheNextLookWhatUsesMost() {
    pod("small", 10);
    pod("big", 3000);
    startHard();
    available.put(Signal.MEMORY_AVAILABLE, 50 * MEBIBYTE);
    node.cluster.advance(Duration.ofMillis(9_999));
    assertThat(pods.evicted).isEmpty();

    node.cluster.advance(Duration.ofMillis(1));
    String message =
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi."
            + " Container c was using 3000Mi, request is 0, has larger consumption of memory. ";
    assertThat(pods.evicted)
        .containsExactly(
            Map.entry("big", new RunningPods.Eviction("Evicted", message, Optional.of(message))));
    assertThat(pods.graces).containsEntry("big", Duration.ofSeconds(1));
    assertThat(manager.orElseThrow().pressures()).containsExactly("MemoryPressure");
    assertThat(changes).isEqualTo(1);
    // The pod's own event is recorded by whoever ends it.
    assertThat(notes("Evicted")).isEmpty();
    assertThat(notes("EvictionThresholdMet")).containsExactly("Attempting to reclaim memory");
  }

  @Test
  void waitsUntilThePodIsGoneBeforeTheNextOneGoes() {
    pod("a", 3000);
    pod("b", 2000);
    available.put(Signal.MEMORY_AVAILABLE, 50 * MEBIBYTE);
    startHard();
    assertThat(pods.evicted).containsOnlyKeys("a");
    node.cluster.advance(Duration.ofSeconds(29));
    assertThat(pods.evicted).containsOnlyKeys("a");
    ended("a");
    node.cluster.advance(Duration.ofSeconds(1));
    assertThat(pods.evicted).containsOnlyKeys("a", "b");
  }

  @Test
  void doesNotWaitForEver() {
    pod("a", 3000);
    pod("b", 2000);
    available.put(Signal.MEMORY_AVAILABLE, 50 * MEBIBYTE);
    startHard();
    node.cluster.advance(Duration.ofSeconds(30));
    assertThat(pods.evicted).containsOnlyKeys("a", "b");
  }

  @Test
  void oneMayBeEnough() {
    pod("a", 3000);
    pod("b", 2000);
    available.put(Signal.MEMORY_AVAILABLE, 50 * MEBIBYTE);
    startHard();
    ended("a");
    available.put(Signal.MEMORY_AVAILABLE, 2000 * MEBIBYTE);
    node.cluster.advance(Duration.ofMinutes(1));
    assertThat(pods.evicted).containsOnlyKeys("a");
  }

  @Test
  void aSoftThresholdWaitsForItsGraceAndLeavesThePodSome() {
    pod("a", 3000);
    start(
        new Thresholds.Written(
            Map.of(),
            Map.of("memory.available", "100Mi"),
            Map.of("memory.available", "1m"),
            Map.of()),
        Duration.ofSeconds(20));
    available.put(Signal.MEMORY_AVAILABLE, 50 * MEBIBYTE);
    node.cluster.advance(Duration.ofSeconds(10));
    assertThat(manager.orElseThrow().pressures()).containsExactly("MemoryPressure");
    node.cluster.advance(Duration.ofSeconds(59));
    assertThat(pods.evicted).isEmpty();
    node.cluster.advance(Duration.ofSeconds(1));
    assertThat(pods.evicted).containsOnlyKeys("a");
    assertThat(pods.graces).containsEntry("a", Duration.ofSeconds(20));
  }

  @Test
  void theConditionStaysForTheTransitionPeriod() {
    available.put(Signal.MEMORY_AVAILABLE, 50 * MEBIBYTE);
    startHard();
    available.put(Signal.MEMORY_AVAILABLE, 1000 * MEBIBYTE);
    node.cluster.advance(Duration.ofSeconds(299));
    assertThat(manager.orElseThrow().pressures()).containsExactly("MemoryPressure");
    node.cluster.advance(Duration.ofSeconds(1));
    assertThat(manager.orElseThrow().pressures()).isEmpty();
    assertThat(changes).isEqualTo(2);
  }

  @Test
  void whatCanBeGotBackOtherwiseSavesThePods() {
    pod("a", 10);
    start(
        new Thresholds.Written(Map.of("nodefs.available", "100Mi"), Map.of(), Map.of(), Map.of()),
        Duration.ZERO);
    freedByReclaim = Optional.of(500 * MEBIBYTE);
    available.put(Signal.NODE_FS_AVAILABLE, 50 * MEBIBYTE);
    node.cluster.advance(Duration.ofSeconds(10));
    assertThat(reclaimed).containsExactly(Signal.NODE_FS_AVAILABLE);
    assertThat(pods.evicted).isEmpty();
    assertThat(manager.orElseThrow().pressures()).containsExactly("DiskPressure");
  }

  @Test
  void whatWasGotBackMayNotBeEnough() {
    pod("a", 10);
    start(
        new Thresholds.Written(Map.of("nodefs.available", "100Mi"), Map.of(), Map.of(), Map.of()),
        Duration.ZERO);
    freedByReclaim = Optional.of(MEBIBYTE);
    available.put(Signal.NODE_FS_AVAILABLE, 50 * MEBIBYTE);
    node.cluster.advance(Duration.ofSeconds(10));
    assertThat(pods.evicted).containsOnlyKeys("a");
  }

  @Test
  void aVolumeThatIsTooLargeEndsItsPodWithoutPressure() {
    pod(
        "a",
        10,
        "{'containers':[{'name':'c'}],'volumes':[{'name':'v','emptyDir':{'sizeLimit':'10Mi'}}]}");
    startHard();
    node.cluster.advance(Duration.ofSeconds(10));
    assertThat(pods.evicted).isEmpty();
    volumes.put("a", Map.of("v", new DiskUsage(11 * MEBIBYTE, 5)));
    node.cluster.advance(Duration.ofSeconds(10));
    assertThat(pods.evicted)
        .containsExactly(
            Map.entry(
                "a",
                new RunningPods.Eviction(
                    "Evicted",
                    "Usage of EmptyDir volume \"v\" exceeds the limit \"10Mi\". ",
                    Optional.empty())));
    assertThat(manager.orElseThrow().pressures()).isEmpty();
  }

  @Test
  void staticPodsStay() {
    pod("a", 3000);
    pods.all.computeIfPresent(
        "a", (_, own) -> Metadata.annotate(own, "kubernetes.io/config.source", "file"));
    available.put(Signal.MEMORY_AVAILABLE, 50 * MEBIBYTE);
    startHard();
    node.cluster.advance(Duration.ofMinutes(1));
    assertThat(pods.evicted).isEmpty();
  }

  /** It takes a walk through all their files, every ten seconds. */
  @Test
  void filesAreMeasuredOfPodsWithLimitsAloneUntilSomethingIsShort() {
    pod("plain", 10);
    pod(
        "dir",
        10,
        "{'containers':[{'name':'c'}],'volumes':[{'name':'v','emptyDir':{'sizeLimit':'1Mi'}}]}");
    pod(
        "container",
        10,
        "{'containers':[{'name':'c','resources':{'limits':{'ephemeral-storage':'1Mi'}}}]}");
    startHard();
    assertThat(measured).containsExactlyInAnyOrder("dir", "container");

    available.put(Signal.MEMORY_AVAILABLE, 50 * MEBIBYTE);
    node.cluster.advance(Duration.ofSeconds(10));
    assertThat(measured).containsExactlyInAnyOrder("plain", "dir", "container");
  }
}
