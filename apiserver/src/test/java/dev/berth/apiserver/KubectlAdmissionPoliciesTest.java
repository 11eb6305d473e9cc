package dev.berth.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Admission policies by expressions, with the real {@code kubectl}. */
class KubectlAdmissionPoliciesTest extends WithKubectl {
  private static final String PODS =
      "{resourceRules: [{apiGroups: [''], apiVersions: [v1], resources: [pods], operations: [CREATE,"
          + " UPDATE]}]}";

  @AfterEach
  void removePolicies() {
    kubectl(
        "delete",
        "validatingadmissionpolicies,validatingadmissionpolicybindings,"
            + "mutatingadmissionpolicies,mutatingadmissionpolicybindings",
        "--all");
    kubectl("delete", "pods", "--all", "--force", "--grace-period=0");
  }

  private static void create(String name, String yaml) {
    assertThat(kubectl("create", "-f", manifest(name + ".yaml", yaml))).contains("created");
  }

  private static void validating(String name, String spec, String binding) {
    create(
        name,
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata: {name: %1$s}
        spec:
          matchConstraints: %2$s
        %3$s
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata: {name: %1$s-binding}
        spec:
          policyName: %1$s
        %4$s
        """
            .formatted(name, PODS, spec.indent(2).stripTrailing(), binding.indent(2)));
  }

  private static void mutating(String name, String spec) {
    create(
        name,
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingAdmissionPolicy
        metadata: {name: %1$s}
        spec:
          matchConstraints: %2$s
          reinvocationPolicy: Never
        %3$s
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingAdmissionPolicyBinding
        metadata: {name: %1$s-binding}
        spec: {policyName: %1$s}
        """
            .formatted(name, PODS, spec.indent(2).stripTrailing()));
  }

  /** One policy sees what those before it by name have made. */
  @Test
  void policiesChangeAPodOneAfterTheOther() {
    mutating(
        "a-labels",
        """
        mutations:
        - patchType: ApplyConfiguration
          applyConfiguration:
            expression: 'Object{metadata: Object.metadata{labels: {"tier": "one"}}}'
        """);
    mutating(
        "b-labels",
        """
        variables: [{name: tier, expression: "object.metadata.?labels[?'tier'].orValue('none')"}]
        mutations:
        - patchType: JSONPatch
          jsonPatch:
            expression: >
              [JSONPatch{op: "test", path: "/metadata/labels/tier", value: "one"},
               JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: variables.tier}]
        - patchType: ApplyConfiguration
          applyConfiguration:
            expression: 'Object{spec: Object.spec{containers: [Object.spec.containers{name: "main", image: "new"}]}}'
        """);
    kubectl("create", "-f", pod("changed"));
    assertThat(value("pod", "changed", ".metadata.labels"))
        .contains("\"tier\":\"one\"", "\"a/b\":\"one\"", "\"app\":\"changed\"");
    assertThat(value("pod", "changed", ".spec.containers[*].image")).isEqualTo("new");
    mutating(
        "c-atomic",
        """
        mutations:
        - patchType: ApplyConfiguration
          applyConfiguration:
            expression: 'Object{spec: Object.spec{tolerations: [Object.spec.tolerations{key: "x"}]}}'
        """);
    assertThat(kubectl("create", "-f", pod("atomic")))
        .contains(
            "policy 'c-atomic' with binding 'c-atomic-binding' denied request: error applying patch:"
                + " invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs:"
                + " .spec.tolerations");
  }

  @Test
  void aPolicyDeniesWithItsMessageFromTheNextRequestOn() {
    validating(
        "images",
        """
        variables:
        - {name: images, expression: "object.spec.containers.map(c, c.image)"}
        validations:
        - expression: "variables.images.all(i, i.startsWith('good'))"
          messageExpression: "'images ' + variables.images.join(', ') + ' are not good'"
        - expression: "object.metadata.name != 'evil'"
          message: names matter
          reason: Forbidden
        """,
        "validationActions: [Deny]");
    assertThat(kubectl("create", "-f", pod("bad")))
        .contains(
            "The pods \"bad\" is invalid: : ValidatingAdmissionPolicy 'images' with binding"
                + " 'images-binding' denied request: images old-image are not good");
    assertThat(kubectl("run", "fine", "--image=good:1")).contains("pod/fine created");
    assertThat(kubectl("run", "evil", "--image=good:1"))
        .contains(
            "(Forbidden)",
            "pods \"evil\" is forbidden: ValidatingAdmissionPolicy 'images' with binding"
                + " 'images-binding' denied request: names matter");
    kubectl("delete", "validatingadmissionpolicybinding", "images-binding");
    assertThat(kubectl("create", "-f", pod("bad"))).contains("pod/bad created");
    assertThat(kubectl("get", "validatingadmissionpolicies"))
        .contains("VALIDATIONS", "PARAMKIND", "<unset>");
  }

  @Test
  void parametersWarningsAndFailures() {
    create(
        "limits",
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: limits}
        data: {most: "1"}
        """);
    validating(
        "count",
        """
        paramKind: {apiVersion: v1, kind: ConfigMap}
        validations:
        - expression: "object.spec.containers.size() < int(params.data.most)"
        """,
        """
        validationActions: [Warn]
        paramRef: {name: limits, parameterNotFoundAction: Deny}
        """);
    assertThat(kubectl("create", "-f", pod("warned")))
        .contains(
            "Warning: Validation failed for ValidatingAdmissionPolicy 'count' with binding"
                + " 'count-binding': failed expression: object.spec.containers.size() <"
                + " int(params.data.most)",
            "pod/warned created");
    kubectl("delete", "configmap", "limits");
    assertThat(kubectl("create", "-f", pod("unknown")))
        .contains(
            "ValidatingAdmissionPolicy 'count' with binding 'count-binding' denied request: failed to"
                + " configure binding: no params found for policy binding with `Deny`"
                + " parameterNotFoundAction");
    validating(
        "broken",
        """
        validations:
        - expression: "object.spec.nope == 1"
        """,
        "validationActions: [Deny]");
    kubectl("delete", "validatingadmissionpolicy", "count");
    assertThat(kubectl("create", "-f", pod("failed")))
        .contains(
            "ValidatingAdmissionPolicy 'broken' with binding 'broken-binding' denied request:"
                + " expression 'object.spec.nope == 1' resulted in error: no such key: nope");
  }

  @Test
  void aPolicyAsksWhatTheUserMay() {
    validating(
        "asks",
        """
        validations:
        - expression: "authorizer.group('').resource('secrets').namespace('default').check('get').allowed()"
          message: only who may read secrets
        """,
        "validationActions: [Deny]");
    assertThat(kubectl("create", "-f", pod("allowed"))).contains("pod/allowed created");
    kubectl("create", "role", "pods", "--verb=create", "--resource=pods");
    kubectl("create", "rolebinding", "pods", "--role=pods", "--user=ann");
    assertThat(kubectl("create", "-f", pod("denied"), "--as=ann"))
        .contains("denied request: only who may read secrets");
  }

  @Test
  void theStatusWarnsOfWhatDoesNotFitTheKind() {
    validating(
        "typed",
        """
        validations:
        - expression: "object.spec.replicas > 1"
        """,
        "validationActions: [Audit]");
    assertThat(
            kubectl(
                "wait",
                "validatingadmissionpolicy/typed",
                "--for=jsonpath={.status.observedGeneration}=1",
                "--timeout=3m"))
        .contains("condition met");
    String warning = ".status.typeChecking.expressionWarnings[0]";
    assertThat(value("validatingadmissionpolicy", "typed", warning + ".fieldRef"))
        .isEqualTo("spec.validations[0].expression");
    assertThat(value("validatingadmissionpolicy", "typed", warning + ".warning"))
        .startsWith("/v1, Kind=Pod: ERROR: <input>:1:12: undefined field 'replicas'");
  }

  @Test
  void whatDoesNotCompileIsRefused() {
    assertThat(
            kubectl(
                "create",
                "-f",
                manifest(
                    "wrong.yaml",
                    """
                    apiVersion: admissionregistration.k8s.io/v1
                    kind: ValidatingAdmissionPolicy
                    metadata: {name: wrong}
                    spec:
                      matchConstraints: %s
                      validations: [{expression: "object.spec.x ++ 1"}]
                    """
                        .formatted(PODS))))
        .contains(
            "spec.validations[0].expression: Invalid value: \"object.spec.x ++ 1\": compilation"
                + " failed: ERROR: <input>:1:16: Syntax error: ");
  }

  /** Objects, parameters and types that somebody defined. */
  @Test
  void policiesKnowCustomResources() {
    create(
        "crd",
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: teas.policy.example.com}
        spec:
          group: policy.example.com
          scope: Namespaced
          names: {plural: teas, kind: Tea}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec:
                    type: object
                    properties:
                      sort: {type: string}
                      minutes: {type: integer}
                      sugars:
                        type: array
                        x-kubernetes-list-type: map
                        x-kubernetes-list-map-keys: [name]
                        items: {type: object, required: [name], properties: {name: {type: string}, spoons: {type: integer}}}
        """);
    kubectl("wait", "--timeout=3m", "--for=condition=established", "crd/teas.policy.example.com");
    String match =
        "{resourceRules: [{apiGroups: [policy.example.com], apiVersions: [v1], resources: [teas],"
            + " operations: [CREATE]}]}";
    create(
        "longest",
        "apiVersion: policy.example.com/v1\nkind: Tea\nmetadata: {name: longest}\nspec: {minutes: 5}\n");
    create(
        "tea-policies",
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingAdmissionPolicy
        metadata: {name: teas}
        spec:
          matchConstraints: %1$s
          reinvocationPolicy: Never
          mutations:
          - patchType: ApplyConfiguration
            applyConfiguration:
              expression: 'Object{spec: Object.spec{sort: "green", sugars: [Object.spec.sugars{name: "brown", spoons: 2}]}}'
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: MutatingAdmissionPolicyBinding
        metadata: {name: teas}
        spec: {policyName: teas}
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata: {name: teas}
        spec:
          matchConstraints: %1$s
          paramKind: {apiVersion: policy.example.com/v1, kind: Tea}
          validations:
          - {expression: object.spec.minutes <= params.spec.minutes, message: too long}
          - {expression: "!has(object.spec.cups) || object.spec.cups > 1"}
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata: {name: teas}
        spec:
          policyName: teas
          validationActions: [Deny]
          paramRef: {name: longest, namespace: default, parameterNotFoundAction: Deny}
        """
            .formatted(match));
    String tea =
        "apiVersion: policy.example.com/v1\nkind: Tea\nmetadata: {name: %s}\nspec: {minutes: %d,"
            + " sugars: [{name: white, spoons: 1}]}\n";
    assertThat(kubectl("create", "-f", manifest("long.yaml", tea.formatted("long", 6))))
        .contains("ValidatingAdmissionPolicy 'teas' with binding 'teas' denied request: too long");
    assertThat(kubectl("create", "-f", manifest("short.yaml", tea.formatted("short", 4))))
        .contains("created");
    assertThat(value("tea", "short", ".spec"))
        .contains("\"sort\":\"green\"", "\"name\":\"white\"", "\"name\":\"brown\"", "\"spoons\":2");
    kubectl(
        "wait",
        "validatingadmissionpolicy/teas",
        "--for=jsonpath={.status.observedGeneration}=1",
        "--timeout=3m");
    assertThat(
            value(
                "validatingadmissionpolicy",
                "teas",
                ".status.typeChecking.expressionWarnings[*].warning"))
        .startsWith("policy.example.com/v1, Kind=Tea: ERROR: <input>:1:")
        .contains("undefined field 'cups'");
  }
}
