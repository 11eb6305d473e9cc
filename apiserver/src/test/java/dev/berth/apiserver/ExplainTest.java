package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the real {@code kubectl} makes of the schemas and of what the server says of itself. */
class ExplainTest extends WithKubectl {

  @Test
  void explainsFieldsWithTypesValuesAndWords() throws Exception {
    assertThat(kubectl("explain", "pod.spec.tolerations"))
        .contains(
            "tolerations <[]",
            "If specified, the pod's tolerations.",
            "effect\t<string>",
            "NoExecute",
            "tolerationSeconds\t<integer>");
    assertThat(kubectl("explain", "deployment", "--api-version=apps/v1"))
        .contains("Deployment enables declarative updates", "spec\t<");
  }

  @Test
  void explainsWholeTrees() throws Exception {
    assertThat(kubectl("explain", "deployment", "--recursive").lines())
        .contains("FIELDS:")
        .anyMatch(line -> line.strip().startsWith("tolerationSeconds\t<integer>"))
        .anyMatch(line -> line.strip().startsWith("maxUnavailable\t<"))
        .hasSizeGreaterThan(500);
  }

  @Test
  void saysWhenAFieldDoesNotExist() throws Exception {
    assertThat(kubectl("explain", "pod.spec.nothing")).contains("field \"nothing\" does not exist");
  }

  /** The client works its patch out from the merge keys in the schemas. */
  @Test
  void applyMergesListsByTheKeysOfTheirElements() throws Exception {
    String both =
        """
        apiVersion: v1
        kind: Service
        metadata: {name: merged}
        spec:
          ports: [{name: a, port: 80}, {name: b, port: 81}]
        """;
    kubectl("apply", "-f", manifest("merged.yaml", both));
    assertThat(
            kubectl(
                "apply", "-f", manifest("merged.yaml", both.replace(", {name: b, port: 81}", ""))))
        .isEqualTo("service/merged configured\n");
    assertThat(kubectl("get", "svc", "merged", "-o", "jsonpath={.spec.ports[*].port}"))
        .isEqualTo("80");
  }

  @Test
  void showsItsMetricsAndItsHealth() throws Exception {
    kubectl("get", "pods");
    assertThat(kubectl("get", "--raw", "/metrics").lines())
        .anyMatch(line ->
            line.startsWith("apiserver_request_total{verb=\"LIST\"")
                && line.contains("resource=\"pods\"")
                && line.contains("code=\"200\""))
        .contains("apiserver_storage_objects{resource=\"namespaces\"} 4")
        .anyMatch(line -> line.startsWith("process_resident_memory_bytes "))
        .anyMatch(line -> line.startsWith("berth_store_revision "));
    assertThat(kubectl("get", "--raw", "/readyz?verbose&exclude=store"))
        .isEqualTo(
            """
            [+]ping ok
            [+]store excluded: ok
            [+]component/apiservice-controller ok
            [+]component/certificates ok
            [+]component/customresourcedefinitions ok
            [+]component/event-expiry ok
            [+]component/flow-control ok
            [+]component/flow-control-objects ok
            [+]component/history-compactor ok
            [+]component/ipallocator-repair-controller ok
            [+]component/kubernetes-service ok
            [+]component/kubernetes-service-cidr-controller ok
            [+]component/validatingadmissionpolicy-status-controller ok
            [+]shutdown ok
            readyz check passed
            """);
  }
}
