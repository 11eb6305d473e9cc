package dev.berth.admission.service;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.AdmissionPlugins;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.service.NodePortRange;
import dev.berth.policy.service.ServiceNetwork;
import dev.berth.policy.service.ServiceRange;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of which families services have addresses, in clusters of one family and of two. */
class DualStackServicesTest {
  private static final String IPV4 = "10.96.0.0/16";
  private static final String IPV6 = "fd00::/112";

  private static TestCluster cluster(String... ranges) {
    ServiceNetwork network =
        new ServiceNetwork(
            Arrays.stream(ranges).map(text -> ServiceRange.parse(text).orElseThrow()).toList(),
            NodePortRange.DEFAULT);
    TestCluster cluster = new TestCluster(AdmissionPlugins.standard().with(network)::chain);
    cluster.create(
        "networking.k8s.io",
        "servicecidrs",
        "",
        "{'metadata':{'name':'kubernetes'},'spec':{'cidrs':['%s']}}"
            .formatted(String.join("','", ranges)));
    return cluster;
  }

  private static TestCluster cluster(String kind) {
    return switch (kind) {
      case "v4" -> cluster(new String[] {IPV4});
      case "v6" -> cluster(new String[] {IPV6});
      case "v4v6" -> cluster(IPV4, IPV6);
      case "v6v4" -> cluster(IPV6, IPV4);
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static JsonObject create(TestCluster cluster, String fields) {
    return cluster
        .create(
            "services",
            "{'metadata':{'name':'a'},'spec':{%s'ports':[{'port':80}]}}"
                .formatted(fields.isEmpty() ? "" : fields + ","))
        .tree()
        .object("spec");
  }

  /** Policy, families, and the families of the addresses. */
  private static String text(JsonObject spec) {
    String addresses =
        spec.array("clusterIPs").texts().stream()
            .map(address ->
                address.equals("None") ? "None" : address.contains(":") ? "IPv6" : "IPv4")
            .collect(Collectors.joining("+"));
    assertThat(spec.text("clusterIP")).isEqualTo(spec.array("clusterIPs").texts().getFirst());
    return spec.text("ipFamilyPolicy")
        + " "
        + String.join("+", spec.array("ipFamilies").texts())
        + " "
        + addresses;
  }

  @ParameterizedTest(name = "{0}: {1} -> {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "v4||SingleStack IPv4 IPv4",
        "v6||SingleStack IPv6 IPv6",
        "v4v6||SingleStack IPv4 IPv4",
        "v6v4||SingleStack IPv6 IPv6",
        "v4|'ipFamilyPolicy':'PreferDualStack'|PreferDualStack IPv4 IPv4",
        "v4v6|'ipFamilyPolicy':'PreferDualStack'|PreferDualStack IPv4+IPv6 IPv4+IPv6",
        "v6v4|'ipFamilyPolicy':'PreferDualStack'|PreferDualStack IPv6+IPv4 IPv6+IPv4",
        "v4v6|'ipFamilyPolicy':'RequireDualStack'|RequireDualStack IPv4+IPv6 IPv4+IPv6",
        "v4v6|'ipFamilies':['IPv6']|SingleStack IPv6 IPv6",
        "v4v6|'ipFamilyPolicy':'RequireDualStack','ipFamilies':['IPv6']|RequireDualStack IPv6+IPv4 IPv6+IPv4",
        "v4v6|'ipFamilyPolicy':'PreferDualStack','ipFamilies':['IPv6','IPv4']|PreferDualStack IPv6+IPv4 IPv6+IPv4",
        "v4v6|'clusterIP':'fd00::9'|SingleStack IPv6 IPv6",
        "v4v6|'ipFamilyPolicy':'PreferDualStack','clusterIP':'fd00::9'|PreferDualStack IPv6+IPv4 IPv6+IPv4",
        "v4v6|'ipFamilyPolicy':'RequireDualStack','clusterIP':'fd00::9','clusterIPs':['fd00::9','10.96.0.9']|RequireDualStack IPv6+IPv4 IPv6+IPv4",
        "v4|'clusterIP':'None','selector':{'a':'b'}|SingleStack IPv4 None",
        "v4|'clusterIP':'None'|RequireDualStack IPv4+IPv6 None",
        "v6|'clusterIP':'None'|RequireDualStack IPv6+IPv4 None",
        "v4|'clusterIP':'None','ipFamilyPolicy':'SingleStack'|SingleStack IPv4 None",
        "v4|'clusterIP':'None','ipFamilies':['IPv6']|RequireDualStack IPv6+IPv4 None",
        "v4v6|'clusterIP':'None','selector':{'a':'b'},'ipFamilyPolicy':'PreferDualStack'|PreferDualStack IPv4+IPv6 None",
      })
  void aNewService(String kind, @Nullable String fields, String expected) {
    assertThat(text(create(cluster(kind), fields == null ? "" : fields))).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "v4|'ipFamilyPolicy':'RequireDualStack'|spec.ipFamilyPolicy: Invalid value: \"RequireDualStack\": this cluster is not configured for dual-stack services",
        "v4|'ipFamilies':['IPv6']|spec.ipFamilies[0]: Invalid value: \"IPv6\": not configured on this cluster",
        "v4|'clusterIP':'fd00::9'|spec.clusterIPs[0]: Invalid value: [\"fd00::9\"]: IPv6 is not configured on this cluster",
        "v4v6|'ipFamilies':['IPv4','IPv6']|spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
        "v4v6|'clusterIP':'fd00::9','clusterIPs':['fd00::9','10.96.0.9']|spec.ipFamilyPolicy: Invalid value: \"SingleStack\": must be 'RequireDualStack' or 'PreferDualStack' when multiple cluster IPs are specified",
        "v4v6|'ipFamilies':['IPv6'],'clusterIP':'10.96.0.9'|spec.clusterIPs[0]: Invalid value: \"10.96.0.9\": expected an IPv6 value as indicated by `ipFamilies[0]`",
        "v4v6|'clusterIPs':['10.96.0.9']|spec.clusterIPs: Invalid value: [\"10.96.0.9\"]: must be empty when `clusterIP` is not specified",
        "v4v6|'ipFamilyPolicy':'PreferDualStack','clusterIP':'10.96.0.9','clusterIPs':['10.96.0.9','10.96.0.10']|spec.clusterIPs: Invalid value: [\"10.96.0.9\",\"10.96.0.10\"]: may specify no more than one IP for each IP family",
        "v4v6|'ipFamilyPolicy':'Both'|spec.ipFamilyPolicy: Unsupported value: \"Both\": supported values: \"PreferDualStack\", \"RequireDualStack\", \"SingleStack\"",
      })
  void oneThatCannotBe(String kind, String fields, String problem) {
    TestCluster cluster = cluster(kind);
    assertThat(refused(() -> create(cluster, fields)).message())
        .isEqualTo("Service \"a\" is invalid: " + problem);
  }

  private static JsonObject change(TestCluster cluster, JsonObject changes) {
    return cluster
        .registry
        .modify(
            cluster.core("services"),
            named("a"),
            WriteOptions.DEFAULT,
            object ->
                object.update(
                    "spec",
                    spec -> {
                      JsonObject changed = spec;
                      for (String field : changes.names()) {
                        Object value = changes.get(field);
                        changed =
                            value == null || value.equals("")
                                ? changed.without(field)
                                : changed.with(field, value);
                      }
                      return changed;
                    }))
        .tree()
        .object("spec");
  }

  private static long count(TestCluster cluster) {
    return cluster.registry.count(cluster.resource("networking.k8s.io", "ipaddresses"));
  }

  @ParameterizedTest(name = "{0} then {1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "|{'ipFamilyPolicy':'PreferDualStack'}|PreferDualStack IPv4+IPv6 IPv4+IPv6|2",
        "|{'ipFamilyPolicy':'RequireDualStack'}|RequireDualStack IPv4+IPv6 IPv4+IPv6|2",
        "'ipFamilyPolicy':'RequireDualStack'|{'ipFamilyPolicy':'SingleStack'}|SingleStack IPv4 IPv4|1",
        "'ipFamilyPolicy':'RequireDualStack'|{'ipFamilyPolicy':'PreferDualStack'}|PreferDualStack IPv4+IPv6 IPv4+IPv6|2",
        "'ipFamilyPolicy':'RequireDualStack'|{'ipFamilyPolicy':'','ipFamilies':'','clusterIP':'','clusterIPs':''}|RequireDualStack IPv4+IPv6 IPv4+IPv6|2",
        "'clusterIP':'None','selector':{'a':'b'}|{'ipFamilyPolicy':'PreferDualStack'}|PreferDualStack IPv4+IPv6 None|0",
      })
  void aChangedService(@Nullable String before, String changes, String expected, long addresses) {
    TestCluster cluster = cluster("v4v6");
    JsonObject created = create(cluster, before == null ? "" : before);
    JsonObject changed = change(cluster, tree(changes));
    assertThat(text(changed)).isEqualTo(expected);
    assertThat(changed.text("clusterIP")).isEqualTo(created.text("clusterIP"));
    assertThat(count(cluster)).isEqualTo(addresses);
  }

  @Test
  void aServiceBecomesANameAndBackAgain() {
    TestCluster cluster = cluster("v4v6");
    create(cluster, "'ipFamilyPolicy':'RequireDualStack'");
    JsonObject name =
        change(cluster, JsonObject.of("type", "ExternalName").with("externalName", "example.com"));
    assertThat(name.has("clusterIPs")).isFalse();
    assertThat(count(cluster)).isZero();
    JsonObject again = change(cluster, JsonObject.of("type", "ClusterIP").with("externalName", ""));
    assertThat(text(again)).isEqualTo("SingleStack IPv4 IPv4");
    assertThat(count(cluster)).isEqualTo(1);
  }

  @Test
  void aSecondAddressIsNotGivenUpByTheWay() {
    TestCluster cluster = cluster("v4v6");
    JsonObject spec = create(cluster, "'ipFamilyPolicy':'RequireDualStack'");
    JsonArray first = JsonArray.of(spec.array("clusterIPs").get(0));
    assertThat(refused(() -> change(cluster, JsonObject.of("clusterIPs", first))).message())
        .contains("must be 'SingleStack' to release the secondary cluster IP");
    assertThat(count(cluster)).isEqualTo(2);
  }

  @Test
  void whatPrefersTwoFamiliesKeepsTheOneThatItHas() {
    TestCluster single = cluster("v4");
    create(single, "'ipFamilyPolicy':'PreferDualStack'");
    JsonObject labelled = change(single, JsonObject.of("sessionAffinity", "ClientIP"));
    assertThat(text(labelled)).isEqualTo("PreferDualStack IPv4 IPv4");
  }

  @Test
  void aSecondAddressThatIsTakenIsRefusedAndTheFirstIsFreeAgain() {
    TestCluster cluster = cluster("v4v6");
    cluster.create(
        "services",
        "{'metadata':{'name':'other'},'spec':{'clusterIP':'fd00::9','ports':[{'port':80}]}}");
    assertThat(
            refused(() ->
                    create(
                        cluster,
                        "'ipFamilyPolicy':'RequireDualStack','clusterIP':'10.96.0.9','clusterIPs':['10.96.0.9','fd00::9']"))
                .message())
        .isEqualTo(
            "Service \"a\" is invalid: spec.clusterIPs: Invalid value: [\"10.96.0.9\",\"fd00::9\"]:"
                + " failed to allocate IP fd00::9: provided IP is already allocated");
    assertThat(text(create(cluster, "'clusterIP':'10.96.0.9'"))).startsWith("SingleStack");
    assertThat(List.of(count(cluster))).containsExactly(2L);
  }
}
