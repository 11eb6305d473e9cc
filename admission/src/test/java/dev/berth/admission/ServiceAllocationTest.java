package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.at;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.tree.JsonObject;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services get addresses and node ports, each to one service only. */
class ServiceAllocationTest {
  private final TestCluster cluster = new TestCluster(AdmissionPlugins.standard()::chain);

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
            "failed to allocate IP 192.0.2.1: the provided IP (192.0.2.1) is not in the valid range."
                + " The range of valid IPs is 10.96.0.0/12");
    cluster.registry.delete(cluster.core("services"), named("a"), DeletionOptions.DEFAULT);
    assertThat(at(service("b", "'clusterIP':'10.96.0.10',"), "spec.clusterIP"))
        .isEqualTo("10.96.0.10");
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
}
