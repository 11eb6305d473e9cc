package dev.berth.policy.resourceclaim;

import dev.berth.model.core.PodTree;
import dev.berth.model.device.PodResourceClaim;
import dev.berth.model.device.PodResourceClaim.Behind;
import dev.berth.model.device.ResourceClaimView;
import dev.berth.model.device.ResourceClaimView.Consumer;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done for a pod that uses claims.
 *
 * <ol>
 *   <li>A claim of a template is made, unless the pod has it: its status names it, and the pod owns
 *       it. One that the pod owns but its status does not name was made before a crash; its name is
 *       recorded.
 *   <li>A pod that has a node without the scheduler's help has its allocated claims reserved for
 *       it.
 *   <li>Nothing is done for a pod that is being deleted, or that has ended: its claims go.
 * </ol>
 *
 * @param claims those that are made or found, to be recorded in the pod's status once all are
 * @param problem why the claims after these cannot be made
 * @param reservations claims as they are to be, with the pod among their consumers
 */
public record PodClaimPlan(
    List<Step> claims, Optional<Problem> problem, List<JsonObject> reservations) {

  public PodClaimPlan {
    claims = List.copyOf(claims);
    reservations = List.copyOf(reservations);
  }

  private static final PodClaimPlan NOTHING =
      new PodClaimPlan(List.of(), Optional.empty(), List.of());

  /** How a claim of a pod comes to have an object behind it. */
  public sealed interface Step {
    /** The name that the pod has for the claim. */
    String podClaim();

    /** It is there, made by an earlier run. */
    record Found(String podClaim, String claim) implements Step {}

    /** It is to be created. */
    record Create(String podClaim, JsonObject draft) implements Step {}
  }

  /** Why a claim cannot be made. */
  public record Problem(String podClaim, String message) {}

  public boolean isEmpty() {
    return claims.isEmpty() && problem.isEmpty() && reservations.isEmpty();
  }

  public static PodClaimPlan decide(PodClaims known) {
    Metadata metadata = Metadata.of(known.pod());
    if (metadata.isBeingDeleted() || isDone(known.pod())) {
      return NOTHING;
    }
    List<Step> steps = new ArrayList<>();
    Problem problem = null;
    for (PodResourceClaim claim : PodResourceClaim.of(known.pod())) {
      if (isThere(claim, known) || claim.behind() instanceof Behind.NotNeeded) {
        continue;
      }
      if (claim.template().isEmpty()) {
        if (claim.behind() instanceof Behind.Missing(String message)) {
          problem = new Problem(claim.name(), "checking for claim before creating it: " + message);
          break;
        }
        // The user is to make it.
        continue;
      }
      Step step = step(claim, known);
      if (step == null) {
        problem = new Problem(claim.name(), missing(claim.template()));
        break;
      }
      steps.add(step);
    }
    return new PodClaimPlan(
        steps,
        Optional.ofNullable(problem),
        problem == null && new PodTree(known.pod()).isBound() ? reservations(known) : List.of());
  }

  private static String missing(String template) {
    return "resource claim template \"%s\": resourceclaimtemplate.resource.k8s.io \"%s\" not found"
        .formatted(template, template);
  }

  /** The claim behind one of the pod's, if it is there and the pod's to use; null if not. */
  private static @Nullable ResourceClaimView find(PodResourceClaim claim, PodClaims known) {
    if (!(claim.behind() instanceof Behind.Claim(String name, boolean isMade))) {
      return null;
    }
    ResourceClaimView found = known.byName().get(name);
    boolean isUsable =
        found != null
            && (!isMade
                || found
                    .notMadeFor(ObjectName.of(known.pod()), Metadata.of(known.pod()).uid())
                    .isEmpty());
    return isUsable ? found : null;
  }

  private static boolean isThere(PodResourceClaim claim, PodClaims known) {
    return find(claim, known) != null;
  }

  private static @Nullable Step step(PodResourceClaim claim, PodClaims known) {
    for (ResourceClaimView owned : known.owned()) {
      boolean isForThis =
          owned
              .metadata()
              .annotation(ResourceClaimView.POD_CLAIM_ANNOTATION)
              .filter(claim.name()::equals)
              .isPresent();
      if (isForThis) {
        return new Step.Found(claim.name(), owned.name().name());
      }
    }
    JsonObject template = known.templates().get(claim.template());
    return template == null
        ? null
        : new Step.Create(claim.name(), GeneratedClaim.make(known.pod(), claim.name(), template));
  }

  private static List<JsonObject> reservations(PodClaims known) {
    Metadata pod = Metadata.of(known.pod());
    List<JsonObject> changed = new ArrayList<>();
    for (PodResourceClaim claim : PodResourceClaim.of(known.pod())) {
      ResourceClaimView found = find(claim, known);
      if (found != null && found.allocation() != null && !found.isReservedFor(pod.uid())) {
        Consumer consumer = Consumer.pod(pod.name(), pod.uid());
        changed.add(ResourceClaimView.reserve(found.tree(), consumer));
      }
    }
    return changed;
  }

  /** Whether a pod will not run any more, and so needs its claims no longer. */
  public static boolean isDone(JsonObject pod) {
    return new PodTree(pod).phase().finished()
        || (Metadata.of(pod).isBeingDeleted() && !new PodTree(pod).isBound());
  }
}
