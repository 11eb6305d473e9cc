package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What {@code kubectl} changes: apply, diff, label, annotate, edit, patch, replace. */
class KubectlChangeTest extends WithKubectl {
  @Test
  void appliesAChangeAndNothingElse() {
    assertThat(kubectl("apply", "-f", deployment("web", 2)))
        .isEqualTo("deployment.apps/web created\n");
    kubectl("annotate", "deployment", "web", "by=someone-else");
    assertThat(kubectl("apply", "-f", deployment("web", 2)))
        .isEqualTo("deployment.apps/web unchanged\n");
    assertThat(kubectl("apply", "-f", deployment("web", 3)))
        .isEqualTo("deployment.apps/web configured\n");
    assertThat(value("deployment", "web", ".spec.replicas")).isEqualTo("3");
    assertThat(value("deployment", "web", ".metadata.annotations.by")).isEqualTo("someone-else");
  }

  @Test
  void appliesDirectoriesAndKustomizations() {
    manifest(
        "folder/one.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\ndata: {k: v}\n");
    manifest(
        "folder/two.json",
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"two\"}}");
    manifest(
        "folder/nodes.yml",
        """
        apiVersion: v1
        kind: Node
        metadata: {name: of-folder}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: three}
        """);
    assertThat(kubectl("apply", "-f", "folder").lines())
        .containsExactlyInAnyOrder(
            "node/of-folder created",
            "configmap/three created",
            "configmap/one created",
            "configmap/two created");
    assertThat(kubectl("delete", "-f", "folder").lines()).hasSize(4);

    manifest("kustomized/one.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: one}\n");
    manifest("kustomized/kustomization.yaml", "namePrefix: my-\nresources: [one.yaml]\n");
    assertThat(kubectl("apply", "-k", "kustomized")).isEqualTo("configmap/my-one created\n");
    assertThat(kubectl("get", "-k", "kustomized", "-o", "name")).isEqualTo("configmap/my-one\n");
  }

  @Test
  void showsWhatAnApplyWouldChange() {
    kubectl("apply", "-f", deployment("compared", 2));
    assertThat(result("diff", "-f", deployment("compared", 2)).exitCode()).isZero();
    var difference = result("diff", "-f", deployment("compared", 3));
    assertThat(difference.exitCode()).isEqualTo(1);
    assertThat(difference.output())
        .contains("-  replicas: 2\n+  replicas: 3\n", "-  generation: 1\n+  generation: 2\n");
    assertThat(value("deployment", "compared", ".spec.replicas")).isEqualTo("2");
    assertThat(result("diff", "--server-side", "-f", configMap("not-there", "1")).output())
        .contains("+  key: \"1\"\n");
  }

  @Test
  void serverSideApplyTellsManagersApart() {
    kubectl("apply", "--server-side", "-f", configMap("shared", "1"));
    var refused =
        result("apply", "--server-side", "--field-manager=other", "-f", configMap("shared", "2"));
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.output())
        .startsWith("error: Apply failed with 1 conflict: conflict with \"kubectl\": .data.key\n");
    assertThat(
            kubectl(
                "apply",
                "--server-side",
                "--force-conflicts",
                "--field-manager=other",
                "-f",
                configMap("shared", "2")))
        .isEqualTo("configmap/shared serverside-applied\n");
    assertThat(value("configmap", "shared", ".data.key")).isEqualTo("2");
    assertThat(
            kubectl(
                "get",
                "cm",
                "shared",
                "--show-managed-fields",
                "-o",
                "jsonpath={.metadata.managedFields[*].manager}"))
        .contains("other");
    // What a manager no longer applies goes, if nobody else wants it.
    String less =
        manifest("less.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shared}\n");
    kubectl("apply", "--server-side", "--field-manager=other", "-f", less);
    assertThat(value("configmap", "shared", ".data")).isEmpty();
  }

  @Test
  void serverDryRunsAnswerAsIfButStoreNothing() {
    assertThat(kubectl("apply", "--dry-run=server", "-f", deployment("rehearsed", 2)))
        .isEqualTo("deployment.apps/rehearsed created (server dry run)\n");
    assertThat(kubectl("get", "deployment", "rehearsed"))
        .isEqualTo("Error from server (NotFound): deployments.apps \"rehearsed\" not found\n");
    kubectl("apply", "-f", deployment("real", 2));
    assertThat(
            kubectl(
                "patch",
                "deployment",
                "real",
                "--dry-run=server",
                "-o",
                "jsonpath={.spec.replicas}",
                "-p",
                "{\"spec\":{\"replicas\":7}}"))
        .isEqualTo("7");
    assertThat(kubectl("delete", "deployment", "real", "--dry-run=server"))
        .isEqualTo("deployment.apps \"real\" deleted (server dry run)\n");
    assertThat(kubectl("label", "deployment", "real", "a=b", "--dry-run=server"))
        .isEqualTo("deployment.apps/real labeled (server dry run)\n");
    assertThat(value("deployment", "real", ".spec.replicas")).isEqualTo("2");
    assertThat(value("deployment", "real", ".metadata.labels.a")).isEmpty();
  }

  @Test
  void labelsAreAddedOverwrittenAndRemoved() {
    kubectl("create", "-f", pod("labelled"));
    assertThat(kubectl("label", "pod", "labelled", "app=x"))
        .isEqualTo("error: 'app' already has a value (labelled), and --overwrite is false\n");
    assertThat(kubectl("label", "pod", "labelled", "app=x", "--overwrite", "tier=front"))
        .isEqualTo("pod/labelled labeled\n");
    assertThat(kubectl("label", "pod", "labelled", "app-")).isEqualTo("pod/labelled unlabeled\n");
    assertThat(value("pod", "labelled", ".metadata.labels")).isEqualTo("{\"tier\":\"front\"}");
    assertThat(kubectl("label", "pods", "-l", "tier=front", "seen=yes"))
        .isEqualTo("pod/labelled labeled\n");
    assertThat(kubectl("label", "pod", "labelled", "bad key=v"))
        .startsWith(
            "The Pod \"labelled\" is invalid: metadata.labels: Invalid value: \"bad key\": name part must consist of");
  }

  @Test
  void annotationsAreAddedOverwrittenAndRemoved() {
    kubectl("create", "-f", pod("noted"));
    assertThat(kubectl("annotate", "pod", "noted", "note=a b")).isEqualTo("pod/noted annotated\n");
    assertThat(kubectl("annotate", "pod", "noted", "note=c"))
        .startsWith("error: --overwrite is false but found the following declared annotation(s)");
    assertThat(value("pod", "noted", ".metadata.annotations.note")).isEqualTo("a b");
    kubectl("annotate", "pod", "noted", "note=c", "--overwrite");
    assertThat(value("pod", "noted", ".metadata.annotations.note")).isEqualTo("c");
    kubectl("annotate", "pod", "noted", "note-");
    assertThat(value("pod", "noted", ".metadata.annotations")).isEmpty();
  }

  @Test
  void editsWhatTheEditorChanges() {
    kubectl("create", "-f", pod("edited"));
    assertThat(kubectl("edit", "pod", "edited")).isEqualTo("pod/edited edited\n");
    assertThat(value("pod", "edited", ".spec.containers[0].image")).isEqualTo("edited-image");
    assertThat(kubectl("edit", "pod", "edited")).isEqualTo("Edit cancelled, no changes made.\n");
  }

  @Test
  void patchesInEveryLanguage() {
    kubectl("create", "-f", pod("patched"));
    assertThat(
            kubectl(
                "patch",
                "pod",
                "patched",
                "--type=json",
                "-p",
                "[{\"op\":\"replace\",\"path\":\"/spec/containers/0/image\",\"value\":\"json\"}]"))
        .isEqualTo("pod/patched patched\n");
    assertThat(value("pod", "patched", ".spec.containers[0].image")).isEqualTo("json");
    String merge = "{\"metadata\":{\"labels\":{\"app\":null,\"by\":\"merge\"}}}";
    assertThat(kubectl("patch", "pod", "patched", "--type=merge", "-p", merge))
        .isEqualTo("pod/patched patched\n");
    assertThat(value("pod", "patched", ".metadata.labels")).isEqualTo("{\"by\":\"merge\"}");
    assertThat(kubectl("patch", "pod", "patched", "--type=merge", "-p", merge))
        .isEqualTo("pod/patched patched (no change)\n");
    // A strategic patch finds the container by its name.
    assertThat(
            kubectl(
                "patch",
                "pod",
                "patched",
                "--type=strategic",
                "-p",
                "{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"strategic\"}]}}"))
        .isEqualTo("pod/patched patched\n");
    assertThat(value("pod", "patched", ".spec.containers[*].image")).isEqualTo("strategic");
    assertThat(
            kubectl(
                "patch",
                "pod",
                "patched",
                "--subresource=status",
                "--type=merge",
                "-p",
                "{\"status\":{\"phase\":\"Running\"},\"metadata\":{\"labels\":{\"by\":\"x\"}}}"))
        .isEqualTo("pod/patched patched\n");
    assertThat(value("pod", "patched", ".status.phase")).isEqualTo("Running");
  }

  @Test
  void refusesPatchesThatDoNotFit() {
    kubectl("create", "-f", pod("firm"));
    assertThat(
            kubectl(
                "patch",
                "pod",
                "firm",
                "--type=json",
                "-p",
                "[{\"op\":\"test\",\"path\":\"/spec/containers/0/image\",\"value\":\"other\"}]"))
        .contains("The request is invalid: the server rejected our request due to an error");
    assertThat(
            kubectl(
                "patch",
                "pod",
                "firm",
                "-p",
                "{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"\"}]}}"))
        .isEqualTo("The Pod \"firm\" is invalid: spec.containers[0].image: Required value\n");
    assertThat(kubectl("patch", "pod", "firm", "-p", "{\"spec\":{\"color\":\"red\"}}"))
        .contains("unknown field \"spec.color\"");
    assertThat(kubectl("patch", "pod", "absent", "-p", "{}"))
        .isEqualTo("Error from server (NotFound): pods \"absent\" not found\n");
  }

  @Test
  void replacesInPlaceOrByForce() {
    kubectl("create", "-f", pod("replaced"));
    String before = value("pod", "replaced", ".metadata.uid");
    String seen = kubectl("get", "pod", "replaced", "-o", "json");
    assertThat(kubectl("replace", "-f", manifest("r.json", seen.replace("old-image", "new-image"))))
        .isEqualTo("pod/replaced replaced\n");
    assertThat(value("pod", "replaced", ".metadata.uid")).isEqualTo(before);
    assertThat(kubectl("replace", "--force", "-f", pod("replaced")))
        .isEqualTo("pod \"replaced\" deleted\npod/replaced replaced\n");
    assertThat(value("pod", "replaced", ".metadata.uid")).isNotEqualTo(before);
    assertThat(kubectl("replace", "-f", pod("never-made")))
        .startsWith("Error from server (NotFound)");
  }
}
