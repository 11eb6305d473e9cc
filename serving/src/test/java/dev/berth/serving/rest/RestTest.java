package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.AccessControl;
import dev.berth.access.Authenticator;
import dev.berth.access.BuiltInAuthorizer;
import dev.berth.model.fixture.Fixtures;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.user.User;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.fixture.Requests;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests and their answers, without a network. */
class RestTest {
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

  private final TestCluster cluster = new TestCluster();

  /** Whoever names a user is that user: proofs are for other tests. */
  private static final Authenticator BY_HEADER =
      exchange ->
          exchange
              .header("User")
              .<Authenticator.Answer>map(name ->
                  new Authenticator.Answer.Known(
                      User.authenticated(
                          name, name.equals("root") ? List.of(User.MASTERS) : List.of())))
              .orElseGet(Authenticator.Answer.NoProof::new);

  private final ApiHandler handler =
      Requests.handler(
          cluster,
          new AccessControl(List.of(BY_HEADER), List.of(new BuiltInAuthorizer())),
          Optional.empty());

  @AfterEach
  void close() {
    handler.close();
  }

  private FakeExchange answer(FakeExchange exchange) throws Exception {
    handler.handle(exchange);
    return exchange;
  }

  private FakeExchange root(FakeExchange exchange) throws Exception {
    return answer(exchange.with("User", "root"));
  }

  private FakeExchange get(String target) throws Exception {
    return root(new FakeExchange("GET", target));
  }

  private static JsonObject json(FakeExchange answered) {
    return JsonReader.object(answered.answer().getBytes(UTF_8), JsonLimits.TRUSTED);
  }

  @Test
  void createsAndGetsWhatItCreated() throws Exception {
    FakeExchange created =
        root(
            new FakeExchange("POST", CONFIG_MAPS)
                .with("Content-Type", "application/json")
                .body("{'metadata':{'name':'a','creationTimestamp':null},'data':{'x':'1'}}"));
    assertThat(created.status()).isEqualTo(201);
    assertThat(get(CONFIG_MAPS + "/a").answer()).isEqualTo(created.answer());
    assertThat(created.answer())
        .startsWith(
            "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"6\"");
  }

  @Test
  void aListSaysTheKindOnce() throws Exception {
    cluster.configMap("a");
    cluster.configMap("b");
    JsonObject list = json(get(CONFIG_MAPS));
    assertThat(list.text("kind")).isEqualTo("ConfigMapList");
    assertThat(TestCluster.at(list, "metadata.resourceVersion"))
        .isEqualTo(Long.toString(cluster.store.revision()));
    assertThat(list.array("items").objects())
        .extracting(item -> item.object("metadata").text("name"))
        .containsExactly("a", "b");
    assertThat(list.array("items").objects().getFirst().has("kind")).isFalse();
  }

  @Test
  void aLargeListIsStreamedAndTheSame() throws Exception {
    for (int i = 0; i < 600; i++) {
      cluster.configMap("c" + i);
    }
    assertThat(json(get(CONFIG_MAPS)).array("items").size()).isEqualTo(600);
  }

  @Test
  void aTableShowsAges() throws Exception {
    cluster.configMap("a");
    cluster.time.advance(Duration.ofMinutes(5));
    JsonObject table =
        json(
            root(new FakeExchange("GET", CONFIG_MAPS).with("Accept", TABLE + ",application/json")));
    assertThat(table.text("kind")).isEqualTo("Table");
    assertThat(table.array("columnDefinitions").objects())
        .extracting(column -> column.text("name"))
        .containsExactly("Name", "Data", "Age");
    JsonObject row = table.array("rows").objects().getFirst();
    assertThat(row.array("cells")).isEqualTo(JsonArray.of("a", 1L, "5m"));
    assertThat(TestCluster.at(row, "object.kind")).isEqualTo("PartialObjectMetadata");
  }

  @Test
  void unknownFieldsAreWarnedOfOrRefused() throws Exception {
    String body =
        "{'metadata':{'name':'a'},'spec':{'foo':1,'containers':[{'name':'c','image':'i'}]}}";
    String pods = "/api/v1/namespaces/default/pods";
    FakeExchange warned = root(new FakeExchange("POST", pods).body(body));
    assertThat(warned.status()).isEqualTo(201);
    assertThat(warned.answerHeaders("Warning"))
        .containsExactly("299 - \"unknown field \\\"spec.foo\\\"\"");
    assertThat(warned.answer()).doesNotContain("foo");

    FakeExchange strict =
        root(new FakeExchange("POST", pods + "?fieldValidation=Strict").body(body));
    assertThat(strict.status()).isEqualTo(400);
    assertThat(json(strict).text("message"))
        .isEqualTo(
            "Pod in version \"v1\" cannot be handled as a Pod: strict decoding error: unknown field"
                + " \"spec.foo\"");

    FakeExchange ignored =
        root(
            new FakeExchange("POST", pods + "?fieldValidation=Ignore")
                .body(body.replace("'a'", "'b'")));
    assertThat(ignored.answerHeaders("Warning")).isEmpty();
  }

  /** Whoever mistyped a field that is required wants to know both. */
  @Test
  void whoFailsIsWarnedToo() throws Exception {
    FakeExchange refused =
        root(
            new FakeExchange("POST", "/api/v1/namespaces/default/pods")
                .body("{'metadata':{'name':'a'},'spec':{'container':[]}}"));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.answerHeaders("Warning"))
        .containsExactly("299 - \"unknown field \\\"spec.container\\\"\"");
  }

  /** The names of a map's entries stand in paths as those of fields do. */
  @Test
  void unknownFieldsInMapsAreNamedAsInKubernetes() throws Exception {
    FakeExchange warned =
        root(
            new FakeExchange("POST", "/apis/resource.k8s.io/v1/resourceslices")
                .body(
                    "{'metadata':{'name':'a'},'spec':{'driver':'a.b','nodeName':'n','pool':{'name':'p',"
                        + "'generation':1,'resourceSliceCount':1},'devices':[{'name':'d','attributes':"
                        + "{'t':{'bool':true,'foo':1}}}]}}"));
    assertThat(warned.answerHeaders("Warning"))
        .containsExactly("299 - \"unknown field \\\"spec.devices[0].attributes.t.foo\\\"\"");
  }

  @Test
  void aValueOfTheWrongTypeIsRefused() throws Exception {
    FakeExchange refused =
        root(
            new FakeExchange("POST", "/api/v1/namespaces/default/pods")
                .body("{'metadata':{'name':'a'},'spec':{'containers':'none'}}"));
    assertThat(refused.status()).isEqualTo(400);
    assertThat(json(refused).text("message"))
        .isEqualTo(
            "Pod in version \"v1\" cannot be handled as a Pod: json: cannot unmarshal string into Go"
                + " struct field PodSpec.spec.containers of type []v1.Container");
  }

  @Test
  void bodiesOfOtherTypesAreRefused() throws Exception {
    FakeExchange refused =
        root(new FakeExchange("POST", CONFIG_MAPS).with("Content-Type", "application/xml"));
    assertThat(refused.status()).isEqualTo(415);
  }

  /** Also if it does not say where to begin. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
        "",
        "&resourceVersion=0"
      })
  void aWatchBeginsWithWhatThereIsAndMarksItsEnd(String query) throws Exception {
    cluster.configMap("a");
    FakeExchange watched =
        root(
            new FakeExchange("GET", CONFIG_MAPS + "?watch=1&allowWatchBookmarks=true" + query)
                .leavingAfter(2));
    String[] lines = watched.answer().split("\n", -1);
    assertThat(Fixtures.tree(lines[0]).text("type")).isEqualTo("ADDED");
    assertThat(lines[1])
        .isEqualTo(
            "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\","
                + "\"metadata\":{\"resourceVersion\":\"6\",\"annotations\":"
                + "{\"k8s.io/initial-events-end\":\"true\"}}}}");
  }

  @Test
  void aWatchFromARevisionTellsWhatCameAfter() throws Exception {
    cluster.configMap("a");
    long revision = cluster.store.revision();
    cluster.configMap("b");
    cluster.registry.delete(
        cluster.core("configmaps"), TestCluster.named("b"), DeletionOptions.DEFAULT);
    FakeExchange watched =
        root(
            new FakeExchange("GET", CONFIG_MAPS + "?watch=true&resourceVersion=" + revision)
                .leavingAfter(2));
    String[] lines = watched.answer().split("\n", -1);
    assertThat(Fixtures.tree(lines[0]).text("type")).isEqualTo("ADDED");
    JsonObject deleted = Fixtures.tree(lines[1]);
    assertThat(deleted.text("type")).isEqualTo("DELETED");
    assertThat(TestCluster.at(deleted, "object.metadata.resourceVersion"))
        .isEqualTo(Long.toString(cluster.store.revision()));
  }

  @Test
  void aWatchThatIsTooLateIsToldSoInTheStream() throws Exception {
    cluster.configMap("a");
    cluster.configMap("b");
    cluster.store.compact(cluster.store.revision());
    FakeExchange watched = get(CONFIG_MAPS + "?watch=true&resourceVersion=5");
    assertThat(watched.status()).isEqualTo(200);
    JsonObject event = Fixtures.tree(watched.answer());
    assertThat(event.text("type")).isEqualTo("ERROR");
    assertThat(TestCluster.at(event, "object.code")).isEqualTo("410");
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "PUT, /api/v1/namespaces/default/configmaps, 405",
    "POST, /api/v1/namespaces/default/configmaps/a, 405",
    "POST, /api/v1/configmaps, 405",
    "GET, /api/v1/configmaps/a, 404",
    "GET, /api/v1/namespaces/default/nodes, 404",
    "GET, /api/v1/namespaces/default/configmaps/a/status, 404",
    "GET, /api/v1/namespaces/default/nothings, 404",
    "GET, /apis/nothing/v1/things, 404",
    "GET, /api/v1/namespaces/../secrets, 404",
    "GET, /api/v1/namespaces/a%2Fb/secrets, 404",
    "GET, /api/v1/namespaces/default/secrets/%2e%2e, 404",
    "GET, /api/v1/namespaces/default/secrets/%zz, 400",
    "GET, /nothing, 404",
    "GET, /api/v1/namespaces/default/pods?limit=x, 400",
    "GET, /api/v1/namespaces/default/pods/a?watch=1&fieldSelector=metadata.name%3Db, 400",
    "GET, /api/v1/namespaces/default/pods?labelSelector=(, 400",
    "GET, /api/v1/namespaces/default/pods?resourceVersionMatch=Exact, 422",
    "TRACE, /api/v1/pods, 405",
  })
  void whatIsNotServedIsRefused(String method, String target, int status) throws Exception {
    assertThat(root(new FakeExchange(method, target)).status()).isEqualTo(status);
  }

  @ParameterizedTest(name = "{0} of {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "bob|/api/v1/namespaces/default/pods|pods is forbidden: User \"bob\" cannot list resource"
            + " \"pods\" in API group \"\" in the namespace \"default\"",
        "bob|/apis/apps/v1/deployments|deployments.apps is forbidden: User \"bob\" cannot list"
            + " resource \"deployments\" in API group \"apps\" at the cluster scope",
        "bob|/api/v1/namespaces/x/pods/p/status|pods \"p\" is forbidden: User \"bob\" cannot get"
            + " resource \"pods/status\" in API group \"\" in the namespace \"x\"",
        "|/apis|forbidden: User \"system:anonymous\" cannot get path \"/apis\"",
      })
  void whoMayNotIsTold(String user, String target, String message) throws Exception {
    FakeExchange exchange = new FakeExchange("GET", target);
    FakeExchange refused = answer(user == null ? exchange : exchange.with("User", user));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(json(refused).text("message")).isEqualTo(message);
  }

  @Test
  void theServerSaysWhetherItIsWell() throws Exception {
    assertThat(get("/readyz").answer()).isEqualTo("ok");
    assertThat(json(get("/version")).text("gitVersion")).isEqualTo("v1.36.0+berth");
  }

  @Test
  void aPodIsBoundOnce() throws Exception {
    cluster.pod("web", "");
    String path = "/api/v1/namespaces/default/pods/web/binding";
    String body = "{'metadata':{'name':'web'},'target':{'kind':'Node','name':'n1'}}";
    assertThat(root(new FakeExchange("POST", path).body(body)).status()).isEqualTo(201);
    JsonObject pod = json(get("/api/v1/namespaces/default/pods/web"));
    assertThat(TestCluster.at(pod, "spec.nodeName")).isEqualTo("n1");
    assertThat(TestCluster.at(pod, "status.conditions[0].type")).isEqualTo("PodScheduled");
    assertThat(TestCluster.at(pod, "metadata.generation")).isEqualTo("1");
    FakeExchange again = root(new FakeExchange("POST", path).body(body));
    assertThat(again.status()).isEqualTo(409);
    assertThat(json(again).text("message")).contains("is already assigned to node \"n1\"");
  }

  @Test
  void whatABindingSaysOfThePodReachesIt() throws Exception {
    cluster.pod("web", "");
    String pod = "/api/v1/namespaces/default/pods/web";
    root(
        new FakeExchange("PATCH", pod)
            .with("Content-Type", "application/merge-patch+json")
            .body("{'metadata':{'labels':{'app':'web','zone':'old'},'annotations':{'mine':'1'}}}"));
    root(
        new FakeExchange("PATCH", pod + "/status")
            .with("Content-Type", "application/merge-patch+json")
            .body("{'status':{'nominatedNodeName':'n2'}}"));
    String body =
        "{'metadata':{'name':'web','labels':{'zone':'a'},'annotations':{'cpus':'2-3'}},"
            + "'target':{'kind':'Node','name':'n1'}}";
    FakeExchange bound = root(new FakeExchange("POST", pod + "/binding").body(body));
    assertThat(bound.status()).isEqualTo(201);
    JsonObject metadata = json(get(pod)).object("metadata");
    assertThat(metadata.object("labels").text("zone")).isEqualTo("a");
    assertThat(metadata.object("labels").text("app")).isEqualTo("web");
    assertThat(metadata.object("annotations").text("cpus")).isEqualTo("2-3");
    assertThat(metadata.object("annotations").text("mine")).isEqualTo("1");
    assertThat(json(get(pod)).object("status").has("nominatedNodeName")).isFalse();
  }

  @Test
  void discoveryIsServedInBothForms() throws Exception {
    assertThat(json(get("/api")).text("kind")).isEqualTo("APIVersions");
    assertThat(json(get("/apis/apps/v1")).text("groupVersion")).isEqualTo("apps/v1");
    String type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    FakeExchange whole =
        root(new FakeExchange("GET", "/apis").with("Accept", type + ",application/json"));
    assertThat(whole.answerHeaders("Content-Type")).containsExactly(type);
    assertThat(json(whole).text("apiVersion")).isEqualTo("apidiscovery.k8s.io/v2");
    FakeExchange again =
        root(
            new FakeExchange("GET", "/apis")
                .with("Accept", type)
                .with("If-None-Match", whole.answerHeaders("ETag").getFirst()));
    assertThat(again.status()).isEqualTo(304);
  }

  @Test
  void prettyIsTheSameToAProgram() throws Exception {
    root(
        new FakeExchange("POST", CONFIG_MAPS)
            .body("{'metadata':{'name':'a'},'data':{'x':'{[,:\\'','y':''}}"));
    FakeExchange pretty = get(CONFIG_MAPS + "/a?pretty=true");
    assertThat(pretty.answer()).contains("\n  \"metadata\": {\n    \"resourceVersion\": ");
    assertThat(json(pretty)).isEqualTo(json(get(CONFIG_MAPS + "/a")));
  }
}
