package dev.berth.sim.garbagecollector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.garbagecollector.GarbageCollector;
import dev.berth.controllers.garbagecollector.GarbageCollectorSettings;
import dev.berth.controllers.namespace.NamespaceController;
import dev.berth.controllers.namespace.NamespaceSettings;
import dev.berth.sim.WithServedCluster;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@code kubectl delete} in each cascade mode, with controllers that know their server by HTTPS and
 * a kubeconfig alone.
 */
class KubectlDeleteTest extends WithServedCluster {
  @BeforeEach
  void start() {
    cluster.run(GarbageCollector.start(cluster.parts(), GarbageCollectorSettings.DEFAULT));
    cluster.run(NamespaceController.start(cluster.parts(), NamespaceSettings.DEFAULT));
  }

  /** A ReplicaSet and a pod of its own, as its controller would make it. */
  private void replicaSet() {
    String set =
        kubectl.file(
            "set.yaml",
            """
            apiVersion: apps/v1
            kind: ReplicaSet
            metadata: {name: web}
            spec:
              replicas: 1
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: c, image: nginx}]}
            """);
    kubectl.run("create", "-f", set);
    String uid = kubectl.run("get", "rs", "web", "-o", "jsonpath={.metadata.uid}");
    String pod =
        kubectl.file(
            "pod.yaml",
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: web-1
              labels: {app: web}
              ownerReferences:
              - {apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: %s, controller: true, blockOwnerDeletion: true}
            spec: {containers: [{name: c, image: nginx}]}
            """
                .formatted(uid));
    assertThat(kubectl.run("create", "-f", pod)).contains("pod/web-1 created");
  }

  private String left() {
    return kubectl.run("get", "rs,pods", "-o", "name").strip();
  }

  @Test
  void inTheBackground() {
    replicaSet();
    kubectl.run("delete", "rs", "web", "--timeout=3m");
    kubectl.run("wait", "pod/web-1", "--for=delete", "--timeout=3m");
    assertThat(left()).isEmpty();
  }

  @Test
  void inTheForeground() {
    replicaSet();
    kubectl.run(
        "patch", "pod", "web-1", "-p", "{\"metadata\":{\"finalizers\":[\"example.com/x\"]}}");
    kubectl.run("delete", "rs", "web", "--cascade=foreground", "--wait=false");
    kubectl.run(
        "wait", "pod/web-1", "--for=jsonpath={.metadata.deletionTimestamp}", "--timeout=3m");
    assertThat(kubectl.run("get", "rs", "web", "-o", "jsonpath={.metadata.finalizers}"))
        .isEqualTo("[\"foregroundDeletion\"]");

    kubectl.run("patch", "pod", "web-1", "-p", "{\"metadata\":{\"finalizers\":null}}");
    kubectl.run("wait", "rs/web", "--for=delete", "--timeout=3m");
    assertThat(left()).isEmpty();
  }

  @Test
  void leavingOrphans() {
    replicaSet();
    // The collector hears of the pod by another watch than of its owner.
    kubectl.run("delete", "rs", "web", "--cascade=orphan", "--timeout=3m");
    assertThat(left()).isEqualTo("pod/web-1");
    assertThat(kubectl.run("get", "pod", "web-1", "-o", "jsonpath={.metadata.ownerReferences}"))
        .isEmpty();
  }

  @Test
  void aWholeNamespace() {
    kubectl.run("create", "namespace", "team");
    kubectl.run("create", "configmap", "a", "-n", "team", "--from-literal=k=v");
    kubectl.run("run", "web", "-n", "team", "--image=nginx");
    assertThat(kubectl.run("delete", "namespace", "team", "--timeout=3m"))
        .contains("namespace \"team\" deleted");
    assertThat(kubectl.run("get", "namespace", "team")).contains("not found");
    assertThat(kubectl.run("get", "configmaps,pods", "-n", "team", "-o", "name")).isEmpty();
  }
}
