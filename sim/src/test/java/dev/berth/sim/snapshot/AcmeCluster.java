package dev.berth.sim.snapshot;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.hollow.HollowMachine;
import dev.berth.hollow.HollowSettings;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import dev.berth.sim.WholeCluster;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A running cluster with a bit of everything, of which all names that somebody chose say acme. */
final class AcmeCluster implements AutoCloseable {
  private static final int NODES = 9;

  private final WholeCluster whole;

  AcmeCluster() {
    List<HollowMachine> machines =
        IntStream.range(0, NODES)
            .mapToObj(i ->
                new HollowMachine(
                    "ip-10-99-0-%d.acme.internal".formatted(i),
                    VirtualCluster.tree(
                        "{'topology.kubernetes.io/zone':'acme-%s','acme.com/rack':'acme-rack-%d'}"
                            .formatted((char) ('a' + i % 3), i)),
                    i == 0
                        ? JsonArray.of(
                            VirtualCluster.tree(
                                "{'key':'acme.com/dedicated','value':'acme-gold','effect':'NoSchedule'}"))
                        : JsonArray.EMPTY,
                    VirtualCluster.tree("{'cpu':'4','memory':'16Gi','pods':'110'}")))
            .toList();
    whole = new WholeCluster(1, HollowSettings.of(machines));
    create("", "v1", "namespaces", "{'metadata':{'name':'acme-shop'}}");
    create(
        "",
        "v1",
        "secrets",
        "{'metadata':{'namespace':'acme-shop','name':'acme-key'},'stringData':{'k':'acme-topsecret'}}");
    create(
        "",
        "v1",
        "services",
        "{'metadata':{'namespace':'acme-shop','name':'acme-web'},'spec':{'selector':{'acme-tier':'acme-web'},'ports':[{'port':80}]}}");
    create(
        "scheduling.k8s.io",
        "v1",
        "priorityclasses",
        "{'metadata':{'name':'acme-high'},'value':1000,'description':'acme pays'}");
    workload("deployments", "Deployment", "acme-web", 6, "");
    workload("statefulsets", "StatefulSet", "acme-db-2", 3, ",'serviceName':'acme-db'");
    workload("daemonsets", "DaemonSet", "acme-agent", -1, "");
    create(
        "policy",
        "v1",
        "poddisruptionbudgets",
        "{'metadata':{'namespace':'acme-shop','name':'acme-web'},'spec':{'minAvailable':'50%','selector':{'matchLabels':{'acme-tier':'acme-web'}}}}");
    whole.advance(Duration.ofMinutes(30));
  }

  private void workload(String plural, String kind, String name, int replicas, String further) {
    create(
        "apps",
        "v1",
        plural,
        """
        {'metadata':{'namespace':'acme-shop','name':'%2$s','annotations':{'acme.com/owner':'acme-joe'}},
         'spec':{%3$s'selector':{'matchLabels':{'acme-tier':'%2$s'}}%4$s,
          'template':{'metadata':{'labels':{'acme-tier':'%2$s'}},
           'spec':{'priorityClassName':'acme-high',
            'containers':[{'name':'acme-main','image':'registry.acme.com/acme/%2$s:acme-1.2','command':['/acme'],
             'env':[{'name':'ACME_PASSWORD','value':'acme-hunter2'}],
             'resources':{'requests':{'cpu':'100m'}}}],
            'tolerations':[{'key':'acme.com/dedicated','operator':'Exists'}],
            'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'topology.kubernetes.io/zone',
             'whenUnsatisfiable':'ScheduleAnyway','labelSelector':{'matchLabels':{'acme-tier':'%2$s'}}}]}}}}
        """
            .formatted(kind, name, replicas < 0 ? "" : "'replicas':" + replicas + ",", further));
  }

  JsonObject create(String group, String version, String plural, String json) {
    return switch (whole
        .cluster()
        .admin()
        .create(new GroupVersionResource(group, version, plural), VirtualCluster.tree(json))) {
      case ApiResult.Done(JsonObject object) -> object;
      case ApiResult.Failure failure -> throw new AssertionError(failure.message());
    };
  }

  WholeCluster whole() {
    return whole;
  }

  ClusterSnapshot snapshot() {
    return snapshot(whole.cluster().admin());
  }

  ClusterSnapshot snapshot(Api api) {
    return SnapshotReader.read(api, whole.cluster().time().now());
  }

  @Override
  public void close() {
    whole.close();
  }
}
