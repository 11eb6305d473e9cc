package dev.berth.sim.certificates;

import static dev.berth.client.Resources.CERTIFICATE_SIGNING_REQUESTS;
import static dev.berth.sim.certificates.CertificateFixture.APPROVING;
import static dev.berth.sim.certificates.CertificateFixture.SIGNING;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Api;
import dev.berth.controllers.certificates.CertificateApprovingController;
import dev.berth.model.meta.Metadata;
import dev.berth.model.tree.JsonObject;
import dev.berth.sim.history.History;
import dev.berth.time.fixture.SeededTest;
import java.time.Duration;
import java.util.List;

/**
 * Whatever fails and crashes, whoever may have a node's certificate gets it, and nobody else does.
 */
class CertificateHistoryTest {
  private static final int STEPS = 80;

  @SeededTest(fixed = 7, fresh = 5)
  void whoMayHaveACertificateGetsItAndNobodyElse(long seed) {
    History.run(() -> new Run(seed));
  }

  private static final class Run extends History {
    private final CertificateFixture fixture = new CertificateFixture(cluster);
    private int asked;

    Run(long seed) {
      // Longer than a review that was refused is not repeated.
      super(seed, STEPS, Duration.ofMinutes(3));
      fixture.run(() -> parts(CertificateApprovingController.ACCOUNT));
      crashes(1, APPROVING);
      crashes(1, SIGNING);
      step(4, "machine asks", () -> ask("machine"));
      step(2, "stranger asks", () -> ask("stranger"));
      step(1, "permission comes", () -> fixture.permissions.add("nodeclient of machine"));
      step(1, "permission goes", () -> fixture.permissions.remove("nodeclient of machine"));
      passes(2, Duration.ofSeconds(20));
    }

    @Override
    protected Api between(Api server) {
      return fixture.withReviews(server);
    }

    private void ask(String user) {
      fixture.ask(
          user + "-" + asked++,
          user,
          "kube-apiserver-client-kubelet",
          CertificateFixture.node("n1"),
          "digital signature",
          "client auth");
    }

    private List<JsonObject> of(String user) {
      return cluster.list(CERTIFICATE_SIGNING_REQUESTS).stream()
          .filter(request -> Metadata.of(request).name().startsWith(user))
          .toList();
    }

    @Override
    protected void checkInvariant() {
      assertThat(of("stranger"))
          .allSatisfy(request -> assertThat(request.object("status").isEmpty()).isTrue());
    }

    @Override
    protected void calmDown() {
      fixture.permissions.add("nodeclient of machine");
    }

    @Override
    protected void checkEnd() {
      assertThat(of("machine"))
          .isNotEmpty()
          .allSatisfy(
              request -> assertThat(request.object("status").text("certificate", "")).isNotEmpty());
    }
  }
}
