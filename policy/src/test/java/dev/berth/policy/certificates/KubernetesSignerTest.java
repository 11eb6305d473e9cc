package dev.berth.policy.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each of the signers signs. */
class KubernetesSignerTest {

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          client auth alone                  | client auth                                    |
          with the usages of RSA keys        | client auth,digital signature,key encipherment |
          no client auth                     | digital signature                              | missing required usage for client certificate: client auth
          a server                           | client auth,server auth                        | invalid usage for client certificate: server auth
          an authority                       | client auth,cert sign                          | invalid usage for client certificate: cert sign
          """)
  void aClientNeedsTheUsagesOfClients(String name, String usages, @Nullable String problem) {
    assertProblem(
        KubernetesSigner.KUBE_APISERVER_CLIENT,
        Requests.wanted("jane", List.of("developers"), "any.example"),
        usages,
        problem);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a node                       | system:node:a | system:nodes         |          | digital signature,key encipherment,client auth |
          one without an RSA key       | system:node:a | system:nodes         |          | digital signature,client auth                  |
          not a node's name            | jane          | system:nodes         |          | digital signature,client auth                  | subject common name does not begin with system:node:
          not a node's group           | system:node:a | developers           |          | digital signature,client auth                  | subject organization is not system:nodes
          one group too many           | system:node:a | system:nodes,masters |          | digital signature,client auth                  | subject organization is not system:nodes
          with a host name             | system:node:a | system:nodes         | a        | digital signature,client auth                  | DNS subjectAltNames are not allowed
          with an address              | system:node:a | system:nodes         | 10.0.0.1 | digital signature,client auth                  | IP subjectAltNames are not allowed
          as a server                  | system:node:a | system:nodes         |          | digital signature,server auth                  | usages did not match [client auth digital signature key encipherment]
          without a signature          | system:node:a | system:nodes         |          | client auth                                    | usages did not match [client auth digital signature key encipherment]
          """)
  void aNodeAsAClientHasItsNameAndGroupAndNothingElse(
      String name,
      String user,
      String groups,
      @Nullable String other,
      String usages,
      @Nullable String problem) {
    assertProblem(KubernetesSigner.KUBELET_CLIENT, wanted(user, groups, other), usages, problem);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a host name                  | system:node:a | system:nodes | a        | digital signature,key encipherment,server auth |
          an address, no RSA key       | system:node:a | system:nodes | 10.0.0.1 | digital signature,server auth                  |
          neither                      | system:node:a | system:nodes |          | digital signature,server auth                  | DNS or IP subjectAltName is required
          not a node's group           | system:node:a | developers   | a        | digital signature,server auth                  | subject organization is not system:nodes
          not a node's name            | jane          | system:nodes | a        | digital signature,server auth                  | subject common name does not begin with system:node:
          as a client                  | system:node:a | system:nodes | a        | digital signature,client auth                  | usages did not match [digital signature key encipherment server auth]
          """)
  void aNodeAsAServerHasNames(
      String name,
      String user,
      String groups,
      @Nullable String other,
      String usages,
      @Nullable String problem) {
    assertProblem(KubernetesSigner.KUBELET_SERVING, wanted(user, groups, other), usages, problem);
  }

  @Test
  void namesOfOtherKindsAreNotForNodes() {
    var email =
        new RequestedCertificate(
            "system:node:a",
            List.of("system:nodes"),
            List.of(),
            List.of(),
            List.of("a@b.example"),
            List.of());
    assertProblem(
        KubernetesSigner.KUBELET_CLIENT,
        email,
        Requests.CLIENT,
        "Email subjectAltNames are not allowed");
    var uri =
        new RequestedCertificate(
            "system:node:a",
            List.of("system:nodes"),
            List.of("a"),
            List.of(),
            List.of(),
            List.of("spiffe://a"));
    assertProblem(
        KubernetesSigner.KUBELET_SERVING,
        uri,
        Requests.SERVING,
        "URI subjectAltNames are not allowed");
  }

  @Test
  void theLegacySignerSignsAnything() {
    assertProblem(KubernetesSigner.LEGACY_UNKNOWN, wanted("x", "y", "z"), "code signing", null);
  }

  @Test
  void signersAreKnownByTheirNames() {
    assertThat(Stream.of(KubernetesSigner.values()).map(KubernetesSigner::signerName))
        .containsExactly(
            "kubernetes.io/kube-apiserver-client",
            "kubernetes.io/kube-apiserver-client-kubelet",
            "kubernetes.io/kubelet-serving",
            "kubernetes.io/legacy-unknown");
    assertThat(KubernetesSigner.of("kubernetes.io/kubelet-serving"))
        .contains(KubernetesSigner.KUBELET_SERVING);
    assertThat(KubernetesSigner.of("example.com/kubelet-serving")).isEmpty();
  }

  private static RequestedCertificate wanted(String user, String groups, @Nullable String name) {
    List<String> organizations = List.of(groups.split(","));
    return name == null
        ? Requests.wanted(user, organizations)
        : Requests.wanted(user, organizations, name);
  }

  private static void assertProblem(
      KubernetesSigner signer,
      RequestedCertificate wanted,
      String usages,
      @Nullable String problem) {
    assertThat(signer.problem(wanted, Set.of(usages.split(","))).orElse(null)).isEqualTo(problem);
  }
}
