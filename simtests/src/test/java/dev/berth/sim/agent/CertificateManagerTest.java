package dev.berth.sim.agent;

import static dev.berth.client.Resources.CERTIFICATE_SIGNING_REQUESTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.join.CertificateManager;
import dev.berth.agent.join.CertificatePurpose;
import dev.berth.agent.join.NodeFiles;
import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.PatchType;
import dev.berth.client.Target;
import dev.berth.controllers.certificates.CertificateApprovingController;
import dev.berth.controllers.certificates.CertificateSigningController;
import dev.berth.controllers.certificates.SigningSettings;
import dev.berth.metrics.Metrics;
import dev.berth.metrics.MetricsText;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.NodeUsers;
import dev.berth.model.user.User;
import dev.berth.pki.ClusterCa;
import dev.berth.pki.NodeCredential;
import dev.berth.pki.RequestedNames;
import dev.berth.sim.InterceptedApi;
import dev.berth.sim.VirtualCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node gets its certificates, keeps them, and has new ones before they end. */
class CertificateManagerTest {
  private static final Duration VALIDITY = Duration.ofHours(10);

  @TempDir Path folder;

  private final Metrics metrics = new Metrics();
  private final VirtualCluster cluster = new VirtualCluster(1);
  private final List<NodeCredential> obtained = new ArrayList<>();
  private final List<Instant> asked = new ArrayList<>();
  private Optional<RequestedNames> names = Optional.of(names(List.of(), List.of()));
  private boolean isDown;

  private static RequestedNames names(List<String> dns, List<String> addresses) {
    return new RequestedNames(
        "system:node:n1", List.of("system:nodes"), dns, addresses, List.of(), List.of());
  }

  @BeforeEach
  void open() {
    ClusterCa authority = ClusterCa.inMemory(cluster.time().now());
    cluster.run(
        "signing",
        () ->
            CertificateSigningController.start(
                cluster.parts(CertificateApprovingController.ACCOUNT),
                SigningSettings.all(authority, VALIDITY)));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private CertificateManager start(CertificatePurpose purpose) {
    Api api =
        cluster.api(
            User.authenticated(NodeUsers.userName("n1"), List.of(NodeUsers.GROUP)), "kubelet");
    CertificateManager[] started = new CertificateManager[1];
    cluster.run(
        "manager",
        () -> {
          started[0] =
              CertificateManager.start(
                  new CertificateManager.Parts(
                      new InterceptedApi(api, this::send),
                      cluster.time(),
                      metrics,
                      purpose,
                      () -> names,
                      new NodeFiles(folder).credential(purpose),
                      obtained::add));
          return started[0];
        });
    return started[0];
  }

  private ApiResult send(ApiRequest request, Api real) {
    if (request instanceof ApiRequest.Create) {
      asked.add(cluster.time().monotonicNow());
    }
    return isDown ? new ApiResult.Unreachable("the network is down") : real.send(request);
  }

  /** Somebody decides about all that is asked for. */
  private void decide(String type) {
    for (JsonObject request : cluster.list(CERTIFICATE_SIGNING_REQUESTS)) {
      if (request.object("status").array("conditions").isEmpty()) {
        ApiResult decided =
            cluster
                .admin()
                .patch(
                    Target.of(
                            CERTIFICATE_SIGNING_REQUESTS,
                            ObjectName.of(Metadata.of(request).name()))
                        .subresource("approval"),
                    PatchType.MERGE,
                    VirtualCluster.tree(
                        "{'status':{'conditions':[{'type':'%s','status':'True','reason':'Test','message':'by hand'}]}}"
                            .formatted(type)));
        assertThat(decided.isDone()).isTrue();
      }
    }
    cluster.settle();
  }

  private List<Duration> askedAfter(Instant start) {
    return asked.stream().map(at -> Duration.between(start, at)).toList();
  }

  @Test
  void asksWaitsAndKeeps() throws Exception {
    CertificateManager manager = start(CertificatePurpose.CLIENT);
    assertThat(manager.current()).isEmpty();
    cluster.advance(Duration.ofMinutes(5));
    assertThat(asked).hasSize(1);
    decide("Approved");
    cluster.advance(Duration.ofSeconds(5));

    assertThat(obtained).hasSize(1);
    assertThat(manager.current()).contains(obtained.getFirst());
    Path current = folder.resolve("pki/kubelet-client-current.pem");
    assertThat(Files.isSymbolicLink(current)).isTrue();
    assertThat(Files.readString(current))
        .contains("BEGIN CERTIFICATE")
        .contains("BEGIN EC PRIVATE KEY");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(current)))
        .isEqualTo("rw-------");
  }

  /** By which an operator is warned before the certificate ends. */
  @Test
  void metricsTellHowLongItIsGoodForAndHowOftenTheNextCouldNotBeHad() {
    start(CertificatePurpose.CLIENT);
    decide("Approved");
    cluster.advance(Duration.ofSeconds(5));
    cluster.advance(
        Duration.between(cluster.time().now(), obtained.getFirst().notAfter()).minusHours(3));
    assertThat(metrics.text(MetricsText.Format.PROMETHEUS))
        .contains(
            "\nkubelet_certificate_manager_client_ttl_seconds 10800\n",
            "\nkubelet_certificate_manager_client_expiration_renew_errors 0\n");
    isDown = true;
    cluster.advance(Duration.ofHours(4));
    assertThat(metrics.text(MetricsText.Format.PROMETHEUS))
        .contains("\nkubelet_certificate_manager_client_ttl_seconds -3600\n")
        .doesNotContain("\nkubelet_certificate_manager_client_expiration_renew_errors 0\n");
  }

  @Test
  void whatWasKeptIsUsedAfterARestart() {
    start(CertificatePurpose.CLIENT);
    decide("Approved");
    cluster.advance(Duration.ofSeconds(5));
    CertificateManager manager = start(CertificatePurpose.CLIENT);
    cluster.advance(Duration.ofHours(6));
    assertThat(asked).hasSize(1);
    assertThat(manager.current().map(NodeCredential::certificate))
        .contains(obtained.getFirst().certificate());
  }

  @Test
  void isReplacedAfterSeventyToNinetyPercentOfItsValidity() {
    CertificateManager manager = start(CertificatePurpose.CLIENT);
    decide("Approved");
    cluster.advance(Duration.ofSeconds(5));
    cluster.advance(Duration.ofHours(7).minusMinutes(10));
    assertThat(asked).hasSize(1);
    while (asked.size() == 1) {
      cluster.advance(Duration.ofSeconds(10));
    }
    assertThat(askedAfter(obtained.getFirst().notBefore()).get(1))
        .isBetween(Duration.ofHours(7), Duration.ofHours(9).plusSeconds(10));
    decide("Approved");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(obtained).hasSize(2);
    assertThat(manager.current()).contains(obtained.get(1));
  }

  @Test
  void otherAddressesNeedAnotherCertificateAtOnce() {
    names = Optional.of(names(List.of("n1"), List.of("192.0.2.2")));
    start(CertificatePurpose.SERVING);
    decide("Approved");
    cluster.advance(Duration.ofMinutes(1));
    assertThat(asked).hasSize(1);
    assertThat(obtained).hasSize(1);

    names = Optional.of(names(List.of("n1"), List.of("192.0.2.3")));
    cluster.advance(Duration.ofSeconds(10));
    decide("Approved");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(obtained).hasSize(2);
    assertThat(obtained.get(1).covers(names(List.of("n1"), List.of("192.0.2.3")))).isTrue();
  }

  @Test
  void nothingIsAskedForWhileTheNamesAreNotKnown() {
    names = Optional.empty();
    start(CertificatePurpose.SERVING);
    cluster.advance(Duration.ofMinutes(5));
    assertThat(asked).isEmpty();

    names = Optional.of(names(List.of("n1"), List.of("192.0.2.2")));
    cluster.advance(Duration.ofMillis(200));
    assertThat(asked).hasSize(1);
  }

  @Test
  void whatFailsIsTriedAgainWithBackOff() {
    isDown = true;
    Instant start = cluster.time().monotonicNow();
    start(CertificatePurpose.CLIENT);
    cluster.advance(Duration.ofSeconds(130));
    assertThat(askedAfter(start).stream().map(Duration::toSeconds))
        .containsExactly(0L, 2L, 6L, 14L, 30L, 62L, 94L, 126L);
    isDown = false;
    cluster.advance(Duration.ofSeconds(32));
    decide("Approved");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(obtained).hasSize(1);
  }

  @Test
  void aRefusalIsNotTheEnd() {
    start(CertificatePurpose.CLIENT);
    decide("Denied");
    cluster.advance(Duration.ofSeconds(5));
    assertThat(obtained).isEmpty();
    assertThat(asked).hasSize(2);
  }

  @Test
  void aRequestThatNobodyApprovesIsMadeAgain() {
    start(CertificatePurpose.CLIENT);
    cluster.advance(Duration.ofMinutes(15));
    assertThat(asked).hasSize(1);
    cluster.advance(Duration.ofSeconds(10));
    assertThat(asked).hasSize(2);
  }
}
