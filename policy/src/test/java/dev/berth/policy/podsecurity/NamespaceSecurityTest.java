package dev.berth.policy.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What labels of a namespace demand. */
class NamespaceSecurityTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "|privileged:latest|privileged:latest|privileged:latest|",
        "enforce=baseline|baseline:latest|privileged:latest|baseline:latest|",
        "enforce=restricted,enforce-version=v1.24|restricted:v1.24|privileged:latest|restricted:v1.24|",
        "enforce=restricted,enforce-version=v1.24,warn-version=v1.30|restricted:v1.24|privileged:latest|restricted:v1.30|",
        "enforce=restricted,warn=baseline|restricted:latest|privileged:latest|baseline:latest|",
        "enforce=baseline,audit=restricted,warn=restricted|baseline:latest|restricted:latest|restricted:latest|",
        "enforce=strict|restricted:latest|privileged:latest|privileged:latest|metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: \"strict\": must be one of privileged, baseline, restricted",
        "audit=strict,warn=strict|privileged:latest|privileged:latest|privileged:latest|[metadata.labels[pod-security.kubernetes.io/audit]: Invalid value: \"strict\": must be one of privileged, baseline, restricted, metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: \"strict\": must be one of privileged, baseline, restricted]",
        "enforce=baseline,enforce-version=1.24|baseline:latest|privileged:latest|baseline:latest|metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value: \"1.24\": must be \"latest\" or \"v1.x\"",
        "enforce-version=v1.01|privileged:latest|privileged:latest|privileged:latest|metadata.labels[pod-security.kubernetes.io/enforce-version]: Invalid value: \"v1.01\": must be \"latest\" or \"v1.x\"",
      })
  void labelsSayWhatIsEnforcedRecordedAndWarnedOf(
      String labels, String enforce, String audit, String warn, String problems) {
    Map<String, String> all = new TreeMap<>();
    for (String label : labels == null ? new String[0] : labels.split(",", -1)) {
      String[] pair = label.split("=", 2);
      all.put("pod-security.kubernetes.io/" + pair[0], pair[1]);
    }
    NamespaceSecurity security = NamespaceSecurity.of(all);
    assertThat(security.enforce()).hasToString(enforce);
    assertThat(security.audit()).hasToString(audit);
    assertThat(security.warn()).hasToString(warn);
    if (problems == null) {
      assertThat(security.problems()).isEmpty();
    } else {
      assertThat(security.problemText()).isEqualTo(problems);
    }
  }
}
