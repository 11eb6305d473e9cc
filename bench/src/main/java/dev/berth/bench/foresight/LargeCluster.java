package dev.berth.bench.foresight;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.WatchRequest;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A cluster of many nodes in three zones, with deployments of a hundred pods each, and one pod that
 * fits nowhere; as a server would list it.
 */
@SuppressWarnings("InlineFormatString") // Objects read better apart from what fills them in.
final class LargeCluster implements Api {
  static final String PICKY = "picky";

  private static final int REPLICAS = 100;
  private static final String NODE =
      "{'apiVersion':'v1','kind':'Node','metadata':{'name':'%1$s','uid':'uid-%1$s','creationTimestamp':'2026-01-01T00:00:00Z',"
          + "'labels':{'kubernetes.io/hostname':'%1$s','kubernetes.io/os':'linux','topology.kubernetes.io/zone':'%2$s'}},"
          + "'spec':{'podCIDR':'10.0.0.0/24'%3$s},'status':{'allocatable':{'cpu':'16','memory':'64Gi','pods':'110','ephemeral-storage':'100Gi'},"
          + "'conditions':[%4$s],'nodeInfo':{'kubeletVersion':'v1.36.4','osImage':'Linux'}}}";
  private static final String CONDITION =
      "{'type':'%s','status':'%s','lastHeartbeatTime':'2026-01-01T00:00:00Z','lastTransitionTime':'2026-01-01T00:00:00Z','reason':'Kubelet','message':'as it should be'}";
  private static final String POD =
      "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'default','name':'%1$s','uid':'uid-%1$s','creationTimestamp':'2026-01-01T00:00:00Z',"
          + "'labels':{'app':'web%2$d','pod-template-hash':'5d4'},'ownerReferences':[{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'web%2$d-5d4','uid':'set%2$d','controller':true}]},"
          + "'spec':{%3$s'schedulerName':'default-scheduler','priority':0,'terminationGracePeriodSeconds':30,"
          + "'containers':[{'name':'c','image':'registry.example/web:1','resources':{'requests':{'cpu':'%4$s','memory':'2Gi'}}}],"
          + "'volumes':[{'name':'kube-api-access','projected':{'sources':[]}}],"
          + "'tolerations':[{'key':'node.kubernetes.io/not-ready','operator':'Exists','effect':'NoExecute','tolerationSeconds':300},"
          + "{'key':'node.kubernetes.io/unreachable','operator':'Exists','effect':'NoExecute','tolerationSeconds':300}]},"
          + "'status':{'phase':'%5$s','startTime':'2026-01-01T00:00:00Z','podIP':'10.0.0.1','conditions':[%6$s]}}";

  private final Map<String, List<JsonObject>> objects = new HashMap<>();

  LargeCluster(int nodes, int pods) {
    String conditions =
        String.join(
            ",",
            CONDITION.formatted("MemoryPressure", "False"),
            CONDITION.formatted("DiskPressure", "False"),
            CONDITION.formatted("PIDPressure", "False"),
            CONDITION.formatted("Ready", "True"));
    for (int i = 0; i < nodes; i++) {
      String taints =
          i % 10 == 0 ? ",'taints':[{'key':'dedicated','value':'gpu','effect':'NoSchedule'}]" : "";
      add("nodes", NODE.formatted(node(i), "abc".charAt(i % 3), taints, conditions));
    }
    int sets = Math.max(1, pods / REPLICAS);
    for (int i = 0; i < sets; i++) {
      add(
          "deployments.apps",
          "{'metadata':{'namespace':'default','name':'web%1$d','uid':'web%1$d'},'spec':{'replicas':100}}"
              .formatted(i));
      add(
          "replicasets.apps",
          ("{'metadata':{'namespace':'default','name':'web%1$d-5d4','uid':'set%1$d','ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment',"
                  + "'name':'web%1$d','uid':'web%1$d','controller':true}]},'spec':{'replicas':100,'selector':{'matchLabels':{'app':'web%1$d'}}}}")
              .formatted(i));
    }
    String ready =
        CONDITION.formatted("PodScheduled", "True") + "," + CONDITION.formatted("Ready", "True");
    for (int i = 0; i < pods; i++) {
      String name = String.format(Locale.ROOT, "web%d-5d4-%05d", i % sets, i);
      String where = "'nodeName':'%s',".formatted(node(i % nodes));
      add("pods", POD.formatted(name, i % sets, where, "1", "Running", ready));
    }
    add("pods", POD.formatted(PICKY, 0, "'nodeSelector':{'disk':'ssd'},", "14", "Pending", ""));
  }

  private static String node(int index) {
    return String.format(Locale.ROOT, "node-%05d", index);
  }

  private void add(String resource, String json) {
    objects
        .computeIfAbsent(resource, _ -> new ArrayList<>())
        .add(JsonReader.object(json.replace('\'', '"').getBytes(UTF_8), JsonLimits.TRUSTED));
  }

  @Override
  public ListResult list(ListRequest request) {
    String resource = request.resource().groupResource().toString();
    return new ListResult.Page(objects.getOrDefault(resource, List.of()), "1", "");
  }

  @Override
  public ApiResult send(ApiRequest request) {
    throw new UnsupportedOperationException("it can only be listed");
  }

  @Override
  public ApiWatch watch(WatchRequest request, Runnable onReady) {
    throw new UnsupportedOperationException("it can only be listed");
  }
}
