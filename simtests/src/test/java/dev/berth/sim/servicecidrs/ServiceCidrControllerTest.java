package dev.berth.sim.servicecidrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.servicecidrs.ServiceCidrController;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** ServiceCIDRs come and go on virtual time, and the addresses of services with them. */
class ServiceCidrControllerTest {
  private final VirtualCluster cluster = new VirtualCluster(1);

  @BeforeEach
  void start() {
    cluster.run(
        "cidrs", () -> ServiceCidrController.start(cluster.parts(ServiceCidrController.ACCOUNT)));
  }

  @AfterEach
  void close() {
    assertThat(cluster.warnings()).isEmpty();
    cluster.close();
  }

  private void cidr(String name, String range) {
    cluster.create(
        Resources.SERVICE_CIDRS,
        "{'metadata':{'name':'%s'},'spec':{'cidrs':['%s']}}".formatted(name, range));
    cluster.settle();
  }

  private JsonObject service(String name, String address) {
    return cluster.create(
        Resources.SERVICES,
        "{'metadata':{'namespace':'default','name':'%s'},'spec':{'clusterIP':'%s','ports':[{'port':80}]}}"
            .formatted(name, address));
  }

  private boolean exists(String cidr) {
    return cluster.admin().get(Resources.SERVICE_CIDRS, ObjectName.of(cidr)).isDone();
  }

  private String ready(String cidr) {
    JsonObject object =
        ((ApiResult.Done) cluster.admin().get(Resources.SERVICE_CIDRS, ObjectName.of(cidr)))
            .object();
    JsonObject condition =
        Conditions.find(object.object("status").array("conditions"), "Ready").orElseThrow();
    return condition.text("status") + " " + condition.text("reason") + condition.text("message");
  }

  private List<String> addresses() {
    return cluster.list(Resources.IP_ADDRESSES).stream()
        .map(address -> Metadata.of(address).name())
        .toList();
  }

  @Test
  void theDefaultOneIsThereAndReady() {
    cluster.settle();
    assertThat(ready("kubernetes")).isEqualTo("True Kubernetes Service CIDR is ready");
  }

  @Test
  void oneWithAddressesWaitsForThemToGo() {
    cidr("extra", "192.0.2.0/28");
    assertThat(ready("extra")).isEqualTo("True Kubernetes Service CIDR is ready");
    service("a", "192.0.2.3");
    cluster.delete(Resources.SERVICE_CIDRS, ObjectName.of("extra"));
    cluster.advance(Duration.ofMinutes(1));
    assertThat(ready("extra"))
        .isEqualTo(
            "False TerminatingThere are still IPAddresses referencing the ServiceCIDR, please"
                + " remove them or create a new ServiceCIDR");

    cluster.delete(Resources.SERVICES, new ObjectName("default", "a"));
    cluster.settle();
    assertThat(exists("extra")).isFalse();
  }

  @Test
  void anotherOneWithItsAddressesLetsItGo() {
    cidr("extra", "192.0.2.0/28");
    service("a", "192.0.2.3");
    cluster.delete(Resources.SERVICE_CIDRS, ObjectName.of("extra"));
    cluster.advance(Duration.ofMinutes(1));
    assertThat(exists("extra")).isTrue();
    cidr("larger", "192.0.2.0/24");
    assertThat(exists("extra")).isFalse();
    assertThat(addresses()).contains("192.0.2.3");
  }

  @Test
  void oneWithoutAddressesGoesTenSecondsAfterItsDeletion() {
    cidr("extra", "192.0.2.0/28");
    cluster.delete(Resources.SERVICE_CIDRS, ObjectName.of("extra"));
    cluster.advance(Duration.ofSeconds(9));
    assertThat(exists("extra")).isTrue();
    cluster.advance(Duration.ofSeconds(2));
    assertThat(exists("extra")).isFalse();
  }

  @Test
  void theDefaultOneComesBack() {
    cluster.delete(Resources.SERVICE_CIDRS, ObjectName.of("kubernetes"));
    cluster.advance(Duration.ofSeconds(25));
    assertThat(ready("kubernetes")).startsWith("True");
  }

  @Test
  void anAddressThatWasRemovedComesBackAndALeakedOneGoes() {
    String address = service("a", "10.96.7.7").object("spec").text("clusterIP", "");
    cluster.delete(Resources.IP_ADDRESSES, ObjectName.of(address));
    cluster.create(
        Resources.IP_ADDRESSES,
        "{'metadata':{'name':'10.96.8.8','labels':{'ipaddress.kubernetes.io/managed-by':'ipallocator.k8s.io'}},'spec':{'parentRef':{'resource':'services','namespace':'default','name':'gone'}}}");
    assertThat(addresses()).containsExactly("10.96.8.8");
    cluster.advance(Duration.ofSeconds(20));
    assertThat(addresses()).containsExactly("10.96.7.7", "10.96.8.8");
    cluster.advance(Duration.ofSeconds(60));
    assertThat(addresses()).containsExactly("10.96.7.7");
    assertThat(
            cluster.list(Resources.CORE_EVENTS).stream()
                .map(event -> event.text("reason") + ": " + event.text("message"))
                .toList())
        .containsExactlyInAnyOrder(
            "ClusterIPNotAllocated: Cluster IP [IPv4]: 10.96.7.7 is not allocated; repairing",
            "IPAddressNotAllocated: IPAddress: 10.96.8.8 for Service default/gone appears to have"
                + " leaked: cleaning up");
  }
}
