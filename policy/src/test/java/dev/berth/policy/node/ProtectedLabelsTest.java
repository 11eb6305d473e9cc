package dev.berth.policy.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which labels of itself a node leaves alone. */
class ProtectedLabelsTest {

  @ParameterizedTest(name = "{0}: protected {1}")
  @CsvSource({
    "plain, false",
    "example.com/a, false",
    "notkubernetes.io/a, false",
    "kubernetes.io/hostname, false",
    "kubernetes.io/os, false",
    "kubernetes.io/arch, false",
    "beta.kubernetes.io/os, false",
    "beta.kubernetes.io/arch, false",
    "beta.kubernetes.io/instance-type, false",
    "node.kubernetes.io/instance-type, false",
    "topology.kubernetes.io/region, false",
    "failure-domain.beta.kubernetes.io/zone, false",
    "kubelet.kubernetes.io/a, false",
    "x.node.kubernetes.io/a, false",
    "kubernetes.io/a, true",
    "x.kubernetes.io/a, true",
    "k8s.io/a, true",
    "x.k8s.io/a, true",
    "node-role.kubernetes.io/worker, true",
    "node-restriction.kubernetes.io/a, true",
    "x.node-restriction.kubernetes.io/a, true",
  })
  void thoseThatCouldSteerPodsAreProtected(String key, boolean isProtected) {
    assertThat(ProtectedLabels.touched(Map.of(), Map.of(key, "v"))).hasSize(isProtected ? 1 : 0);
  }

  @Test
  void additionsChangesAndRemovalsCountInOrder() {
    assertThat(
            ProtectedLabels.touched(
                Map.of("k8s.io/gone", "a", "k8s.io/changed", "a", "k8s.io/kept", "a"),
                Map.of("k8s.io/kept", "a", "k8s.io/changed", "b", "k8s.io/added", "", "own", "a")))
        .containsExactly("k8s.io/added", "k8s.io/changed", "k8s.io/gone");
  }
}
