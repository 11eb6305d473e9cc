package dev.berth.serving.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.AccessControl;
import dev.berth.access.Authenticator;
import dev.berth.access.BuiltInAuthorizer;
import dev.berth.component.ComponentHealth;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.user.User;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.audit.AuditConfig;
import dev.berth.serving.audit.AuditLog;
import dev.berth.serving.audit.AuditPolicy;
import dev.berth.serving.audit.AuditWriter;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.health.Health;
import dev.berth.serving.observe.Observers;
import dev.berth.serving.observe.RequestMetrics;
import dev.berth.serving.observe.ServerMetrics;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is counted and recorded of requests, and what is not. */
class ObservedRequestsTest {
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final Authenticator BY_HEADER =
      exchange ->
          switch (exchange.header("User").orElse("")) {
            case "" -> new Authenticator.Answer.NoProof();
            case "bad" -> new Authenticator.Answer.Rejected("bad");
            case String name ->
                new Authenticator.Answer.Known(
                    User.authenticated(
                        name, name.equals("root") ? List.of(User.MASTERS) : List.of()));
          };

  private final TestCluster cluster = new TestCluster();
  private final Metrics metrics = new Metrics();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final AuditWriter writer =
      new AuditWriter(log, "memory", AuditWriter.Mode.BLOCKING, _ -> {});
  private final ApiHandler handler =
      new ApiHandler(
          cluster.registry,
          new AccessControl(List.of(BY_HEADER), List.of(new BuiltInAuthorizer())),
          new Observers(
              cluster.time,
              List.of(
                  new RequestMetrics(metrics, cluster.registry::catalog, cluster.time),
                  new AuditLog(new AuditConfig(writer, AuditPolicy.METADATA), cluster.time))),
          new ServerPaths(new Health(cluster.store, new ComponentHealth(), List.of()), metrics),
          Optional.empty());

  ObservedRequestsTest() {
    ServerMetrics.declare(metrics, cluster.registry, cluster.store);
  }

  @AfterEach
  void close() {
    handler.close();
  }

  private FakeExchange ask(String user, FakeExchange exchange) throws Exception {
    handler.handle(exchange.with("User", user));
    return exchange;
  }

  /** Everything that was recorded; nothing can be recorded afterwards. */
  private List<JsonObject> recorded() {
    writer.close();
    return log.toString(UTF_8)
        .lines()
        .map(line -> JsonReader.object(line.getBytes(UTF_8), JsonLimits.TRUSTED))
        .toList();
  }

  private static FakeExchange secret() {
    return new FakeExchange("POST", SECRETS + "?fieldManager=me&access_token=t0p")
        .with("Content-Type", "application/json")
        .with("Authorization", "Bearer hidden")
        .with("User-Agent", "test/1")
        .body("{'metadata':{'name':'s'},'data':{'password':'aGlkZGVu'}}");
  }

  @Test
  void anEventSaysWhoDidWhatAndWhatTheAnswerWas() throws Exception {
    FakeExchange created = ask("root", secret());
    JsonObject event = recorded().getFirst();
    assertThat(event.text("kind")).isEqualTo("Event");
    assertThat(event.text("apiVersion")).isEqualTo("audit.k8s.io/v1");
    assertThat(event.text("level")).isEqualTo("Metadata");
    assertThat(event.text("stage")).isEqualTo("ResponseComplete");
    assertThat(event.text("verb")).isEqualTo("create");
    assertThat(event.object("user").text("username")).isEqualTo("root");
    assertThat(event.object("user").array("groups").texts()).contains("system:masters");
    assertThat(event.array("sourceIPs").texts()).containsExactly("client");
    assertThat(event.text("userAgent")).isEqualTo("test/1");
    assertThat(event.object("objectRef"))
        .hasToString(
            "{\"resource\":\"secrets\",\"namespace\":\"default\",\"name\":\"s\",\"apiVersion\":\"v1\"}");
    assertThat(event.object("responseStatus").integer("code")).hasValue(201);
    assertThat(event.text("requestReceivedTimestamp")).matches("\\d{4}-.*\\.\\d{6}Z");
    assertThat(event.object("annotations").text("authorization.k8s.io/decision"))
        .isEqualTo("allow");
    assertThat(created.answerHeaders("Audit-ID")).containsExactly(event.text("auditID"));
  }

  @Test
  void neitherObjectsNorTokensAreRecorded() throws Exception {
    ask("root", secret());
    ask("root", new FakeExchange("GET", SECRETS + "/s"));
    recorded();
    assertThat(log.toString(UTF_8))
        .contains("fieldManager=me\\u0026access_token=-\"")
        .doesNotContain("t0p", "hidden", "aGlkZGVu");
  }

  @Test
  void whoIsRefusedIsRecordedToo() throws Exception {
    ask("nobody", new FakeExchange("DELETE", SECRETS + "/s"));
    ask("bad", new FakeExchange("GET", SECRETS));
    List<JsonObject> events = recorded();
    assertThat(events.get(0).object("responseStatus").integer("code")).hasValue(403);
    assertThat(events.get(0).object("annotations").text("authorization.k8s.io/decision"))
        .isEqualTo("forbid");
    assertThat(events.get(1).object("responseStatus").integer("code")).hasValue(401);
    assertThat(events.get(1).text("verb")).isEqualTo("list");
    assertThat(events.get(1).object("annotations")).isEqualTo(JsonObject.EMPTY);
  }

  @Test
  void aWatchIsRecordedWhenItBeginsAndWhenItEnds() throws Exception {
    cluster.configMap("a");
    ask(
        "root",
        new FakeExchange("GET", "/api/v1/configmaps?watch=1&resourceVersion=0").leavingAfter(1));
    assertThat(recorded())
        .extracting(event -> event.text("stage"))
        .containsExactly("ResponseStarted", "ResponseComplete");
  }

  @Test
  void aProxyMayGiveARequestItsNumberButNotAnyText() throws Exception {
    assertThat(
            ask("root", new FakeExchange("GET", "/version").with("Audit-ID", "from-proxy-1"))
                .answerHeaders("Audit-ID"))
        .containsExactly("from-proxy-1");
    assertThat(
            ask("root", new FakeExchange("GET", "/version").with("Audit-ID", "a b"))
                .answerHeaders("Audit-ID"))
        .singleElement()
        .asString()
        .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  }

  @Test
  void requestsAreCountedByWhatTheyWanted() throws Exception {
    ask("root", new FakeExchange("GET", "/api/v1/namespaces/default/pods"));
    ask("root", new FakeExchange("GET", "/api/v1/namespaces/default/pods/none"));
    for (int i = 0; i < 10; i++) {
      ask("root", new FakeExchange("GET", "/api/v1/made-up-" + i));
      ask("root", new FakeExchange("GET", "/made-up-" + i));
    }
    String shown = ask("root", new FakeExchange("GET", "/metrics")).answer();
    assertThat(shown)
        .contains(
            "apiserver_request_total{verb=\"LIST\",group=\"\",version=\"v1\",resource=\"pods\","
                + "subresource=\"\",scope=\"namespace\",component=\"apiserver\",code=\"200\"} 1\n",
            "apiserver_request_total{verb=\"GET\",group=\"\",version=\"v1\",resource=\"pods\","
                + "subresource=\"\",scope=\"resource\",component=\"apiserver\",code=\"404\"} 1\n",
            "apiserver_request_duration_seconds_count{verb=\"LIST\"",
            "apiserver_current_inflight_requests{request_kind=\"readOnly\"} 1\n",
            "apiserver_storage_objects{resource=\"namespaces\"} 4\n")
        .doesNotContain("made-up");
  }

  @Test
  void openWatchesAreCountedWhileTheyAreOpen() throws Exception {
    cluster.configMap("a");
    ask(
        "root",
        new FakeExchange("GET", "/api/v1/configmaps?watch=1&resourceVersion=0").leavingAfter(1));
    assertThat(ask("root", new FakeExchange("GET", "/metrics")).answer())
        .contains(
            "apiserver_longrunning_requests{verb=\"WATCH\",group=\"\",version=\"v1\","
                + "resource=\"configmaps\",subresource=\"\",scope=\"cluster\","
                + "component=\"apiserver\"} 0\n");
  }

  @Test
  void metricsAreForThoseWhoMaySeeThem() throws Exception {
    assertThat(ask("nobody", new FakeExchange("GET", "/metrics")).status()).isEqualTo(403);
    FakeExchange open =
        ask(
            "root",
            new FakeExchange("GET", "/metrics")
                .with("Accept", "application/openmetrics-text;version=1.0.0"));
    assertThat(open.answer()).endsWith("# EOF\n");
    assertThat(open.answerHeaders("Content-Type").getFirst())
        .startsWith("application/openmetrics-text");
  }
}
