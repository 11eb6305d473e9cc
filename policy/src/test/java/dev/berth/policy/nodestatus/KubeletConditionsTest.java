package dev.berth.policy.nodestatus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.Condition;
import dev.berth.model.tree.JsonArray;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KubeletConditionsTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

  private static List<String> words(JsonArray conditions) {
    return conditions.objects().stream()
        .map(c ->
            "%s=%s %s: %s"
                .formatted(
                    c.text("type", ""),
                    c.text("status", ""),
                    c.text("reason", ""),
                    c.text("message", "")))
        .toList();
  }

  @Test
  void aHealthyNodeSaysSoInAKubeletsWords() {
    assertThat(words(KubeletConditions.of(JsonArray.EMPTY, Set.of(), "", NOW)))
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
    assertThat(words(KubeletConditions.of(JsonArray.EMPTY, all, "no network", NOW)))
        .containsExactly(
            "MemoryPressure=True KubeletHasInsufficientMemory: kubelet has insufficient memory"
                + " available",
            "DiskPressure=True KubeletHasDiskPressure: kubelet has disk pressure",
            "PIDPressure=True KubeletHasInsufficientPID: kubelet has insufficient PID available",
            "Ready=False KubeletNotReady: no network");
  }

  @Test
  void theTimeOfATransitionIsKeptUntilTheStatusIsAnother() {
    JsonArray first = KubeletConditions.of(JsonArray.EMPTY, Set.of(), "", NOW);
    JsonArray later = KubeletConditions.of(first, Set.of(), "", NOW.plusSeconds(60));
    assertThat(KubeletConditions.differ(first, later)).isFalse();
    assertThat(later.objects())
        .allMatch(c -> c.text("lastTransitionTime", "").equals("2030-01-01T00:00:00Z"))
        .allMatch(c -> c.text("lastHeartbeatTime", "").equals("2030-01-01T00:01:00Z"));
    JsonArray broken = KubeletConditions.of(later, Set.of(), "broken", NOW.plusSeconds(90));
    assertThat(KubeletConditions.differ(later, broken)).isTrue();
    assertThat(broken.objects().getLast().text("lastTransitionTime"))
        .isEqualTo("2030-01-01T00:01:30Z");
  }

  @Test
  void anotherMessageIsAChangeThatIsNoTransition() {
    JsonArray first = KubeletConditions.of(JsonArray.EMPTY, Set.of(), "one", NOW);
    JsonArray later = KubeletConditions.of(first, Set.of(), "two", NOW.plusSeconds(60));
    assertThat(KubeletConditions.differ(first, later)).isTrue();
    assertThat(later.objects().getLast().text("lastTransitionTime"))
        .isEqualTo("2030-01-01T00:00:00Z");
    assertThat(KubeletConditions.events(first, later)).isEmpty();
  }

  @Test
  void transitionsAreEvents() {
    JsonArray healthy = KubeletConditions.of(JsonArray.EMPTY, Set.of(), "", NOW);
    JsonArray ill =
        KubeletConditions.of(healthy, Set.of(Condition.DISK_PRESSURE), "broken", NOW);
    assertThat(KubeletConditions.events(JsonArray.EMPTY, healthy))
        .containsExactly("NodeHasSufficientMemory", "NodeHasNoDiskPressure", "NodeHasSufficientPID");
    assertThat(KubeletConditions.events(healthy, ill))
        .containsExactly("NodeHasDiskPressure", "NodeNotReady");
    assertThat(KubeletConditions.events(ill, healthy))
        .containsExactly("NodeHasNoDiskPressure", "NodeReady");
  }
}
