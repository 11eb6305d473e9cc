package dev.berth.serving.flowcontrol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.access.AccessControl;
import dev.berth.access.Authenticator;
import dev.berth.access.Authorizer;
import dev.berth.access.Authorizer.Decision;
import dev.berth.component.ComponentHealth;
import dev.berth.kinds.flowcontrol.BootstrapFlowControl;
import dev.berth.kinds.flowcontrol.FlowControlResources;
import dev.berth.kinds.resource.Resource;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.admission.AdmissionChain;
import dev.berth.registry.admission.AdmissionPlugin;
import dev.berth.registry.admission.AdmissionRequest;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.serving.aggregation.Aggregation;
import dev.berth.serving.aggregation.RemoteApiConnector;
import dev.berth.serving.connect.NodeLinks;
import dev.berth.serving.fixture.FakeExchange;
import dev.berth.serving.health.Health;
import dev.berth.serving.observe.Observers;
import dev.berth.serving.rest.ApiHandler;
import dev.berth.serving.rest.ServerPaths;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A server with more requests than it can run. Requests have threads of their own, which the test
 * holds in their admission; what time it is, the test says.
 */
class OverloadTest {
  private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
  private static final String LEVEL_UID = "X-Kubernetes-PF-PriorityLevel-UID";
  private static final String SCHEMA_UID = "X-Kubernetes-PF-FlowSchema-UID";

  private final Semaphore arrived = new Semaphore(0);
  private final CountDownLatch released = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  /** Holds the writes of objects that are called "slow…" for as long as the test wants. */
  private final AdmissionPlugin slow =
      new AdmissionPlugin() {
        @Override
        public void validate(AdmissionRequest request) {
          if (request.name().name().startsWith("slow")) {
            arrived.release();
            try {
              released.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        }
      };

  private final TestCluster cluster = new TestCluster(_ -> new AdmissionChain(List.of(slow)));
  private final Metrics metrics = new Metrics();
  private final Resource levels =
      cluster.resource(FlowControlResources.GROUP, FlowControlResources.PRIORITY_LEVELS);
  private final Resource schemas =
      cluster.resource(FlowControlResources.GROUP, FlowControlResources.FLOW_SCHEMAS);
  private final List<AutoCloseable> parts = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    released.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    for (AutoCloseable part : parts.reversed()) {
      part.close();
    }
  }

  private ApiHandler handler(FlowControl flow) {
    Authenticator byHeader =
        exchange ->
            exchange
                .header("User")
                .<Authenticator.Answer>map(name ->
                    new Authenticator.Answer.Known(
                        User.authenticated(
                            name, name.equals("root") ? List.of(User.MASTERS) : List.of())))
                .orElseGet(Authenticator.Answer.NoProof::new);
    Authorizer everybody = (_, _) -> new Decision.Allowed("");
    ApiHandler handler =
        new ApiHandler(
            cluster.registry,
            new AccessControl(List.of(byHeader), List.of(everybody)),
            new Observers(cluster.time, List.of()),
            new ServerPaths(new Health(cluster.store, new ComponentHealth(), List.of()), metrics),
            Optional.empty(),
            flow,
            NodeLinks.NONE,
            new Aggregation(cluster.registry, RemoteApiConnector.NONE));
    parts.add(handler);
    return handler;
  }

  /** A server with priority and fairness, and the objects that every cluster has. */
  private ApiHandler fairServer(int seats) {
    BootstrapFlowControl.mandatoryLevels().forEach(level -> create(levels, level));
    BootstrapFlowControl.suggestedLevels().forEach(level -> create(levels, level));
    BootstrapFlowControl.mandatorySchemas().forEach(schema -> create(schemas, schema));
    BootstrapFlowControl.suggestedSchemas().forEach(schema -> create(schemas, schema));
    PriorityAndFairness fair =
        new PriorityAndFairness(new FlowControlSettings(true, seats, 0), cluster.registry, metrics);
    parts.add(fair);
    FlowConfiguration configuration = new FlowConfiguration(fair, cluster.registry, cluster.time);
    parts.add(configuration);
    configuration.start();
    cluster.time.advance(Duration.ofMillis(1));
    return handler(fair);
  }

  private void create(Resource resource, JsonObject object) {
    cluster.registry.create(resource, "", object, WriteOptions.DEFAULT);
  }

  private String uid(Resource resource, String name) {
    return Metadata.of(cluster.registry.get(resource, ObjectName.of(name)).tree()).uid();
  }

  private FakeExchange write(ApiHandler handler, String user, String name, String query) {
    return begin(
        handler,
        new FakeExchange("POST", CONFIG_MAPS + query)
            .with("User", user)
            .body("{'metadata':{'name':'%s'}}".formatted(name)));
  }

  /**
   * Sends a request on a thread of its own, until that waits or has ended: virtual time is for one
   * thread at a time.
   */
  private FakeExchange begin(ApiHandler handler, FakeExchange exchange) {
    Thread thread =
        Thread.startVirtualThread(() -> {
          try {
            handler.handle(exchange);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    threads.add(thread);
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TERMINATED) {
      Thread.onSpinWait();
    }
    return exchange;
  }

  private FakeExchange answered(FakeExchange exchange) throws InterruptedException {
    threads.getLast().join();
    return exchange;
  }

  /** Runs requests of a user until the level has no seat left. */
  private void fill(ApiHandler handler, String user, int seats) throws InterruptedException {
    for (int i = 0; i < seats; i++) {
      write(handler, user, "slow-%s-%d".formatted(user, i), "");
    }
    arrived.acquire(seats);
  }

  private void assertWaiting(int count) {
    assertThat(metrics.text(MetricsText.Format.PROMETHEUS))
        .contains(
            "apiserver_flowcontrol_current_inqueue_requests{priority_level=\"global-default\","
                + "flow_schema=\"global-default\"} "
                + count);
  }

  /** With 25 of 245 shares in use, 245 seats give global-default 20, of which it lends half. */
  private static final int SEATS = 245;

  private int globalDefault() {
    String text = metrics.text(MetricsText.Format.PROMETHEUS);
    String line =
        text.lines()
            .filter(each ->
                each.startsWith("apiserver_flowcontrol_current_limit_seats")
                    && each.contains("global-default"))
            .findFirst()
            .orElseThrow();
    return (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
  }

  @Test
  void anAnswerSaysWhichLevelItsRequestBelongsTo() throws Exception {
    ApiHandler handler = fairServer(SEATS);
    FakeExchange alice =
        answered(begin(handler, new FakeExchange("GET", CONFIG_MAPS).with("User", "alice")));
    assertThat(alice.status()).isEqualTo(200);
    assertThat(alice.answerHeaders(LEVEL_UID)).containsExactly(uid(levels, "global-default"));
    assertThat(alice.answerHeaders(SCHEMA_UID)).containsExactly(uid(schemas, "global-default"));
    FakeExchange root =
        answered(begin(handler, new FakeExchange("GET", CONFIG_MAPS).with("User", "root")));
    assertThat(root.answerHeaders(SCHEMA_UID)).containsExactly(uid(schemas, "exempt"));
  }

  @Test
  void oneTenantsRequestsHoldUpNeitherNodesNorAdministratorsNorProbes() throws Exception {
    ApiHandler handler = fairServer(SEATS);
    fill(handler, "alice", globalDefault());
    write(handler, "alice", "slow-waits", "");
    assertWaiting(1);
    for (String user :
        List.of("root", "system:kube-scheduler", "system:serviceaccount:kube-system:a")) {
      FakeExchange other =
          answered(begin(handler, new FakeExchange("GET", CONFIG_MAPS).with("User", user)));
      assertThat(other.status()).as(user).isEqualTo(200);
    }
    assertThat(answered(begin(handler, new FakeExchange("GET", "/livez"))).status()).isEqualTo(200);
  }

  @Test
  void whoWaitsForAQuarterOfTheirTimeIsTold429AndWhenToComeBack() throws Exception {
    ApiHandler handler = fairServer(SEATS);
    fill(handler, "alice", globalDefault());
    FakeExchange late = write(handler, "bob", "late", "?timeout=20s");
    assertWaiting(1);
    cluster.time.advance(Duration.ofSeconds(5).minusMillis(1));
    assertThat(late.status()).isZero();
    cluster.time.advance(Duration.ofMillis(1));
    answered(late);
    assertThat(late.status()).isEqualTo(429);
    assertThat(late.answer()).isEqualTo("Too many requests, please try again later.\n");
    assertThat(late.answerHeaders("Retry-After")).containsExactly("1");
    assertThat(late.answerHeaders("Content-Type")).containsExactly("text/plain; charset=utf-8");
    assertThat(late.answerHeaders(SCHEMA_UID)).containsExactly(uid(schemas, "global-default"));
    assertThat(metrics.text(MetricsText.Format.PROMETHEUS))
        .contains(
            "apiserver_flowcontrol_rejected_requests_total{priority_level=\"global-default\","
                + "flow_schema=\"global-default\",reason=\"time-out\"} 1");
  }

  @Test
  void whoWaitsRunsWhenSomebodyElseIsDone() throws Exception {
    ApiHandler handler = fairServer(SEATS);
    fill(handler, "alice", globalDefault());
    FakeExchange waiting = write(handler, "bob", "quick", "");
    assertWaiting(1);
    assertThat(waiting.status()).isZero();
    released.countDown();
    answered(waiting);
    assertThat(waiting.status()).isEqualTo(201);
  }

  @Test
  void aWatchTakesASeatOnlyUntilItHasSentWhatThereWas() throws Exception {
    ApiHandler handler = fairServer(SEATS);
    int seats = globalDefault();
    for (int i = 0; i < 3 * seats; i++) {
      begin(
          handler,
          new FakeExchange("GET", CONFIG_MAPS + "?watch=true")
              .with("User", "alice")
              .leavingAfter(1));
    }
    FakeExchange list =
        answered(begin(handler, new FakeExchange("GET", CONFIG_MAPS).with("User", "alice")));
    assertThat(list.status()).isEqualTo(200);
    assertThat(metrics.text(MetricsText.Format.PROMETHEUS))
        .contains(
            "apiserver_flowcontrol_dispatched_requests_total{priority_level=\"global-default\","
                + "flow_schema=\"global-default\"} "
                + (3 * seats + 1));
    // Ends the watches.
    cluster.configMap("seen");
  }

  @Test
  void withoutPriorityAndFairnessWhatIsAboveTheLimitIsRefusedAtOnce() throws Exception {
    ApiHandler handler = handler(new MaxInFlight(new FlowControlSettings(false, 1, 2)));
    fill(handler, "alice", 2);
    FakeExchange third = answered(write(handler, "bob", "third", ""));
    assertThat(third.status()).isEqualTo(429);
    assertThat(third.answerHeaders("Retry-After")).containsExactly("1");
    assertThat(answered(write(handler, "root", "fourth", "")).status()).isEqualTo(201);
    FakeExchange read =
        answered(begin(handler, new FakeExchange("GET", CONFIG_MAPS).with("User", "bob")));
    assertThat(read.status()).as("reading has a limit of its own").isEqualTo(200);
  }

  @Test
  void aFlowSchemaSaysWhetherItsLevelIsThere() {
    fairServer(SEATS);
    assertThat(dangling("global-default"))
        .isEqualTo(
            "False Found This FlowSchema references the PriorityLevelConfiguration object named"
                + " \"global-default\" and it exists");
    cluster.create(
        FlowControlResources.GROUP,
        FlowControlResources.FLOW_SCHEMAS,
        "",
        "{'metadata':{'name':'mine'},'spec':{'priorityLevelConfiguration':{'name':'none'}}}");
    cluster.time.advance(Duration.ofMillis(1));
    assertThat(dangling("mine"))
        .isEqualTo(
            "True NotFound This FlowSchema references the PriorityLevelConfiguration object named"
                + " \"none\" but there is no such object");
    cluster.create(
        FlowControlResources.GROUP,
        FlowControlResources.PRIORITY_LEVELS,
        "",
        "{'metadata':{'name':'none'},'spec':{'type':'Limited','limited':{'limitResponse':{'type':'Reject'}}}}");
    cluster.time.advance(Duration.ofMillis(1));
    assertThat(dangling("mine")).startsWith("False Found");
  }

  private String dangling(String schema) {
    JsonObject condition =
        cluster
            .registry
            .get(schemas, ObjectName.of(schema))
            .tree()
            .object("status")
            .array("conditions")
            .objects()
            .getFirst();
    return String.join(
        " ",
        condition.text("status", ""),
        condition.text("reason", ""),
        condition.text("message", ""));
  }

  @Test
  void aLevelThatNeedsSeatsBorrowsThemAndGivesThemBack() throws Exception {
    ApiHandler handler = fairServer(SEATS);
    int before = globalDefault();
    fill(handler, "alice", before);
    for (int i = 0; i < 200; i++) {
      write(handler, "user-" + i, "slow-more-" + i, "?timeout=60s");
    }
    assertWaiting(200);
    cluster.time.advance(Duration.ofSeconds(10));
    assertThat(globalDefault()).isGreaterThan(4 * before);
    arrived.acquire(globalDefault() - before);
  }
}
