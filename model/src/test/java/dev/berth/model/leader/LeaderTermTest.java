package dev.berth.model.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaderTermTest {
  private static final ObjectName LEASE = new ObjectName("kube-system", "kube-scheduler");

  @ParameterizedTest
  @ValueSource(strings = {"host_1f", "a b", "50%/ü\n", "+"})
  void aHeaderIsReadAsItWasWritten(String holder) {
    LeaderTerm term = new LeaderTerm(LEASE, holder, Integer.MAX_VALUE);
    assertThat(term.header()).matches("[!-~]+ [!-~]+ [!-~]+");
    assertThat(LeaderTerm.parse(term.header())).contains(term);
  }

  @Test
  void aHeaderSaysLeaseTransitionsAndHolder() {
    assertThat(new LeaderTerm(LEASE, "host_1f", 3).header())
        .isEqualTo("kube-system/kube-scheduler 3 host_1f");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "kube-scheduler 3 a",
        "kube-system/kube-scheduler 3",
        "kube-system/kube-scheduler -3 a",
        "kube-system/kube-scheduler 3 a b",
        "kube-system/kube-scheduler 3 %zz",
        "kube-system/kube-scheduler 99999999999999999999 a",
        "kube-system/x/y 3 a"
      })
  void anythingElseIsNone(String header) {
    assertThat(LeaderTerm.parse(header)).isEmpty();
  }
}
