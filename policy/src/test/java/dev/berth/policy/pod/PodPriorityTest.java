package dev.berth.policy.pod;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.pod;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PodPriorityTest {

  @Test
  void podsOfTheSystemsPriorityAreCritical() {
    assertThat(PodPriority.isCritical(pod("dns").with("spec.priority", 2_000_000_000L).view()))
        .isTrue();
  }

  @Test
  void podsOfLessPriorityAreNot() {
    assertThat(PodPriority.isCritical(pod("web").with("spec.priority", 1_999_999_999L).view()))
        .isFalse();
    assertThat(PodPriority.isCritical(pod("web").view())).isFalse();
  }

  @Test
  void podsThatANodeRunsFromAFileAreCritical() {
    assertThat(
            PodPriority.isCritical(
                pod("etcd")
                    .with("metadata.annotations", object("kubernetes.io/config.mirror", "hash"))
                    .view()))
        .isTrue();
  }
}
