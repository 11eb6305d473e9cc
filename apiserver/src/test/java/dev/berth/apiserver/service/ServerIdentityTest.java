package dev.berth.apiserver.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.Stored;
import dev.berth.registry.fixture.TestCluster;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A server says that it is there, as a kube-apiserver does, and is forgotten when it is not. */
class ServerIdentityTest {
  private final TestCluster cluster = new TestCluster();
  private final Resource leases = cluster.resource("coordination.k8s.io", "leases");

  private ServerIdentity server(String host, String random) {
    return new ServerIdentity(cluster.registry, host, random);
  }

  private Optional<JsonObject> lease(String host) {
    ObjectName name = new ObjectName("kube-system", ServerIdentity.nameOf(host));
    return cluster.registry.find(leases, name).map(Stored::tree);
  }

  @Test
  void itsNameIsThatOfAKubeApiserverOfTheSameHost() {
    assertThat(ServerIdentity.nameOf("node-1.example.com"))
        .isEqualTo("apiserver-iwnuvvk6ostz3iw72j5q3rbs5i");
  }

  @Test
  void itSaysWhereItIsAndRenewsThatEveryTenSeconds() {
    var _ = server("a", "one").keep(cluster.time);
    cluster.time.advance(Duration.ofSeconds(1));
    JsonObject first = lease("a").orElseThrow();
    assertThat(Metadata.of(first).labels())
        .isEqualTo(
            JsonObject.of("apiserver.kubernetes.io/identity", "kube-apiserver")
                .with("kubernetes.io/hostname", "a"));
    assertThat(first.object("spec").text("holderIdentity"))
        .isEqualTo(ServerIdentity.nameOf("a") + "_one");
    assertThat(first.object("spec").integer("leaseDurationSeconds")).hasValue(3600);

    cluster.time.advance(Duration.ofSeconds(10));
    assertThat(Times.parseMicro(lease("a").orElseThrow().object("spec").text("renewTime", "")))
        .isEqualTo(
            Times.parseMicro(first.object("spec").text("renewTime", ""))
                .plus(Duration.ofSeconds(10)));
  }

  @Test
  void itsLeaseGoesWithItAndNobodyElses() {
    ServerIdentity one = server("a", "one");
    var _ = one.keep(cluster.time);
    cluster.time.advance(Duration.ofSeconds(1));
    server("a", "another").withdraw();
    assertThat(lease("a")).isPresent();

    one.withdraw();
    assertThat(lease("a")).isEmpty();
    cluster.time.advance(Duration.ofMinutes(1));
    assertThat(lease("a")).as("not made anew").isEmpty();
  }

  /** Also that of a kube-apiserver from before; other leases are none of its business. */
  @Test
  void theLeaseOfAServerThatDiedIsDeletedOnceItHasExpired() throws Exception {
    AutoCloseable died = server("b", "one").keep(cluster.time);
    var _ = server("a", "one").keep(cluster.time);
    cluster.create(
        "coordination.k8s.io",
        "leases",
        "kube-system",
        "{'metadata':{'name':'other'},'spec':{'leaseDurationSeconds':1,'renewTime':'2000-01-01T00:00:00.000000Z'}}");
    cluster.time.advance(Duration.ofMinutes(59));
    died.close();
    cluster.time.advance(Duration.ofMinutes(30));
    assertThat(lease("b")).as("it has not expired").isPresent();

    cluster.time.advance(Duration.ofMinutes(60));
    assertThat(lease("b")).isEmpty();
    assertThat(lease("a")).isPresent();
    assertThat(cluster.registry.find(leases, new ObjectName("kube-system", "other"))).isPresent();
  }
}
