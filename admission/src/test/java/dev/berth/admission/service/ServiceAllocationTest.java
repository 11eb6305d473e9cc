package dev.berth.admission.service;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services get addresses and node ports, each to one service only. */
class ServiceAllocationTest {
  private static final String NETWORKING = "networking.k8s.io";

  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

  @BeforeEach
  void range() {
    range("kubernetes", "10.96.0.0/12");
  }

  private void range(String name, String cidr) {
    cluster.create(
        NETWORKING,
        "servicecidrs",
        "",
        "{'metadata':{'name':'%s'},'spec':{'cidrs':['%s']}}".formatted(name, cidr));
  }

  private List<String> addresses() {
    return cluster
        .registry
        .list(cluster.resource(NETWORKING, "ipaddresses"), ListOptions.ALL)
        .entries()
        .stream()
        .map(entry -> Metadata.of(StoredEncoding.tree(entry)).name())
        .toList();
  }

  private JsonObject service(String name, String fields) {
    return cluster
        .create(
            "services",
            "{'metadata':{'name':'%s'},'spec':{%s'ports':[{'port':80}]}}".formatted(name, fields))
        .tree();
  }

  @Test
  void aServiceGetsAnAddressOfItsOwn() {
    JsonObject service = service("a", "");
    assertThat(at(service, "spec.clusterIP")).matches("10\\.(9[6-9]|10[0-9]|11[01])\\..*");
    assertThat(service.object("spec").array("clusterIPs").texts())
        .containsExactly(at(service, "spec.clusterIP"));
    assertThat(at(service, "spec.ipFamilies")).isEqualTo("[\"IPv4\"]");
    assertThat(at(service, "spec.ipFamilyPolicy")).isEqualTo("SingleStack");
    assertThat(at(service, "spec.internalTrafficPolicy")).isEqualTo("Cluster");
  }

  @Test
  void oneThatIsTakenOrElsewhereIsRefusedAndFreeAgainLater() {
    service("a", "'clusterIP':'10.96.0.10',");
    assertThat(refused(() -> service("b", "'clusterIP':'10.96.0.10',")).message())
        .isEqualTo(
            "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"10.96.0.10\"]: failed to"
                + " allocate IP 10.96.0.10: provided IP is already allocated");
    assertThat(refused(() -> service("b", "'clusterIP':'192.0.2.1',")).message())
        .endsWith(
            "failed to allocate IP 192.0.2.1: the provided network does not match the current"
                + " range");
    cluster.registry.delete(cluster.core("services"), named("a"), DeletionOptions.DEFAULT);
    assertThat(at(service("b", "'clusterIP':'10.96.0.10',"), "spec.clusterIP"))
        .isEqualTo("10.96.0.10");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"10.96.0.10", "None"})
  void aNameElsewhereHasNone(String address) {
    String fields =
        "'type':'ExternalName','externalName':'a.b','clusterIP':'%s',".formatted(address);
    assertThat(refused(() -> service("a", fields)).message())
        .isEqualTo(
            "Service \"a\" is invalid: spec.clusterIPs: Forbidden: may not be set for ExternalName"
                + " services");
  }

  @Test
  void aHeadlessServiceHasNone() {
    assertThat(at(service("a", "'clusterIP':'None',"), "spec.clusterIPs")).isEqualTo("[\"None\"]");
  }

  @Test
  void nodePortsAreGivenOutAndKept() {
    JsonObject service = service("a", "'type':'NodePort',");
    long port = Long.parseLong(at(service, "spec.ports[0].nodePort"));
    assertThat(port).isBetween(30_000L, 32_767L);
    JsonObject replaced =
        cluster
            .registry
            .update(
                cluster.core("services"),
                named("a"),
                tree("{'metadata':{'name':'a'},'spec':{'type':'NodePort','ports':[{'port':80}]}}"),
                WriteOptions.DEFAULT)
            .tree();
    assertThat(at(replaced, "spec.ports[0].nodePort")).isEqualTo(Long.toString(port));
    assertThat(at(replaced, "spec.clusterIP")).isEqualTo(at(service, "spec.clusterIP"));
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "80|provided port is not in the valid range. The range of valid ports is 30000-32767",
        "30080|provided port is already allocated",
      })
  void aNodePortThatCannotBeHadIsRefused(int port, String problem) {
    String fields =
        "{'metadata':{'name':'%s'},'spec':{'type':'NodePort','ports':[{'port':80,'nodePort':%d}]}}";
    cluster.create("services", fields.formatted("a", 30080));
    assertThat(refused(() -> cluster.create("services", fields.formatted("b", port))).message())
        .isEqualTo(
            "Service \"b\" is invalid: spec.ports[0].nodePort: Invalid value: %d: %s"
                .formatted(port, problem));
  }

  @Test
  void anAddressNeverChanges() {
    service("a", "");
    assertThat(
            refused(() ->
                    cluster.registry.modify(
                        cluster.core("services"),
                        named("a"),
                        WriteOptions.DEFAULT,
                        s ->
                            s.with(
                                "spec",
                                s.object("spec")
                                    .with("clusterIP", "10.96.0.99")
                                    .without("clusterIPs"))))
                .message())
        .endsWith("may not change once set");
  }

  @Test
  void whatWasNotWrittenIsFreeAgain() {
    assertThat(
            refused(() ->
                    cluster.create(
                        "services",
                        "{'metadata':{'name':'a'},'spec':{'clusterIP':'10.96.0.10','ports':[{'port':0}]}}"))
                .code())
        .isEqualTo(422);
    assertThat(at(service("b", "'clusterIP':'10.96.0.10',"), "spec.clusterIP"))
        .isEqualTo("10.96.0.10");
  }

  @Test
  void manyAtOnceGetDifferentPorts() throws Exception {
    List<Future<String>> ports = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 60; i++) {
        String name = "s" + i;
        ports.add(
            threads.submit(
                () -> at(service(name, "'type':'NodePort',"), "spec.ports[0].nodePort")));
      }
    }
    List<String> given = new ArrayList<>();
    for (Future<String> port : ports) {
      given.add(port.get());
    }
    assertThat(given).doesNotHaveDuplicates().hasSize(60);
  }

  @Test
  void eachAddressHasAnIpAddressThatGoesWithIt() {
    String address = at(service("a", ""), "spec.clusterIP");
    JsonObject taken =
        cluster
            .registry
            .get(cluster.resource(NETWORKING, "ipaddresses"), ObjectName.of(address))
            .tree();
    assertThat(taken.object("spec"))
        .isEqualTo(tree("{'parentRef':{'resource':'services','namespace':'default','name':'a'}}"));
    assertThat(Metadata.of(taken).labels())
        .isEqualTo(
            tree(
                "{'ipaddress.kubernetes.io/ip-family':'IPv4',"
                    + "'ipaddress.kubernetes.io/managed-by':'ipallocator.k8s.io'}"));
    service("headless", "'clusterIP':'None',");
    assertThat(addresses()).containsExactly(address);
    cluster.registry.delete(cluster.core("services"), named("a"), DeletionOptions.DEFAULT);
    assertThat(addresses()).isEmpty();
  }

  @Test
  void aServiceThatWaitsForAFinalizerKeepsItsAddressUntilItGoes() {
    cluster.create(
        "services",
        "{'metadata':{'name':'a','finalizers':['example.com/x']},'spec':{'ports':[{'port':80}]}}");
    cluster.registry.delete(cluster.core("services"), named("a"), DeletionOptions.DEFAULT);
    assertThat(addresses()).hasSize(1);
    cluster.registry.modify(
        cluster.core("services"),
        named("a"),
        WriteOptions.DEFAULT,
        object -> Metadata.withoutFinalizer(object, "example.com/x"));
    assertThat(addresses()).isEmpty();
  }

  @Test
  void whatIsNotWrittenHasNoIpAddress() {
    service("a", "'clusterIP':'10.96.0.10',");
    assertThat(refused(() -> service("a", "")).reason()).isEqualTo("AlreadyExists");
    JsonObject tried =
        cluster
            .registry
            .create(
                cluster.core("services"),
                "default",
                tree(
                    "{'metadata':{'name':'dry'},'spec':{'type':'NodePort','ports':[{'port':80}]}}"),
                new WriteOptions(true, "", "", User.SERVER))
            .tree();
    assertThat(at(tried, "spec.clusterIP")).isEqualTo("10.96.0.0");
    assertThat(at(tried, "spec.ports[0].nodePort")).isEqualTo("32769");
    assertThat(addresses()).containsExactly("10.96.0.10");
  }

  @Test
  void anAddressWithAnIpAddressIsTaken() {
    cluster.create(
        NETWORKING,
        "ipaddresses",
        "",
        "{'metadata':{'name':'10.96.0.10'},'spec':{'parentRef':{'group':'example.com','resource':'gateways','name':'g'}}}");
    assertThat(refused(() -> service("a", "'clusterIP':'10.96.0.10',")).message())
        .endsWith("failed to allocate IP 10.96.0.10: provided IP is already allocated");
  }

  @Test
  void aRangeThatIsFullIsExtendedByAnother() {
    cluster.registry.delete(
        cluster.resource(NETWORKING, "servicecidrs"),
        ObjectName.of("kubernetes"),
        DeletionOptions.DEFAULT);
    assertThat(refused(() -> service("a", "")).message())
        .isEqualTo(
            "Internal error occurred: failed to allocate a serviceIP for Service \"a\": range is"
                + " full");
    range("small", "192.0.2.0/30");
    service("a", "");
    service("b", "");
    assertThat(addresses()).containsExactly("192.0.2.1", "192.0.2.2");
    assertThat(refused(() -> service("c", "")).code()).isEqualTo(500);
    range("more", "198.51.100.0/29");
    assertThat(at(service("c", ""), "spec.clusterIP")).startsWith("198.51.100.");
  }

  @Test
  void aRangeThatIsBeingDeletedOrNotReadyIsNotUsed() {
    cluster.create(
        NETWORKING,
        "servicecidrs",
        "",
        "{'metadata':{'name':'going','finalizers':['networking.k8s.io/service-cidr-finalizer']},'spec':{'cidrs':['192.0.2.0/24']}}");
    assertThat(at(service("a", "'clusterIP':'192.0.2.1',"), "spec.clusterIP"))
        .isEqualTo("192.0.2.1");
    cluster.registry.delete(
        cluster.resource(NETWORKING, "servicecidrs"),
        ObjectName.of("going"),
        DeletionOptions.DEFAULT);
    assertThat(refused(() -> service("b", "'clusterIP':'192.0.2.2',")).message())
        .endsWith("the provided network does not match the current range");
  }

  @Test
  void aPortOverBothProtocolsHasOneNodePort() {
    JsonObject service =
        cluster
            .create(
                "services",
                "{'metadata':{'name':'dns'},'spec':{'type':'NodePort','ports':[{'name':'t','port':53},{'name':'u','port':53,'protocol':'UDP'}]}}")
            .tree();
    assertThat(at(service, "spec.ports[1].nodePort"))
        .isEqualTo(at(service, "spec.ports[0].nodePort"));
    JsonObject wanted =
        cluster
            .create(
                "services",
                "{'metadata':{'name':'dns2'},'spec':{'type':'NodePort','ports':[{'name':'t','port':53},{'name':'u','port':53,'protocol':'UDP','nodePort':30053}]}}")
            .tree();
    assertThat(at(wanted, "spec.ports[0].nodePort")).isEqualTo("30053");
  }

  @Test
  void aLoadBalancerWithoutNodePortsGetsThoseThatItNames() {
    JsonObject service =
        cluster
            .create(
                "services",
                "{'metadata':{'name':'lb'},'spec':{'type':'LoadBalancer','allocateLoadBalancerNodePorts':false,'ports':[{'name':'a','port':80},{'name':'b','port':81,'nodePort':30081}]}}")
            .tree();
    assertThat(service.object("spec").array("ports").objects().getFirst().has("nodePort"))
        .isFalse();
    assertThat(at(service, "spec.ports[1].nodePort")).isEqualTo("30081");
    assertThat(
            refused(() ->
                    cluster.create(
                        "services",
                        "{'metadata':{'name':'b'},'spec':{'type':'NodePort','ports':[{'port':80,'nodePort':30081}]}}"))
                .message())
        .endsWith("provided port is already allocated");
  }

  /** Ports are given out before fields are validated, and on updates upstream counts them then. */
  @Test
  void anUpdateThatNamesANodePortTwiceFailsBeforeItIsValidated() {
    String fields = "{'metadata':{'name':'a'},'spec':{'type':'NodePort','ports':[%s]}}";
    String port = "{'name':'h','port':80,'nodePort':30081}";
    cluster.create("services", fields.formatted(port));
    assertThat(
            refused(() ->
                    cluster.registry.update(
                        cluster.core("services"),
                        named("a"),
                        tree(fields.formatted(port + "," + port)),
                        WriteOptions.DEFAULT))
                .message())
        .isEqualTo("duplicate nodePort: {TCP 30081}");
  }

  @Test
  void aHealthCheckPortThatCannotBeHadIsRefused() {
    String fields =
        "{'metadata':{'name':'%s'},'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Local','healthCheckNodePort':%d,'ports':[{'port':80}]}}";
    cluster.create("services", fields.formatted("a", 30100));
    assertThat(refused(() -> cluster.create("services", fields.formatted("b", 30100))).message())
        .isEqualTo(
            "Internal error occurred: failed to allocate requested HealthCheck NodePort 30100:"
                + " provided port is already allocated");
  }

  @Test
  void endpointsGoWithTheirService() {
    service("a", "");
    cluster.create("endpoints", "{'metadata':{'name':'a'}}");
    cluster.registry.delete(cluster.core("services"), named("a"), DeletionOptions.DEFAULT);
    assertThat(cluster.registry.find(cluster.core("endpoints"), named("a"))).isEmpty();
  }
}
