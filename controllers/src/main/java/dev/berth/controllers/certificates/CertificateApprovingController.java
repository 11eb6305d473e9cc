package dev.berth.controllers.certificates;

import dev.berth.client.Api;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.Memories;
import dev.berth.controllers.reconcile.Reconciler;
import dev.berth.controllers.reconcile.ReconcilerFrame;
import dev.berth.controllers.reconcile.ReconcilerSettings;
import dev.berth.controllers.reconcile.Reconciliation;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.certificates.ApprovalAction;
import dev.berth.policy.certificates.ApprovalPlan;
import dev.berth.policy.certificates.CertificateRequest;
import dev.berth.policy.certificates.NodeAddresses;
import dev.berth.policy.certificates.NodePermission;
import dev.berth.policy.reconcile.Note;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Approves the certificates of nodes, as {@link ApprovalPlan} says. Whether a requester has a
 * permission is asked of the server, by SubjectAccessReviews; a request that could be approved and
 * is not gets an event that says why, and is asked about again after a while, or when its node's
 * addresses change.
 */
public final class CertificateApprovingController
    implements Reconciler<ApprovalPlan.Snapshot, ApprovalAction, ApprovalPlan> {
  /** The service account under which all work that approve, sign and delete requests. */
  public static final String ACCOUNT = "certificate-controller";

  private static final ReconcilerSettings SETTINGS =
      new ReconcilerSettings(RequestReader.KIND, "csrapproving", "csrapproving", 5, 5);

  private final Api api;
  private final ReconcilerFrame<ApprovalPlan.Snapshot, ApprovalAction, ApprovalPlan> frame;
  private final NodeAddresses nodes = new NodeAddresses();
  private final Memories<Notes> memories;

  /** The requests that may be approved once nodes have other addresses. */
  private final Set<ObjectName> waitingForAddresses = new LinkedHashSet<>();

  /** What is known of a request beside itself. */
  private static final class Notes {
    private Optional<NodePermission> granted = Optional.empty();

    /** Why it was last said not to be approved. */
    private String said = "";
  }

  /** What the server answered about permissions. */
  private sealed interface Reviewed {
    record Answered(Optional<NodePermission> granted) implements Reviewed {}

    record Failed(ApiResult.Failure why) implements Reviewed {}
  }

  private CertificateApprovingController(ControllerParts parts) {
    this.api = parts.api();
    this.frame = new ReconcilerFrame<>(parts, SETTINGS, this);
    this.memories = frame.remembers(Notes::new);
  }

  public static Controller start(ControllerParts parts) {
    CertificateApprovingController controller = new CertificateApprovingController(parts);
    return controller.frame.watches(Resources.NODES, controller::nodeChanged).start();
  }

  private void nodeChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after == null) {
      if (before != null) {
        nodes.remove(Metadata.of(before).name());
      }
      return;
    }
    JsonArray addresses = after.object("status").array("addresses");
    if (before != null && before.object("status").array("addresses").equals(addresses)) {
      return;
    }
    nodes.put(
        Metadata.of(after).name(),
        addresses.objects().stream().map(address -> address.text("address", "")).toList());
    waitingForAddresses.forEach(frame::add);
  }

  @Override
  public void objectChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null && (after == null || !isToBeReconciled(after))) {
      waitingForAddresses.remove(ObjectName.of(before));
    }
  }

  @Override
  public boolean isToBeReconciled(JsonObject request) {
    return CertificateRequest.isPending(request);
  }

  @Override
  public void prepare(Reconciliation run) {
    CertificateRequest request = RequestReader.read(run.object());
    List<NodePermission> permissions = NodePermission.of(request);
    if (permissions.isEmpty()) {
      return;
    }
    run.request(
        () -> review(request, permissions),
        reviewed -> {
          switch (reviewed) {
            case Reviewed.Answered(Optional<NodePermission> granted) ->
                memories.of(run.object()).granted = granted;
            case Reviewed.Failed(ApiResult.Failure why) -> run.fail("FailedReview", why);
          }
        });
  }

  /** Finds the first permission that the requester has; blocks. */
  private Reviewed review(CertificateRequest request, List<NodePermission> permissions) {
    for (NodePermission permission : permissions) {
      switch (api.create(Resources.SUBJECT_ACCESS_REVIEWS, question(request, permission))) {
        case ApiResult.Done(JsonObject answer) -> {
          if (Boolean.TRUE.equals(answer.object("status").get("allowed"))) {
            return new Reviewed.Answered(Optional.of(permission));
          }
        }
        case ApiResult.Failure why -> {
          return new Reviewed.Failed(why);
        }
      }
    }
    return new Reviewed.Answered(Optional.empty());
  }

  private static JsonObject question(CertificateRequest request, NodePermission permission) {
    JsonObject asked = request.tree().object("spec");
    JsonObject.Builder spec =
        new JsonObject.Builder()
            .put(
                "resourceAttributes",
                new JsonObject.Builder()
                    .put("group", Resources.CERTIFICATE_SIGNING_REQUESTS.group())
                    .put("version", "*")
                    .put("resource", Resources.CERTIFICATE_SIGNING_REQUESTS.resource())
                    .put("subresource", permission.subresource())
                    .put("verb", "create")
                    .build())
            .put("user", request.username())
            .put("groups", asked.array("groups"));
    if (asked.has("uid")) {
      spec.put("uid", asked.text("uid", ""));
    }
    if (asked.has("extra")) {
      spec.put("extra", asked.object("extra"));
    }
    return new JsonObject.Builder()
        .put("kind", "SubjectAccessReview")
        .put("apiVersion", "authorization.k8s.io/v1")
        .put("spec", spec.build())
        .build();
  }

  @Override
  public ApprovalPlan.Snapshot snapshot(Reconciliation run, List<JsonObject> owned) {
    return new ApprovalPlan.Snapshot(
        RequestReader.read(run.object()), memories.of(run.object()).granted, nodes);
  }

  @Override
  public ApprovalPlan decide(ApprovalPlan.Snapshot snapshot, Instant now) {
    return ApprovalPlan.decide(snapshot, now);
  }

  @Override
  public void apply(Reconciliation run, ApprovalAction action) {
    switch (action) {
      case ApprovalAction.Approve(JsonObject approved) -> {
        Target approval =
            Target.of(Resources.CERTIFICATE_SIGNING_REQUESTS, ObjectName.of(approved))
                .subresource("approval");
        run.request(
            () -> api.send(new ApiRequest.Update(approval, approved)),
            result -> {
              run.failUnlessGone("FailedApproval", result);
              // Whatever it is now will be heard of.
              run.waitForNews();
            });
      }
    }
  }

  @Override
  public void ended(Reconciliation run, ApprovalPlan plan) {
    Notes notes = memories.of(run.object());
    String why = plan.pending().orElse("");
    if (!why.isEmpty() && !why.equals(notes.said)) {
      run.event(Note.normal("NotApproved", "Not approved automatically: " + why), "Approve");
    }
    notes.said = why;
    if (plan.isAskedAgain()) {
      run.retry();
    } else if (!why.isEmpty()) {
      waitingForAddresses.add(ObjectName.of(run.object()));
    }
  }
}
