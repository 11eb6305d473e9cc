package dev.berth.serving.rest;

import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.core.PodView;
import dev.berth.model.disruption.PodDisruptionBudgetView;
import dev.berth.model.meta.Conditions;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.disruption.Eviction;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Answers evictions: deletions that a disruption budget may refuse. The budget is charged first, by
 * comparing and swapping, so that concurrent evictions never exceed it; then the pod's status says
 * why it goes, and the pod is deleted.
 */
final class PodEviction {
  private static final int CONFLICT = 409;
  private static final int ATTEMPTS = 20;

  private final Registry registry;
  private final Resource budgets;

  PodEviction(Registry registry) {
    this.registry = registry;
    this.budgets = registry.catalog().get("policy", "v1", "poddisruptionbudgets");
  }

  void evict(Call call) {
    Subresource subresource = call.resource().subresource(call.subresource()).orElseThrow();
    JsonObject eviction =
        Registry.placedIn(
            call.resource(), call.name(), RequestBodies.object(call, subresource.kind()));
    String named = Metadata.of(eviction).name();
    if (!named.equals(call.name().name())) {
      throw Failures.badRequest("name in URL does not match name in Eviction object");
    }
    if (eviction.object("deleteOptions").flag(DeletionOptions.UNSAFE, false)) {
      throw Failures.invalid(
          new GroupKind(subresource.kind().group(), subresource.kind().kind()),
          named,
          List.of(
              FieldError.invalid(
                  "deleteOptions." + DeletionOptions.UNSAFE,
                  true,
                  "can not be set for pod eviction, try after removing the option")));
    }
    DeletionOptions options = options(call, eviction.object("deleteOptions"));
    registry.admit(
        call.resource(),
        call.name(),
        eviction,
        new WriteOptions(options.dryRun(), call.subresource(), "", call.user()));
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (evict(call, options)) {
        call.respond(201, success());
        return;
      }
    }
    throw Failures.modified(call.resource().groupResource(), named);
  }

  private static DeletionOptions options(Call call, JsonObject tree) {
    try {
      DeletionOptions options = DeletionOptions.read(tree).by(call.user());
      return RequestOptions.of(call, RequestOptions.CREATE).dryRun()
          ? options.rehearsed()
          : options;
    } catch (JsonException e) {
      throw Failures.badRequest("deleteOptions: " + e.getMessage());
    }
  }

  /** One attempt; false if the pod changed meanwhile and the answer may be another one. */
  private boolean evict(Call call, DeletionOptions options) {
    JsonObject pod = registry.get(call.resource(), call.name()).tree();
    Decided decided = decide(pod, options);
    boolean insists = options.resourceVersion().isEmpty() && decided.onlyUnchanged();
    Metadata metadata = Metadata.of(pod);
    String revision = insists ? metadata.resourceVersion() : options.resourceVersion();
    try {
      if (!options.dryRun() && !metadata.isBeingDeleted()) {
        revision = condemn(call, options, metadata, revision);
      }
      registry.delete(call.resource(), call.name(), onlyAt(options, revision));
      return true;
    } catch (StatusException e) {
      if (e.status().code() == CONFLICT && insists) {
        return false;
      }
      throw e;
    }
  }

  /** What was decided, and whether only about the pod as it is. */
  private record Decided(boolean onlyUnchanged) {}

  private Decided decide(JsonObject pod, DeletionOptions options) {
    PodView view = PodView.read(pod);
    // A budget that was just created through another server counts, too.
    registry.awaitRecent("");
    List<PodDisruptionBudgetView> all =
        registry.list(budgets, ListOptions.of(Selection.in(view.namespace()))).entries().stream()
            .map(StoredEncoding::tree)
            .map(PodDisruptionBudgetView::read)
            .toList();
    return switch (Eviction.decide(view, all, registry.now())) {
      case Eviction.AllowedWithoutBudget(boolean onlyUnchanged) -> new Decided(onlyUnchanged);
      case Eviction.Refused refused -> throw refusal(refused, all, view);
      case Eviction.Allowed allowed ->
          options.dryRun() ? new Decided(false) : charge(view, allowed.budget());
    };
  }

  /**
   * Decides again on the budget as it is then: somebody may have been faster. If it turns out that
   * the pod need not be paid for since it is not ready, it must still not be when it goes.
   */
  private Decided charge(PodView pod, String budget) {
    AtomicBoolean paid = new AtomicBoolean();
    registry.modify(
        budgets,
        new ObjectName(pod.namespace(), budget),
        WriteOptions.DEFAULT.subresource(Subresource.STATUS),
        current -> {
          PodDisruptionBudgetView view = PodDisruptionBudgetView.read(current);
          Eviction decision = Eviction.decide(pod, List.of(view), registry.now());
          paid.set(decision instanceof Eviction.Allowed);
          return switch (decision) {
            case Eviction.Allowed allowed ->
                current.with("status", allowed.status().placeIn(current.object("status")));
            case Eviction.AllowedWithoutBudget _ -> current;
            case Eviction.Refused refused -> throw refusal(refused, List.of(view), pod);
          };
        });
    return new Decided(!paid.get());
  }

  /** Says in the pod's status why it goes; returns the revision that this made. */
  private String condemn(
      Call call, DeletionOptions options, Metadata metadata, String expectedRevision) {
    if (!options.uid().isEmpty() && !options.uid().equals(metadata.uid())) {
      // The deletion says so, in its own words.
      return expectedRevision;
    }
    JsonObject condition =
        Conditions.condition(
            "DisruptionTarget", Conditions.TRUE, "EvictionByEvictionAPI", "Eviction API: evicting");
    WriteOptions status = new WriteOptions(false, Subresource.STATUS, "", call.user());
    JsonObject told =
        registry
            .modify(
                call.resource(),
                call.name(),
                status,
                pod -> {
                  if (!expectedRevision.isEmpty()
                      && !expectedRevision.equals(Metadata.of(pod).resourceVersion())) {
                    throw Failures.modified(call.resource().groupResource(), call.name().name());
                  }
                  JsonObject before = pod.object("status");
                  JsonArray conditions =
                      Conditions.set(before.array("conditions"), condition, registry.now());
                  return pod.with("status", before.with("conditions", conditions));
                })
            .tree();
    return expectedRevision.isEmpty() ? "" : Metadata.of(told).resourceVersion();
  }

  private static DeletionOptions onlyAt(DeletionOptions options, String revision) {
    return new DeletionOptions(
        options.gracePeriodSeconds(),
        options.uid(),
        revision,
        options.propagation(),
        options.dryRun(),
        options.user());
  }

  private StatusException refusal(
      Eviction.Refused refused, List<PodDisruptionBudgetView> all, PodView pod) {
    return switch (refused.refusal()) {
      case TOO_MANY_REQUESTS ->
          new StatusException(
              new Status(
                  429,
                  "TooManyRequests",
                  refused.message(),
                  new Status.Details(
                      "",
                      "",
                      "",
                      "",
                      List.of(new Status.Cause("DisruptionBudget", refused.cause(), "")),
                      refused.retryAfter().toSeconds())));
      case FORBIDDEN -> {
        String budget =
            all.stream()
                .filter(b -> b.selects(pod))
                .map(PodDisruptionBudgetView::name)
                .findFirst()
                .orElse("");
        yield Failures.forbidden(
            new GroupResource("policy", "poddisruptionbudget"), budget, refused.message());
      }
      case SEVERAL_BUDGETS -> new StatusException(new Status(500, "", refused.message(), null));
    };
  }

  private static JsonObject success() {
    return new Status(201, "", "", null).toTree().with("code", 201L);
  }
}
