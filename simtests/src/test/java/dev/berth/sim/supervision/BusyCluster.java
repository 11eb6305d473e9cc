package dev.berth.sim.supervision;

import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.controllers.ControllerName;
import dev.berth.controllers.ControllerSettings;
import dev.berth.controllers.Controllers;
import dev.berth.controllers.certificates.SigningSettings;
import dev.berth.controllers.nodeipam.IpamSettings;
import dev.berth.hollow.HollowSettings;
import dev.berth.hollow.fleet.HollowNodes;
import dev.berth.model.core.PodView;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.SigningResult;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.NodeRange;
import dev.berth.policy.gate.FeatureGates;
import dev.berth.scheduler.Scheduler;
import dev.berth.scheduler.profile.ConfigurationReader;
import dev.berth.sim.ClusterBeginning;
import dev.berth.sim.ProcessTime;
import dev.berth.sim.ServerFaults;
import dev.berth.sim.VirtualCluster;
import dev.berth.time.LoopFailure;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that {@code berth up --hollow} runs, supervised as there, with work for every component; and
 * what of its state does not depend on chance.
 */
final class BusyCluster implements AutoCloseable {
  private static final int NODES = 3;
  private static final DeleteOptions BACKGROUND =
      DeleteOptions.NONE.propagation(DeleteOptions.Propagation.BACKGROUND);
  private static final GroupVersionResource QUOTAS =
      new GroupVersionResource("", "v1", "resourcequotas");

  final VirtualCluster cluster;
  private @Nullable ProcessTime time;

  /**
   * @param faults asked with a loop's name before each of its tasks: whether it is to throw
   */
  BusyCluster(long seed, Predicate<String> faults, LoopFailure.Listener onFailure) {
    cluster =
        new VirtualCluster(
            seed,
            FeatureGates.DEFAULT,
            ClusterBeginning.EMPTY,
            new ServerFaults(virtual -> time(virtual, faults), (store, _) -> store, onFailure));
    cluster
        .supervisor()
        .run(
            "scheduler",
            scope -> {
              Scheduler scheduler =
                  Scheduler.start(
                      new Scheduler.Parts(
                          cluster.schedulersApi(),
                          scope.time(),
                          cluster.serverMetrics(),
                          ConfigurationReader.defaults(),
                          "test"));
              scheduler.lead();
              return scheduler;
            });
    Controllers.run(
        cluster.supervisor(),
        new Controllers.Parts(
            account -> cluster.parts(account).api(), cluster.admin(), cluster.serverMetrics()),
        settings());
    cluster
        .supervisor()
        .run(
            "hollow-nodes",
            scope ->
                HollowNodes.start(
                    new HollowNodes.Parts(
                        cluster.admin(),
                        scope.time(),
                        cluster.serverMetrics(),
                        HollowSettings.of(NODES))));
    cluster.settle();
  }

  private ProcessTime time(Time virtual, Predicate<String> faults) {
    ProcessTime made = new ProcessTime(virtual);
    made.failWhere(faults);
    time = made;
    return made;
  }

  ProcessTime time() {
    if (time == null) {
      throw new IllegalStateException("the cluster has no time yet");
    }
    return time;
  }

  private static ControllerSettings settings() {
    ControllerSettings standard = ControllerSettings.standard();
    NodeRange range = new NodeRange(Cidr.parse("10.0.0.0/16").orElseThrow(), 24);
    return new ControllerSettings(
        ControllerName.all(),
        standard.lifecycle(),
        standard.collection(),
        standard.attachDetach(),
        standard.autoscaling(),
        Optional.of(new IpamSettings(List.of(range), List.of())),
        Optional.of(() -> "-----BEGIN CERTIFICATE-----"),
        SigningSettings.all(
            (_, _) -> new SigningResult.Unavailable("nobody asks here"), SigningSettings.ONE_YEAR),
        Optional.of(_ -> "a.b.c"),
        standard.unusedTokenPeriod(),
        standard.gates());
  }

  /** What users want at first. */
  void begin() {
    create(Resources.NAMESPACES, "{'metadata':{'name':'doomed'}}");
    create(
        QUOTAS, "{'metadata':{'namespace':'default','name':'all'},'spec':{'hard':{'pods':'50'}}}");
    String template =
        "'selector':{'matchLabels':{'app':'%1$s'}},'template':{'metadata':{'labels':{'app':'%1$s'}},"
            + "'spec':{'containers':[{'name':'c','image':'i'}]}}";
    create(
        Resources.DEPLOYMENTS,
        "{'metadata':{'namespace':'default','name':'web'},'spec':{'replicas':3,"
            + template.formatted("web")
            + "}}");
    create(
        Resources.DAEMON_SETS,
        "{'metadata':{'namespace':'default','name':'agent'},'spec':{"
            + template.formatted("agent")
            + "}}");
    create(
        Resources.STATEFUL_SETS,
        "{'metadata':{'namespace':'default','name':'db'},'spec':{'serviceName':'db','replicas':2,"
            + template.formatted("db")
            + "}}");
    create(
        Resources.REPLICATION_CONTROLLERS,
        "{'metadata':{'namespace':'default','name':'old'},'spec':{'replicas':2,"
            + "'selector':{'app':'old'},'template':{'metadata':{'labels':{'app':'old'}},"
            + "'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    create(
        Resources.SERVICES,
        "{'metadata':{'namespace':'default','name':'web'},'spec':{'selector':{'app':'web'},"
            + "'ports':[{'port':80}]}}");
    create(
        Resources.POD_DISRUPTION_BUDGETS,
        "{'metadata':{'namespace':'default','name':'web'},'spec':{'maxUnavailable':1,"
            + "'selector':{'matchLabels':{'app':'web'}}}}");
    create(
        Resources.JOBS,
        "{'metadata':{'namespace':'default','name':'once'},'spec':{'completions':2,"
            + "'ttlSecondsAfterFinished':60,'template':{'metadata':{'annotations':"
            + "{'hollow.berth.dev/run-for':'10s'}},'spec':{'restartPolicy':'Never',"
            + "'containers':[{'name':'c','image':'i'}]}}}}");
    create(
        Resources.CRON_JOBS,
        "{'metadata':{'namespace':'default','name':'tick'},'spec':{'schedule':'*/5 * * * *',"
            + "'successfulJobsHistoryLimit':1,'jobTemplate':{'spec':{'template':{'metadata':"
            + "{'annotations':{'hollow.berth.dev/run-for':'5s'}},'spec':{'restartPolicy':'Never',"
            + "'containers':[{'name':'c','image':'i'}]}}}}}}");
  }

  /** What they want then. */
  void goOn() {
    patch(Resources.DEPLOYMENTS, "web", "{'spec':{'replicas':5}}");
    patch(Resources.STATEFUL_SETS, "db", "{'spec':{'replicas':3}}");
    cluster.admin().delete(Resources.NAMESPACES, ObjectName.of("doomed"), BACKGROUND);
    cluster.list(Resources.PODS).stream()
        .filter(pod -> Metadata.of(pod).name().startsWith("web-"))
        .findFirst()
        .ifPresent(pod -> cluster.admin().delete(Resources.PODS, ObjectName.of(pod), BACKGROUND));
    cluster
        .admin()
        .delete(Resources.REPLICATION_CONTROLLERS, new ObjectName("default", "old"), BACKGROUND);
  }

  private void create(GroupVersionResource resource, String json) {
    cluster.create(resource, json);
  }

  private void patch(GroupVersionResource resource, String name, String json) {
    cluster.patch(resource, new ObjectName("default", name), json);
  }

  void advance(Duration duration) {
    cluster.advance(duration);
  }

  /** Everything that must be the same whoever failed on the way. */
  String state() {
    Map<String, Object> state = new TreeMap<>();
    for (JsonObject tree : cluster.list(Resources.PODS)) {
      PodView pod = PodView.read(tree);
      String app = Metadata.of(tree).labels().text("app", "job");
      if (!app.equals("job")) {
        state.merge(
            "pods of %s, ready %s".formatted(app, pod.ready()), 1, (a, b) -> (int) a + (int) b);
      }
    }
    statuses(state, Resources.DEPLOYMENTS, "readyReplicas", "replicas", "updatedReplicas");
    statuses(state, Resources.DAEMON_SETS, "numberReady", "desiredNumberScheduled");
    statuses(state, Resources.STATEFUL_SETS, "readyReplicas", "replicas");
    statuses(state, Resources.REPLICATION_CONTROLLERS, "readyReplicas");
    statuses(state, Resources.POD_DISRUPTION_BUDGETS, "currentHealthy", "expectedPods");
    state.put("jobs by hand", names(Resources.JOBS).stream().filter("once"::equals).toList());
    state.put("namespaces", names(Resources.NAMESPACES));
    state.put("cron ran", ran());
    state.put(
        "quota", cluster.list(QUOTAS).getFirst().object("status").object("used").text("pods", ""));
    for (JsonObject slice : cluster.list(Resources.ENDPOINT_SLICES)) {
      String service = Metadata.of(slice).labels().text("kubernetes.io/service-name", "");
      if (service.equals("web")) {
        state.merge("endpoints", slice.array("endpoints").size(), (a, b) -> (int) a + (int) b);
      }
    }
    for (JsonObject node : cluster.list(Resources.NODES)) {
      state.put(
          Metadata.of(node).name(),
          node.object("spec").array("taints") + " " + node.object("spec").has("podCIDR"));
    }
    state.put(
        "root certificates",
        cluster.list(Resources.CONFIG_MAPS).stream()
            .filter(map -> Metadata.of(map).name().equals("kube-root-ca.crt"))
            .map(map -> Metadata.of(map).namespace())
            .sorted()
            .toList());
    return state.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining("\n"));
  }

  /** Whether the latest run was begun at the latest time. */
  private String ran() {
    return cluster
        .list(Resources.CRON_JOBS)
        .getFirst()
        .object("status")
        .text("lastScheduleTime", "");
  }

  private List<String> names(GroupVersionResource resource) {
    return cluster.list(resource).stream().map(o -> Metadata.of(o).name()).sorted().toList();
  }

  private void statuses(
      Map<String, Object> state, GroupVersionResource resource, String... fields) {
    for (JsonObject tree : cluster.list(resource)) {
      for (String field : fields) {
        state.put(
            resource.resource() + " " + Metadata.of(tree).name() + " " + field,
            tree.object("status").integer(field).orElse(0));
      }
    }
  }

  @Override
  public void close() {
    cluster.close();
  }
}
