package dev.berth.policy.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.network.ProxiedService;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProxyRulesTest {
  private static final ProxyNode NODE =
      new ProxyNode(
          "n1",
          "",
          List.of("192.168.0.1", "fd00:1::1"),
          List.of(
              Cidr.parse("10.244.0.0/24").orElseThrow(),
              Cidr.parse("10.244.1.0/24").orElseThrow()));

  private static JsonObject json(String text) {
    return JsonReader.object(text.replace('\'', '"').getBytes(UTF_8), JsonLimits.REQUEST);
  }

  /** A service with one TCP port, 80, and further fields of its specification. */
  private static ProxiedService service(String spec, String status) {
    return ProxiedService.read(
            json(
                "{'metadata':{'namespace':'ns','name':'web'},'spec':{'clusterIP':'10.96.1.1',"
                    + "'ports':[{'name':'http','port':80%s}]%s},'status':%s}"
                        .formatted(
                            spec.contains("NodePort") || spec.contains("LoadBalancer")
                                ? ",'nodePort':30080"
                                : "",
                            spec.isEmpty() ? "" : "," + spec,
                            status)))
        .orElseThrow();
  }

  private static RuleFragment rules(ProxiedService service, ProxyEndpoint... endpoints) {
    return ProxyRules.of(service, Family.IPV4, NODE, _ -> List.of(endpoints));
  }

  private static ProxyEndpoint here(String address) {
    return ProxyEndpoint.of(address, 8080, true);
  }

  private static ProxyEndpoint elsewhere(String address) {
    return ProxyEndpoint.of(address, 8080, false);
  }

  /** What becomes of elements, one on each line. */
  private static List<String> elements(RuleFragment rules) {
    List<String> lines = new ArrayList<>();
    rules
        .elements()
        .forEach((element, value) ->
            lines.add(
                element.container() + " " + element.key() + (value.isEmpty() ? "" : " " + value)));
    return lines;
  }

  @Test
  void aClusterIpLeadsToAnEndpointDrawnAtRandom() {
    RuleFragment rules = rules(service("", "{}"), here("10.244.0.5"), elsewhere("10.244.1.6"));
    assertThat(elements(rules))
        .containsExactly(
            "cluster-ips 10.96.1.1",
            "hairpin-connections 10.244.0.5 . 10.244.0.5 . tcp . 8080",
            "service-ips 10.96.1.1 . tcp . 80 goto cluster-ns/web/tcp/http");
    assertThat(rules.chains())
        .isEqualTo(
            Map.of(
                "cluster-ns/web/tcp/http",
                List.of(
                    "meta l4proto tcp dnat ip addr . port to numgen random mod 2 map"
                        + " { 0 : 10.244.0.5 . 8080, 1 : 10.244.1.6 . 8080 }")));
  }

  @Test
  void withoutEndpointsClientsAreRejected() {
    assertThat(elements(rules(service("'type':'NodePort','externalIPs':['1.2.3.4']", "{}"))))
        .containsExactly(
            "cluster-ips 10.96.1.1",
            "no-endpoint-nodeports tcp . 30080 goto reject-chain",
            "no-endpoint-services 1.2.3.4 . tcp . 80 goto reject-chain",
            "no-endpoint-services 10.96.1.1 . tcp . 80 goto reject-chain");
  }

  @Test
  void whatComesByANodePortMayLeaveTheNodeAndGetsItsAddress() {
    RuleFragment rules = rules(service("'type':'NodePort'", "{}"), elsewhere("10.244.1.6"));
    assertThat(elements(rules))
        .contains("service-nodeports tcp . 30080 goto external-ns/web/tcp/http");
    assertThat(rules.chains().get("external-ns/web/tcp/http"))
        .containsExactly("meta mark set meta mark or 0x4000", "goto cluster-ns/web/tcp/http");
  }

  @Test
  void policyLocalKeepsAddressesAndSendsPodsAndTheNodeEverywhere() {
    String local = "'type':'NodePort','externalTrafficPolicy':'Local'";
    RuleFragment rules = rules(service(local, "{}"), here("10.244.0.5"), elsewhere("10.244.1.6"));
    assertThat(rules.chains().get("external-ns/web/tcp/http"))
        .containsExactly(
            "ip saddr @pod-ranges goto cluster-ns/web/tcp/http",
            "fib saddr type local meta mark set meta mark or 0x4000",
            "fib saddr type local goto cluster-ns/web/tcp/http",
            "goto local-ns/web/tcp/http");
    assertThat(rules.chains().get("local-ns/web/tcp/http"))
        .singleElement()
        .asString()
        .contains("mod 1");

    RuleFragment remote = rules(service(local, "{}"), elsewhere("10.244.1.6"));
    assertThat(remote.chains().get("external-ns/web/tcp/http"))
        .doesNotContain("goto local-ns/web/tcp/http");
    assertThat(elements(remote)).contains("no-endpoint-nodeports tcp . 30080 drop");
  }

  @Test
  void internalPolicyLocalDropsWhatHasNoEndpointHere() {
    ProxiedService service = service("'internalTrafficPolicy':'Local'", "{}");
    assertThat(elements(rules(service, elsewhere("10.244.1.6"))))
        .containsExactly("cluster-ips 10.96.1.1", "no-endpoint-services 10.96.1.1 . tcp . 80 drop");
    assertThat(elements(rules(service, here("10.244.0.5"))))
        .contains("service-ips 10.96.1.1 . tcp . 80 goto local-ns/web/tcp/http");
  }

  @Test
  void aClientStaysWithItsEndpointForItsTime() {
    RuleFragment rules =
        rules(
            service(
                "'sessionAffinity':'ClientIP','sessionAffinityConfig':{'clientIP':{'timeoutSeconds':60}}",
                "{}"),
            here("10.244.0.5"));
    String endpoint = "ns/web/tcp/http/10.244.0.5/8080";
    assertThat(rules.sets())
        .isEqualTo(
            Map.of(
                "affinity-60/" + endpoint, "type ipv4_addr; flags dynamic,timeout; timeout 60s"));
    assertThat(rules.chains())
        .isEqualTo(
            Map.of(
                "cluster-ns/web/tcp/http",
                List.of(
                    "ip saddr @affinity-60/%s goto endpoint-%s".formatted(endpoint, endpoint),
                    "numgen random mod 1 vmap { 0 : goto endpoint-%s }".formatted(endpoint)),
                "endpoint-" + endpoint,
                List.of(
                    "update @affinity-60/%s { ip saddr }".formatted(endpoint),
                    "meta l4proto tcp dnat to 10.244.0.5:8080")));
  }

  @Test
  void aLoadBalancersAddressIsForItsSourceRanges() {
    String status =
        "{'loadBalancer':{'ingress':[{'ip':'5.5.5.5'},{'ip':'6.6.6.6','ipMode':'Proxy'}]}}";
    RuleFragment rules =
        rules(
            service("'type':'LoadBalancer','loadBalancerSourceRanges':[' 203.0.113.0/24']", status),
            here("10.244.0.5"));
    assertThat(elements(rules))
        .contains(
            "firewall-ips 5.5.5.5 . tcp . 80 goto firewall-ns/web/tcp/http",
            "service-ips 5.5.5.5 . tcp . 80 goto external-ns/web/tcp/http")
        .noneMatch(line -> line.contains("6.6.6.6"));
    assertThat(rules.chains().get("firewall-ns/web/tcp/http"))
        .containsExactly("ip saddr != { 203.0.113.0/24 } drop");
    assertThat(
            rules(
                    service(
                        "'type':'LoadBalancer','loadBalancerSourceRanges':['192.168.0.0/16']",
                        status),
                    here("10.244.0.5"))
                .chains()
                .get("firewall-ns/web/tcp/http"))
        .as("the node itself is among them, and comes from the address that it goes to")
        .containsExactly("ip saddr != { 192.168.0.0/16, 5.5.5.5 } drop");
    assertThat(
            elements(
                rules(
                    service(
                        "'type':'LoadBalancer','loadBalancerSourceRanges':['0.0.0.0/0']", status),
                    here("10.244.0.5"))))
        .noneMatch(line -> line.startsWith("firewall"));
  }

  @Test
  void eachFamilyHasItsOwnAddresses() {
    ProxiedService service =
        service("'clusterIPs':['10.96.1.1','fd00:96::1'],'sessionAffinity':'ClientIP'", "{}");
    RuleFragment rules =
        ProxyRules.of(
            service, Family.IPV6, NODE, _ -> List.of(ProxyEndpoint.of("fd00:2::5", 8080, true)));
    assertThat(elements(rules))
        .contains("service-ips fd00:96::1 . tcp . 80 goto cluster-ns/web/tcp/http")
        .noneMatch(line -> line.contains("10.96"));
    assertThat(rules.chains().get("endpoint-ns/web/tcp/http/fd00.2..5/8080"))
        .contains("meta l4proto tcp dnat to [fd00:2::5]:8080");
    assertThat(ProxyRules.of(service("", "{}"), Family.IPV6, NODE, _ -> List.of()))
        .isEqualTo(RuleFragment.EMPTY);
  }

  @Test
  void whatIsNoAddressReachesNoRule() {
    RuleFragment rules =
        rules(
            service("'externalIPs':['1.2.3.4 } ; flush ruleset','2.2.2.2']", "{}"),
            here("10.244.0.5"));
    assertThat(elements(rules))
        .contains("service-ips 2.2.2.2 . tcp . 80 goto external-ns/web/tcp/http")
        .noneMatch(line -> line.contains("flush"));
  }

  @Test
  void someServicesHaveNoRules() {
    for (String spec :
        List.of(
            "{'clusterIP':'None'}",
            "{}",
            "{'type':'ExternalName','externalName':'x','clusterIP':'10.0.0.1'}")) {
      assertThat(ProxiedService.read(json("{'spec':%s}".formatted(spec)))).isEmpty();
    }
    assertThat(
            ProxiedService.read(
                json(
                    "{'metadata':{'labels':{'service.kubernetes.io/service-proxy-name':'other'}},"
                        + "'spec':{'clusterIP':'10.0.0.1'}}")))
        .isEmpty();
  }

  @Test
  void endpointsAreReadFromSlicesOfTheRightFamilyPortAndProtocol() {
    JsonObject slice =
        json(
            "{'addressType':'IPv4','ports':[{'name':'http','port':8080,'protocol':'TCP'},{'name':'http','port':53,'protocol':'UDP'}],"
                + "'endpoints':[{'addresses':['10.244.0.7'],'nodeName':'n1','conditions':{'ready':false,'serving':true,'terminating':true},"
                + "'hints':{'forZones':[{'name':'a'}]}},{'addresses':['10.244.0.6']}]}");
    JsonObject other =
        json(
            "{'addressType':'IPv4','ports':[{'name':'http','port':8080}],'endpoints':[{'addresses':['10.244.0.7'],'nodeName':'n1'}]}");
    JsonObject ipv6 =
        json(
            "{'addressType':'IPv6','ports':[{'name':'http','port':8080}],'endpoints':[{'addresses':['fd00::1']}]}");
    List<ProxyEndpoint> found =
        ProxyEndpoint.of(
            List.of(slice, other, ipv6), Family.IPV4, service("", "{}").ports().getFirst(), "n1");
    assertThat(found)
        .as("one that is in two slices is ready if one says so")
        .containsExactly(elsewhere("10.244.0.6"), here("10.244.0.7"));
  }

  @Test
  void whatAllServicesShareFollowsTheNode() {
    RuleFragment rules = new BaseRules(Family.IPV4, "berth-1").fragment(NODE, List.of());
    assertThat(elements(rules))
        .containsExactly(
            "nodeport-ips 192.168.0.1", "pod-ranges 10.244.0.0/24", "pod-ranges 10.244.1.0/24");
    assertThat(rules.chains().get("nat-prerouting"))
        .as("another cluster's pods on this machine have services of their own")
        .startsWith("iifname != \"berth-1\" iifname \"berth-*\" return");
    ProxyNode unknown = new ProxyNode("n1", "", List.of(), List.of());
    assertThat(
            new BaseRules(Family.IPV4, "berth-1")
                .fragment(unknown, List.of()).chains().values().stream().flatMap(List::stream))
        .noneMatch(rule -> rule.contains("pod-ranges") || rule.endsWith("} drop"));
  }

  @Test
  void whatBelongsToNoConnectionDoesNotReachClientsPastTheService() {
    RuleFragment rules = new BaseRules(Family.IPV6, "berth-1").fragment(NODE, List.of());
    assertThat(rules.chains().get("filter-forward"))
        .as("it has no pods of this family")
        .noneMatch(rule -> rule.contains("invalid"));
    assertThat(
            new BaseRules(Family.IPV4, "berth-1")
                .fragment(NODE, List.of())
                .chains()
                .get("filter-forward"))
        .contains("ct state invalid ip saddr @pod-ranges drop");
  }

  @Test
  void whatIsForAnAddressThatNoServiceHasDoesNotLeaveTheCluster() {
    List<Cidr> ranges =
        List.of(
            Cidr.parse("10.96.0.0/12").orElseThrow(),
            Cidr.parse("10.96.128.0/20").orElseThrow(),
            Cidr.parse("fd00:96::/112").orElseThrow(),
            Cidr.parse("10.200.0.0/24").orElseThrow());
    assertThat(
            new BaseRules(Family.IPV4, "berth-1")
                .fragment(NODE, ranges)
                .chains()
                .get("cluster-ips-check"))
        .containsExactly(
            "ip daddr @cluster-ips reject",
            "ct status dnat return",
            "ip saddr @pod-ranges ip daddr { 10.200.0.0/24, 10.96.0.0/12 } drop");
    assertThat(
            new BaseRules(Family.IPV6, "berth-1")
                .fragment(NODE, ranges)
                .chains()
                .get("cluster-ips-check"))
        .as("it has no pods of this family")
        .containsExactly("ip6 daddr @cluster-ips reject");
  }
}
