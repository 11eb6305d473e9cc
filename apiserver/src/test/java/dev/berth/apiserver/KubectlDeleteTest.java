package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How {@code kubectl delete} deletes: gently, by force, with or without what hangs on it. */
class KubectlDeleteTest extends WithKubectl {
  @Test
  void aRunningPodIsGivenItsTimeUnlessForced() {
    kubectl("create", "-f", node("host", "a"));
    kubectl(
        "create",
        "-f",
        manifest(
            "bound.yaml",
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: bound}
            spec: {nodeName: host, containers: [{name: main, image: i}]}
            """));
    assertThat(kubectl("delete", "pod", "bound", "--grace-period=20", "--wait=false"))
        .isEqualTo("pod \"bound\" deleted\n");
    assertThat(value("pod", "bound", ".metadata.deletionGracePeriodSeconds")).isEqualTo("20");
    assertThat(kubectl("get", "pod", "bound", "--no-headers")).contains("Terminating");
    // A second delete may only shorten it.
    kubectl("delete", "pod", "bound", "--now", "--wait=false");
    assertThat(value("pod", "bound", ".metadata.deletionGracePeriodSeconds")).isEqualTo("1");
    assertThat(kubectl("delete", "pod", "bound", "--grace-period=0", "--force"))
        .startsWith("Warning: Immediate deletion does not wait for confirmation")
        .endsWith("pod \"bound\" force deleted\n");
    assertThat(kubectl("get", "pod", "bound"))
        .isEqualTo("Error from server (NotFound): pods \"bound\" not found\n");
  }

  @Test
  void whatHangsOnItIsLeftOrWaitedForAsAsked() {
    kubectl("create", "-f", deployment("owner", 1));
    kubectl("delete", "deployment", "owner", "--cascade=orphan", "--wait=false");
    assertThat(value("deployment", "owner", ".metadata.finalizers")).isEqualTo("[\"orphan\"]");
    assertThat(value("deployment", "owner", ".metadata.deletionTimestamp")).isNotEmpty();
    kubectl("delete", "deployment", "owner", "--cascade=foreground", "--wait=false");
    assertThat(value("deployment", "owner", ".metadata.finalizers"))
        .isEqualTo("[\"foregroundDeletion\"]");
    kubectl(
        "patch",
        "deployment",
        "owner",
        "--type=merge",
        "-p",
        "{\"metadata\":{\"finalizers\":null}}");
    assertThat(kubectl("get", "deployment", "owner", "--ignore-not-found")).isEmpty();

    kubectl("create", "-f", deployment("owner", 1));
    assertThat(kubectl("delete", "deployment", "owner", "--cascade=background"))
        .isEqualTo("deployment.apps \"owner\" deleted\n");
    assertThat(kubectl("delete", "deployment", "owner"))
        .isEqualTo("Error from server (NotFound): deployments.apps \"owner\" not found\n");
    assertThat(result("delete", "deployment", "owner", "--ignore-not-found").exitCode()).isZero();
  }

  @Test
  void manyAreDeletedByLabelByFileOrAll() {
    for (String name : new String[] {"a", "b", "c", "d"}) {
      kubectl("create", "-f", configMap(name, "1"));
    }
    assertThat(kubectl("delete", "cm", "-l", "of in (a,b)"))
        .isEqualTo("configmap \"a\" deleted\nconfigmap \"b\" deleted\n");
    assertThat(kubectl("delete", "-f", configMap("c", "1"))).isEqualTo("configmap \"c\" deleted\n");
    assertThat(kubectl("delete", "cm", "-l", "of=a")).isEqualTo("No resources found\n");
    assertThat(kubectl("delete", "cm", "--all")).isEqualTo("configmap \"d\" deleted\n");
    assertThat(kubectl("get", "cm")).isEqualTo("No resources found in default namespace.\n");
  }

  @Test
  void aFinalizerHoldsAnObjectUntilItIsRemoved() {
    kubectl(
        "create",
        "-f",
        manifest(
            "held.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: held, finalizers: [example.com/hold]}\n"));
    assertThat(kubectl("delete", "cm", "held", "--wait=false"))
        .isEqualTo("configmap \"held\" deleted\n");
    assertThat(value("cm", "held", ".metadata.deletionTimestamp")).isNotEmpty();
    kubectl(
        "patch",
        "cm",
        "held",
        "--type=json",
        "-p",
        "[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]");
    assertThat(kubectl("get", "cm", "held")).contains("\"held\" not found");
  }
}
