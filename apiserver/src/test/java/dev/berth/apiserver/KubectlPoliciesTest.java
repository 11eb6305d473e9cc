package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.registry.WriteOptions;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The real {@code kubectl} and the policies of a cluster: drains, quotas, priorities, scales. */
class KubectlPoliciesTest extends WithKubectl {
  /** What the controllers that are yet to come would write. */
  private static void status(String group, String plural, ObjectName name, String json) {
    JsonObject status =
        JsonReader.object(json.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
    registry()
        .modify(
            registry().catalog().get(group, "v1", plural),
            name,
            WriteOptions.DEFAULT.subresource("status"),
            object -> object.with("status", status));
  }

  @Test
  void aDrainWaitsForTheBudgetAndGoesOnWhenItRelaxes() throws Exception {
    String file =
        manifest(
            "drained.yaml",
            """
            apiVersion: v1
            kind: Node
            metadata: {name: n1}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: guarded, labels: {app: guarded}}
            spec: {nodeName: n1, terminationGracePeriodSeconds: 0, containers: [{name: c, image: i}]}
            ---
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: guard}
            spec: {minAvailable: 1, selector: {matchLabels: {app: guarded}}}
            """);
    assertThat(kubectl("create", "-f", file)).contains("node/n1 created", "pod/guarded created");
    ObjectName pod = new ObjectName("default", "guarded");
    ObjectName budget = new ObjectName("default", "guard");
    status("", "pods", pod, "{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}");
    String budgetStatus =
        "{'observedGeneration':1,'disruptionsAllowed':%d,'currentHealthy':%d,'desiredHealthy':1,"
            + "'expectedPods':1}";
    status("policy", "poddisruptionbudgets", budget, budgetStatus.formatted(0, 1));

    Process drain = begin("drain", "n1", "--force", "--timeout=3m");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(drain.getInputStream(), UTF_8))) {
      String line = lines.readLine();
      while (line != null && !line.contains("will retry after 5s")) {
        line = lines.readLine();
      }
      assertThat(line)
          .contains("Cannot evict pod as it would violate the pod's disruption budget.");
      status("policy", "poddisruptionbudgets", budget, budgetStatus.formatted(1, 2));
      List<String> rest = lines.lines().toList();
      assertThat(rest).contains("pod/guarded evicted", "node/n1 drained");
    } finally {
      drain.destroy();
    }
    assertThat(kubectl("get", "pdb", "guard", "-o", "jsonpath={.status.disruptionsAllowed}"))
        .isEqualTo("0");
    assertThat(kubectl("get", "node", "n1", "-o", "jsonpath={.spec.taints[*].key}"))
        .contains("node.kubernetes.io/not-ready");
  }

  @Test
  void scalesWorkloads() throws Exception {
    String file =
        manifest(
            "scaled.yaml",
            """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: scaled}
            spec:
              selector: {matchLabels: {app: scaled}}
              template:
                metadata: {labels: {app: scaled}}
                spec: {containers: [{name: c, image: i}]}
            """);
    kubectl("create", "-f", file);
    assertThat(kubectl("scale", "deployment", "scaled", "--replicas=3"))
        .isEqualTo("deployment.apps/scaled scaled\n");
    assertThat(kubectl("get", "deployment", "scaled", "-o", "jsonpath={.spec.replicas}"))
        .isEqualTo("3");
    assertThat(kubectl("scale", "deployment", "scaled", "--current-replicas=1", "--replicas=2"))
        .contains("Expected replicas to be 1, was 3");
  }

  @Test
  void saysThatThereIsNoNodeToAsk() throws Exception {
    kubectl("run", "lonely", "--image=i", "--overrides={\"spec\":{\"nodeName\":\"n9\"}}");
    assertThat(kubectl("logs", "lonely")).contains("nodes \"n9\" not found");
    assertThat(kubectl("exec", "lonely", "--", "ls")).contains("nodes \"n9\" not found");
    assertThat(kubectl("logs", "ghost")).contains("pods \"ghost\" not found");
  }

  @Test
  void knowsPriorities() throws Exception {
    assertThat(kubectl("get", "priorityclasses", "-o", "name"))
        .contains("system-cluster-critical", "system-node-critical");
    String file =
        manifest(
            "urgent.yaml",
            """
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata: {name: urgent}
            value: 500
            """);
    kubectl("create", "-f", file);
    kubectl("run", "vip", "--image=i", "--overrides={\"spec\":{\"priorityClassName\":\"urgent\"}}");
    assertThat(kubectl("get", "pod", "vip", "-o", "jsonpath={.spec.priority}")).isEqualTo("500");
    assertThat(kubectl("delete", "priorityclass", "system-node-critical"))
        .contains("this is a system priority class and cannot be deleted");
  }

  @Test
  void keepsQuotas() throws Exception {
    String file =
        manifest(
            "small.yaml",
            """
            apiVersion: v1
            kind: Namespace
            metadata: {name: small}
            ---
            apiVersion: v1
            kind: ResourceQuota
            metadata: {name: q, namespace: small}
            spec: {hard: {pods: "1", count/configmaps: "5"}}
            """);
    kubectl("create", "-f", file);
    status(
        "",
        "resourcequotas",
        new ObjectName("small", "q"),
        "{'hard':{'pods':'1','count/configmaps':'5'},'used':{'pods':'0','count/configmaps':'0'}}");
    assertThat(kubectl("run", "one", "-n", "small", "--image=i")).contains("pod/one created");
    assertThat(kubectl("run", "two", "-n", "small", "--image=i"))
        .contains(
            "pods \"two\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1,"
                + " limited: pods=1");
    assertThat(kubectl("describe", "quota", "q", "-n", "small")).containsPattern("pods\\s+1\\s+1");
    assertThat(kubectl("get", "sa", "-n", "small", "-o", "name"))
        .isEqualTo("serviceaccount/default\n");
  }

  @Test
  void showsEventsOfBothGroups() throws Exception {
    String file =
        manifest(
            "event.yaml",
            """
            apiVersion: events.k8s.io/v1
            kind: Event
            metadata: {name: e1}
            regarding: {kind: Pod, namespace: default, name: vip, apiVersion: v1}
            reason: Scheduled
            action: Binding
            note: put on a node
            type: Normal
            eventTime: "2030-01-01T00:00:00.000000Z"
            reportingController: scheduler
            reportingInstance: s-1
            """);
    assertThat(kubectl("create", "-f", file)).contains("event.events.k8s.io/e1 created");
    assertThat(kubectl("get", "events", "--field-selector=involvedObject.name=vip"))
        .contains("LAST SEEN", "Scheduled", "pod/vip", "put on a node");
    assertThat(kubectl("events")).contains("Scheduled", "Pod/vip", "put on a node");
    assertThat(kubectl("get", "events.v1.events.k8s.io", "e1", "-o", "jsonpath={.regarding.name}"))
        .isEqualTo("vip");
  }

  @Test
  void givesServicesAddresses() throws Exception {
    assertThat(kubectl("get", "service", "kubernetes", "-o", "jsonpath={.spec.clusterIP}"))
        .isEqualTo("10.96.0.1");
    String file =
        manifest(
            "outside.yaml",
            """
            apiVersion: v1
            kind: Service
            metadata: {name: outside}
            spec: {type: NodePort, ports: [{port: 80, targetPort: 8080}]}
            """);
    kubectl("create", "-f", file);
    assertThat(kubectl("get", "service", "outside")).containsPattern("80:3[0-2]\\d{3}/TCP");
  }
}
