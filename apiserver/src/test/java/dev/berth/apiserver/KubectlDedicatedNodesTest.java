package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.apiserver.fixture.Kubectl;
import dev.berth.apiserver.fixture.LocalServer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Row T6: nodes that are tainted and labelled for some, whose pods get there by themselves. */
class KubectlDedicatedNodesTest {
  @TempDir static Path directory;

  private static LocalServer server;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() {
    server =
        LocalServer.open(
            directory,
            AdmissionPlugins.choose(
                List.of("PodNodeSelector", "PodTolerationRestriction"), List.of()));
    kubectl = new Kubectl(directory, server.kubeconfig());
    kubectl.run(
        "create",
        "-f",
        kubectl.file(
            "gpu.yaml",
            """
            apiVersion: v1
            kind: Node
            metadata: {name: gpu-1, labels: {dedicated: gpu}}
            spec: {taints: [{key: dedicated, value: gpu, effect: NoSchedule}]}
            """));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void assertIsForTheDedicatedNodes(String namespace, String pod) {
    String path =
        "jsonpath={.spec.nodeSelector.dedicated} {.spec.tolerations[?(@.key=='dedicated')].effect}";
    assertThat(kubectl.run("get", "pod", pod, "-n", namespace, "-o", path))
        .isEqualTo("gpu NoSchedule");
  }

  @Test
  void byAnnotationsOfTheNamespace() {
    kubectl.run("create", "namespace", "science");
    kubectl.run(
        "annotate",
        "namespace",
        "science",
        "scheduler.alpha.kubernetes.io/node-selector=dedicated=gpu",
        "scheduler.alpha.kubernetes.io/defaultTolerations="
            + "[{\"key\":\"dedicated\",\"value\":\"gpu\",\"effect\":\"NoSchedule\"}]");
    assertThat(kubectl.run("run", "annotated", "-n", "science", "--image=any")).contains("created");
    assertIsForTheDedicatedNodes("science", "annotated");
  }

  @Test
  void byAPolicyForAGroupOfUsers() {
    assertThat(
            kubectl.run(
                "create",
                "-f",
                kubectl.file(
                    "policy.yaml",
                    """
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: MutatingAdmissionPolicy
                    metadata: {name: gpu-team}
                    spec:
                      matchConstraints:
                        resourceRules:
                        - {apiGroups: [''], apiVersions: [v1], resources: [pods], operations: [CREATE]}
                      matchConditions:
                      - {name: team, expression: "'gpu-team' in request.userInfo.groups"}
                      reinvocationPolicy: Never
                      mutations:
                      - patchType: JSONPatch
                        jsonPatch:
                          expression: >
                            [JSONPatch{op: "add", path: "/spec/nodeSelector",
                               value: {"dedicated": "gpu"}},
                             JSONPatch{op: "add", path: "/spec/tolerations",
                               value: (has(object.spec.tolerations) ? object.spec.tolerations : [])
                                 + [{"key": "dedicated", "operator": "Equal", "value": "gpu",
                                     "effect": "NoSchedule"}]}]
                    ---
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: MutatingAdmissionPolicyBinding
                    metadata: {name: gpu-team}
                    spec: {policyName: gpu-team}
                    """)))
        .contains("mutatingadmissionpolicybinding.admissionregistration.k8s.io/gpu-team created");
    kubectl.run("run", "other", "--image=any");
    assertThat(kubectl.run("get", "pod", "other", "-o", "jsonpath={.spec.nodeSelector}")).isEmpty();
    kubectl.run(
        "run",
        "theirs",
        "--image=any",
        "--as=ann",
        "--as-group=gpu-team",
        "--as-group=system:masters");
    assertIsForTheDedicatedNodes("default", "theirs");
  }
}
