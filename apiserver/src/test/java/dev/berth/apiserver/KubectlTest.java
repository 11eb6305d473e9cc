package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.junit.jupiter.api.Test;

/** A walk through everyday {@code kubectl}; the classes beside this one go into the corners. */
class KubectlTest extends WithKubectl {
  @Test
  void createsShowsAndDeletesObjects() throws Exception {
    assertThat(kubectl("create", "-f", configMap("first", "1")))
        .isEqualTo("configmap/first created\n");
    assertThat(kubectl("get", "configmap", "first", "-o", "jsonpath={.data.key}")).isEqualTo("1");
    assertThat(kubectl("get", "cm", "-l", "of=first", "--no-headers")).startsWith("first   1");
    assertThat(kubectl("create", "-f", configMap("first", "1")))
        .contains("configmaps \"first\" already exists");
    assertThat(kubectl("delete", "cm", "first")).isEqualTo("configmap \"first\" deleted\n");
    assertThat(kubectl("get", "cm", "first"))
        .isEqualTo("Error from server (NotFound): configmaps \"first\" not found\n");
  }

  @Test
  void appliesOnBothSides() throws Exception {
    assertThat(kubectl("apply", "-f", configMap("applied", "1")))
        .isEqualTo("configmap/applied created\n");
    assertThat(kubectl("apply", "-f", configMap("applied", "1")))
        .isEqualTo("configmap/applied unchanged\n");
    assertThat(kubectl("apply", "-f", configMap("applied", "2")))
        .isEqualTo("configmap/applied configured\n");
    assertThat(kubectl("apply", "--server-side", "-f", configMap("served", "1")))
        .isEqualTo("configmap/served serverside-applied\n");
    assertThat(
            kubectl(
                "apply", "--server-side", "--field-manager=other", "-f", configMap("served", "2")))
        .contains("Apply failed with 1 conflict: conflict with \"kubectl\": .data.key");
  }

  @Test
  void labelsAnnotatesPatchesReplacesAndEdits() throws Exception {
    kubectl("create", "-f", pod("changed"));
    assertThat(kubectl("label", "pod", "changed", "tier=front")).isEqualTo("pod/changed labeled\n");
    assertThat(kubectl("annotate", "pod", "changed", "note=hello"))
        .isEqualTo("pod/changed annotated\n");
    assertThat(kubectl("edit", "pod", "changed")).isEqualTo("pod/changed edited\n");
    assertThat(
            kubectl(
                "patch",
                "pod",
                "changed",
                "-p",
                "{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"patched-image\"}]}}"))
        .isEqualTo("pod/changed patched\n");
    String seen = kubectl("get", "pod", "changed", "-o", "json");
    assertThat(seen).contains("\"image\": \"patched-image\"", "\"tier\": \"front\"", "\"note\"");

    String file = manifest("seen.json", seen.replace("patched-image", "replaced-image"));
    assertThat(kubectl("replace", "-f", file)).isEqualTo("pod/changed replaced\n");
    assertThat(kubectl("replace", "-f", file))
        .contains("Error from server (Conflict)", "the object has been modified");
    assertThat(kubectl("patch", "pod", "changed", "-p", "{\"spec\":{\"hostNetwork\":true}}"))
        .contains("spec: Forbidden: pod updates may not change fields other than");
  }

  @Test
  void taintsAndDescribesNodes() throws Exception {
    String file = manifest("node.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n");
    assertThat(kubectl("create", "-f", file)).isEqualTo("node/n1 created\n");
    assertThat(kubectl("taint", "nodes", "n1", "gpu=yes:NoExecute", "quiet:PreferNoSchedule"))
        .isEqualTo("node/n1 tainted\n");
    assertThat(kubectl("describe", "node", "n1"))
        .contains("gpu=yes:NoExecute", "quiet:PreferNoSchedule", "Unschedulable:      false");
    assertThat(kubectl("get", "node", "n1", "-o", "jsonpath={.spec.taints[0].timeAdded}"))
        .matches("20..-.*Z");
    assertThat(kubectl("taint", "nodes", "n1", "gpu-")).isEqualTo("node/n1 untainted\n");
    assertThat(kubectl("cordon", "n1")).isEqualTo("node/n1 cordoned\n");
    assertThat(kubectl("get", "nodes", "--no-headers")).contains("Unknown,SchedulingDisabled");
  }

  @Test
  void listsInChunksAndBySelectors() throws Exception {
    for (int i = 0; i < 5; i++) {
      kubectl("create", "-f", pod("many" + i));
    }
    assertThat(kubectl("get", "pods", "--chunk-size=2", "--no-headers").lines())
        .filteredOn(line -> line.startsWith("many"))
        .hasSize(5);
    assertThat(kubectl("get", "pods", "-l", "app in (many1,many3)", "-o", "name"))
        .isEqualTo("pod/many1\npod/many3\n");
    assertThat(kubectl("get", "pods", "--field-selector=metadata.name=many4,status.phase=Pending"))
        .contains("many4   0/1     Pending");
    assertThat(kubectl("get", "pods", "-A", "-o", "wide")).contains("NOMINATED NODE");
    assertThat(kubectl("describe", "pod", "many1")).containsPattern("QoS Class: +BestEffort");
  }

  @Test
  void watchesWhatHappens() throws Exception {
    kubectl("create", "-f", pod("watched"));
    Process watch = begin("get", "pods", "-l", "app=watched", "-w", "--no-headers", "-o", "name");
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(watch.getInputStream(), UTF_8))) {
      assertThat(lines.readLine()).isEqualTo("pod/watched");
      kubectl("label", "pod", "watched", "seen=yes");
      assertThat(lines.readLine()).isEqualTo("pod/watched");
      kubectl("delete", "pod", "watched");
      assertThat(lines.readLine()).isEqualTo("pod/watched");
    } finally {
      watch.destroy();
    }
  }

  @Test
  void knowsItsResources() throws Exception {
    assertThat(kubectl("api-resources", "-o", "name").lines())
        .contains("pods", "deployments.apps", "leases.coordination.k8s.io");
    assertThat(kubectl("get", "--raw", "/readyz")).isEqualTo("ok");
    assertThat(kubectl("version")).contains("v1.36.0+berth");
  }

  @Test
  void whatIsUnknownOrRehearsedIsNotStored() throws Exception {
    String misspelt =
        manifest(
            "misspelt.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndate: {}\n");
    assertThat(kubectl("create", "-f", misspelt))
        .contains("strict decoding error: unknown field \"date\"");
    assertThat(kubectl("create", "--dry-run=server", "-f", configMap("rehearsed", "1")))
        .isEqualTo("configmap/rehearsed created (server dry run)\n");
    assertThat(kubectl("get", "cm", "rehearsed", "m")).contains("\"rehearsed\" not found");
  }
}
