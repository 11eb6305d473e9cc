package dev.berth.sim.everynamespace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.controllers.rootcacertpublisher.RootCaPublisher;
import dev.berth.controllers.serviceaccount.ServiceAccountController;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.VirtualCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every namespace has an account for its pods, and the certificates by which they know the API. */
class EveryNamespaceTest {
  private static final GroupVersionResource ACCOUNTS =
      new GroupVersionResource("", "v1", "serviceaccounts");
  private static final ObjectName ACCOUNT = new ObjectName("team", "default");
  private static final ObjectName BUNDLE = new ObjectName("team", "kube-root-ca.crt");

  private final VirtualCluster cluster = new VirtualCluster(1);
  private String pem = "PEM";

  @BeforeEach
  void start() {
    cluster.run(
        "accounts",
        () -> ServiceAccountController.start(cluster.parts(ServiceAccountController.ACCOUNT)));
    cluster.run(
        "certificates",
        () -> RootCaPublisher.start(cluster.parts(RootCaPublisher.ACCOUNT), () -> pem));
    cluster.create(Resources.NAMESPACES, "{'metadata':{'name':'team'}}");
    cluster.settle();
  }

  @AfterEach
  void close() {
    cluster.close();
    assertThat(cluster.warnings()).isEmpty();
  }

  private JsonObject bundle(String namespace) {
    return ((ApiResult.Done)
            cluster.admin().get(Resources.CONFIG_MAPS, new ObjectName(namespace, BUNDLE.name())))
        .object();
  }

  @Test
  void theCertificatesAreInNamespacesOldAndNew() {
    for (String namespace : new String[] {"default", "kube-system", "team"}) {
      assertThat(bundle(namespace).object("data")).isEqualTo(JsonObject.of("ca.crt", "PEM"));
      assertThat(
              bundle(namespace)
                  .object("metadata")
                  .object("annotations")
                  .text("kubernetes.io/description"))
          .startsWith("Contains a CA bundle that can be used to verify the kube-apiserver");
    }
  }

  @Test
  void certificatesThatWereEditedOrDeletedAreRestored() {
    cluster.patch(Resources.CONFIG_MAPS, BUNDLE, "{'data':{'ca.crt':'other','more':'x'}}");
    cluster.settle();
    assertThat(bundle("team").object("data")).isEqualTo(JsonObject.of("ca.crt", "PEM"));

    cluster.delete(Resources.CONFIG_MAPS, BUNDLE);
    cluster.settle();
    assertThat(bundle("team").object("data")).isEqualTo(JsonObject.of("ca.crt", "PEM"));
  }

  @Test
  void otherCertificatesReplaceTheOldOnes() {
    pem = "NEW";
    cluster.restart("certificates");
    assertThat(bundle("team").object("data")).isEqualTo(JsonObject.of("ca.crt", "NEW"));
  }

  @Test
  void certificatesThatChangeWhileItRunsArePublished() {
    pem = "OLD AND NEW";
    cluster.advance(Duration.ofSeconds(10));
    assertThat(bundle("team").object("data")).isEqualTo(JsonObject.of("ca.crt", "OLD AND NEW"));
  }

  @Test
  void theAccountComesBackWhenItIsDeleted() {
    cluster.delete(ACCOUNTS, ACCOUNT);
    cluster.settle();
    assertThat(cluster.admin().get(ACCOUNTS, ACCOUNT).isDone()).isTrue();
  }

  @Test
  void nothingIsMadeInANamespaceThatIsBeingDeleted() {
    assertThat(cluster.admin().delete(Resources.NAMESPACES, ObjectName.of("team")).isDone())
        .isTrue();
    cluster.settle();
    cluster.delete(ACCOUNTS, ACCOUNT);
    cluster.delete(Resources.CONFIG_MAPS, BUNDLE);
    cluster.advance(Duration.ofMinutes(1));
    assertThat(cluster.admin().get(ACCOUNTS, ACCOUNT).isNotFound()).isTrue();
    assertThat(cluster.admin().get(Resources.CONFIG_MAPS, BUNDLE).isNotFound()).isTrue();
  }
}
