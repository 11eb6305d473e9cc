package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the real {@code kubectl} prints of warnings, beside what it was asked for. */
class KubectlWarningsTest extends WithKubectl {

  @Test
  void saysWhatIsOddAboutAPodThatIsCreated() {
    String said =
        kubectl(
            "create",
            "-f",
            manifest(
                "odd.yaml",
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: odd.pod
                  annotations: {container.apparmor.security.beta.kubernetes.io/a: unconfined}
                spec:
                  nodeSelector: {beta.kubernetes.io/os: linux}
                  containers:
                  - {name: a, image: i, env: [{name: A, value: a}, {name: A, value: b}]}
                """));
    assertThat(said)
        .contains("pod/odd.pod created")
        .contains(
            "Warning: metadata.name: this is used in the Pod's hostname, which can result in"
                + " surprising behavior; a DNS label is recommended: [must not contain dots]")
        .contains(
            "Warning: spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use"
                + " \"kubernetes.io/os\" instead")
        .contains(
            "Warning: spec.containers[0].env[1]: hides previous definition of \"A\", which may be"
                + " dropped when using apply")
        .contains(
            "Warning: metadata.annotations[container.apparmor.security.beta.kubernetes.io/a]:"
                + " deprecated since v1.30; use the \"appArmorProfile\" field instead");
    assertThat(kubectl("label", "pod", "odd.pod", "a=b")).doesNotContain("Warning");
  }

  @Test
  void saysWhatIsOddAboutATemplateWhenItChanges() {
    String deployment =
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: d}
        spec:
          selector: {matchLabels: {a: b}}
          template:
            metadata: {labels: {a: b}}
            spec: {terminationGracePeriodSeconds: %d, containers: [{name: a, image: i}]}
        """;
    String warning = "Warning: spec.template.spec.terminationGracePeriodSeconds: must be >= 0";
    assertThat(kubectl("apply", "-f", manifest("d.yaml", deployment.formatted(5))))
        .doesNotContain("Warning");
    assertThat(kubectl("apply", "-f", manifest("d.yaml", deployment.formatted(-5))))
        .contains(warning);
    assertThat(kubectl("label", "deployment", "d", "a=2", "--overwrite"))
        .contains("labeled")
        .doesNotContain("Warning");
  }

  @Test
  void saysThatAKindIsDeprecatedWhateverIsDoneWithIt() {
    assertThat(kubectl("get", "endpoints"))
        .contains(
            "Warning: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
    assertThat(kubectl("get", "componentstatuses"))
        .contains("Warning: v1 ComponentStatus is deprecated in v1.19+");
  }

  @Test
  void namesEachOwnerOnce() {
    String owner = "{apiVersion: v1, kind: Pod, name: p, uid: u-1}";
    String said =
        kubectl(
            "create",
            "-f",
            manifest(
                "owned.yaml",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: owned, ownerReferences: [%s, %s]}\n"
                    .formatted(owner, owner)));
    assertThat(said)
        .contains(
            "Warning: .metadata.ownerReferences contains duplicate entries; API server dedups owner"
                + " references in 1.20+, and may reject such requests as early as 1.24; please fix"
                + " your requests; duplicate UID(s) observed: u-1");
    assertThat(value("configmap", "owned", ".metadata.ownerReferences[*].uid")).isEqualTo("u-1");
  }

  @Test
  void saysWhatIsOddAboutDefinitionsAndTheirObjects() {
    String said =
        kubectl(
            "create",
            "-f",
            manifest(
                "odd-crd.yaml",
                """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: odds.warnings.example.com}
                spec:
                  group: warnings.example.com
                  scope: Namespaced
                  names: {plural: odds, kind: Odd}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          a: {type: string, format: made-up}
                          b: {type: string, format: date-time}
                          c: {type: integer, format: float}
                """));
    assertThat(said)
        .contains(
            "Warning: unrecognized format \"made-up\"", "Warning: unrecognized format \"float\"")
        .doesNotContain("date-time");
    kubectl("wait", "--timeout=3m", "--for=condition=established", "crd/odds.warnings.example.com");
    assertThat(
            kubectl(
                "create",
                "-f",
                manifest(
                    "odd.yaml",
                    """
                    apiVersion: warnings.example.com/v1
                    kind: Odd
                    metadata: {name: o, finalizers: [mine, example.com, example.com/mine]}
                    """)))
        .contains(
            "Warning: metadata.finalizers: \"mine\": prefer a domain-qualified finalizer name to"
                + " avoid accidental conflicts with other finalizer writers",
            "Warning: metadata.finalizers: \"example.com\": prefer a domain-qualified finalizer name"
                + " including a path (/) to avoid accidental conflicts with other finalizer writers")
        .doesNotContain("example.com/mine\":");
    String withoutRevision =
        "{apiVersion: warnings.example.com/v1, kind: Odd, metadata: {name: o, namespace: default}}";
    assertThat(
            kubectl(
                "replace",
                "--raw",
                "/apis/warnings.example.com/v1/namespaces/default/odds/o",
                "-f",
                manifest("no-revision.json", json(withoutRevision))))
        .contains("metadata.resourceVersion: Invalid value: 0: must be specified for an update");
  }

  private static String json(String yaml) {
    return yaml.replaceAll("([A-Za-z0-9./]+)", "\"$1\"");
  }
}
