package dev.berth.policy.dns;

import dev.berth.model.network.ClusterIpsView;
import dev.berth.model.network.EndpointSliceView;
import dev.berth.model.network.EndpointView;
import dev.berth.model.network.ServicePort;
import dev.berth.model.network.ServiceView;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A service as it is known by name.
 *
 * @param externalName what it is another name for; empty for a service of the cluster's own
 * @param addresses its cluster IPs; none for a headless one
 * @param ports of the service
 * @param endpoints of a headless one, those that are ready
 */
public record DnsService(
    ObjectName name,
    String externalName,
    List<String> addresses,
    List<ServicePort> ports,
    List<Endpoint> endpoints) {

  /**
   * An endpoint of a headless service.
   *
   * @param hostname its name within the service: the pod's, or else its address with dashes
   * @param isNamed whether the pod has a name of its own
   */
  public record Endpoint(
      String hostname, boolean isNamed, String address, List<ServicePort> ports) {}

  /**
   * Reads one.
   *
   * @param slices of it
   */
  public static DnsService read(JsonObject service, Collection<JsonObject> slices) {
    ServiceView view = ServiceView.read(service);
    ClusterIpsView known = ClusterIpsView.read(service);
    // Older servers have stored only the first.
    boolean hasOne = !view.clusterIp().isEmpty() && !view.isHeadless() && !known.isExternalName();
    return new DnsService(
        known.name(),
        known.isExternalName() ? withoutDot(view.externalName()) : "",
        known.addresses().isEmpty() && hasOne ? List.of(view.clusterIp()) : known.addresses(),
        view.ports(),
        view.isHeadless() && !known.isExternalName()
            ? endpoints(slices, view.publishNotReadyAddresses())
            : List.of());
  }

  private static String withoutDot(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
  }

  private static List<Endpoint> endpoints(
      Collection<JsonObject> slices, boolean publishesNotReady) {
    Set<Endpoint> found = new LinkedHashSet<>();
    for (JsonObject tree : slices) {
      EndpointSliceView slice = new EndpointSliceView(tree);
      if (slice.addressType().equals("FQDN")) {
        continue;
      }
      List<ServicePort> ports = slice.portViews();
      for (EndpointView each : slice.endpointViews()) {
        if (publishesNotReady || each.ready()) {
          for (String address : each.addresses()) {
            found.add(
                new Endpoint(
                    each.hostname().isEmpty() ? dashed(address) : each.hostname(),
                    !each.hostname().isEmpty(),
                    address,
                    ports));
          }
        }
      }
    }
    return new ArrayList<>(found);
  }

  /** An address as a label: {@code 10-1-2-3}. */
  static String dashed(String address) {
    String text = address.replace('.', '-').replace(':', '-');
    // A label may not begin or end with a dash.
    return (text.startsWith("-") ? "0" : "") + text + (text.endsWith("-") ? "0" : "");
  }
}
