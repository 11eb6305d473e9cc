package dev.berth.sim.certificates;

import static dev.berth.sim.certificates.CertificateFixture.node;
import static dev.berth.sim.certificates.CertificateFixture.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.pki.ClientCertificates;
import dev.berth.pki.SigningRequestFixture;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests are approved, signed and deleted, on virtual time. */
class CertificateControllersTest {
  private static final String[] CLIENT = {"digital signature", "client auth"};
  private static final String[] SERVER = {"digital signature", "server auth"};
  private static final String KUBELET_CLIENT = "kube-apiserver-client-kubelet";

  private final CertificateFixture fixture = CertificateFixture.start();

  @AfterEach
  void close() {
    assertThat(fixture.cluster.warnings()).isEmpty();
    fixture.close();
  }

  private Instant now() {
    return fixture.cluster.time().now();
  }

  @Test
  void aMachineWithThePermissionGetsTheCertificateOfANode() {
    fixture.permissions.add("nodeclient of machine");
    Instant asked = now();
    fixture.ask("join", "machine", KUBELET_CLIENT, node("n1"), CLIENT);
    assertThat(fixture.condition("join", "Approved"))
        .isEqualTo(
            "AutoApproved: Auto approving kubelet client certificate after SubjectAccessReview.");
    X509Certificate certificate = fixture.certificate("join").orElseThrow();
    assertThat(fixture.authority.clientCertificates().verify(List.of(certificate), now()))
        .isEqualTo(new ClientCertificates.Verdict.Valid("system:node:n1", List.of("system:nodes")));
    assertThat(certificate.getNotBefore().toInstant()).isEqualTo(asked.minusSeconds(300));
    assertThat(certificate.getNotAfter().toInstant())
        .isEqualTo(asked.plus(Duration.ofHours(8760)).minusSeconds(300));
  }

  @Test
  void aNodeRenewsItsOwnCertificateAndNoOther() {
    fixture.permissions.add("selfnodeclient of system:node:n1");
    fixture.ask("own", "system:node:n1", KUBELET_CLIENT, node("n1"), CLIENT);
    assertThat(fixture.condition("own", "Approved"))
        .contains("Auto approving self kubelet client certificate after SubjectAccessReview.");
    assertThat(fixture.certificate("own")).isPresent();

    // A node is not even let ask for another: that is the server's admission.
    fixture.permissions.add("selfnodeclient of machine");
    fixture.ask("other", "machine", KUBELET_CLIENT, node("n2"), CLIENT);
    assertThat(fixture.condition("other", "Approved")).isEmpty();
    assertThat(fixture.certificate("other")).isEmpty();
  }

  @Test
  void aPermissionThatComesLaterIsFoundAndAskedForWithBackOff() {
    fixture.ask("early", "machine", KUBELET_CLIENT, node("n1"), CLIENT);
    fixture.advance(Duration.ofMinutes(10));
    assertThat(fixture.certificate("early")).isEmpty();
    assertThat(fixture.reviews).isLessThan(30);
    assertThat(fixture.cluster.events("early", "NotApproved"))
        .containsExactly(
            "Not approved automatically: recognized as [nodeclient] but subject access review was"
                + " not approved");
    fixture.permissions.add("nodeclient of machine");
    fixture.advance(Duration.ofMinutes(1));
    assertThat(fixture.certificate("early")).isPresent();
  }

  @Test
  void aServingCertificateComesOnceTheNodeHasTheAddresses() {
    fixture.cluster.node("n1", "1");
    fixture.ask(
        "serving",
        "system:node:n1",
        "kubelet-serving",
        server("n1", List.of("n1"), List.of("10.0.0.1")),
        SERVER);
    assertThat(fixture.certificate("serving")).isEmpty();
    assertThat(fixture.cluster.events("serving", "NotApproved"))
        .containsExactly("Not approved automatically: n1 is not among the addresses of node n1");

    fixture.cluster.patchStatus(
        Resources.NODES,
        ObjectName.of("n1"),
        "{'status':{'addresses':[{'type':'Hostname','address':'n1'},{'type':'InternalIP','address':'10.0.0.1'}]}}");
    fixture.cluster.settle();
    assertThat(fixture.certificate("serving")).isPresent();

    fixture.ask(
        "foreign",
        "system:node:n1",
        "kubelet-serving",
        server("n1", List.of("n1"), List.of("10.0.0.2")),
        SERVER);
    fixture.advance(Duration.ofMinutes(10));
    assertThat(fixture.condition("foreign", "Approved")).isEmpty();
  }

  @Test
  void aUserIsApprovedByHandAndSigned() {
    fixture.ask(
        "jane",
        "admin",
        "kube-apiserver-client",
        SigningRequestFixture.names("jane", "developers"),
        "client auth");
    fixture.advance(Duration.ofMinutes(1));
    assertThat(fixture.certificate("jane")).isEmpty();
    fixture.decide("jane", "Approved");
    assertThat(fixture.certificate("jane")).isPresent();
  }

  @Test
  void whatTheSignerDoesNotSignFailsAndIsNotTriedAgain() {
    fixture.ask(
        "server",
        "admin",
        "kube-apiserver-client",
        SigningRequestFixture.names("jane"),
        "server auth");
    fixture.decide("server", "Approved");
    assertThat(fixture.condition("server", "Failed"))
        .isEqualTo("SignerValidationFailure: invalid usage for client certificate: server auth");
    assertThat(fixture.certificate("server")).isEmpty();
  }

  @Test
  void whatWasDeniedIsNotSigned() {
    fixture.ask(
        "denied",
        "admin",
        "kube-apiserver-client",
        SigningRequestFixture.names("jane"),
        "client auth");
    fixture.decide("denied", "Denied");
    fixture.advance(Duration.ofMinutes(1));
    assertThat(fixture.certificate("denied")).isEmpty();
  }

  @Test
  void aRestartGoesOnWhereTheLastOneEnded() {
    fixture.cluster.crash(CertificateFixture.APPROVING);
    fixture.cluster.crash(CertificateFixture.SIGNING);
    fixture.permissions.add("nodeclient of machine");
    fixture.ask("join", "machine", KUBELET_CLIENT, node("n1"), CLIENT);
    fixture.cluster.restart(CertificateFixture.APPROVING);
    assertThat(fixture.condition("join", "Approved")).isNotEmpty();
    assertThat(fixture.certificate("join")).isEmpty();
    fixture.cluster.restart(CertificateFixture.SIGNING);
    assertThat(fixture.certificate("join")).isPresent();
  }

  @Test
  void requestsAreDeletedByTheHour() {
    fixture.permissions.add("nodeclient of machine");
    fixture.ask("signed", "machine", KUBELET_CLIENT, node("n1"), CLIENT);
    fixture.ask("pending", "nobody", KUBELET_CLIENT, node("n1"), CLIENT);
    fixture.ask("denied", "nobody", KUBELET_CLIENT, node("n1"), CLIENT);
    fixture.decide("denied", "Denied");
    fixture.advance(Duration.ofHours(1));
    assertThat(fixture.find("signed")).isPresent();
    fixture.advance(Duration.ofHours(1));
    assertThat(fixture.find("signed")).isEmpty();
    assertThat(fixture.find("denied")).isEmpty();
    fixture.advance(Duration.ofHours(22));
    assertThat(fixture.find("pending")).isPresent();
    fixture.advance(Duration.ofHours(1));
    assertThat(fixture.find("pending")).isEmpty();
  }
}
