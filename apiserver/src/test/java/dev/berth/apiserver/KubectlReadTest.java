package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What {@code kubectl} reads: get, describe, events, wait, and what the server says of itself. */
class KubectlReadTest extends WithKubectl {
  @Test
  void printsInEveryForm() {
    kubectl("create", "-f", pod("printed"));
    assertThat(kubectl("get", "pod", "printed"))
        .containsPattern("^NAME +READY +STATUS +RESTARTS +AGE\nprinted +0/1 +Pending +0 ");
    assertThat(kubectl("get", "pod", "printed", "-o", "wide"))
        .containsPattern("AGE +IP +NODE +NOMINATED NODE +READINESS GATES\n")
        .containsPattern("<none> +<none> +<none> +<none>\n$");
    assertThat(kubectl("get", "pod", "printed", "-o", "yaml"))
        .startsWith("apiVersion: v1\nkind: Pod\nmetadata:\n  creationTimestamp: \"20")
        .contains("  - image: old-image\n    imagePullPolicy: Always\n    name: main\n")
        .endsWith("status:\n  phase: Pending\n  qosClass: BestEffort\n");
    assertThat(kubectl("get", "pod", "printed", "-o", "jsonpath={.spec.containers[*].image}"))
        .isEqualTo("old-image");
    assertThat(
            kubectl(
                "get",
                "pod",
                "printed",
                "-o",
                "custom-columns=NAME:.metadata.name,IMAGE:.spec.containers[0].image,NO:.spec.nodeName"))
        .isEqualTo("NAME      IMAGE       NO\nprinted   old-image   <none>\n");
    assertThat(kubectl("get", "pod", "printed", "-o", "go-template={{.metadata.name}}"))
        .isEqualTo("printed");
    assertThat(kubectl("get", "pod", "printed", "--show-labels", "-L", "app", "--no-headers"))
        .containsPattern("printed +0/1 .* printed +app=printed\n$");
  }

  @Test
  void findsByLabelFieldAndKindInChunks() {
    for (int i = 0; i < 5; i++) {
      kubectl("create", "-f", configMap("chunk" + i, "" + i));
    }
    assertThat(kubectl("get", "cm", "--chunk-size=2", "-o", "name", "-l", "of!=everything").lines())
        .containsExactly(
            "configmap/chunk0",
            "configmap/chunk1",
            "configmap/chunk2",
            "configmap/chunk3",
            "configmap/chunk4");
    assertThat(kubectl("get", "cm", "-l", "of in (chunk1,chunk3),of!=chunk1", "-o", "name"))
        .isEqualTo("configmap/chunk3\n");
    assertThat(kubectl("get", "cm", "--field-selector", "metadata.name=chunk4", "-o", "name"))
        .isEqualTo("configmap/chunk4\n");
    assertThat(kubectl("get", "cm", "--field-selector", "data.key=4"))
        .contains("Error from server (BadRequest)", "\"data.key\" is not a known field selector");
    assertThat(kubectl("get", "cm/chunk0", "namespace/default", "-o", "name"))
        .isEqualTo("configmap/chunk0\nnamespace/default\n");
    assertThat(kubectl("get", "cm", "chunk0", "nope", "-o", "name"))
        .isEqualTo(
            "configmap/chunk0\nError from server (NotFound): configmaps \"nope\" not found\n");
    assertThat(kubectl("get", "nosuch"))
        .isEqualTo("error: the server doesn't have a resource type \"nosuch\"\n");
    assertThat(kubectl("get", "cm", "-n", "kube-public"))
        .isEqualTo("No resources found in kube-public namespace.\n");
  }

  @Test
  void watchesAdditionsChangesAndDeletions() throws Exception {
    kubectl("create", "-f", pod("first-seen"));
    Process watch = begin("get", "pods", "-w", "-l", "watch=me", "--output-watch-events");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(watch.getInputStream(), UTF_8))) {
      // A label moves an object into the selection, and out of it.
      kubectl("label", "pod", "first-seen", "watch=me");
      assertThat(lines.readLine()).matches("EVENT +NAME +READY +STATUS +RESTARTS +AGE");
      assertThat(lines.readLine()).matches("ADDED +first-seen .*");
      kubectl("annotate", "pod", "first-seen", "a=b");
      assertThat(lines.readLine()).matches("MODIFIED +first-seen .*");
      kubectl("label", "pod", "first-seen", "watch-");
      assertThat(lines.readLine()).matches("DELETED +first-seen .*");
      kubectl("label", "pod", "first-seen", "watch=me");
      assertThat(lines.readLine()).matches("ADDED +first-seen .*");
      kubectl("delete", "pod", "first-seen", "--force");
      assertThat(lines.readLine()).matches("DELETED +first-seen .*");
    } finally {
      watch.destroy();
    }
  }

  @Test
  void describesNodesPodsAndDeployments() {
    kubectl("create", "-f", node("described", "a"));
    kubectl(
        "patch",
        "node",
        "described",
        "--subresource=status",
        "--type=merge",
        "-p",
        """
        {"status":{"capacity":{"cpu":"4","memory":"8Gi","pods":"110"},
                   "allocatable":{"cpu":"3500m","memory":"7Gi","pods":"110"},
                   "addresses":[{"type":"InternalIP","address":"10.0.0.7"}],
                   "conditions":[{"type":"Ready","status":"True","reason":"KubeletReady",
                                  "message":"kubelet is posting ready status"}]}}
        """);
    kubectl(
        "create",
        "-f",
        manifest(
            "busy.yaml",
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: busy}
            spec:
              nodeName: described
              tolerations: [{key: gpu, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]
              containers:
              - {name: main, image: i, resources: {requests: {cpu: 700m}, limits: {memory: 1Gi}}}
            """));
    assertThat(kubectl("describe", "node", "described"))
        .containsPattern("InternalIP: +10.0.0.7\n")
        .containsPattern("Ready +True .* KubeletReady +kubelet is posting ready status\n")
        .containsPattern("default +busy +700m \\(20%\\) +0 \\(0%\\) +1Gi \\(14%\\) +1Gi \\(14%\\)")
        .containsPattern("cpu +700m \\(20%\\) +0 \\(0%\\)\n");
    assertThat(kubectl("describe", "pod", "busy"))
        .containsPattern("Node: +described")
        .containsPattern("QoS Class: +Burstable\n")
        .containsPattern("Tolerations: +gpu:NoExecute op=Exists for 60s\n");
    kubectl("create", "-f", deployment("told", 3));
    assertThat(kubectl("describe", "deployment", "told"))
        .contains("Replicas:               3 desired | 0 updated | 0 total | 0 available")
        .contains("RollingUpdateStrategy:  25% max unavailable, 25% max surge\n");
    assertThat(kubectl("get", "deployment", "told", "-o", "wide", "--no-headers"))
        .containsPattern("told +0/3 +0 +0 .* main +old-image +app=told\n$");
  }

  @Test
  void showsEventsByObjectAndType() {
    kubectl("create", "-f", node("eventful", "a"));
    kubectl(
        "create",
        "-f",
        manifest(
            "event.yaml",
            """
            apiVersion: v1
            kind: Event
            metadata: {name: eventful.1}
            involvedObject: {kind: Node, name: eventful, apiVersion: v1, uid: eventful}
            reason: NodeNotReady
            message: Node eventful status is now NotReady
            type: Warning
            source: {component: node-controller}
            firstTimestamp: "2026-01-01T00:00:00Z"
            lastTimestamp: "2026-01-01T00:10:00Z"
            count: 3
            """));
    String row = "Warning +NodeNotReady +Node/eventful +Node eventful status is now NotReady\n";
    assertThat(kubectl("events", "--for", "node/eventful")).containsPattern("\\(x3 over .*" + row);
    assertThat(kubectl("events", "--types=Warning")).containsPattern(row);
    assertThat(kubectl("events", "--types=Normal"))
        .isEqualTo("No events found in default namespace.\n");
    assertThat(kubectl("get", "events", "--field-selector", "involvedObject.name=eventful"))
        .containsPattern("LAST SEEN +TYPE +REASON +OBJECT +MESSAGE\n")
        .containsPattern("Warning +NodeNotReady +node/eventful +Node eventful status");
    assertThat(kubectl("describe", "node", "eventful"))
        .containsPattern("Warning +NodeNotReady .* node-controller +Node eventful status");
  }

  @Test
  void waitsForConditionsValuesAndDeletions() throws Exception {
    kubectl("create", "-f", pod("awaited"));
    assertThat(kubectl("wait", "--for=condition=Ready", "pod/awaited", "--timeout=0s"))
        .isEqualTo("error: condition not met for pods/awaited\n");
    Process ready = begin("wait", "--for=condition=Ready", "pod/awaited", "--timeout=3m");
    Process running =
        begin("wait", "--for=jsonpath={.status.phase}=Running", "pod/awaited", "--timeout=3m");
    kubectl(
        "patch",
        "pod",
        "awaited",
        "--subresource=status",
        "--type=merge",
        "-p",
        "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    Function<Process, String> said =
        process -> {
          try {
            return new String(process.getInputStream().readAllBytes(), UTF_8);
          } catch (java.io.IOException e) {
            throw new AssertionError(e);
          }
        };
    assertThat(said.apply(ready)).isEqualTo("pod/awaited condition met\n");
    assertThat(said.apply(running)).isEqualTo("pod/awaited condition met\n");
    Process gone = begin("wait", "--for=delete", "pod/awaited", "--timeout=3m");
    kubectl("delete", "pod", "awaited", "--force");
    // Whoever came too late to see it go is told nothing.
    assertThat(said.apply(gone)).isIn("", "pod/awaited condition met\n");
    assertThat(gone.waitFor()).isZero();
  }

  @Test
  void listsAllThatAUserWouldCallAll() {
    kubectl("create", "-f", pod("everything"));
    kubectl("create", "-f", deployment("everything", 1));
    kubectl("create", "-f", configMap("everything", "1"));
    assertThat(kubectl("get", "all", "-o", "name").lines())
        .contains("pod/everything", "deployment.apps/everything")
        .doesNotContain("configmap/everything");
  }

  @Test
  void saysWhatItServes() {
    assertThat(kubectl("api-versions").lines())
        .contains("v1", "apps/v1", "batch/v1", "coordination.k8s.io/v1", "policy/v1");
    assertThat(kubectl("api-resources", "--namespaced=false", "--no-headers"))
        .containsPattern("(?m)^nodes +no +v1 +false +Node$");
    assertThat(kubectl("api-resources", "--api-group=apps", "-o", "wide", "--no-headers"))
        .containsPattern(
            "(?m)^deployments +deploy +apps/v1 +true +Deployment +create,delete,deletecollection,get,list,patch,update,watch +all$");
    assertThat(kubectl("cluster-info"))
        .contains("Kubernetes control plane", "is running at", "https://127.0.0.1:");
    assertThat(kubectl("version", "-o", "json")).contains("\"gitVersion\": \"v1.36.0+berth\"");
  }
}
