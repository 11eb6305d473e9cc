package dev.berth.policy.certificates;

import dev.berth.model.user.NodeUsers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a node gets the serving certificate that it asks for:
 *
 * <ol>
 *   <li>who asks is the node that the certificate is for;
 *   <li>that node exists;
 *   <li>each host name and each IP address is one of those in the node's status;
 *   <li>and no other node's. A node reports its addresses itself: one that claims another's could
 *       pose as it.
 * </ol>
 */
final class ServingApproval {
  static final String MESSAGE =
      "Auto approving kubelet serving certificate: the requester is the node, and all names are its"
          + " own addresses.";

  private ServingApproval() {}

  /** Why it does not, for people; empty if it does. */
  static Optional<String> problem(CertificateRequest request, NodeAddresses nodes) {
    RequestedCertificate wanted = request.requested().orElseThrow();
    Optional<String> node = NodeUsers.nodeName(request.username());
    if (node.isEmpty()
        || !request.groups().contains(NodeUsers.GROUP)
        || !wanted.commonName().equals(request.username())) {
      return Optional.of(
          "requested by %s, but only %s itself gets its serving certificate approved automatically"
              .formatted(request.username(), wanted.commonName()));
    }
    Optional<Set<String>> known = nodes.of(node.get());
    if (known.isEmpty()) {
      return Optional.of("there is no node %s".formatted(node.get()));
    }
    List<String> names = new ArrayList<>(wanted.dnsNames());
    names.addAll(wanted.ipAddresses());
    for (String name : names) {
      if (!known.get().contains(NodeAddresses.canonical(name))) {
        return Optional.of("%s is not among the addresses of node %s".formatted(name, node.get()));
      }
      Optional<String> other = nodes.otherOwner(name, node.get());
      if (other.isPresent()) {
        return Optional.of(
            "%s is an address of node %s as well as of node %s"
                .formatted(name, other.get(), node.get()));
      }
    }
    return Optional.empty();
  }
}
