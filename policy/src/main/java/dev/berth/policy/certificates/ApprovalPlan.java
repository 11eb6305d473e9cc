package dev.berth.policy.certificates;

import dev.berth.model.certificates.CertificateRequestTree;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.reconcile.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Whether a request is approved without anybody looking at it.
 *
 * <ol>
 *   <li>A node's client certificate is, for whoever has the {@link NodePermission}: a node for
 *       itself, and whoever may make nodes for any.
 *   <li>A node's serving certificate is, for that node, if the names are its own: {@link
 *       ServingApproval}. Upstream leaves these to others.
 *   <li>All others wait for somebody, as does what is not approved here: nothing is ever denied.
 * </ol>
 *
 * @param pending why it is not, if it is one that could be
 * @param isAskedAgain whether to ask again about permissions, which nobody tells of
 */
public record ApprovalPlan(
    List<ApprovalAction> actions,
    JsonObject withStatus,
    Optional<String> pending,
    boolean isAskedAgain)
    implements Decision<ApprovalAction> {

  public ApprovalPlan {
    actions = List.copyOf(actions);
  }

  /**
   * What the decision depends on.
   *
   * @param granted the permission that the requester was found to have, if any
   * @param nodes which addresses are whose
   */
  public record Snapshot(
      CertificateRequest request, Optional<NodePermission> granted, NodeAddresses nodes) {}

  public static ApprovalPlan decide(Snapshot snapshot, Instant now) {
    CertificateRequest request = snapshot.request();
    if (!CertificateRequest.isPending(request.tree())) {
      return waiting(request, Optional.empty(), false);
    }
    List<NodePermission> permissions = NodePermission.of(request);
    if (!permissions.isEmpty()) {
      return snapshot
          .granted()
          .map(permission -> approve(request, permission.message(), now))
          .orElseGet(() ->
              waiting(
                  request,
                  Optional.of(
                      "recognized as %s but subject access review was not approved"
                          .formatted(
                              permissions.stream().map(NodePermission::subresource).toList())),
                  true));
    }
    if (!KubernetesSigner.KUBELET_SERVING.accepts(request)) {
      return waiting(request, Optional.empty(), false);
    }
    Optional<String> problem = ServingApproval.problem(request, snapshot.nodes());
    return problem.isPresent()
        ? waiting(request, problem, false)
        : approve(request, ServingApproval.MESSAGE, now);
  }

  private static ApprovalPlan waiting(
      CertificateRequest request, Optional<String> why, boolean isAskedAgain) {
    return new ApprovalPlan(List.of(), request.tree(), why, isAskedAgain);
  }

  private static ApprovalPlan approve(CertificateRequest request, String message, Instant now) {
    JsonObject approved =
        new CertificateRequestTree(request.tree())
            .with(CertificateRequest.APPROVED, "AutoApproved", message, now);
    return new ApprovalPlan(
        List.of(new ApprovalAction.Approve(approved)), request.tree(), Optional.empty(), false);
  }

  @Override
  public Optional<Instant> next() {
    return Optional.empty();
  }
}
