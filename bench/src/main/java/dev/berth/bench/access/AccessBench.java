package dev.berth.bench.access;

import dev.berth.access.Action;
import dev.berth.access.Authorizer.Decision;
import dev.berth.access.node.NodeAuthorizer;
import dev.berth.bench.Figure;
import dev.berth.bench.Figure.Better;
import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.model.user.NodeUsers;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import dev.berth.registry.WriteOptions;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.WallTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * How long it takes to decide what a node may do, and what the node authorizer holds in memory:
 * 50,000 nodes with a pod each, and 200 of them with 110, whose turns come in random order, so that
 * what is asked about one is not in the processor's cache any more.
 */
public final class AccessBench {
  private static final int NODES = 50_000;
  private static final int BUSY_NODES = 200;
  private static final int PODS_OF_BUSY = 110;
  private static final int QUESTIONS = 20_000;
  private static final int ROUNDS = 9;
  private static final double BAR_MICROSECONDS = 20;

  private final WallTime time =
      new WallTime(failure -> {
        throw new IllegalStateException(failure.cause());
      });
  private final MemoryStore store = new MemoryStore();
  private final Registry registry = new Registry(store, BuiltIns.catalog(), time);
  private final Resource pods = registry.catalog().get("", "v1", "pods");
  private int allowed;

  /** Asks about an object of a node's pod, or of another node's. */
  private interface Question {
    Action of(int node, int pod);
  }

  public static void main(String[] args) {
    new AccessBench().run();
  }

  private void run() {
    int count = createPods();
    long before = usedHeap();
    NodeAuthorizer authorizer = new NodeAuthorizer(registry);
    Instant asked = time.monotonicNow();
    ask(authorizer, 0, secret("secret", 0, 0));
    Duration building = Duration.between(asked, time.monotonicNow());
    double held = (usedHeap() - before) / (double) count;
    System.out.printf("access: %,d nodes, %,d pods%n", NODES, count);
    Figure.forComparison("first question, which reads all pods", "ms")
        .print((double) building.toMillis());
    Figure.forComparison("memory held by a pod and its six objects", "bytes").print(held);

    measure("a secret of its pod", authorizer, (node, pod) -> secret("secret", node, pod));
    measure("a secret of its pod's volume", authorizer, (node, pod) -> secret("key", node, pod));
    measure(
        "a secret of no pod of its",
        authorizer,
        (node, pod) -> secret("secret", (node + 1) % BUSY_NODES, pod));
    measure(
        "a volume of its pod",
        authorizer,
        (node, pod) -> read("persistentvolumes", "", "volume", node, pod));
    measure(
        "its own lease",
        authorizer,
        (node, _) ->
            new Action.OnResource(
                "update",
                new GroupResource("coordination.k8s.io", "leases"),
                "kube-node-lease",
                name(node),
                ""));
    whilePodsAreWritten(authorizer);
    System.out.println("(" + allowed + " allowed)");
    authorizer.close();
    time.close();
  }

  private int createPods() {
    int count = 0;
    Resource volumes = registry.catalog().get("", "v1", "persistentvolumes");
    for (int node = 0; node < NODES; node++) {
      int own = node < BUSY_NODES ? PODS_OF_BUSY : 1;
      for (int pod = 0; pod < own; pod++) {
        String id = node + "-" + pod;
        String namespace = "team-" + node % 100;
        registry.create(pods, namespace, tree(POD, id, node), WriteOptions.DEFAULT);
        registry.create(volumes, "", tree(VOLUME, id, node), WriteOptions.DEFAULT);
        count++;
      }
    }
    return count;
  }

  private static final String POD =
      """
      {"metadata":{"name":"pod-ID"},"spec":{"nodeName":"NODE","serviceAccountName":"account",
       "containers":[{"name":"c","image":"i","envFrom":[{"configMapRef":{"name":"settings-ID"}}]}],
       "volumes":[{"name":"s","secret":{"secretName":"secret-ID"}},
        {"name":"c","persistentVolumeClaim":{"claimName":"claim-ID"}},
        {"name":"a","projected":{"sources":[{"serviceAccountToken":{"path":"token"}},
         {"configMap":{"name":"kube-root-ca.crt"}}]}}]}}
      """;

  private static final String VOLUME =
      """
      {"metadata":{"name":"volume-ID"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],
       "claimRef":{"namespace":"TEAM","name":"claim-ID"},
       "csi":{"driver":"d","volumeHandle":"ID","nodePublishSecretRef":{"namespace":"TEAM","name":"key-ID"}}}}
      """;

  private static JsonObject tree(String template, String id, int node) {
    String json =
        template.replace("ID", id).replace("NODE", name(node)).replace("TEAM", team(node));
    return JsonReader.object(json.getBytes(StandardCharsets.UTF_8), JsonLimits.TRUSTED);
  }

  private static String name(int node) {
    return "node-" + node;
  }

  private static String team(int node) {
    return "team-" + node % 100;
  }

  private static Action secret(String what, int node, int pod) {
    return read("secrets", team(node), what, node, pod);
  }

  private static Action read(String plural, String namespace, String what, int node, int pod) {
    return new Action.OnResource(
        "get", new GroupResource("", plural), namespace, what + "-" + node + "-" + pod, "");
  }

  private void ask(NodeAuthorizer authorizer, int node, Action action) {
    User user = User.authenticated(NodeUsers.userName(name(node)), List.of(NodeUsers.GROUP));
    if (authorizer.authorize(user, action) instanceof Decision.Allowed) {
      allowed++;
    }
  }

  /** A different node and pod each time, in an order that no cache foresees. */
  private static int node(int question) {
    return (int) Math.floorMod((question * 2_654_435_761L) >>> 7, (long) BUSY_NODES);
  }

  private static int pod(int question) {
    return question % PODS_OF_BUSY;
  }

  private void measure(String what, NodeAuthorizer authorizer, Question question) {
    User[] users = new User[QUESTIONS];
    Action[] actions = new Action[QUESTIONS];
    for (int i = 0; i < QUESTIONS; i++) {
      users[i] = User.authenticated(NodeUsers.userName(name(node(i))), List.of(NodeUsers.GROUP));
      actions[i] = question.of(node(i), pod(i));
    }
    double[] microseconds = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      Instant begin = time.monotonicNow();
      for (int i = 0; i < QUESTIONS; i++) {
        if (authorizer.authorize(users[i], actions[i]) instanceof Decision.Allowed) {
          allowed++;
        }
      }
      Duration taken = Duration.between(begin, time.monotonicNow());
      microseconds[round] = taken.toNanos() / 1e3 / QUESTIONS;
    }
    new Figure(what, "µs", BAR_MICROSECONDS, Better.LOWER).print(microseconds);
  }

  /** Each question comes behind a change of a pod, which has to be put into the graph first. */
  private void whilePodsAreWritten(NodeAuthorizer authorizer) {
    int questions = 5_000;
    double[] microseconds = new double[questions];
    for (int i = 0; i < questions; i++) {
      int changed = i;
      registry.modify(
          pods,
          new ObjectName(team(node(i)), "pod-" + node(i) + "-" + pod(i)),
          WriteOptions.DEFAULT.subresource("status"),
          pod -> pod.with("status", JsonObject.of("message", "change " + changed)));
      Action action = secret("secret", node(i), pod(i));
      Instant begin = time.monotonicNow();
      ask(authorizer, node(i), action);
      microseconds[i] = Duration.between(begin, time.monotonicNow()).toNanos() / 1e3;
    }
    Arrays.sort(microseconds);
    Figure.forComparison("a secret of its pod, and the write just before", "µs")
        .print(microseconds);
  }

  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
