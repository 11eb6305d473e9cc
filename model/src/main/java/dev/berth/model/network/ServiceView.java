package dev.berth.model.network;

import dev.berth.model.core.Views;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/**
 * A Service.
 *
 * @param labels the tree's own
 * @param selector the labels of its pods, the tree's own; empty if it has no pods of its own
 * @param type empty means ClusterIP
 * @param clusterIp {@code None} for a headless service; empty if it has no address yet
 * @param externalName what it is another name for, if its type says so
 * @param ipFamilies the families of its addresses; empty if nobody has decided yet
 * @param trafficDistribution which endpoints clients should prefer; empty if nobody says
 * @param allocatesNodePorts whether a load balancer's ports are all given node ports
 */
public record ServiceView(
    String namespace,
    String name,
    String uid,
    JsonObject labels,
    JsonObject selector,
    String type,
    String clusterIp,
    String externalName,
    List<String> ipFamilies,
    boolean publishNotReadyAddresses,
    String trafficDistribution,
    boolean allocatesNodePorts,
    List<ServicePort> ports) {
  private static final String HEADLESS = "None";

  public static ServiceView read(JsonObject service) {
    JsonObject metadata = service.object("metadata");
    JsonObject spec = service.object("spec");
    return new ServiceView(
        metadata.text("namespace", ""),
        metadata.text("name", ""),
        metadata.text("uid", ""),
        metadata.object("labels"),
        spec.object("selector"),
        spec.text("type", ""),
        spec.text("clusterIP", ""),
        spec.text("externalName", ""),
        List.copyOf(spec.array("ipFamilies").texts()),
        spec.flag("publishNotReadyAddresses", false),
        spec.text("trafficDistribution", ""),
        spec.flag("allocateLoadBalancerNodePorts", true),
        Views.list(spec.array("ports"), ServicePort::read));
  }

  public boolean isHeadless() {
    return clusterIp.equals(HEADLESS);
  }
}
