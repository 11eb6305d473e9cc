package dev.berth.agent.join;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.NodeUsers;
import dev.berth.pki.RequestedNames;
import dev.berth.pki.SigningRequestBuilder;
import java.security.KeyPair;
import java.util.Base64;
import java.util.List;

/** What a node needs a certificate for. */
public enum CertificatePurpose {
  /** To be known to the API server. */
  CLIENT("kube-apiserver-client-kubelet", "client auth", "kubelet-client"),
  /** To be known to whoever connects to its port. */
  SERVING("kubelet-serving", "server auth", "kubelet-server");

  private final String signer;
  private final String usage;
  private final String filePrefix;

  CertificatePurpose(String signer, String usage, String filePrefix) {
    this.signer = signer;
    this.usage = usage;
    this.filePrefix = filePrefix;
  }

  /** What the files of these certificates begin with. */
  public String filePrefix() {
    return filePrefix;
  }

  /** Upstream's name for how long a certificate is good for. */
  String lifetimeMetric() {
    return "kubelet_certificate_manager_"
        + switch (this) {
          case CLIENT -> "client";
          case SERVING -> "server";
        }
        + "_ttl_seconds";
  }

  /** Upstream's name for how often the next one could not be had. */
  String errorMetric() {
    return switch (this) {
      case CLIENT -> "kubelet_certificate_manager_client_expiration_renew_errors";
      case SERVING -> "kubelet_server_expiration_renew_errors";
    };
  }

  /** The names of a node: its user, and where others reach it, if that matters. */
  static RequestedNames names(String node, List<String> hostnames, List<String> addresses) {
    return new RequestedNames(
        NodeUsers.userName(node),
        List.of(NodeUsers.GROUP),
        hostnames,
        addresses,
        List.of(),
        List.of());
  }

  /** A CertificateSigningRequest; the server gives it a name. */
  JsonObject request(KeyPair key, RequestedNames names) {
    String pem = SigningRequestBuilder.pem(key, names);
    return new JsonObject.Builder()
        .put("apiVersion", "certificates.k8s.io/v1")
        .put("kind", "CertificateSigningRequest")
        .put("metadata", JsonObject.of("generateName", "csr-"))
        .put(
            "spec",
            new JsonObject.Builder()
                .put("request", Base64.getEncoder().encodeToString(pem.getBytes(UTF_8)))
                .put("signerName", "kubernetes.io/" + signer)
                .put("usages", JsonArray.of("digital signature", usage))
                .build())
        .build();
  }
}
