package dev.berth.policy.nodestatus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KubeletConditionsTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private static List<String> words(List<Condition> conditions) {
    return conditions.stream()
        .map(c -> "%s=%s %s: %s".formatted(c.type(), c.status().text(), c.reason(), c.message()))
        .toList();
  }

  @Test
  void aHealthyNodeSaysSoInAKubeletsWords() {
    assertThat(words(KubeletConditions.of(List.of(), Set.of(), "", NOW)))
        .containsExactly(
            "MemoryPressure=False KubeletHasSufficientMemory: kubelet has sufficient memory"
                + " available",
            "DiskPressure=False KubeletHasNoDiskPressure: kubelet has no disk pressure",
            "PIDPressure=False KubeletHasSufficientPID: kubelet has sufficient PID available",
            "Ready=True KubeletReady: kubelet is posting ready status");
  }

  @Test
  void aNodeInTroubleSaysSoInAKubeletsWords() {
    Set<String> all =
        Set.of(Condition.MEMORY_PRESSURE, Condition.DISK_PRESSURE, Condition.PID_PRESSURE);
    assertThat(words(KubeletConditions.of(List.of(), all, "no network", NOW)))
        .containsExactly(
            "MemoryPressure=True KubeletHasInsufficientMemory: kubelet has insufficient memory"
                + " available",
            "DiskPressure=True KubeletHasDiskPressure: kubelet has disk pressure",
            "PIDPressure=True KubeletHasInsufficientPID: kubelet has insufficient PID available",
            "Ready=False KubeletNotReady: no network");
  }

  @Test
  void theTimeOfATransitionIsKeptUntilTheStatusIsAnother() {
    List<Condition> first = KubeletConditions.of(List.of(), Set.of(), "", NOW);
    List<Condition> later = KubeletConditions.of(first, Set.of(), "", NOW.plusSeconds(60));
    assertThat(KubeletConditions.differ(first, later)).isFalse();
    assertThat(later)
        .allMatch(c -> NOW.equals(c.lastTransitionTime()))
        .allMatch(c -> NOW.plusSeconds(60).equals(c.lastHeartbeatTime()));
    List<Condition> broken = KubeletConditions.of(later, Set.of(), "broken", NOW.plusSeconds(90));
    assertThat(KubeletConditions.differ(later, broken)).isTrue();
    assertThat(broken.getLast().lastTransitionTime()).isEqualTo(NOW.plusSeconds(90));
  }

  @Test
  void anotherMessageIsAChangeThatIsNoTransition() {
    List<Condition> first = KubeletConditions.of(List.of(), Set.of(), "one", NOW);
    List<Condition> later = KubeletConditions.of(first, Set.of(), "two", NOW.plusSeconds(60));
    assertThat(KubeletConditions.differ(first, later)).isTrue();
    assertThat(later.getLast().lastTransitionTime()).isEqualTo(NOW);
    assertThat(KubeletConditions.events(first, later)).isEmpty();
  }

  @Test
  void transitionsAreEvents() {
    List<Condition> healthy = KubeletConditions.of(List.of(), Set.of(), "", NOW);
    List<Condition> ill =
        KubeletConditions.of(healthy, Set.of(Condition.DISK_PRESSURE), "broken", NOW);
    assertThat(KubeletConditions.events(List.of(), healthy))
        .containsExactly(
            "NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID");
    assertThat(KubeletConditions.events(healthy, ill))
        .containsExactly("NodeHasDiskPressure", "NodeNotReady");
    assertThat(KubeletConditions.events(ill, healthy))
        .containsExactly("NodeHasNoDiskPressure", "NodeReady");
  }
}
