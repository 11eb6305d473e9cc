package dev.berth.policy.dns;

import dev.berth.model.network.ServicePort;
import dev.berth.model.resource.ObjectName;
import dev.berth.policy.cidr.Cidr;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Answers questions about names of a cluster.
 *
 * <ul>
 *   <li>{@code service.namespace.svc.ZONE}: the cluster IPs; of a headless service, the addresses
 *       of its ready endpoints; of one that is a name for something else, that name.
 *   <li>{@code _port._protocol.service.namespace.svc.ZONE}: SRV records of the service, or of each
 *       endpoint of a headless one.
 *   <li>{@code hostname.service.namespace.svc.ZONE}: an endpoint of a headless service. Pods
 *       without a name of their own have their address, with dashes.
 *   <li>{@code 10-1-2-3.namespace.pod.ZONE}: that address, whoever has it.
 *   <li>{@code 3.2.1.10.in-addr.arpa}, {@code ….ip6.arpa}: the names of services and of endpoints
 *       that have names. Others know all other addresses.
 *   <li>{@code dns-version.ZONE}: the version of these rules.
 * </ul>
 *
 * @param zone such as {@code cluster.local}
 */
public record ClusterZone(String zone, ServiceDirectory directory) {
  private static final String VERSION = "1.1.0";
  private static final String SERVICE = "svc";
  private static final String POD = "pod";
  private static final int ALL_WEIGHT = 100;
  private static final int HEX = 16;

  /** The beginning of the zone, which stands in answers that say there is nothing. */
  public DnsRecord.Authority authority() {
    return new DnsRecord.Authority(zone, "ns.dns." + zone, "hostmaster." + zone);
  }

  /**
   * Answers a question.
   *
   * @param asked the name, without a dot at its end
   * @param type of records that are wanted
   */
  public DnsAnswer answer(String asked, int type) {
    String name = asked.toLowerCase(Locale.ROOT);
    if (name.endsWith(".in-addr.arpa") || name.endsWith(".ip6.arpa")) {
      return reverse(name, type);
    }
    if (name.equals(zone)) {
      return apex(type);
    }
    if (!name.endsWith("." + zone)) {
      return DnsAnswer.NOT_OURS;
    }
    String within = name.substring(0, name.length() - zone.length() - 1);
    List<String> labels = List.of(within.split("\\.", -1));
    return switch (labels.getLast()) {
      case SERVICE -> service(labels.subList(0, labels.size() - 1), name, type);
      case POD -> pod(labels.subList(0, labels.size() - 1), name, type);
      case "dns-version" ->
          labels.size() > 1
              ? DnsAnswer.NO_NAME
              : only(type, List.of(new DnsRecord.Text(name, VERSION)));
      case "dns" -> nameServer(labels, name, type);
      default -> DnsAnswer.NO_NAME;
    };
  }

  private DnsAnswer apex(int type) {
    return only(type, List.of(authority(), new DnsRecord.NameServer(zone, "ns.dns." + zone)));
  }

  private DnsAnswer nameServer(List<String> labels, String name, int type) {
    if (labels.size() == 1) {
      return DnsAnswer.NO_RECORD;
    }
    return labels.equals(List.of("ns", "dns"))
        ? only(type, addresses(name, directory.nameServers()))
        : DnsAnswer.NO_NAME;
  }

  private static List<DnsRecord> addresses(String name, Collection<String> addresses) {
    List<DnsRecord> records = new ArrayList<>();
    addresses.forEach(each -> records.add(new DnsRecord.Address(name, each)));
    return records;
  }

  /** Of the records of a name, those of a type. */
  private static DnsAnswer only(int type, List<DnsRecord> all) {
    List<DnsRecord> wanted = all.stream().filter(each -> each.type() == type).toList();
    return wanted.isEmpty() ? DnsAnswer.NO_RECORD : new DnsAnswer.Records(wanted, List.of());
  }

  /**
   * @param labels those before {@code svc}
   */
  private DnsAnswer service(List<String> labels, String name, int type) {
    int last = labels.size() - 1;
    if (last < 0) {
      return DnsAnswer.NO_RECORD;
    }
    if (last == 0) {
      return directory.hasNamespace(labels.getFirst()) ? DnsAnswer.NO_RECORD : DnsAnswer.NO_NAME;
    }
    Optional<DnsService> found =
        directory.service(new ObjectName(labels.get(last), labels.get(last - 1)));
    if (found.isEmpty()) {
      return DnsAnswer.NO_NAME;
    }
    DnsService service = found.get();
    String base = nameOf(service);
    List<String> before = labels.subList(0, last - 1);
    if (before.isEmpty()) {
      return whole(service, base, type);
    }
    if (before.size() == 2 && before.get(0).startsWith("_") && before.get(1).startsWith("_")) {
      return port(service, name, before.get(0).substring(1), before.get(1).substring(1), type);
    }
    if (before.size() == 1 && before.getFirst().startsWith("_")) {
      boolean hasProtocol =
          service.ports().stream()
              .anyMatch(each -> each.protocol().equalsIgnoreCase(before.getFirst().substring(1)));
      return hasProtocol ? DnsAnswer.NO_RECORD : DnsAnswer.NO_NAME;
    }
    return before.size() == 1
        ? endpoint(service, before.getFirst(), name, type)
        : DnsAnswer.NO_NAME;
  }

  private String nameOf(DnsService service) {
    return "%s.%s.svc.%s".formatted(service.name().name(), service.name().namespace(), zone);
  }

  private DnsAnswer whole(DnsService service, String base, int type) {
    if (!service.externalName().isEmpty()) {
      DnsRecord.Alias alias = new DnsRecord.Alias(base, service.externalName());
      return type == DnsRecord.CNAME ? DnsAnswer.Records.of(alias) : new DnsAnswer.Elsewhere(alias);
    }
    if (type == DnsRecord.SRV) {
      List<ServicePort> ports = service.ports();
      return services(service, base, ports.isEmpty() ? endpointPorts(service) : ports);
    }
    List<DnsRecord> all = addresses(base, service.addresses());
    service.endpoints().forEach(each -> all.add(new DnsRecord.Address(base, each.address())));
    return only(type, all);
  }

  /** A headless service may leave its ports to its slices. */
  private static List<ServicePort> endpointPorts(DnsService service) {
    return service.endpoints().stream().flatMap(each -> each.ports().stream()).distinct().toList();
  }

  private DnsAnswer port(DnsService service, String name, String port, String protocol, int type) {
    List<ServicePort> all = new ArrayList<>(service.ports());
    all.addAll(endpointPorts(service));
    List<ServicePort> matching =
        all.stream()
            .filter(each ->
                each.name().equals(port)
                    && !port.isEmpty()
                    && each.protocol().equalsIgnoreCase(protocol))
            .limit(1)
            .toList();
    if (matching.isEmpty()) {
      return DnsAnswer.NO_NAME;
    }
    return type == DnsRecord.SRV ? services(service, name, matching) : DnsAnswer.NO_RECORD;
  }

  private DnsAnswer services(DnsService service, String name, List<ServicePort> ports) {
    List<DnsRecord> records = new ArrayList<>();
    List<DnsRecord> further = new ArrayList<>();
    String base = nameOf(service);
    for (ServicePort port : ports) {
      if (!service.addresses().isEmpty()) {
        records.add(new DnsRecord.Service(name, ALL_WEIGHT, (int) port.port(), base));
      }
      int weight = Math.max(1, ALL_WEIGHT / Math.max(1, service.endpoints().size()));
      for (DnsService.Endpoint each : service.endpoints()) {
        for (ServicePort own : each.ports()) {
          if (own.name().equals(port.name()) && own.protocol().equals(port.protocol())) {
            String target = each.hostname() + "." + base;
            DnsRecord record = new DnsRecord.Service(name, weight, (int) own.port(), target);
            if (!records.contains(record)) {
              records.add(record);
            }
            further.add(new DnsRecord.Address(target, each.address()));
          }
        }
      }
    }
    if (!service.addresses().isEmpty()) {
      further.addAll(addresses(base, service.addresses()));
    }
    return records.isEmpty()
        ? DnsAnswer.NO_RECORD
        : new DnsAnswer.Records(records, further.stream().distinct().toList());
  }

  private static DnsAnswer endpoint(DnsService service, String hostname, String name, int type) {
    List<DnsRecord> all =
        addresses(
            name,
            service.endpoints().stream()
                .filter(each -> each.hostname().equals(hostname))
                .map(DnsService.Endpoint::address)
                .toList());
    return all.isEmpty() ? DnsAnswer.NO_NAME : only(type, all);
  }

  /**
   * @param labels those before {@code pod}
   */
  private DnsAnswer pod(List<String> labels, String name, int type) {
    if (labels.isEmpty()) {
      return DnsAnswer.NO_RECORD;
    }
    if (labels.size() > 2 || !directory.hasNamespace(labels.getLast())) {
      return DnsAnswer.NO_NAME;
    }
    if (labels.size() == 1) {
      return DnsAnswer.NO_RECORD;
    }
    String dashed = labels.getFirst();
    Optional<Cidr> address =
        Cidr.parseAddress(dashed.replace('-', '.'))
            .or(() -> Cidr.parseAddress(dashed.replace('-', ':')));
    return address
        .map(each -> only(type, addresses(name, List.of(each.address()))))
        .orElse(DnsAnswer.NO_NAME);
  }

  private DnsAnswer reverse(String name, int type) {
    Optional<String> address = addressOf(name);
    List<DnsRecord> records = new ArrayList<>();
    for (DnsService service : address.map(directory::withAddress).orElse(List.of())) {
      if (service.addresses().contains(address.orElseThrow())) {
        records.add(new DnsRecord.Pointer(name, nameOf(service)));
      }
      for (DnsService.Endpoint each : service.endpoints()) {
        if (each.isNamed() && each.address().equals(address.orElseThrow())) {
          records.add(new DnsRecord.Pointer(name, each.hostname() + "." + nameOf(service)));
        }
      }
    }
    return records.isEmpty()
        ? DnsAnswer.NOT_OURS
        : only(type, records.stream().distinct().toList());
  }

  private static Optional<String> addressOf(String name) {
    List<String> labels = new ArrayList<>(List.of(name.split("\\.", -1))).reversed();
    List<String> parts = labels.subList(2, labels.size());
    if (name.endsWith(".in-addr.arpa")) {
      return Cidr.parseAddress(String.join(".", parts)).map(Cidr::address);
    }
    if (parts.size() != 2 * HEX || parts.stream().anyMatch(each -> each.length() != 1)) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      text.append(i > 0 && i % 4 == 0 ? ":" : "").append(parts.get(i));
    }
    return Cidr.parseAddress(text.toString()).map(Cidr::address);
  }
}
