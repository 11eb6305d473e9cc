package dev.berth.sim.fuzz;

import dev.berth.client.Resources;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.NodeSize;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What runs in a simulated cluster: Deployments with budgets and tolerations of several kinds,
 * StatefulSets with claims on volumes that one node may use, a DaemonSet, and Jobs as they come.
 * All of it together fits on two thirds of the nodes.
 */
final class FuzzWorkload {
  static final List<String> ZONES = List.of("a", "b", "c");

  /** Taints that somebody puts on nodes, and that some pods tolerate. */
  static final List<String> TAINTS = List.of("maintenance", "dedicated");

  private static final int DEPLOYMENTS = 5;
  private static final int STATEFUL_SETS = 2;
  private static final int MOST_AT_ONCE = 3;

  /** A node counts as lost after 40 s: often enough, and a third cheaper than every 10 s. */
  private static final Duration RENEW_EVERY = Duration.ofSeconds(15);

  private static final String PREFIX = "hollow";

  private final FuzzSettings settings;

  /** A workload that can be scaled, up to so many replicas. */
  record Set(GroupVersionResource resource, String name, int replicas) {
    ObjectName objectName() {
      return new ObjectName("default", name);
    }
  }

  FuzzWorkload(FuzzSettings settings) {
    this.settings = settings;
  }

  /** Nodes of three zones, a third larger than what runs on them. */
  HollowSettings nodes() {
    int milli = Math.max(1_000, 225 * settings.pods() / settings.nodes());
    return HollowSettings.of(settings.nodes())
        .prefix(PREFIX)
        .zones(ZONES)
        .renewEvery(RENEW_EVERY)
        .size(new NodeSize(milli + "m", "32Gi", "100Gi", 110));
  }

  String node(int number) {
    return PREFIX + "-" + number;
  }

  List<Set> scalable() {
    int rest = Math.max(DEPLOYMENTS + STATEFUL_SETS, settings.pods() - settings.nodes());
    int stateful = Math.max(1, rest / 5 / STATEFUL_SETS);
    int each = Math.max(1, (rest - stateful * STATEFUL_SETS) / (DEPLOYMENTS + 1));
    List<Set> all = new ArrayList<>();
    for (int i = 0; i < DEPLOYMENTS; i++) {
      all.add(new Set(Resources.DEPLOYMENTS, "web-" + i, each));
    }
    for (int i = 0; i < STATEFUL_SETS; i++) {
      all.add(new Set(Resources.STATEFUL_SETS, "db-" + i, stateful));
    }
    return all;
  }

  Set find(String name) {
    return scalable().stream().filter(set -> set.name().equals(name)).findFirst().orElseThrow();
  }

  /** An object to create. */
  record Wanted(GroupVersionResource resource, JsonObject object) {}

  List<Wanted> objects() {
    List<Wanted> all = new ArrayList<>();
    List<Set> sets = scalable();
    for (int i = 0; i < sets.size(); i++) {
      Set set = sets.get(i);
      boolean isStateful = set.resource().equals(Resources.STATEFUL_SETS);
      for (int volume = 0; isStateful && volume < set.replicas(); volume++) {
        all.add(volume(set.name() + "-" + volume));
      }
      all.add(isStateful ? stateful(set, i) : deployment(set, i));
      if (i % 4 != 3) {
        all.add(budget(set, 1 + i % MOST_AT_ONCE));
      }
    }
    all.add(daemons());
    return all;
  }

  private static Wanted of(GroupVersionResource resource, String json) {
    return new Wanted(resource, VirtualCluster.tree(json));
  }

  private static Wanted deployment(Set set, int number) {
    return of(
        Resources.DEPLOYMENTS,
        "{'metadata':{'namespace':'default','name':'%s'},'spec':{'replicas':%d,%s}}"
            .formatted(set.name(), set.replicas(), template(set.name(), number)));
  }

  private static Wanted stateful(Set set, int number) {
    return of(
        Resources.STATEFUL_SETS,
        ("{'metadata':{'namespace':'default','name':'%s'},'spec':{'replicas':%d,'serviceName':'db',"
                + "'podManagementPolicy':'%s',%s,'volumeClaimTemplates':[{'metadata':{'name':'data'},"
                + "'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'',"
                + "'resources':{'requests':{'storage':'1Gi'}}}}]}}")
            .formatted(
                set.name(),
                set.replicas(),
                number % 2 == 0 ? "Parallel" : "OrderedReady",
                template(set.name(), number)));
  }

  private static Wanted volume(String name) {
    return of(
        Resources.PERSISTENT_VOLUMES,
        ("{'metadata':{'name':'disk-%1$s'},'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
                + "'persistentVolumeReclaimPolicy':'Retain','csi':{'driver':'hollow.berth.dev','volumeHandle':'%1$s'}}}")
            .formatted(name));
  }

  private static Wanted budget(Set set, int unavailable) {
    return of(
        Resources.POD_DISRUPTION_BUDGETS,
        ("{'metadata':{'namespace':'default','name':'%1$s'},'spec':{'maxUnavailable':%2$d,"
                + "'selector':{'matchLabels':{'app':'%1$s'}}}}")
            .formatted(set.name(), unavailable));
  }

  private static Wanted daemons() {
    return of(
        Resources.DAEMON_SETS,
        "{'metadata':{'namespace':'default','name':'agent'},'spec':{'selector':{'matchLabels':{'app':'agent'}},"
            + "'template':{'metadata':{'labels':{'app':'agent'}},'spec':{'terminationGracePeriodSeconds':5,"
            + "'tolerations':[{'operator':'Exists'}],"
            + "'containers':[{'name':'c','image':'i0','resources':{'requests':{'cpu':'50m'}}}]}}}}");
  }

  private static String template(String app, int number) {
    return ("'selector':{'matchLabels':{'app':'%1$s'}},'template':{'metadata':{'labels':{'app':'%1$s'}},"
            + "'spec':{'terminationGracePeriodSeconds':%2$d,'tolerations':[%3$s],"
            + "'containers':[{'name':'c','image':'i0','resources':{'requests':{'cpu':'%4$dm'}}}]}}")
        .formatted(app, 2 + 4 * (number % 3), tolerations(number), 60 + 30 * (number % 5));
  }

  /** Some tolerate a taint for ever, some for a time, some not at all. */
  private static String tolerations(int number) {
    String maintenance = "{'key':'maintenance','operator':'Exists','effect':'NoExecute'%s}";
    String lost =
        "{'key':'node.kubernetes.io/unreachable','operator':'Exists','effect':'NoExecute','tolerationSeconds':%1$d},"
            + "{'key':'node.kubernetes.io/not-ready','operator':'Exists','effect':'NoExecute','tolerationSeconds':%1$d}";
    return switch (number % 4) {
      case 0 -> "";
      case 1 -> maintenance.formatted(",'tolerationSeconds':60") + "," + lost.formatted(30);
      case 2 -> maintenance.formatted("");
      default -> lost.formatted(120);
    };
  }

  /** Changes the version that a workload runs. */
  static JsonObject rollout(int version) {
    return VirtualCluster.tree(
        "{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'i%d'}]}}}}"
            .formatted(version));
  }

  static JsonObject job(FuzzAction.CreateJob job) {
    return VirtualCluster.tree(
        ("{'metadata':{'namespace':'default','name':'job-%d'},'spec':{'completions':%d,'parallelism':%d,"
                + "'backoffLimit':%d,'template':{'metadata':{'labels':{'app':'job'},'annotations':"
                + "{'hollow.berth.dev/run-for':'%ds','hollow.berth.dev/exit-code':'%d'}},"
                + "'spec':{'restartPolicy':'Never','terminationGracePeriodSeconds':3,"
                + "'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'50m'}}}]}}}}")
            .formatted(
                job.number(),
                job.completions(),
                job.parallelism(),
                job.fails() ? 2 : 100,
                job.runFor().toSeconds(),
                job.fails() ? 1 : 0));
  }

  /** How long it takes at most until all of it runs. */
  static final Duration BEGINS_WITHIN = Duration.ofMinutes(3);
}
