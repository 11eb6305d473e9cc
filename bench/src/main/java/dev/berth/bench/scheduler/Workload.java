package dev.berth.bench.scheduler;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Upstream's workloads: nodes of 4 cpus, 32Gi and 110 pods in three zones, pods of 100m and 500Mi.
 */
enum Workload {
  BASIC("basic", 1_000, 10_000, 10_000, 3_000),
  TAINTS("20 taint sets, 5 tolerations", 1_000, 10_000, 9_000, 3_000),
  DAEMONS("daemon pods", 0, 15_000, 10_000, 3_000),
  AFFINITY("required node affinity, zones", 1_000, 10_000, 8_000, 2_500),
  UNSCHEDULABLE("200 unschedulable a second beside", 1_000, 10_000, 8_000, 2_500),
  SPREAD("spread over zones and hosts", 1_000, 10_000, 5_000, 1_500),
  PREEMPTION("preemption", 20_000, 5_000, 2_000, 800);

  final String title;

  /** Pods that are on nodes before. */
  final int placed;

  /** Pods to be placed. */
  final int measured;

  /** Pods a second that the scheduler alone is held to. */
  final double alone;

  /** Pods a second that are held to from the client to the watcher. */
  final double endToEnd;

  Workload(String title, int placed, int measured, double alone, double endToEnd) {
    this.title = title;
    this.placed = placed;
    this.measured = measured;
    this.alone = alone;
    this.endToEnd = endToEnd;
  }

  /** How the names of pods begin that were put on their nodes by hand. */
  static final String PLACED = "placed-";

  private static final int TAINT_SETS = 20;
  private static final int ZONES = 3;

  static JsonObject tree(String json) {
    return JsonReader.object(json.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  static String nodeName(int i) {
    return "node-" + i;
  }

  /** A node as it is once it is ready: created, and then rid of the taint that new ones have. */
  JsonObject node(int i) {
    return tree(
        ("{'kind':'Node','apiVersion':'v1','metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s',"
                + "'topology.kubernetes.io/zone':'zone-%d'}},'spec':{%s},'status':{'capacity':%s,"
                + "'allocatable':%s,'conditions':[{'type':'Ready','status':'True'}]}}")
            .formatted(nodeName(i), nodeName(i), i % ZONES, taints(i), ROOM, ROOM));
  }

  private static final String ROOM = "{'cpu':'4','memory':'32Gi','pods':'110'}";

  /** The taints of a node: five of each set, all of which the pods of this workload tolerate. */
  private String taints(int i) {
    if (this != TAINTS) {
      return "";
    }
    int set = i % TAINT_SETS;
    String taints =
        IntStream.range(0, 5)
            .filter(k -> k < 1 + set % 5)
            .mapToObj(k ->
                "{'key':'key-%d','value':'value-%d','effect':'%s'}"
                    .formatted(k, set, k % 2 == 0 ? "NoSchedule" : "PreferNoSchedule"))
            .collect(Collectors.joining(","));
    return "'taints':[" + taints + "]";
  }

  /** A pod that is there before. */
  JsonObject placedPod(int i) {
    if (this == PREEMPTION) {
      return pod(PLACED + i, "900m", "'priority':0,'terminationGracePeriodSeconds':0,");
    }
    return pod(PLACED + i, "100m", "");
  }

  /** A pod to be placed. */
  JsonObject measuredPod(int i) {
    return switch (this) {
      case BASIC, UNSCHEDULABLE -> pod("pod-" + i, "100m", "");
      case TAINTS -> pod("pod-" + i, "100m", "'tolerations':[" + tolerations() + "],");
      case DAEMONS -> pod("pod-" + i, "100m", "'affinity':{'nodeAffinity':" + onNode(i) + "},");
      case AFFINITY -> pod("pod-" + i, "100m", "'affinity':{'nodeAffinity':" + inZones() + "},");
      case SPREAD -> pod("pod-" + i, "100m", "'topologySpreadConstraints':[" + spread() + "],");
      case PREEMPTION ->
          pod(
              "high-" + i,
              "3000m",
              "'priorityClassName':'high','terminationGracePeriodSeconds':0,");
    };
  }

  /** A node as it is stored: what a creator may not say is said by another write. */
  JsonObject nodeTaints(int i) {
    JsonObject spec = node(i).object("spec");
    Object taints = spec.has("taints") ? spec.array("taints") : JsonNull.NULL;
    return JsonObject.of("spec", JsonObject.of("taints", taints));
  }

  /** A pod to be placed, as a creator sends it who leaves its name to the server. */
  JsonObject unnamedPod() {
    JsonObject pod = measuredPod(0);
    return pod.with(
        "metadata", pod.object("metadata").without("name").with("generateName", "pod-"));
  }

  /** A pod that fits nowhere. */
  static JsonObject hopelessPod(int i) {
    return pod("hopeless-" + i, "9", "");
  }

  private static String tolerations() {
    return IntStream.range(0, 5)
        .mapToObj("{'key':'key-%d','operator':'Exists'}"::formatted)
        .collect(Collectors.joining(","));
  }

  private static String onNode(int i) {
    return "{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{'matchFields':"
        + "[{'key':'metadata.name','operator':'In','values':['"
        + nodeName(i % 5_000)
        + "']}]}]}}";
  }

  private static String inZones() {
    return "{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{'matchExpressions':"
        + "[{'key':'topology.kubernetes.io/zone','operator':'In','values':['zone-0','zone-1']}]}]}}";
  }

  private static String spread() {
    return "{'maxSkew':5,'topologyKey':'topology.kubernetes.io/zone','whenUnsatisfiable':"
        + "'DoNotSchedule','labelSelector':{'matchLabels':{'app':'bench'}}},"
        + "{'maxSkew':5,'topologyKey':'kubernetes.io/hostname','whenUnsatisfiable':"
        + "'ScheduleAnyway','labelSelector':{'matchLabels':{'app':'bench'}}}";
  }

  private static JsonObject pod(String name, String cpu, String spec) {
    return tree(
        ("{'kind':'Pod','apiVersion':'v1','metadata':{'name':'%s','namespace':'default',"
                + "'labels':{'app':'bench'}},'spec':{%s'containers':[{'name':'pause',"
                + "'image':'registry.k8s.io/pause:3.10','ports':[{'containerPort':80}],"
                + "'resources':{'limits':{'cpu':'%s','memory':'500Mi'},"
                + "'requests':{'cpu':'%s','memory':'500Mi'}}}]}}")
            .formatted(name, spec, cpu, cpu));
  }
}
