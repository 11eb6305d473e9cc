package dev.berth.bench.overload;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.bench.Folders;
import dev.berth.bench.Parallel;
import dev.berth.bench.api.Berth;
import dev.berth.bench.api.Control;
import dev.berth.bench.nodes.NodeWatcher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * 1,000 hollow nodes in another process renew their leases over HTTPS with certificates of their
 * own, while one tenant lists many objects on 200 connections, and while 5,000 hostile connections
 * take up room and two threads take the processors. Prints whether a node became NotReady, and how
 * long renewals took. {@code bench/run overload [seat|tenant|hostile|all] [seconds]}.
 */
public final class OverloadBench {
  private static final int NODES = 1_000;
  private static final int OBJECTS = 10_000;
  private static final int TENANT_CONNECTIONS = 200;
  private static final int HOSTILE_CONNECTIONS = 5_000;
  private static final int TAKEN_CORES = 2;
  private static final int QUIET_SECONDS = 30;

  private final Berth berth;
  private final Control control;
  private final HollowProcess hollow;
  private final NodeWatcher watcher;

  private OverloadBench(Berth berth, Control control, HollowProcess hollow, NodeWatcher watcher) {
    this.berth = berth;
    this.control = control;
    this.hollow = hollow;
    this.watcher = watcher;
  }

  public static void main(String... arguments) throws Exception {
    String what = arguments.length > 0 ? arguments[0] : "all";
    if (what.equals("seat") || what.equals("all")) {
      SeatCost.measure();
    }
    if (what.equals("seat")) {
      return;
    }
    int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 150;
    Path folder = Files.createTempDirectory("berth-bench");
    try (Berth berth = Berth.start(folder.resolve("data"))) {
      Control control = new Control(berth);
      letTenantRead(control);
      makeObjects(control);
      try (HollowProcess hollow = HollowProcess.start(berth, NODES);
          NodeWatcher watcher = new NodeWatcher(control, NODES)) {
        watcher.awaitAllReady(180);
        OverloadBench bench = new OverloadBench(berth, control, hollow, watcher);
        bench.quiet();
        if (!what.equals("hostile")) {
          bench.tenant(seconds);
        }
        if (!what.equals("tenant")) {
          bench.hostile(seconds);
        }
      }
    } finally {
      Folders.delete(folder);
    }
  }

  private static void letTenantRead(Control control) throws Exception {
    control.post(
        "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
        """
        {"metadata":{"name":"tenant"},
         "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"view"},
         "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"tenant"}]}
        """
            .getBytes(UTF_8));
  }

  private static void makeObjects(Control control) throws Exception {
    String data = "x".repeat(1_000);
    Parallel.send(
        OBJECTS,
        i ->
            () ->
                control.post(
                    "/api/v1/namespaces/default/configmaps",
                    "{\"metadata\":{\"name\":\"c%d\"},\"data\":{\"a\":\"%s\"}}"
                        .formatted(i, data)
                        .getBytes(UTF_8)));
  }

  private void quiet() throws Exception {
    LeaseTimes before = hollow.leaseTimes();
    Thread.sleep(Duration.ofSeconds(QUIET_SECONDS));
    System.out.println("1,000 nodes, nothing else:");
    print(hollow.leaseTimes().since(before), 0, QUIET_SECONDS, Double.NaN);
  }

  private void tenant(int seconds) throws Exception {
    LeaseTimes before = hollow.leaseTimes();
    int lossesBefore = watcher.losses();
    long served;
    long refused;
    long failed;
    try (Tenant tenant = new Tenant(berth, TENANT_CONNECTIONS)) {
      Thread.sleep(Duration.ofSeconds(seconds));
      served = tenant.served();
      refused = tenant.refused();
      failed = tenant.failed();
    }
    System.out.printf(
        "1,000 nodes, a tenant lists %,d objects on %d connections for %d s:%n",
        OBJECTS, TENANT_CONNECTIONS, seconds);
    print(hollow.leaseTimes().since(before), watcher.losses() - lossesBefore, seconds, 0);
    Figure.forComparison("  the tenant's lists", "per s").print((double) served / seconds);
    Figure.forComparison("  the tenant's 429s", "per s").print((double) refused / seconds);
    Figure.forComparison("  the tenant's other failures", "").print((double) failed);
    Figure.forComparison("  requests of nodes waited for seats, on average", "ms")
        .print(nodeHighMillis());
  }

  private void hostile(int seconds) throws Exception {
    LeaseTimes before = hollow.leaseTimes();
    int lossesBefore = watcher.losses();
    long opened;
    List<Thread> takers = new ArrayList<>();
    try (HostileConnections hostile = new HostileConnections(berth, HOSTILE_CONNECTIONS)) {
      for (int i = 0; i < TAKEN_CORES; i++) {
        takers.add(
            Thread.ofPlatform()
                .start(() -> {
                  while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                  }
                }));
      }
      Thread.sleep(Duration.ofSeconds(seconds));
      opened = hostile.opened();
      takers.forEach(Thread::interrupt);
    }
    System.out.printf(
        "1,000 nodes, %,d hostile connections and %d busy threads for %d s:%n",
        HOSTILE_CONNECTIONS, TAKEN_CORES, seconds);
    print(hollow.leaseTimes().since(before), watcher.losses() - lossesBefore, seconds, 0);
    Figure.forComparison("  hostile connections opened", "").print((double) opened);
    Figure.forComparison("  connections that were refused", "")
        .print(metric("^berth_http_connections_refused_total (\\S+)"));
  }

  private static void print(LeaseTimes times, int losses, int seconds, double bar) {
    new Figure("  times that a node went NotReady", "", bar, Better.LOWER).print(losses);
    Figure.forComparison("  lease renewals", "per s").print((double) times.renewals() / seconds);
    Figure.forComparison("  renewals that failed and were repeated", "")
        .print((double) times.failures());
    Figure.forComparison("  half of the renewals within", "s").print(times.within(0.5));
    Figure.forComparison("  99% of the renewals within", "s").print(times.within(0.99));
    Figure.forComparison("  all of the renewals within", "s").print(times.within(1));
  }

  /** How long requests of the nodes' level waited, on average. */
  private double nodeHighMillis() throws Exception {
    String labels =
        "\\{priority_level=\"node-high\",flow_schema=\"system-node-high\",execute=\"true\"\\} (\\S+)";
    String name = "^apiserver_flowcontrol_request_wait_duration_seconds";
    return 1e3 * metric(name + "_sum" + labels) / metric(name + "_count" + labels);
  }

  private double metric(String pattern) throws Exception {
    Matcher found =
        Pattern.compile(pattern, Pattern.MULTILINE)
            .matcher(new String(control.get("/metrics"), UTF_8));
    return found.find() ? Double.parseDouble(found.group(1)) : Double.NaN;
  }
}
