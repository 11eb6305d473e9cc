package dev.berth.policy.certificates;

import java.util.Arrays;
import java.util.List;

/**
 * What somebody must be allowed to have a node's client certificate approved for them: to create
 * this subresource of certificatesigningrequests, which exists for this question alone.
 */
public enum NodePermission {
  /** A node renews its own certificate. */
  SELF_NODE_CLIENT(
      "selfnodeclient",
      "Auto approving self kubelet client certificate after SubjectAccessReview."),
  /** A machine becomes a node. */
  NODE_CLIENT("nodeclient", "Auto approving kubelet client certificate after SubjectAccessReview.");

  private final String subresource;
  private final String message;

  NodePermission(String subresource, String message) {
    this.subresource = subresource;
    this.message = message;
  }

  public String subresource() {
    return subresource;
  }

  /** What an approval because of it says. */
  String message() {
    return message;
  }

  /** Which permissions would do for a request, the first to be asked about first. */
  public static List<NodePermission> of(CertificateRequest request) {
    if (!KubernetesSigner.KUBELET_CLIENT.accepts(request)) {
      return List.of();
    }
    boolean isOwn =
        request
            .requested()
            .filter(wanted -> wanted.commonName().equals(request.username()))
            .isPresent();
    return Arrays.stream(values())
        .filter(permission -> isOwn || permission != SELF_NODE_CLIENT)
        .toList();
  }
}
