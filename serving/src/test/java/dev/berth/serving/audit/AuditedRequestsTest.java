package dev.berth.serving.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.access.AccessControl;
import dev.berth.access.Authenticator;
import dev.berth.access.BuiltInAuthorizer;
import dev.berth.client.Api;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.component.ComponentHealth;
import dev.berth.metrics.Metrics;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.user.User;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.health.Health;
import dev.berth.serving.observe.Observers;
import dev.berth.serving.rest.ApiHandler;
import dev.berth.serving.rest.InProcessApi;
import dev.berth.serving.rest.ServerPaths;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What requests leave in the audit log under a policy. */
class AuditedRequestsTest {
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final User ROOT = User.authenticated("root", List.of(User.MASTERS));
  private static final Authenticator BY_HEADER =
      exchange ->
          exchange.header("User").orElse("").equals("root")
              ? new Authenticator.Answer.Known(ROOT)
              : new Authenticator.Answer.Known(User.authenticated("nobody", List.of()));

  @TempDir Path directory;
  private final TestCluster cluster = new TestCluster();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final AuditWriter writer =
      new AuditWriter(log, "memory", AuditWriter.Mode.BLOCKING, _ -> {});
  private @Nullable ApiHandler started;

  @AfterEach
  void close() {
    handler().close();
  }

  private ApiHandler handler() {
    return Objects.requireNonNull(started);
  }

  private void start(String policy) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("policy.yaml"),
            "apiVersion: audit.k8s.io/v1\nkind: Policy\n" + policy);
    started =
        new ApiHandler(
            cluster.registry,
            new AccessControl(List.of(BY_HEADER), List.of(new BuiltInAuthorizer())),
            new Observers(
                cluster.time,
                List.of(
                    new AuditLog(new AuditConfig(writer, AuditPolicy.read(file)), cluster.time))),
            new ServerPaths(
                new Health(cluster.store, new ComponentHealth(), List.of()), new Metrics()),
            Optional.empty());
  }

  private FakeExchange ask(String user, FakeExchange exchange) throws Exception {
    handler().handle(exchange.with("User", user));
    return exchange;
  }

  private List<JsonObject> recorded() {
    writer.close();
    return log.toString(UTF_8)
        .lines()
        .map(line -> JsonReader.object(line.getBytes(UTF_8), JsonLimits.TRUSTED))
        .toList();
  }

  private static FakeExchange create() {
    return new FakeExchange("POST", SECRETS)
        .with("Content-Type", "application/json")
        .body("{'metadata':{'name':'s'},'data':{'password':'aGlkZGVu'}}");
  }

  @Test
  void atTheHighestLevelBothBodiesAreRecorded() throws Exception {
    start("rules: [{level: RequestResponse}]\n");
    ask("root", create());
    List<JsonObject> events = recorded();
    assertThat(events)
        .extracting(event -> event.text("stage"))
        .containsExactly("RequestReceived", "ResponseComplete");
    JsonObject received = events.getFirst();
    assertThat(received.has("responseStatus")).isFalse();
    assertThat(received.has("requestObject")).isFalse();
    assertThat(received.object("user").text("username")).isEqualTo("root");
    JsonObject complete = events.getLast();
    assertThat(complete.text("auditID")).isEqualTo(received.text("auditID"));
    assertThat(complete.text("level")).isEqualTo("RequestResponse");
    assertThat(complete.object("requestObject").object("data").text("password"))
        .isEqualTo("aGlkZGVu");
    assertThat(complete.object("requestObject").object("metadata").has("uid")).isFalse();
    assertThat(complete.object("responseObject").object("metadata").text("uid")).isNotEmpty();
    assertThat(complete.object("responseObject").object("metadata").has("managedFields")).isTrue();
  }

  @Test
  void belowThatLessIsRecorded() throws Exception {
    start(
        """
        omitStages: [RequestReceived]
        rules:
        - {level: None, verbs: [get]}
        - {level: Request, verbs: [create]}
        - {level: Metadata}
        """);
    ask("root", create());
    ask("root", new FakeExchange("GET", SECRETS + "/s"));
    ask("root", new FakeExchange("DELETE", SECRETS + "/s"));
    List<JsonObject> events = recorded();
    assertThat(events).extracting(event -> event.text("verb")).containsExactly("create", "delete");
    assertThat(events.getFirst().has("requestObject")).isTrue();
    assertThat(events.getFirst().has("responseObject")).isFalse();
    assertThat(events.getLast().text("level")).isEqualTo("Metadata");
    assertThat(events.getLast().has("requestObject")).isFalse();
    assertThat(events.getLast().object("responseStatus"))
        .hasToString("{\"metadata\":{},\"code\":200}");
  }

  @Test
  void managedFieldsCanBeLeftOut() throws Exception {
    start("omitManagedFields: true\nrules: [{level: RequestResponse}]\n");
    ask("root", create());
    ask("root", new FakeExchange("GET", SECRETS));
    ask(
        "root",
        new FakeExchange("GET", SECRETS + "?includeObject=Object")
            .with("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"));
    recorded();
    assertThat(log.toString(UTF_8))
        .contains("\"SecretList\"", "\"Table\"")
        .doesNotContain("managedFields");
  }

  @Test
  void aFailureIsRecordedWithItsReason() throws Exception {
    start("omitStages: [RequestReceived]\nrules: [{level: RequestResponse}]\n");
    ask("nobody", new FakeExchange("GET", SECRETS));
    JsonObject event = recorded().getFirst();
    JsonObject status = event.object("responseStatus");
    assertThat(status.text("status")).isEqualTo("Failure");
    assertThat(status.text("reason")).isEqualTo("Forbidden");
    assertThat(status.text("message")).contains("nobody");
    assertThat(status.integer("code")).hasValue(403);
    assertThat(event.object("responseObject").text("kind")).isEqualTo("Status");
  }

  @Test
  void whateverTheClientsFormatTheLogIsJson() throws Exception {
    start("omitStages: [RequestReceived]\nrules: [{level: RequestResponse}]\n");
    ask("root", create().with("Accept", "application/vnd.kubernetes.protobuf"));
    ask(
        "root",
        new FakeExchange("GET", SECRETS).with("Accept", "application/vnd.kubernetes.protobuf"));
    ask("root", new FakeExchange("GET", SECRETS + "/s").with("Accept", "application/yaml"));
    List<JsonObject> events = recorded();
    assertThat(events)
        .extracting(event -> event.object("responseObject").text("kind"))
        .containsExactly("Secret", "SecretList", "Secret");
    assertThat(events.get(1).object("responseObject").array("items").objects())
        .singleElement()
        .extracting(item -> item.object("data").text("password"))
        .isEqualTo("aGlkZGVu");
  }

  @Test
  void aPatchIsRecordedAsItWasSent() throws Exception {
    start("omitStages: [RequestReceived]\nrules: [{level: Request, verbs: [patch]}]\n");
    ask("root", create());
    ask(
        "root",
        new FakeExchange("PATCH", SECRETS + "/s")
            .with("Content-Type", "application/json-patch+json")
            .body("[{'op':'add','path':'/metadata/labels','value':{'a':'b'}}]"));
    assertThat(recorded())
        .singleElement()
        .extracting(event -> String.valueOf(event.get("requestObject")))
        .isEqualTo("[{\"op\":\"add\",\"path\":\"/metadata/labels\",\"value\":{\"a\":\"b\"}}]");
  }

  /** A long list is sent piece by piece, and recorded as a whole. */
  @Test
  void aLongListIsRecorded() throws Exception {
    start("omitStages: [RequestReceived]\nrules: [{level: RequestResponse, verbs: [list]}]\n");
    for (int i = 0; i < 600; i++) {
      cluster.configMap("c" + i);
    }
    ask("root", new FakeExchange("GET", "/api/v1/configmaps"));
    assertThat(recorded())
        .singleElement()
        .extracting(event -> event.object("responseObject").array("items").size())
        .isEqualTo(600);
  }

  @Test
  void aWatchIsRecordedAtItsOwnStage() throws Exception {
    start("rules: [{level: RequestResponse}]\n");
    cluster.configMap("a");
    ask(
        "root",
        new FakeExchange("GET", "/api/v1/configmaps?watch=1&resourceVersion=0").leavingAfter(1));
    List<JsonObject> events = recorded();
    assertThat(events)
        .extracting(event -> event.text("stage"))
        .containsExactly("RequestReceived", "ResponseStarted", "ResponseComplete");
    assertThat(events.getLast().has("responseObject")).isFalse();
  }

  @Test
  void aBugIsAPanic() throws Exception {
    start("omitStages: [RequestReceived]\nrules: [{level: Metadata}]\n");
    handler()
        .serve((path, parameter) -> {
          throw new IllegalStateException("oops");
        });
    assertThatThrownBy(() -> ask("root", new FakeExchange("GET", "/debug/support/log")))
        .hasMessage("oops");
    JsonObject event = recorded().getFirst();
    assertThat(event.text("stage")).isEqualTo("Panic");
    assertThat(event.object("responseStatus").text("reason")).isEqualTo("InternalError");
  }

  @Test
  void componentsInTheSameProcessAreRecordedLikeOthers() throws Exception {
    start("omitStages: [RequestReceived]\nrules: [{level: RequestResponse, verbs: [list]}]\n");
    cluster.configMap("a");
    Api api = new InProcessApi(handler(), ROOT, "test", (method, path, cause) -> {});
    var _ = api.list(ListRequest.of(Resources.CONFIG_MAPS));
    assertThat(recorded())
        .singleElement()
        .extracting(event -> event.object("responseObject").array("items").size())
        .isEqualTo(1);
  }
}
