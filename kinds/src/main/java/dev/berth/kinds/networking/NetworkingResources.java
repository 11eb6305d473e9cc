package dev.berth.kinds.networking;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.AddressRules;
import dev.berth.kinds.resource.ObjectWarnings;
import dev.berth.kinds.resource.Resource;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The group networking.k8s.io. */
public final class NetworkingResources {
  public static final String GROUP = "networking.k8s.io";
  public static final String IP_ADDRESSES = "ipaddresses";
  public static final String SERVICE_CIDRS = "servicecidrs";
  private static final String V1 = "v1";

  private NetworkingResources() {}

  public static List<Resource> all() {
    return List.of(ingressClasses(), ingresses(), ipAddresses(), networkPolicies(), serviceCidrs());
  }

  private static Resource ingresses() {
    return Resource.namespaced(GROUP, V1, "Ingress")
        .plural("ingresses")
        .shortNames("ing")
        .status()
        .countsGeneration()
        .rules(new IngressRules())
        .warnings(new IngressWarnings())
        .columns(
            Column.NAME,
            Column.text(
                "Class", "The ingress's class.", Cells.text("spec.ingressClassName", Cells.NONE)),
            IngressColumns.HOSTS,
            IngressColumns.ADDRESS,
            IngressColumns.PORTS,
            Column.AGE)
        .build();
  }

  private static Resource ingressClasses() {
    return Resource.clusterWide(GROUP, V1, "IngressClass")
        .plural("ingressclasses")
        .countsGeneration()
        .rules(new IngressClassRules())
        .columns(
            IngressColumns.CLASS_NAME,
            Column.text("Controller", "Who serves the class.", Cells.text("spec.controller", "")),
            IngressColumns.PARAMETERS,
            Column.AGE)
        .build();
  }

  private static Resource networkPolicies() {
    return Resource.namespaced(GROUP, V1, "NetworkPolicy")
        .plural("networkpolicies")
        .shortNames("netpol")
        .countsGeneration()
        .rules(new NetworkPolicyRules())
        .warnings(ObjectWarnings.whenWritten(NetworkPolicyWarnings::of))
        .columns(
            Column.NAME,
            Column.text(
                "Pod-Selector",
                "Which pods are meant, by their labels.",
                policy -> {
                  Object selector = FieldPath.of("spec", "podSelector").get(policy);
                  return Cells.orNone(LabelSelector.fromTree(selector).toString());
                }),
            Column.AGE)
        .build();
  }

  private static Resource ipAddresses() {
    return Resource.clusterWide(GROUP, V1, "IPAddress")
        .plural(IP_ADDRESSES)
        .shortNames("ip")
        .names(AddressRules::canonicalAddress)
        .rules(new IpAddressRules())
        .columns(
            Column.NAME,
            Column.text("ParentRef", "What has the address.", NetworkingResources::parent))
        .build();
  }

  private static String parent(JsonObject address) {
    JsonObject parent = address.object("spec").object("parentRef");
    if (parent.isEmpty()) {
      return Cells.NONE;
    }
    String group = parent.text("group", "");
    String namespace = parent.text("namespace", "");
    return parent.text("resource", "")
        + (group.isEmpty() ? "" : "." + group)
        + (namespace.isEmpty() ? "" : "/" + namespace)
        + "/"
        + parent.text("name", "");
  }

  private static Resource serviceCidrs() {
    return Resource.clusterWide(GROUP, V1, "ServiceCIDR")
        .plural(SERVICE_CIDRS)
        .status()
        .rules(new ServiceCidrRules())
        .columns(
            Column.NAME,
            Column.text(
                "CIDRs",
                "The ranges that services have addresses of.",
                range -> Cells.join(range.object("spec").array("cidrs").texts())),
            Column.AGE)
        .build();
  }
}
