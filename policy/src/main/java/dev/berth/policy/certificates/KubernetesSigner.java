package dev.berth.policy.certificates;

import dev.berth.model.user.NodeUsers;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The signers of Kubernetes itself, and what each of them signs.
 *
 * <ol>
 *   <li>{@code kube-apiserver-client}: any client; usages are "client auth" and, if need be,
 *       "digital signature" and "key encipherment". Who is a master is refused at admission.
 *   <li>{@code kube-apiserver-client-kubelet}: a node as a client, without alternative names.
 *   <li>{@code kubelet-serving}: a node as a server, with at least one host name or address, and no
 *       alternative names of other kinds.
 *   <li>{@code legacy-unknown}: anything.
 * </ol>
 *
 * A node is a user {@code system:node:NAME} in the one group {@code system:nodes}. "key
 * encipherment" makes sense with RSA keys only, so that it may be left out.
 */
public enum KubernetesSigner {
  KUBE_APISERVER_CLIENT("kube-apiserver-client") {
    @Override
    Optional<String> problem(RequestedCertificate wanted, Set<String> usages) {
      return apiserverClientProblem(usages);
    }
  },
  KUBELET_CLIENT("kube-apiserver-client-kubelet") {
    @Override
    Optional<String> problem(RequestedCertificate wanted, Set<String> usages) {
      return kubeletClientProblem(wanted, usages);
    }
  },
  KUBELET_SERVING("kubelet-serving") {
    @Override
    Optional<String> problem(RequestedCertificate wanted, Set<String> usages) {
      return kubeletServingProblem(wanted, usages);
    }
  },
  LEGACY_UNKNOWN("legacy-unknown") {
    @Override
    Optional<String> problem(RequestedCertificate wanted, Set<String> usages) {
      return Optional.empty();
    }
  };

  private static final String DIGITAL_SIGNATURE = "digital signature";
  private static final String KEY_ENCIPHERMENT = "key encipherment";
  private static final String CLIENT_AUTH = "client auth";
  private static final String SERVER_AUTH = "server auth";

  private static final String NOT_NODES = "subject organization is not system:nodes";
  private static final String NOT_A_NODE = "subject common name does not begin with system:node:";
  private static final String NO_EMAIL = "Email subjectAltNames are not allowed";
  private static final String NO_URI = "URI subjectAltNames are not allowed";

  private final String signerName;

  KubernetesSigner(String path) {
    this.signerName = "kubernetes.io/" + path;
  }

  public String signerName() {
    return signerName;
  }

  public static Optional<KubernetesSigner> of(String signerName) {
    return Arrays.stream(values())
        .filter(signer -> signer.signerName.equals(signerName))
        .findFirst();
  }

  /** Why it does not sign this, in upstream's words; empty if it does. */
  abstract Optional<String> problem(RequestedCertificate wanted, Set<String> usages);

  /** Whether a request is one for this signer, and is as it must be. */
  boolean accepts(CertificateRequest request) {
    return request.signerName().equals(signerName)
        && request
            .requested()
            .filter(wanted -> problem(wanted, request.usages()).isEmpty())
            .isPresent();
  }

  private static Optional<String> apiserverClientProblem(Set<String> usages) {
    for (String usage : new TreeSet<>(usages)) {
      if (!List.of(DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, CLIENT_AUTH).contains(usage)) {
        return Optional.of("invalid usage for client certificate: " + usage);
      }
    }
    return usages.contains(CLIENT_AUTH)
        ? Optional.empty()
        : Optional.of("missing required usage for client certificate: " + CLIENT_AUTH);
  }

  private static Optional<String> kubeletClientProblem(
      RequestedCertificate wanted, Set<String> usages) {
    if (!isOnlyNodes(wanted)) {
      return Optional.of(NOT_NODES);
    }
    if (!wanted.dnsNames().isEmpty()) {
      return Optional.of("DNS subjectAltNames are not allowed");
    }
    if (!wanted.emailAddresses().isEmpty()) {
      return Optional.of(NO_EMAIL);
    }
    if (!wanted.ipAddresses().isEmpty()) {
      return Optional.of("IP subjectAltNames are not allowed");
    }
    if (!wanted.uris().isEmpty()) {
      return Optional.of(NO_URI);
    }
    if (!wanted.commonName().startsWith(NodeUsers.userName(""))) {
      return Optional.of(NOT_A_NODE);
    }
    return usagesProblem(usages, CLIENT_AUTH);
  }

  private static Optional<String> kubeletServingProblem(
      RequestedCertificate wanted, Set<String> usages) {
    if (!isOnlyNodes(wanted)) {
      return Optional.of(NOT_NODES);
    }
    if (wanted.dnsNames().isEmpty() && wanted.ipAddresses().isEmpty()) {
      return Optional.of("DNS or IP subjectAltName is required");
    }
    if (!wanted.emailAddresses().isEmpty()) {
      return Optional.of(NO_EMAIL);
    }
    if (!wanted.uris().isEmpty()) {
      return Optional.of(NO_URI);
    }
    Optional<String> problem = usagesProblem(usages, SERVER_AUTH);
    if (problem.isPresent()) {
      return problem;
    }
    return wanted.commonName().startsWith(NodeUsers.userName(""))
        ? Optional.empty()
        : Optional.of(NOT_A_NODE);
  }

  private static boolean isOnlyNodes(RequestedCertificate wanted) {
    return wanted.organizations().equals(List.of(NodeUsers.GROUP));
  }

  private static Optional<String> usagesProblem(Set<String> usages, String purpose) {
    Set<String> all = new TreeSet<>(List.of(DIGITAL_SIGNATURE, KEY_ENCIPHERMENT, purpose));
    return usages.equals(all) || usages.equals(Set.of(DIGITAL_SIGNATURE, purpose))
        ? Optional.empty()
        : Optional.of("usages did not match [%s]".formatted(String.join(" ", all)));
  }
}
