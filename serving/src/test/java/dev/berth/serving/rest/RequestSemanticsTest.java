package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What requests mean, and how they fail, whatever the kind: the words of Kubernetes 1.36. */
class RequestSemanticsTest {
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private final TestCluster cluster = new TestCluster();
  private final Requests requests = new Requests(cluster);

  @BeforeEach
  void thereIsAnObject() {
    cluster.configMap("a");
  }

  @AfterEach
  void close() {
    requests.close();
  }

  private record Answer(int status, String text) {
    JsonObject json() {
      return JsonReader.object(text.getBytes(UTF_8), JsonLimits.TRUSTED);
    }

    String message() {
      return json().text("message", "");
    }
  }

  private Answer send(String method, String target, String type, String body) {
    FakeExchange exchange =
        new FakeExchange(method, target)
            .with("User", "root")
            .with("Content-Type", type.isEmpty() ? "application/json" : type)
            .body(body);
    requests.handle(exchange);
    return new Answer(exchange.status(), exchange.answer());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          GET    | /a?resourceVersion=abc     | `` | `` | 500 | resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax
          GET    | ?resourceVersion=abc       | `` | `` | 400 | invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax
          GET    | ?limit=x                   | `` | `` | 400 | strconv.ParseInt: parsing "x": invalid syntax
          GET    | ?timeoutSeconds=x          | `` | `` | 400 | strconv.ParseInt: parsing "x": invalid syntax
          GET    | ?sendInitialEvents=true    | `` | `` | 422 | ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list
          GET    | ?resourceVersion=0&resourceVersionMatch=Exact | `` | `` | 422 | ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"
          POST   | ?dryRun=Some               | `` | {'metadata':{'name':'b'}} | 422 | CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"
          POST   | ?fieldValidation=Maybe     | `` | {'metadata':{'name':'b'}} | 422 | CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Maybe": supported values: "", "Ignore", "Strict", "Warn"
          POST   | ?fieldValidation=Strict    | `` | {'metadata':{'name':'b'},'data':{'x':'1','x':'2'},'foo':1} | 400 | ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.x", unknown field "foo"
          POST   | ``                         | `` | {'kind':'Secret'}                | 400 | Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion
          POST   | ``                         | `` | {'kind':'Foo'}                   | 400 | Foo in version "v1" cannot be handled as a ConfigMap: no kind "Foo" is registered for version "v1" in scheme "pkg/api/legacyscheme/scheme.go:30"
          POST   | ``                         | `` | {'kind':'ConfigMap','apiVersion':'apps/v9'} | 400 | ConfigMap in version "v9" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "apps/v9" in scheme "pkg/api/legacyscheme/scheme.go:30"
          POST   | ``                         | `` | {'apiVersion':'a/b/c'}           | 400 | the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c"})
          POST   | ``                         | `` | {'data':{},'kind':1,'apiVersion':2} | 400 | the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal number into Go struct field .kind of type string ({"data":{},"kind":1,"apiVersio ...)
          POST   | ``                         | `` | []                               | 400 | `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)`
          POST   | ``                         | `` | {                                | 400 | the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: unexpected end of JSON input ({)
          POST   | ``                         | `` | {'data':{'x':1}}                 | 400 | ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string
          PATCH  | /a                         | application/json-patch+json | {}        | 400 | error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp
          PATCH  | /a                         | application/merge-patch+json | []       | 400 | error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}
          PATCH  | /a                         | application/merge-patch+json | {'a'     | 400 | error decoding patch: unexpected end of JSON input
          DELETE | /a                         | `` | {'kind':'Foo'}                   | 400 | no kind "Foo" is registered for version "meta.k8s.io/v1" in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"
          GET    | ?continue=garbage          | `` | `` | 400 | `invalid continue token: continue key is not valid: invalid character '\\u0081' looking for beginning of value`
          GET    | ?continue=e30              | `` | `` | 400 | `invalid continue token: continue key is not valid: server does not recognize this encoded version `
          POST   | ``                         | `` | {'metadata':{'name':'b','resourceVersion':'7'}} | 500 | resourceVersion should not be set on objects to be created
          POST   | ``                         | `` | {'metadata':{'name':'B','resourceVersion':'7'}} | 422 | ConfigMap "B" is invalid: metadata.name: Invalid value: "B": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
          PATCH  | /new?fieldManager=m        | application/apply-patch+yaml | {'apiVersion':'v1','kind':'ConfigMap'} | 400 | the name of the object (new based on URL) was undeterminable: name must be provided
          PUT    | /a                         | `` | {'metadata':{'name':'b'}} | 400 | the name of the object (b) does not match the name on the URL (a)
          PUT    | /a                         | `` | {'metadata':{}} | 400 | the name of the object (a based on URL) was undeterminable: name must be provided
          PATCH  | /a                         | application/foo | {} | 415 | 415: Unsupported Media Type
          PATCH  | /a?force=true              | application/merge-patch+json | {} | 422 | PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch
          PATCH  | /a                         | application/strategic-merge-patch+json | {'metadata':{'annotations':{'x':['y']}}} | 422 | ` "" is invalid: patch: Invalid value: "map[metadata:map[annotations:map[x:[y]]]]": metadata.annotations[x]: expected a string, found an array`
          PATCH  | /a                         | application/merge-patch+json | {'metadata':{'name':'b'}} | 400 | the name of the object (b) does not match the name on the URL (a)
          PATCH  | /a                         | application/json-patch+json | [{'op':'test','path':'/data','value':1}] | 422 | the server rejected our request due to an error in our request
          PATCH  | /a                         | application/apply-patch+yaml | {} | 422 | PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch
          PATCH  | /new?fieldManager=m        | application/apply-patch+yaml | {'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'new','uid':'u'}} | 409 | Operation cannot be fulfilled on configmaps "new": uid mismatch: the provided object specified uid u, and no existing object was found
          PATCH  | /a?fieldManager=m&fieldValidation=Strict | application/apply-patch+yaml | {'apiVersion':'v1','kind':'ConfigMap','foo':1} | 400 | failed to create typed patch object (/; /v1, Kind=ConfigMap): .foo: field not declared in schema
          PATCH  | /a?fieldManager=m&fieldValidation=Strict | application/apply-patch+yaml | {'apiVersion':'v1','kind':'ConfigMap','data':{'x':'1','x':'2'}} | 400 | `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\\n  line 1: key "x" already set in map`
          PATCH  | /a?fieldValidation=Strict  | application/strategic-merge-patch+json | {'data':{'x':'1','x':'2'},'foo':1} | 422 | ` "" is invalid: patch: Invalid value: "map[data:map[x:2] foo:1]": strict decoding error: duplicate field "data.x", unknown field "foo"`
          PATCH  | /a?fieldManager=m          | application/apply-patch+yaml | {'apiVersion':'v1','kind':'ConfigMap','foo':1} | 400 | failed to create typed patch object (/; /v1, Kind=ConfigMap): .foo: field not declared in schema
          POST   | ``                         | `` | null | 422 | ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required
          DELETE | /new                       | `` | null | 404 | configmaps "new" not found
          DELETE | /a?propagationPolicy=Foo   | `` | `` | 422 | DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Foo": supported values: "Foreground", "Background", "Orphan", "nil"
          DELETE | /a                         | application/json | {'orphanDependents':true,'propagationPolicy':'Orphan'} | 422 | DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set
          """)
  void failsInUpstreamsWords(
      String method, String target, String type, String body, int code, String message) {
    Answer answer = send(method, MAPS + target, type, body);
    assertThat(answer.message()).isEqualTo(message.replace("\\n", "\n"));
    assertThat(answer.status()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'target':{'name':'n'}}                                 | 400 | Name parameter required.
          {'metadata':{'name':'a/b'},'target':{'name':'n'}}       | 400 | Name parameter invalid: "a/b": may not contain '/'
          {'metadata':{'name':'p'},'target':{}}                   | 500 | target.name: Required value
          {'metadata':{'name':'p'},'target':{'name':'n','kind':'x'}} | 500 | target.kind: Unsupported value: "x": supported values: "Node", "<empty>"
          """)
  void bindingsFailInUpstreamsWords(String body, int code, String message) {
    Answer answer = send("POST", "/api/v1/namespaces/default/bindings", "", body);
    assertThat(answer.message()).isEqualTo(message);
    assertThat(answer.status()).isEqualTo(code);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          created           | POST  | /configmaps                  | application/json                       | {'metadata':{'name':'b','namespace':'x'}}
          replaced          | PUT   | /configmaps/a                | application/json                       | {'metadata':{'name':'a','namespace':'x'}}
          merged            | PATCH | /configmaps/a                | application/merge-patch+json           | {'metadata':{'namespace':'x'}}
          merged by keys    | PATCH | /configmaps/a                | application/strategic-merge-patch+json | {'metadata':{'namespace':'x'}}
          patched           | PATCH | /configmaps/a                | application/json-patch+json            | [{'op':'replace','path':'/metadata/namespace','value':'x'}]
          applied           | PATCH | /configmaps/a?fieldManager=m | application/apply-patch+yaml           | {'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a','namespace':'x'}}
          bound             | POST  | /pods/p/binding              | application/json                       | {'metadata':{'name':'p','namespace':'x'},'target':{'name':'n'}}
          evicted           | POST  | /pods/p/eviction             | application/json                       | {'metadata':{'name':'p','namespace':'x'}}
          """)
  void noObjectIsInAnotherNamespaceThanTheRequest(
      String how, String method, String path, String type, String body) {
    cluster.pod("p", "");
    Answer answer = send(method, "/api/v1/namespaces/default" + path, type, body);
    assertThat(answer.message())
        .as(how)
        .isEqualTo(
            "the namespace of the provided object does not match the namespace sent on the request");
    assertThat(answer.status()).isEqualTo(400);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          created  | POST  | ``                       | application/json             | {'metadata':{'name':'m','namespace':'x'}} | 201
          replaced | PUT   | /n                       | application/json             | {'metadata':{'name':'n','namespace':'x'}} | 200
          merged   | PATCH | /n                       | application/merge-patch+json | {'metadata':{'namespace':'x'}}            | 200
          applied  | PATCH | /n?fieldManager=m        | application/apply-patch+yaml | {'apiVersion':'v1','kind':'Node','metadata':{'name':'n','namespace':'x'}} | 200
          """)
  void whatIsInNoNamespaceLosesTheOneThatItNames(
      String how, String method, String path, String type, String body, int code) {
    cluster.create("nodes", "{'metadata':{'name':'n'}}");
    Answer answer = send(method, "/api/v1/nodes" + path, type, body);
    assertThat(answer.status()).as(how).isEqualTo(code);
    assertThat(answer.json().object("metadata").has("namespace")).isFalse();
  }

  /** Who takes the namespace away means the one of the request. */
  @Test
  void aPatchWithoutANamespaceKeepsIt() {
    Answer answer =
        send(
            "PATCH",
            MAPS + "/a",
            "application/merge-patch+json",
            "{'metadata':{'namespace':null}}");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().object("metadata").text("namespace")).isEqualTo("default");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a?resourceVersion=", "?resourceVersion="})
  void nothingIsReadAtARevisionThatIsStillToCome(String target) {
    Answer answer = send("GET", MAPS + target + 999_999, "", "");
    assertThat(answer.status()).isEqualTo(504);
    assertThat(answer.message())
        .isEqualTo(
            "Timeout: Too large resource version: 999999, current: %d",
            cluster.registry.revision());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pages                              | /configmaps | limit=1                                                     | 1
          but not of what is cached          | /configmaps | limit=1&resourceVersion=0                                   | 2
          also if it is not to be older      | /configmaps | limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan | 2
          events are not cached              | /events     | limit=1&resourceVersion=0                                   | 1
          """)
  void anyRevisionWillDoWithoutALimit(String rule, String path, String query, int items) {
    cluster.configMap("b");
    for (String name : List.of("e", "f")) {
      cluster.create(
          "events",
          "{'metadata':{'name':'%s'},'involvedObject':{'namespace':'default'}}".formatted(name));
    }
    JsonObject list =
        send("GET", "/api/v1/namespaces/default%s?%s".formatted(path, query), "", "").json();
    assertThat(list.array("items").size()).as(rule).isEqualTo(items);
    assertThat(list.object("metadata").has("continue")).isEqualTo(items == 1);
  }

  @Test
  void someKindsInsistOnARevision() {
    String leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    assertThat(send("POST", leases, "", "{'metadata':{'name':'l'}}").status()).isEqualTo(201);
    Answer refused = send("PUT", leases + "/l", "", "{'metadata':{'name':'l'}}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.message())
        .isEqualTo(
            "leases.coordination.k8s.io \"l\" is invalid: metadata.resourceVersion: Invalid value:"
                + " 0: must be specified for an update");
  }

  @Test
  void deletingACollectionAnswersWithIt() {
    cluster.configMap("b");
    Answer deleted = send("DELETE", MAPS + "?limit=1", "", "");
    assertThat(deleted.status()).isEqualTo(200);
    assertThat(deleted.json().text("kind")).isEqualTo("ConfigMapList");
    assertThat(deleted.json().array("items").size()).isEqualTo(1);
    assertThat(send("GET", MAPS, "", "").json().array("items").size()).isEqualTo(1);
    assertThat(send("DELETE", "/api/v1/namespaces", "", "").status()).isEqualTo(405);
    assertThat(send("DELETE", "/api/v1/configmaps", "", "").status()).isEqualTo(405);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v2, true",
    "/api/v1/nope, true",
    "/apis/apps/v9/deployments, true",
    "/apis/nope, false",
    "/apis/nope/v1/things, false",
    "/nope, false"
  })
  void pathsOfServedGroupsFailAsTheApiDoes(String path, boolean status) {
    Answer answer = send("GET", path, "", "");
    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.text().startsWith("{")).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "x"})
  void whoCreatesMayNameNoRevision(String revision) {
    String body = "{'metadata':{'name':'b','resourceVersion':'" + revision + "'}}";
    assertThat(send("POST", MAPS, "", body).status()).isEqualTo(201);
  }

  /** A controller applies its whole configuration each time, with the nulls that Go writes. */
  @Test
  void whoAppliesTheSameAgainWritesNothing() {
    String pod = "/api/v1/namespaces/default/pods/p?fieldManager=m";
    String configuration =
        "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','creationTimestamp':null},'spec':"
            + "{'containers':[{'name':'c','image':'i','resources':{'limits':{'cpu':'1000m'}}}]}}";
    Answer created = send("PATCH", pod, "application/apply-patch+yaml", configuration);
    cluster.time.advance(Duration.ofMinutes(1));

    Answer again = send("PATCH", pod, "application/apply-patch+yaml", configuration);

    assertThat(created.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json()).isEqualTo(created.json());
  }

  /** As it stands in many programs: neither JSON nor the YAML of all readers. */
  @ParameterizedTest
  @ValueSource(strings = {"\n\t\t'x': '1',\n\t", "'x':\t'0',\t'x': '1'"})
  void whatIsAppliedInBracesMayHaveTabs(String data) {
    Answer applied =
        send(
            "PATCH",
            MAPS + "/b?fieldManager=m",
            "application/apply-patch+yaml",
            "\n{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'b'},'data':{"
                + data
                + "}}");
    assertThat(applied.json().object("data")).isEqualTo(JsonObject.of("x", "1"));
  }
}
