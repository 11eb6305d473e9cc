package dev.berth.policy.service;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.network.IpAddressView;
import dev.berth.model.network.ServiceCidrView;
import dev.berth.policy.service.AddressRepair.Plan;
import dev.berth.policy.service.AddressRepair.Repair;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is wrong between services and IPAddresses, and what is done about it. */
class AddressRepairTest {
  private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<ServiceCidrView> RANGES =
      List.of(
          new ServiceCidrView(
              "kubernetes",
              List.of("10.0.0.0/24", "fd00::/112"),
              Optional.empty(),
              Optional.empty()));
  private static final String LABELS =
      "'ipaddress.kubernetes.io/ip-family':'IPv4','ipaddress.kubernetes.io/managed-by':'ipallocator.k8s.io'";

  private static AddressedService service(String name, String spec) {
    return AddressedService.read(
        tree(
            "{'metadata':{'namespace':'ns','name':'%s','creationTimestamp':'2026-01-01T00:00:00Z'},'spec':{%s}}"
                .formatted(name, spec)));
  }

  private static AddressedService at(String name, String address) {
    return service(name, "'type':'ClusterIP','clusterIPs':['%s']".formatted(address));
  }

  private static IpAddressView address(String name, String labels, String parent, String created) {
    return IpAddressView.read(
        tree(
            "{'metadata':{'name':'%s','creationTimestamp':'2026-01-01T00:00:%sZ','labels':{%s}},'spec':{'parentRef':{%s}}}"
                .formatted(name, created, labels, parent)));
  }

  private static IpAddressView of(String name, String service) {
    return address(name, LABELS, parent(service), "00");
  }

  private static String parent(String service) {
    return "'resource':'services','namespace':'ns','name':'%s'".formatted(service);
  }

  static Stream<Arguments> cases() {
    IpAddressView fine = of("10.0.0.5", "a");
    return Stream.of(
        row("all is well", 90, List.of(at("a", "10.0.0.5")), List.of(fine)),
        row("headless", 90, List.of(service("a", "'clusterIPs':['None']")), List.of()),
        row(
            "only a name",
            90,
            List.of(service("a", "'type':'ExternalName','clusterIPs':['10.0.0.5']")),
            List.of()),
        row(
            "missing",
            90,
            List.of(at("a", "10.0.0.5")),
            List.of(),
            "Create 10.0.0.5 ClusterIPNotAllocated: Cluster IP [IPv4]: 10.0.0.5 is not allocated;"
                + " repairing"),
        row(
            "missing, IPv6 in another writing",
            90,
            List.of(at("a", "FD00:0::5")),
            List.of(),
            "Create fd00::5 ClusterIPNotAllocated: Cluster IP [IPv6]: fd00::5 is not allocated;"
                + " repairing"),
        row(
            "out of range",
            90,
            List.of(at("a", "192.0.2.1")),
            List.of(),
            "Report ClusterIPOutOfRange: Cluster IP [IPv4]: 192.0.2.1 is not within any configured"
                + " Service CIDR; please recreate service"),
        row(
            "of something else",
            90,
            List.of(at("a", "10.0.0.5")),
            List.of(
                address(
                    "10.0.0.5",
                    "'x':'y'",
                    "'group':'example.com','resource':'gateways','namespace':'ns','name':'a'",
                    "00")),
            "Recreate 10.0.0.5 ClusterIPNotAllocated: the ClusterIP [IPv4]: 10.0.0.5 for Service"
                + " ns/a has a wrong reference; repairing"),
        row(
            "of a service that is not there",
            30,
            List.of(at("a", "10.0.0.5")),
            List.of(of("10.0.0.5", "b")),
            "Recreate 10.0.0.5 ClusterIPNotAllocated: the ClusterIP [IPv4]: 10.0.0.5 for Service"
                + " ns/a has a wrong reference; repairing",
            "pending"),
        row(
            "of two services",
            90,
            List.of(at("a", "10.0.0.5"), at("b", "10.0.0.5")),
            List.of(of("10.0.0.5", "b")),
            "Report ClusterIPAlreadyAllocated: Cluster IP [IPv4]:10.0.0.5 was assigned to multiple"
                + " services; please recreate service"),
        row(
            "without labels",
            90,
            List.of(at("a", "10.0.0.5")),
            List.of(address("10.0.0.5", "'x':'y'", parent("a"), "00")),
            "Recreate 10.0.0.5 ClusterIPNotAllocated: the ClusterIP [IPv4]: 10.0.0.5 for Service"
                + " ns/a has wrong labels; repairing"),
        row("not yet leaked", 60, List.of(), List.of(fine), "pending"),
        row(
            "leaked",
            61,
            List.of(),
            List.of(fine),
            "Delete 10.0.0.5 IPAddressNotAllocated: IPAddress: 10.0.0.5 for Service ns/a appears to"
                + " have leaked: cleaning up"),
        row(
            "somebody else's",
            90,
            List.of(),
            List.of(address("10.0.0.5", "'x':'y'", parent("a"), "00"))),
        row(
            "not of a service any more",
            90,
            List.of(),
            List.of(
                address(
                    "10.0.0.5",
                    LABELS,
                    "'group':'example.com','resource':'gateways','name':'a'",
                    "00")),
            "Delete 10.0.0.5 IPAddressNotAllocated: IPAddress 10.0.0.5 appears to have been"
                + " modified, not referencing a Service: cleaning up"),
        row(
            "of a service with another address",
            90,
            List.of(at("a", "10.0.0.5")),
            List.of(fine, of("10.0.0.6", "a")),
            "Delete 10.0.0.6 IPAddressWrongReference: IPAddress: 10.0.0.6 for Service ns/a has a"
                + " wrong reference; cleaning up"),
        row(
            "the service may be about to change",
            12,
            List.of(at("a", "10.0.0.5")),
            List.of(fine, address("10.0.0.6", LABELS, parent("a"), "10")),
            "pending"),
        row(
            "the name may be about to get an address",
            59,
            List.of(service("a", "'type':'ExternalName'")),
            List.of(fine),
            "pending"));
  }

  private static Arguments row(
      String name,
      int seconds,
      List<AddressedService> services,
      List<IpAddressView> addresses,
      String... expected) {
    return Arguments.of(name, seconds, services, addresses, List.of(expected));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void repairs(
      String name,
      int seconds,
      List<AddressedService> services,
      List<IpAddressView> addresses,
      List<String> expected) {
    Plan plan = AddressRepair.decide(services, addresses, RANGES, CREATED.plusSeconds(seconds));
    List<String> told =
        Stream.concat(
                plan.repairs().stream().map(AddressRepairTest::text),
                plan.isPending() ? Stream.of("pending") : Stream.of())
            .toList();
    assertThat(told).isEqualTo(expected);
  }

  private static String text(Repair repair) {
    String what =
        switch (repair) {
          case Repair.Create create -> "Create " + create.address();
          case Repair.Recreate recreate -> "Recreate " + recreate.address();
          case Repair.Delete delete -> "Delete " + delete.address().name();
          case Repair.Report _ -> "Report";
        };
    return what + " " + repair.note().reason() + ": " + repair.note().message();
  }
}
