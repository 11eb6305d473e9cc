package dev.berth.policy.podrun;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.policy.pod.QosClass;
import dev.berth.policy.podrun.CriticalPreemption.Candidate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who makes way: two of each class, which request 1 or 2 CPUs; BestEffort ones request none. */
final class CriticalPreemptionTest {
  private static final List<Candidate> PODS =
      List.of(
          pod("idle", QosClass.BEST_EFFORT, "0"),
          pod("burst1", QosClass.BURSTABLE, "1"),
          pod("burst2", QosClass.BURSTABLE, "2"),
          pod("sure1", QosClass.GUARANTEED, "1"),
          pod("sure2", QosClass.GUARANTEED, "2"));

  private static Candidate pod(String uid, QosClass qos, String cpu) {
    return new Candidate(uid, qos, ResourceList.read(tree("{'cpu':'" + cpu + "'}")));
  }

  @ParameterizedTest(name = "{0} CPUs missing: {1}")
  @CsvSource({
    "1, burst1",
    "2, burst2",
    "3, burst2 burst1",
    "4, sure1 burst2 burst1",
    "5, sure2 burst2 burst1",
    "6, sure2 sure1 burst2 burst1",
    "7, nobody",
  })
  void processors(String cpu, String expected) {
    assertThat(
            CriticalPreemption.victims(Map.of("cpu", Quantity.parse(cpu)), PODS)
                .map(victims -> String.join(" ", victims))
                .orElse("nobody"))
        .isEqualTo(expected);
  }

  @Test
  void aPlaceIsMadeByWhoeverMattersLeast() {
    assertThat(CriticalPreemption.victims(Map.of("pods", Quantity.of(1)), PODS))
        .contains(List.of("idle"));
  }
}
