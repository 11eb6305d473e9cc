package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.fixture.JsonServer;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Admission webhooks that answer over real HTTPS, with the real {@code kubectl}. */
class KubectlWebhooksTest extends WithKubectl {
  private static final String PODS =
      "[{apiGroups: [''], apiVersions: [v1], resources: [pods], operations: [CREATE]}]";

  private final JsonServer server = new JsonServer();
  private final List<JsonObject> asked = new CopyOnWriteArrayList<>();

  @BeforeEach
  void labelNamespaces() {
    kubectl("label", "namespace", "default", "hooked=yes", "--overwrite");
  }

  @AfterEach
  void removeWebhooks() {
    kubectl("delete", "mutatingwebhookconfigurations,validatingwebhookconfigurations", "--all");
    kubectl("delete", "pods", "--all", "--force", "--grace-period=0");
    server.close();
  }

  /** Answers a review with what a function makes of its request. */
  private void serve(String path, Function<JsonObject, JsonObject> answer) {
    server.serve(
        path,
        review -> {
          JsonObject request = review.object("request");
          asked.add(request);
          JsonObject response = answer.apply(request).with("uid", request.text("uid", ""));
          return review.without("request").with("response", response);
        });
  }

  private static JsonObject allowed() {
    return JsonObject.of("allowed", true);
  }

  private static JsonObject denied(String why) {
    return JsonObject.of("allowed", false).with("status", JsonObject.of("message", why));
  }

  private static JsonObject patch(String path, Object value) {
    JsonObject operation = JsonObject.of("op", "add").with("path", path).with("value", value);
    byte[] bytes = JsonWriter.toBytes(JsonObject.of("p", JsonArray.of(operation)));
    String array = new String(bytes, UTF_8).replaceFirst("^\\{\"p\":", "").replaceFirst("}$", "");
    return allowed()
        .with("patchType", "JSONPatch")
        .with("patch", Base64.getEncoder().encodeToString(array.getBytes(UTF_8)));
  }

  private String at(String path) {
    return "{url: '%s%s', caBundle: %s}".formatted(server.url(), path, bundle(server));
  }

  private static String bundle(JsonServer of) {
    return Base64.getEncoder().encodeToString(of.authorityPem().getBytes(UTF_8));
  }

  private static String configuration(String kind, String name, String client, String more) {
    String answer =
        kubectl(
            "create",
            "-f",
            manifest(
                name + ".yaml",
                """
                apiVersion: admissionregistration.k8s.io/v1
                kind: %s
                metadata: {name: %s}
                webhooks:
                - name: %s.example.com
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  clientConfig: %s
                  %s
                """
                    .formatted(kind, name, name, client, more)));
    assertThat(answer).contains(name + " created");
    return answer;
  }

  private static void mutating(String name, String client, String more) {
    configuration("MutatingWebhookConfiguration", name, client, more);
  }

  private static void validating(String name, String client, String more) {
    configuration("ValidatingWebhookConfiguration", name, client, more);
  }

  @Test
  void aWebhookAddsToAPod() {
    serve(
        "/add",
        _ ->
            patch("/spec/containers/-", JsonObject.of("name", "added").with("image", "x:latest"))
                .with("warnings", JsonArray.of("a container was added")));
    mutating("adds", at("/add"), "rules: " + PODS);
    String said = kubectl("create", "-f", pod("plain"));
    assertThat(said).contains("Warning: a container was added", "pod/plain created");
    // What a patch leaves out has its defaults.
    assertThat(value("pod", "plain", ".spec.containers[1].imagePullPolicy")).isEqualTo("Always");
    JsonObject request = asked.getFirst();
    assertThat(request.text("operation")).isEqualTo("CREATE");
    assertThat(request.text("namespace")).isEqualTo("default");
    assertThat(request.object("kind").text("kind")).isEqualTo("Pod");
    assertThat(request.object("options").text("kind")).isEqualTo("CreateOptions");
    assertThat(request.object("userInfo").array("groups").texts()).contains("system:masters");
    assertThat(request.get("oldObject")).hasToString("null");
  }

  /** What the definition does not know is left out, as of what clients send. */
  @Test
  void aWebhookChangesACustomResource() {
    String definition =
        manifest(
            "ships.yaml",
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: ships.sea.example}
            spec:
              group: sea.example
              names: {kind: Ship, plural: ships}
              scope: Namespaced
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties:
                      cargo: {type: object, properties: {name: {type: string}, tons: {type: integer, default: 7}}}
            """);
    kubectl("create", "-f", definition);
    kubectl("wait", "--for=condition=Established", "crd/ships.sea.example", "--timeout=3m");
    serve(
        "/load",
        _ -> patch("/cargo", JsonObject.of("name", "tea").with("unknown", JsonObject.EMPTY)));
    mutating(
        "loads",
        at("/load"),
        "rules: [{apiGroups: [sea.example], apiVersions: [v1], resources: [ships], operations:"
            + " [CREATE]}]");
    String ship =
        manifest("ship.yaml", "apiVersion: sea.example/v1\nkind: Ship\nmetadata: {name: s}\n");
    assertThat(kubectl("create", "-f", ship)).contains("ship.sea.example/s created");
    assertThat(value("ship", "s", ".cargo")).isEqualTo("{\"name\":\"tea\",\"tons\":7}");
    kubectl("delete", "-f", definition);
  }

  @Test
  void whatAWebhookMakesIsValidated() {
    serve("/break", _ -> patch("/spec/containers/0/name", "Not A Name"));
    mutating("breaks", at("/break"), "rules: " + PODS);
    assertThat(kubectl("create", "-f", pod("broken")))
        .contains("spec.containers[0].name: Invalid value: \"Not A Name\"");
  }

  @Test
  void aWebhookDeniesAndSaysWhy() {
    serve("/deny", _ -> denied("no pods on Fridays"));
    validating("denies", at("/deny"), "rules: " + PODS);
    assertThat(kubectl("create", "-f", pod("friday")))
        .contains(
            "admission webhook \"denies.example.com\" denied the request: no pods on Fridays");
    assertThat(kubectl("create", "configmap", "friday")).contains("created");
  }

  @Test
  void deletionsAndConnectionsCanBeDenied() {
    serve("/deny", request -> denied("no " + request.text("operation")));
    validating(
        "guards",
        at("/deny"),
        "rules: [{apiGroups: [''], apiVersions: [v1], resources: [pods, pods/*], operations:"
            + " [DELETE, CONNECT]}]\n"
            + "  namespaceSelector: {matchLabels: {hooked: 'yes'}}");
    kubectl("create", "-f", pod("held"));
    assertThat(kubectl("delete", "pod", "held")).contains("denied the request: no DELETE");
    assertThat(kubectl("exec", "held", "--", "ls")).contains("denied the request: no CONNECT");
    JsonObject exec = asked.getLast();
    assertThat(exec.object("kind").text("kind")).isEqualTo("PodExecOptions");
    assertThat(exec.object("object").array("command").texts()).containsExactly("ls");
    assertThat(exec.text("subResource")).isEqualTo("exec");
    kubectl("label", "namespace", "default", "hooked-");
    assertThat(kubectl("delete", "pod", "held")).contains("deleted");
  }

  @Test
  void whoCannotBeAskedFailsTheRequestUnlessIgnored() {
    validating("absent", "{url: 'https://localhost:1/'}", "rules: " + PODS);
    assertThat(kubectl("create", "-f", pod("waiting")))
        .contains(
            "Internal error occurred: failed calling webhook \"absent.example.com\": failed to call"
                + " webhook: Post \"https://localhost:1/?timeout=10s\": dial tcp: connect:"
                + " connection refused");
    kubectl("delete", "validatingwebhookconfiguration", "absent");
    validating(
        "ignored", "{url: 'https://localhost:1/'}", "failurePolicy: Ignore\n  rules: " + PODS);
    assertThat(kubectl("create", "-f", pod("going"))).contains("pod/going created");
  }

  @Test
  void nobodyIsWaitedForLongerThanTheTimeout() {
    CountDownLatch never = new CountDownLatch(1);
    serve(
        "/slow",
        _ -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return allowed();
        });
    validating("slow", at("/slow"), "timeoutSeconds: 1\n  rules: " + PODS);
    assertThat(kubectl("create", "-f", pod("late")))
        .contains("failed calling webhook \"slow.example.com\"", "context deadline exceeded");
    never.countDown();
  }

  @Test
  void anAnswerToAnotherQuestionIsNone() {
    server.serve(
        "/other",
        review ->
            review.without("request").with("response", allowed().with("uid", "somebody-elses")));
    validating("confused", at("/other"), "rules: " + PODS);
    assertThat(kubectl("create", "-f", pod("confusing")))
        .contains("received invalid webhook response: expected response.uid=");
  }

  @Test
  void nobodyIsTrustedButTheBundle() {
    serve("/ok", _ -> allowed());
    try (JsonServer stranger = new JsonServer()) {
      validating(
          "stranger",
          "{url: '%s/ok', caBundle: %s}".formatted(server.url(), bundle(stranger)),
          "rules: " + PODS);
      assertThat(kubectl("create", "-f", pod("trusting")))
          .contains(
              "failed calling webhook",
              "tls: failed to verify certificate: x509: certificate signed by unknown authority");
      assertThat(asked).isEmpty();
    }
  }

  /** A service is dialled at its endpoints, and known by the service's name. */
  @Test
  void aWebhookBehindAService() {
    try (JsonServer behind = new JsonServer("hook.default.svc")) {
      behind.serve(
          "/deny",
          review ->
              review
                  .without("request")
                  .with(
                      "response",
                      denied("by a service")
                          .with("uid", review.object("request").text("uid", ""))));
      kubectl("create", "service", "externalname", "hook", "--external-name=localhost");
      validating(
          "served",
          "{service: {name: hook, namespace: default, path: /deny, port: %d}, caBundle: %s}"
              .formatted(behind.port(), bundle(behind)),
          "rules: " + PODS);
      assertThat(kubectl("create", "-f", pod("served"))).contains("by a service");
    }
    kubectl("delete", "service", "hook");
    assertThat(kubectl("create", "-f", pod("served"))).contains("service \"hook\" not found");
  }

  /** Whoever locks everybody out can still be removed. */
  @Test
  void webhooksAreNotAskedAboutWebhooks() {
    serve("/deny", _ -> denied("everything"));
    String all =
        "rules: [{apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*']}]";
    validating("locked", at("/deny"), all);
    mutating("locked-too", at("/deny"), all);
    assertThat(kubectl("create", "configmap", "x")).contains("denied the request: everything");
    assertThat(kubectl("delete", "validatingwebhookconfiguration", "locked")).contains("deleted");
    assertThat(kubectl("delete", "mutatingwebhookconfiguration", "locked-too")).contains("deleted");
  }

  /** A webhook that wants to is asked again when somebody after it changed the object. */
  @Test
  void webhooksAreAskedAgainIfNeeded() {
    serve(
        "/count",
        request ->
            patch(
                "/metadata/annotations",
                JsonObject.of(
                    "containers",
                    Integer.toString(
                        request.object("object").object("spec").array("containers").size()))));
    serve(
        "/add",
        request ->
            request.object("object").object("spec").array("containers").size() > 1
                ? allowed()
                : patch("/spec/containers/-", JsonObject.of("name", "added").with("image", "x")));
    mutating("a-counts", at("/count"), "reinvocationPolicy: IfNeeded\n  rules: " + PODS);
    mutating("b-adds", at("/add"), "rules: " + PODS);
    kubectl("create", "-f", pod("counted"));
    assertThat(value("pod", "counted", ".metadata.annotations.containers")).isEqualTo("2");
    assertThat(asked).hasSize(3);
  }

  @Test
  void selectorsChooseObjects() {
    serve("/deny", _ -> denied("chosen"));
    validating(
        "chooses", at("/deny"), "objectSelector: {matchLabels: {app: chosen}}\n  rules: " + PODS);
    assertThat(kubectl("create", "-f", pod("other"))).contains("created");
    assertThat(kubectl("create", "-f", pod("chosen"))).contains("denied the request: chosen");
  }

  /** Conditions in CEL choose among the requests that the rules match. */
  @Test
  void conditionsChooseRequests() {
    serve("/deny", _ -> denied("by condition"));
    validating(
        "conditional",
        at("/deny"),
        "matchConditions: [{name: not-mine, expression: 'object.metadata.name != \"mine\"'}]\n"
            + "  rules: "
            + PODS);
    assertThat(kubectl("create", "-f", pod("mine"))).contains("created");
    assertThat(kubectl("create", "-f", pod("theirs"))).contains("denied the request: by condition");
  }

  /** T6: nodes that are for a group of users, whose pods get the toleration and the selector. */
  @Test
  void aWebhookDedicatesNodesToAGroup() {
    JsonObject toleration =
        JsonObject.of("key", "dedicated")
            .with("operator", "Equal")
            .with("value", "gpu")
            .with("effect", "NoSchedule");
    serve(
        "/dedicate",
        request ->
            request.object("userInfo").array("groups").texts().contains("gpu-team")
                ? patch("/spec/nodeSelector", JsonObject.of("dedicated", "gpu"))
                : allowed());
    serve("/tolerate", _ -> patch("/spec/tolerations/-", toleration));
    mutating("a-dedicates", at("/dedicate"), "rules: " + PODS);
    mutating(
        "b-tolerates",
        at("/tolerate"),
        "matchConditions: [{name: dedicated, expression: 'has(object.spec.nodeSelector)'}]\n"
            + "  rules: "
            + PODS);
    kubectl("create", "-f", pod("anybodys"));
    assertThat(value("pod", "anybodys", ".spec.nodeSelector")).isEmpty();
    kubectl(
        "create",
        "-f",
        pod("the-groups"),
        "--as=ann",
        "--as-group=gpu-team",
        "--as-group=system:masters");
    assertThat(value("pod", "the-groups", ".spec.nodeSelector.dedicated")).isEqualTo("gpu");
    assertThat(value("pod", "the-groups", ".spec.tolerations[*].value")).isEqualTo("gpu");
  }
}
