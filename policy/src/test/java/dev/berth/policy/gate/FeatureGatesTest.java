package dev.berth.policy.gate;

import static dev.berth.policy.gate.FeatureGate.TAINT_BASED_EVICTIONS;
import static dev.berth.policy.gate.FeatureGate.TAINT_NODES_BY_CONDITION;
import static dev.berth.policy.gate.FeatureGate.TAINT_TOLERATION_COMPARISON_OPERATORS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.gate.FeatureGates.Parsed;
import dev.berth.policy.taint.TolerationRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeatureGatesTest {

  private static FeatureGates gates(String text) {
    return ((Parsed.Valid) FeatureGates.parse(text)).gates();
  }

  @Test
  void whatNobodyNamesIsAsByDefault() {
    assertThat(gates("")).isEqualTo(FeatureGates.DEFAULT);
    for (FeatureGate gate : FeatureGate.values()) {
      assertThat(FeatureGates.DEFAULT.isOn(gate)).isEqualTo(gate.onByDefault());
    }
  }

  @Test
  void theComparisonOperatorsAreOffUntilAskedFor() {
    assertThat(FeatureGates.DEFAULT.tolerations()).isEqualTo(TolerationRules.STANDARD);
    assertThat(gates("TaintTolerationComparisonOperators=true").tolerations())
        .isEqualTo(TolerationRules.WITH_COMPARISONS);
  }

  @Test
  void severalAreSaidTogetherAndTheLastWordCounts() {
    FeatureGates gates =
        gates("TaintBasedEvictions=true, TaintNodesByCondition = false ,,TaintBasedEvictions=f");
    assertThat(gates.isOn(TAINT_BASED_EVICTIONS)).isFalse();
    assertThat(gates.isOn(TAINT_NODES_BY_CONDITION)).isFalse();
    assertThat(gates.isOn(TAINT_TOLERATION_COMPARISON_OPERATORS)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "AllAlpha=true, true",
    "AllAlpha=false, false",
    "'AllAlpha=true,TaintTolerationComparisonOperators=false', false",
    "'TaintTolerationComparisonOperators=true,AllAlpha=false', true",
    "AllBeta=true, false",
    "kube:TaintTolerationComparisonOperators=1, true",
  })
  void allAlphaSpeaksForThoseThatAreNotNamed(String text, boolean on) {
    assertThat(gates(text).isOn(TAINT_TOLERATION_COMPARISON_OPERATORS)).isEqualTo(on);
    assertThat(gates(text).isOn(TAINT_BASED_EVICTIONS)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "TaintBasedEviction=true, TaintBasedEviction",
    "'TaintBasedEvictions=true,Nope=false', Nope",
    "taintbasedevictions=true, taintbasedevictions",
  })
  void aGateThatNobodyKnowsIsNamed(String text, String name) {
    assertThat(FeatureGates.parse(text)).isEqualTo(new Parsed.Unknown(name));
  }

  @ParameterizedTest
  @CsvSource({
    "TaintBasedEvictions, ''",
    "TaintBasedEvictions=, ''",
    "TaintBasedEvictions=yes, yes",
    "TaintBasedEvictions=true=true, true=true",
  })
  void aGateIsTrueOrFalse(String text, String value) {
    assertThat(FeatureGates.parse(text))
        .isEqualTo(new Parsed.BadValue("TaintBasedEvictions", value));
  }

  @Test
  void theKnownOnesAreListedWithTheirDefaults() {
    assertThat(FeatureGates.known())
        .containsExactly(
            "AllAlpha=true|false (default: false)",
            "AllBeta=true|false (default: false)",
            "GracefulNodeShutdown=true|false (default: true): for node agents; does nothing in the"
                + " control plane",
            "GracefulNodeShutdownBasedOnPodPriority=true|false (default: true): for node agents;"
                + " does nothing in the control plane",
            "NodeOutOfServiceVolumeDetach=true|false (default: true): pods and volumes leave nodes"
                + " that are tainted out-of-service by force",
            "NodeSwap=true|false (default: true): for node agents; does nothing in the control"
                + " plane",
            "ScheduleDaemonSetPods=true|false (default: true): the scheduler binds DaemonSet pods;"
                + " off, their controller does",
            "TaintBasedEvictions=true|false (default: true): lost nodes get NoExecute taints; off,"
                + " their pods are evicted after --pod-eviction-timeout",
            "TaintNodesByCondition=true|false (default: true): problems of nodes become NoSchedule"
                + " taints; off, the scheduler looks at conditions",
            "TaintTolerationComparisonOperators=true|false (default: false): tolerations may say Gt"
                + " and Lt",
            "TopologyManager=true|false (default: true): for node agents; does nothing in the"
                + " control plane");
  }
}
