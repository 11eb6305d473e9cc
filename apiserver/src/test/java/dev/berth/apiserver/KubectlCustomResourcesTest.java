package dev.berth.apiserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.fixture.JsonServer;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.io.BufferedReader;
import java.util.Base64;
import org.junit.jupiter.api.Test;

/** Custom resources with the real {@code kubectl}; each test has a group of its own. */
class KubectlCustomResourcesTest extends WithKubectl {

  /** Defines a kind {@code Foo} and waits until it is established. */
  private static void define(String group, String version) {
    String said = kubectl("apply", "-f", manifest(group + ".yaml", definition(group, version)));
    assertThat(said).contains("foos." + group + " created");
    assertThat(kubectl("wait", "--timeout=3m", "--for=condition=established", "crd/foos." + group))
        .contains("condition met");
  }

  private static String definition(String group, String versions) {
    return """
    apiVersion: apiextensions.k8s.io/v1
    kind: CustomResourceDefinition
    metadata: {name: foos.%1$s}
    spec:
      group: %1$s
      scope: Namespaced
      names: {plural: foos, kind: Foo, shortNames: [fo%2$d], categories: [all]}
      versions:
    %3$s
    """
        .formatted(group, Math.abs(group.hashCode() % 1000), versions.indent(2));
  }

  private static String version(String name, String more, String spec) {
    return """
    - name: %s
      served: true
      storage: true
      %s
      schema:
        openAPIV3Schema:
          type: object
          description: A foo.
          properties:
            spec: {type: object, description: What is wanted., properties: %s}
            status: {type: object, x-kubernetes-preserve-unknown-fields: true}
    """
        .formatted(name, more, spec);
  }

  private static String foo(String group, String version, String name, String spec) {
    return manifest(
        name + "." + group + ".yaml",
        "apiVersion: %s/%s\nkind: Foo\nmetadata: {name: %s}\nspec: %s\n"
            .formatted(group, version, name, spec));
  }

  @Test
  void isServedOnceItIsEstablishedAndGoneOnceItIsDeleted() {
    define(
        "story.example.com",
        version(
            "v1",
            "subresources: {status: {}, scale: {specReplicasPath: .spec.replicas,"
                + " statusReplicasPath: .status.replicas}}\n"
                + "  selectableFields: [{jsonPath: .spec.color}]\n"
                + "  additionalPrinterColumns: [{name: Color, type: string, jsonPath: .spec.color},"
                + " {name: Ready, type: string, jsonPath:"
                + " '.status.conditions[?(@.type==\"Ready\")].status'}]",
            "{color: {type: string, enum: [red, blue], description: How it looks.}, replicas:"
                + " {type: integer, default: 1, maximum: 9}}"));
    String one = foo("story.example.com", "v1", "one", "{color: red}");
    assertThat(kubectl("apply", "-f", one)).contains("foo.story.example.com/one created");
    assertThat(kubectl("apply", "-f", one)).contains("foo.story.example.com/one unchanged");
    String changed = foo("story.example.com", "v1", "one", "{color: red}\nmore: x");
    assertThat(kubectl("apply", "--validate=ignore", "-f", changed)).contains("configured");
    assertThat(value("foos.story.example.com", "one", ".spec.replicas")).isEqualTo("1");
    assertThat(kubectl("scale", "foos.story.example.com/one", "--replicas=3")).contains("scaled");
    assertThat(value("foos.story.example.com", "one", ".metadata.generation")).isEqualTo("2");
    assertThat(
            kubectl(
                "patch",
                "foos.story.example.com",
                "one",
                "--subresource=scale",
                "--type=strategic",
                "-p",
                "{\"spec\":{\"replicas\":4}}"))
        .contains(
            "accepted media types include: application/json-patch+json,"
                + " application/merge-patch+json, application/apply-patch+yaml");
    kubectl(
        "patch",
        "foos.story.example.com",
        "one",
        "--subresource=status",
        "--type=merge",
        "-p",
        "{\"status\":{\"replicas\":3,\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
    assertThat(value("foos.story.example.com", "one", ".metadata.generation")).isEqualTo("2");
    kubectl(
        "apply",
        "--server-side",
        "--subresource=status",
        "--field-manager=reporter",
        "--force-conflicts",
        "-f",
        foo("story.example.com", "v1", "one", "{}\nstatus: {replicas: 4}"));
    assertThat(
            value(
                "foos.story.example.com",
                "one",
                ".metadata.managedFields[?(@.manager==\"reporter\")].fieldsV1"))
        .isEqualTo("{\"f:status\":{\"f:replicas\":{}}}");
    assertThat(
            kubectl("get", "foos.story.example.com")
                .lines()
                .map(l -> l.replaceAll(" +", " ").strip()))
        .containsExactly("NAME COLOR READY", "one red True");
    assertThat(kubectl("get", "foos.story.example.com", "--field-selector=spec.color=blue"))
        .contains("No resources found");
    assertThat(kubectl("explain", "foos.spec", "--api-version=story.example.com/v1"))
        .contains("What is wanted.", "color\t<string>", "How it looks.");
    assertThat(kubectl("get", "all")).contains("foo.story.example.com/one");
    assertThat(kubectl("delete", "crd", "foos.story.example.com")).contains("deleted");
    assertThat(kubectl("get", "--raw", "/apis/story.example.com/v1")).contains("NotFound");
  }

  /** A rule that came later is only a warning while nothing changes of what breaks it. */
  @Test
  void warnsOfRulesThatWhatDidNotChangeBreaks() {
    define("later.example.com", version("v1", "", "{num: {type: integer}}"));
    kubectl("apply", "-f", foo("later.example.com", "v1", "old", "{num: 10}"));
    String rules = "x-kubernetes-validations: [{rule: self < 5, message: too much}]";
    kubectl(
        "apply",
        "-f",
        manifest(
            "later.yaml",
            definition(
                "later.example.com", version("v1", "", "{num: {type: integer, " + rules + "}}"))));
    assertThat(kubectl("label", "foos.later.example.com", "old", "a=b"))
        .contains("Warning: spec.num: Invalid value: 10: too much", "labeled");
    assertThat(kubectl("apply", "-f", foo("later.example.com", "v1", "old", "{num: 11}")))
        .contains("spec.num: Invalid value: 11: too much")
        .doesNotContain("Warning");
  }

  @Test
  void refusesWhatTheSchemaDoesNotAllow() {
    define(
        "strict.example.com",
        version(
            "v1",
            "",
            "{num: {type: integer, maximum: 9}, tags: {type: array, x-kubernetes-list-type: set,"
                + " items: {type: string}}}"));
    assertThat(
            kubectl(
                "apply", "-f", foo("strict.example.com", "v1", "bad", "{num: 10, tags: [a, a]}")))
        .contains(
            "spec.num: Invalid value: 10: spec.num in body should be less than or equal to 9",
            "spec.tags[1]: Duplicate value: \"a\"");
    assertThat(kubectl("apply", "-f", foo("strict.example.com", "v1", "odd", "{x: 1}")))
        .contains("strict decoding error: unknown field \"spec.x\"");
    assertThat(
            kubectl(
                "apply", "--validate=warn", "-f", foo("strict.example.com", "v1", "odd", "{x: 1}")))
        .contains("Warning: unknown field \"spec.x\"", "created");
    assertThat(kubectl("get", "foos.strict.example.com", "odd", "-o", "json"))
        .doesNotContain("\"x\"");
  }

  @Test
  void rulesAreAskedAboutObjectsAndAboutChanges() {
    define(
        "rules.example.com",
        """
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  x-kubernetes-validations:
                  - {rule: self.min <= self.max, message: min must not exceed max}
                  - {rule: 'self.fixed == oldSelf.fixed', messageExpression: '"it was " + oldSelf.fixed', fieldPath: .fixed}
                  properties: {min: {type: integer}, max: {type: integer}, fixed: {type: string, maxLength: 20}}
        """);
    assertThat(
            kubectl(
                "apply", "-f", foo("rules.example.com", "v1", "r", "{min: 5, max: 1, fixed: a}")))
        .contains("spec: Invalid value: min must not exceed max");
    assertThat(
            kubectl(
                "apply", "-f", foo("rules.example.com", "v1", "r", "{min: 1, max: 5, fixed: a}")))
        .contains("created");
    assertThat(
            kubectl(
                "apply", "-f", foo("rules.example.com", "v1", "r", "{min: 1, max: 5, fixed: b}")))
        .contains("spec.fixed: Invalid value: it was a");
    String broken =
        definition("broken.example.com", version("v1", "", "{a: {type: string}}"))
            .replace(
                "description: A foo.",
                "x-kubernetes-validations: [{rule: self.spec.nothing == 5}]");
    assertThat(kubectl("apply", "-f", manifest("broken.yaml", broken)))
        .contains("undefined field 'nothing'");
  }

  @Test
  void versionsDifferByNameAndObjectsAreRewrittenWhenWritten() {
    String old = version("v1beta1", "", "{a: {type: string}}");
    String both =
        old.replace("storage: true", "storage: false")
            + version("v1", "", "{a: {type: string}, b: {type: string, default: new}}");
    define("versions.example.com", old);
    kubectl("apply", "-f", foo("versions.example.com", "v1beta1", "x", "{a: '1'}"));
    kubectl("apply", "-f", manifest("both.yaml", definition("versions.example.com", both)));
    assertThat(value("crd", "foos.versions.example.com", ".status.storedVersions"))
        .isEqualTo("[\"v1beta1\",\"v1\"]");
    assertThat(value("foos.v1.versions.example.com", "x", ".spec"))
        .contains("\"a\":\"1\"", "\"b\":\"new\"");
    assertThat(value("foos.v1beta1.versions.example.com", "x", ".apiVersion"))
        .isEqualTo("versions.example.com/v1beta1");
    assertThat(kubectl("label", "foos.v1beta1.versions.example.com", "x", "l=1"))
        .contains("labeled");
    assertThat(value("foos.v1.versions.example.com", "x", ".metadata.labels.l")).isEqualTo("1");
  }

  @Test
  void aWebhookConverts() {
    try (JsonServer server = new JsonServer()) {
      server.serve("/convert", KubectlCustomResourcesTest::converted);
      String bundle = Base64.getEncoder().encodeToString(server.authorityPem().getBytes(UTF_8));
      String both =
          version("v1", "", "{host: {type: string}, port: {type: string}}")
              + version("v2", "", "{hostPort: {type: string}}")
                  .replace("storage: true", "storage: false");
      String converting =
          definition("hooked.example.com", both)
              + """
                conversion:
                  strategy: Webhook
                  webhook:
                    conversionReviewVersions: [v1]
                    clientConfig: {url: '%s/convert', caBundle: %s}
              """
                  .formatted(server.url(), bundle);
      assertThat(kubectl("apply", "-f", manifest("hooked.yaml", converting))).contains("created");
      kubectl("wait", "--timeout=3m", "--for=condition=established", "crd/foos.hooked.example.com");
      assertThat(
              kubectl("apply", "-f", foo("hooked.example.com", "v1", "h", "{host: a, port: '80'}")))
          .contains("created");
      assertThat(value("foos.v2.hooked.example.com", "h", ".spec.hostPort")).isEqualTo("a:80");
      assertThat(kubectl("apply", "-f", foo("hooked.example.com", "v2", "i", "{hostPort: 'b:81'}")))
          .contains("created");
      assertThat(value("foos.v1.hooked.example.com", "i", ".spec.port")).isEqualTo("81");
      server.serve(
          "/convert",
          review ->
              review
                  .without("request")
                  .with(
                      "response",
                      JsonObject.of("uid", review.object("request").text("uid", ""))
                          .with(
                              "result",
                              JsonObject.of("status", "Failure").with("message", "not today"))));
      assertThat(kubectl("get", "foos.v2.hooked.example.com"))
          .contains("conversion webhook for hooked.example.com/v1, Kind=Foo failed: not today");
    }
  }

  private static JsonObject converted(JsonObject review) {
    JsonObject request = review.object("request");
    String wanted = request.text("desiredAPIVersion", "");
    JsonArray objects =
        request
            .array("objects")
            .mapObjects(object -> {
              JsonObject spec = object.object("spec");
              String[] parts = spec.text("hostPort", ":").split(":", -1);
              JsonObject next =
                  wanted.endsWith("v2")
                      ? JsonObject.of(
                          "hostPort", spec.text("host", "") + ":" + spec.text("port", ""))
                      : JsonObject.of("host", parts[0]).with("port", parts[1]);
              return object.with("apiVersion", wanted).with("spec", next);
            });
    return review
        .without("request")
        .with(
            "response",
            JsonObject.of("uid", request.text("uid", ""))
                .with("result", JsonObject.of("status", "Success"))
                .with("convertedObjects", objects));
  }

  /** In the style of operators: open parts, templates of objects, numbers or texts, big schemas. */
  @Test
  void takesDefinitionsInTheStyleOfOperators() {
    define(
        "operators.example.com",
        """
        - name: v1alpha1
          served: true
          storage: true
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              required: [spec]
              properties:
                apiVersion: {type: string}
                kind: {type: string}
                metadata: {type: object}
                spec:
                  type: object
                  properties:
                    resources:
                      type: array
                      items:
                        type: object
                        required: [name, base]
                        properties:
                          name: {type: string}
                          base: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
                          patches:
                            type: array
                            items:
                              type: object
                              properties:
                                type: {type: string, enum: [From, To], default: From}
                                transforms: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                    issuerRef:
                      type: object
                      required: [name]
                      properties: {name: {type: string}, kind: {type: string, default: Issuer}}
                    duration: {type: string, format: duration}
                    limits:
                      type: object
                      additionalProperties:
                        anyOf: [{type: integer}, {type: string}]
                        pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$'
                        x-kubernetes-int-or-string: true
                  oneOf: [{required: [resources]}, {required: [issuerRef]}]
                status:
                  type: object
                  x-kubernetes-preserve-unknown-fields: true
        """);
    assertThat(
            kubectl(
                "apply",
                "-f",
                foo(
                    "operators.example.com",
                    "v1alpha1",
                    "composition",
                    "{limits: {cpu: 2, memory: 1Gi}, resources: [{name: vm, base: {apiVersion:"
                        + " a.b/v1, kind: Vm, spec: {any: [thing]}}, patches: [{transforms: [{x:"
                        + " 1}]}]}]}")))
        .contains("created");
    assertThat(
            value(
                "foos.operators.example.com", "composition", ".spec.resources[0].patches[0].type"))
        .isEqualTo("From");
    assertThat(
            kubectl(
                "apply", "-f", foo("operators.example.com", "v1alpha1", "none", "{duration: 1h}")))
        .contains("\"spec\" must validate one and only one schema (oneOf). Found none valid");
    assertThat(
            kubectl(
                "apply",
                "-f",
                foo(
                    "operators.example.com",
                    "v1alpha1",
                    "wrong",
                    "{issuerRef: {name: ca}, duration: soon, limits: {cpu: lots}}")))
        .contains(
            "spec.duration in body must be of type duration: \"soon\"",
            "spec.limits.cpu in body should match");
  }

  @Test
  void watchesEndWhenTheirDefinitionGoesOrChanges() throws Exception {
    String one = version("v1", "", "{a: {type: string}}");
    String two =
        version("v2", "", "{a: {type: string}, b: {type: string}}")
            .replace("storage: true", "storage: false");
    define("ending.example.com", one + two);
    kubectl("apply", "-f", foo("ending.example.com", "v1", "x", "{a: '1'}"));
    Process watch =
        begin("get", "foos.v2.ending.example.com", "-w", "--output-watch-events", "-o", "name");
    BufferedReader seen = watch.inputReader(UTF_8);
    assertThat(seen.readLine()).contains("/x");

    String unserved = two.replace("served: true", "served: false");
    kubectl("apply", "-f", manifest("e.yaml", definition("ending.example.com", one + unserved)));
    assertThat(seen.readLine()).isNull();
    assertThat(watch.waitFor()).isZero();

    Process last =
        begin("get", "foos.v1.ending.example.com", "-w", "--output-watch-events", "-o", "json");
    BufferedReader events = last.inputReader(UTF_8);
    assertThat(events.readLine()).startsWith("{\"type\":\"ADDED\"");
    kubectl("delete", "crd", "foos.ending.example.com");
    String rest = events.readAllAsString();
    assertThat(rest).contains("{\"type\":\"DELETED\"");
    assertThat(last.waitFor()).isZero();
  }
}
