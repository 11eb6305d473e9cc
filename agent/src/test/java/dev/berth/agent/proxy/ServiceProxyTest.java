package dev.berth.agent.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.nativecalls.ConnectionTracking.Flow;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.proxy.ProxyNode;
import dev.berth.time.Loop;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is sent to the kernel, and when; the kernel's own answers are in tests on real machines. */
class ServiceProxyTest {
  private static final ObjectName WEB = new ObjectName("ns", "web");
  private static final ProxyNode NODE =
      new ProxyNode(
          "n1", "", List.of("192.168.0.1"), List.of(Cidr.parse("10.244.0.0/24").orElseThrow()));

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.cause());
          });
  private final Loop loop = time.start("test");
  private final List<String> applied = new ArrayList<>();
  private final List<Map<ObjectName, ServiceProxy.HealthPort>> healthPorts = new ArrayList<>();
  private final List<ServiceProxy.UdpService> udp = new ArrayList<>();
  private JsonObject listed = JsonObject.EMPTY;
  private boolean fails;
  private boolean isThere = true;

  private final ServiceProxy proxy =
      new ServiceProxy(
          new ServiceProxy.Parts(
              loop,
              new PacketFilter() {
                @Override
                public void apply(String commands) throws IOException {
                  applied.add(commands);
                  if (fails) {
                    throw new IOException("no");
                  }
                }

                @Override
                public JsonObject sets(String table) {
                  return table.startsWith("ip ") ? listed : JsonObject.EMPTY;
                }

                @Override
                public boolean hasChain(String table, String chain) {
                  return isThere;
                }
              },
              "berth-1-services",
              "berth-1",
              NODE,
              (service, port, family) -> Optional.empty(),
              new ServiceProxy.Listener() {
                @Override
                public void healthPorts(Map<ObjectName, ServiceProxy.HealthPort> ports) {
                  healthPorts.add(ports);
                }

                @Override
                public void udpEndpoints(List<ServiceProxy.UdpService> services) {
                  udp.addAll(services);
                }

                @Override
                public void removed() {}
              }));

  @BeforeEach
  void start() {
    service(WEB, "'clusterIP':'10.96.0.5','ports':[{'port':80}]");
    slice(WEB, "a", "TCP", "10.244.0.2", "10.244.1.2");
    run(proxy::start);
  }

  private void run(Runnable task) {
    loop.offer(task);
    time.settle();
  }

  private static JsonObject json(String text) {
    return JsonReader.object(text.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  private void service(ObjectName name, String spec) {
    run(() ->
        proxy.serviceChanged(
            name,
            json(
                "{'metadata':{'namespace':'%s','name':'%s'},'spec':{%s}}"
                    .formatted(name.namespace(), name.name(), spec))));
  }

  private void slice(ObjectName service, String name, String protocol, String... addresses) {
    List<String> endpoints =
        List.of(addresses).stream()
            .map(each -> "{'addresses':['%s'],'nodeName':'n1'}".formatted(each))
            .toList();
    run(() ->
        proxy.sliceChanged(
            service,
            name,
            json(
                "{'addressType':'IPv4','ports':[{'port':8080,'protocol':'%s'}],'endpoints':[%s]}"
                    .formatted(protocol, String.join(",", endpoints)))));
  }

  private List<String> last() {
    return applied.getLast().lines().toList();
  }

  @Test
  void beginsWithAWholeTableInPlaceOfWhateverThereIs() {
    assertThat(applied).hasSize(1);
    assertThat(last())
        .startsWith(
            "add table ip berth-1-services",
            "delete table ip berth-1-services",
            "add table ip berth-1-services")
        .contains(
            "add element ip berth-1-services service-ips { 10.96.0.5 . tcp . 80 : goto"
                + " cluster-ns/web/tcp/ }",
            "add table ip6 berth-1-services");
  }

  @Test
  void aChangeOfEndpointsCostsThatServiceAlone() {
    slice(WEB, "a", "TCP", "10.244.0.2");
    assertThat(last())
        .containsExactly(
            "flush chain ip berth-1-services cluster-ns/web/tcp/",
            "add rule ip berth-1-services cluster-ns/web/tcp/ meta l4proto tcp dnat ip addr . port"
                + " to numgen random mod 1 map { 0 : 10.244.0.2 . 8080 }",
            "delete element ip berth-1-services hairpin-connections { 10.244.1.2 . 10.244.1.2 . tcp"
                + " . 8080 }");
  }

  @Test
  void whatDoesNotChangeIsNotSent() {
    slice(WEB, "a", "TCP", "10.244.0.2", "10.244.1.2");
    service(WEB, "'clusterIP':'10.96.0.5','ports':[{'port':80}]");
    run(() -> proxy.nodeChanged(NODE));
    assertThat(applied).hasSize(1);
  }

  @Test
  void aServiceThatGoesTakesItsChainsAlongSomeTimeLater() {
    run(() -> proxy.serviceChanged(WEB, null));
    assertThat(last())
        .contains(
            "flush chain ip berth-1-services cluster-ns/web/tcp/",
            "delete element ip berth-1-services service-ips { 10.96.0.5 . tcp . 80 }",
            "delete element ip berth-1-services cluster-ips { 10.96.0.5 }")
        .noneMatch(line -> line.startsWith("delete chain"));
    time.advance(Duration.ofSeconds(2));
    assertThat(last()).containsExactly("delete chain ip berth-1-services cluster-ns/web/tcp/");
  }

  @Test
  void aServiceThatComesBackBeforeThatKeepsItsChain() {
    run(() -> proxy.serviceChanged(WEB, null));
    service(WEB, "'clusterIP':'10.96.0.5','ports':[{'port':80}]");
    assertThat(last())
        .noneMatch(line -> line.startsWith("add chain"))
        .anyMatch(line -> line.startsWith("add rule ip berth-1-services cluster-ns/web/tcp/"));
    int before = applied.size();
    time.advance(Duration.ofSeconds(2));
    assertThat(applied).hasSize(before);
  }

  @Test
  void ofTwoServicesWithOneExternalAddressTheFirstHasItUntilItGoes() {
    ObjectName other = new ObjectName("ns", "another");
    service(WEB, "'clusterIP':'10.96.0.5','externalIPs':['1.1.1.1'],'ports':[{'port':80}]");
    slice(other, "b", "TCP", "10.244.0.9");
    service(other, "'clusterIP':'10.96.0.6','externalIPs':['1.1.1.1'],'ports':[{'port':80}]");
    String element = "element ip berth-1-services service-ips { 1.1.1.1 . tcp . 80";
    assertThat(last())
        .contains("delete " + element + " }")
        .anyMatch(line ->
            line.startsWith("add element ip berth-1-services service-ips")
                && line.contains("1.1.1.1 . tcp . 80 : goto external-ns/another/tcp/"));
    run(() -> proxy.serviceChanged(other, null));
    assertThat(last()).contains("add " + element + " : goto external-ns/web/tcp/ }");
  }

  @Test
  void afterAFailureEverythingIsSentAgain() {
    fails = true;
    slice(WEB, "a", "TCP", "10.244.0.2");
    fails = false;
    int before = applied.size();
    slice(WEB, "a", "TCP", "10.244.0.3");
    assertThat(applied).as("it waits").hasSize(before);
    time.advance(Duration.ofSeconds(2));
    assertThat(applied).hasSize(before + 1);
    assertThat(last())
        .contains("delete table ip berth-1-services")
        .anyMatch(line -> line.contains("0 : 10.244.0.3 . 8080"));
  }

  /** As nft lists them; the second set is of an endpoint that is there no more. */
  @Test
  void clientsStayWithTheirEndpointsInATableThatReplacesAnother() {
    service(WEB, "'clusterIP':'10.96.0.5','sessionAffinity':'ClientIP','ports':[{'port':80}]");
    listed =
        json(
            """
            {'nftables':[{'metainfo':{'version':'1.0.6'}},
             {'set':{'name':'affinity-10800/ns/web/tcp//10.244.0.2/8080','elem':[
               {'elem':{'val':'10.244.0.9','expires':7200}},{'elem':{'val':'10.244.0.8','expires':0}}]}},
             {'set':{'name':'affinity-10800/ns/web/tcp//10.244.9.9/8080','elem':[
               {'elem':{'val':'10.244.0.7','expires':60}}]}},
             {'set':{'name':'cluster-ips','elem':['10.96.0.5']}}]}
            """);
    isThere = false;
    time.advance(Duration.ofSeconds(30));
    assertThat(last())
        .contains(
            "add set ip berth-1-services affinity-10800/ns/web/tcp//10.244.0.2/8080 { type"
                + " ipv4_addr; flags dynamic,timeout; timeout 10800s; }",
            "add element ip berth-1-services affinity-10800/ns/web/tcp//10.244.0.2/8080 {"
                + " 10.244.0.9 expires 7200s }")
        .noneMatch(line -> line.contains("10.244.0.8") || line.contains("10.244.0.7"));
  }

  @Test
  void whatSomebodyRemovedIsMadeAnew() {
    time.advance(Duration.ofSeconds(30));
    assertThat(applied).hasSize(1);
    isThere = false;
    time.advance(Duration.ofSeconds(30));
    assertThat(applied).hasSize(2);
    assertThat(last()).contains("delete table ip berth-1-services");
  }

  @Test
  void anotherRangeOfServicesIsKnownAtOnce() {
    run(() -> proxy.serviceRangesAre(List.of(Cidr.parse("10.96.0.0/12").orElseThrow())));
    assertThat(last())
        .contains(
            "add rule ip berth-1-services cluster-ips-check ip saddr @pod-ranges ip daddr {"
                + " 10.96.0.0/12 } drop");
  }

  @Test
  void moreNodesAreMoreRanges() {
    List<Cidr> ranges = new ArrayList<>(NODE.podRanges());
    ranges.add(Cidr.parse("10.244.1.0/24").orElseThrow());
    run(() -> proxy.nodeChanged(new ProxyNode("n1", "", NODE.addresses(), ranges)));
    assertThat(last())
        .containsExactly("add element ip berth-1-services pod-ranges { 10.244.1.0/24 }");
  }

  @Test
  void loadBalancersHearHowManyEndpointsAreHere() {
    service(
        WEB,
        "'type':'LoadBalancer','externalTrafficPolicy':'Local','healthCheckNodePort':31000,"
            + "'clusterIP':'10.96.0.5','ports':[{'port':80,'nodePort':30000}]");
    assertThat(healthPorts.getLast())
        .isEqualTo(Map.of(WEB, new ServiceProxy.HealthPort(31_000, 2)));
    run(() -> proxy.serviceChanged(WEB, null));
    assertThat(healthPorts.getLast()).isEmpty();
  }

  @Test
  void flowsOfUdpServicesThatLeadNowhereAreStale() {
    ObjectName dns = new ObjectName("ns", "dns");
    slice(dns, "d", "UDP", "10.244.0.7");
    service(dns, "'clusterIP':'10.96.0.7','ports':[{'port':53,'protocol':'UDP','nodePort':30053}]");
    assertThat(udp).hasSize(1);
    assertThat(isStale("10.96.0.7", 53, "10.244.0.8", 8080)).isTrue();
    assertThat(isStale("10.96.0.7", 53, "10.244.0.7", 8080)).isFalse();
    assertThat(isStale("192.168.0.1", 30_053, "10.244.0.8", 8080)).isTrue();
    assertThat(isStale("8.8.8.8", 53, "8.8.8.8", 53)).isFalse();
    udp.add(new ServiceProxy.UdpService(Set.of("fd00::7"), 53, 0, Set.of("fd00:1::7 8080")));
    assertThat(isStale("fd00:0:0:0:0:0:0:7", 53, "fd00:1:0:0:0:0:0:8", 8080)).isTrue();
    assertThat(isStale("fd00:0:0:0:0:0:0:7", 53, "fd00:1:0:0:0:0:0:7", 8080)).isFalse();
    udp.removeLast();
    slice(dns, "d", "UDP");
    udp.removeFirst();
    assertThat(isStale("10.96.0.7", 53, "10.244.0.8", 8080)).as("nothing better to do").isFalse();
  }

  @Test
  void flowsOfAllUdpServicesAreLookedAtWhenRulesAreMadeAnew() {
    ObjectName dns = new ObjectName("ns", "dns");
    slice(dns, "d", "UDP", "10.244.0.7");
    service(dns, "'clusterIP':'10.96.0.7','ports':[{'port':53,'protocol':'UDP'}]");
    udp.clear();
    isThere = false;
    time.advance(Duration.ofSeconds(30));
    assertThat(udp).hasSize(1);
    isThere = true;

    udp.clear();
    fails = true;
    slice(dns, "d", "UDP", "10.244.0.8");
    fails = false;
    assertThat(udp).isEmpty();
    time.advance(Duration.ofSeconds(2));
    assertThat(udp)
        .singleElement()
        .extracting(ServiceProxy.UdpService::endpoints)
        .isEqualTo(Set.of("10.244.0.8 8080"));
  }

  @Test
  void aSliceThatIsCalledHeadlessIsForNamesAlone() {
    run(() ->
        proxy.sliceChanged(
            WEB,
            "a",
            json(
                "{'metadata':{'labels':{'service.kubernetes.io/headless':''}},'addressType':'IPv4',"
                    + "'ports':[{'port':8080}],'endpoints':[{'addresses':['10.244.0.2']}]}")));
    assertThat(last())
        .contains(
            "add element ip berth-1-services no-endpoint-services { 10.96.0.5 . tcp . 80 : goto"
                + " reject-chain }");
  }

  private boolean isStale(String to, int port, String from, int fromPort) {
    return StaleFlows.isStale(new Flow(2, to, port, from, fromPort, new byte[0]), udp);
  }
}
