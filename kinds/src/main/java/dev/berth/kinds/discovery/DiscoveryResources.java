package dev.berth.kinds.discovery;

import dev.berth.kinds.column.Cells;
import dev.berth.kinds.column.Column;
import dev.berth.kinds.resource.Resource;
import java.util.List;
import java.util.stream.Collectors;

/** The group discovery.k8s.io. */
public final class DiscoveryResources {
  private static final String V1 = "v1";

  private DiscoveryResources() {}

  public static List<Resource> all() {
    return List.of(endpointSlices());
  }

  private static Resource endpointSlices() {
    return Resource.namespaced("discovery.k8s.io", V1, "EndpointSlice")
        .rules(new EndpointSliceRules())
        .warnings(new EndpointSliceWarnings())
        .columns(
            Column.NAME,
            Column.text("AddressType", "IPv4, IPv6 or FQDN.", Cells.text("addressType", "")),
            Column.text(
                "Ports",
                "The ports that serve.",
                slice ->
                    Cells.orNone(
                        slice.array("ports").objects().stream()
                            .map(port -> Long.toString(port.integer("port").orElse(0)))
                            .collect(Collectors.joining(",")))),
            Column.text(
                "Endpoints",
                "The addresses that serve.",
                slice ->
                    Cells.orNone(
                        slice.array("endpoints").objects().stream()
                            .flatMap(endpoint -> endpoint.array("addresses").texts().stream())
                            .collect(Collectors.joining(",")))),
            Column.AGE)
        .build();
  }
}
