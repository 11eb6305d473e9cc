package dev.berth.admission.policy;

import dev.berth.kinds.admissionregistration.PolicyTypeCheck;
import dev.berth.kinds.resource.Resource;
import dev.berth.kinds.resource.Subresource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.schema.Schemas;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.registry.ListOptions;
import dev.berth.registry.ObjectWatch;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.StoredEncoding;
import dev.berth.registry.WatchOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.status.StatusException;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Writes into the status of each ValidatingAdmissionPolicy whether its rules fit the kinds that it
 * is about. Policies change rarely: after a change, all that were not looked at since are.
 */
public final class PolicyStatusController implements AutoCloseable {
  private static final WriteOptions STATUS = WriteOptions.DEFAULT.subresource(Subresource.STATUS);
  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final int INTERNAL_ERROR = 500;

  private final Registry registry;
  private final Resource policies;
  private final Loop loop;
  private final AtomicBoolean told = new AtomicBoolean();
  private volatile @Nullable ObjectWatch watch;

  /**
   * @param time where its loop runs
   */
  public PolicyStatusController(Registry registry, Time time) {
    this.registry = registry;
    this.policies =
        registry.catalog().get("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies");
    this.loop = time.start("validatingadmissionpolicy-status");
  }

  public void start() {
    loop.offer(this::observe);
  }

  private void observe() {
    watch =
        registry.watch(
            policies, new WatchOptions(Selection.ALL, new WatchOptions.From.Present()), this::tell);
    // A watch wakes its reader once it was found empty.
    drain();
  }

  /** However much happens, one look is enough for all of it. */
  private void tell() {
    if (told.compareAndSet(false, true) && !loop.offer(this::drain)) {
      loop.after(SOON, this::drain);
    }
  }

  private void drain() {
    told.set(false);
    ObjectWatch current = watch;
    while (current != null) {
      switch (current.poll()) {
        case ObjectWatch.Taken.Closed _ -> {
          return;
        }
        case ObjectWatch.Taken.Expired _ -> {
          current.close();
          observe();
          return;
        }
        case ObjectWatch.Taken.Events(var events, long _) -> {
          if (events.isEmpty()) {
            look();
            return;
          }
        }
      }
    }
  }

  private void look() {
    List<JsonObject> all =
        registry.list(policies, ListOptions.of(Selection.in(""))).entries().stream()
            .map(StoredEncoding::tree)
            .toList();
    for (JsonObject policy : all) {
      if (!isObserved(policy)) {
        write(ObjectName.of(Metadata.of(policy).name()));
      }
    }
  }

  private static boolean isObserved(JsonObject policy) {
    return policy.object("metadata").integer("generation").orElse(0)
        <= policy.object("status").integer("observedGeneration").orElse(0);
  }

  private void write(ObjectName name) {
    try {
      registry.modify(policies, name, STATUS, this::checked);
    } catch (StatusException e) {
      // It is gone, or somebody else is writing it: the next event tells.
      if (e.status().code() >= INTERNAL_ERROR) {
        loop.after(RETRY, this::look);
      }
    }
  }

  private JsonObject checked(JsonObject policy) {
    if (isObserved(policy)) {
      return policy;
    }
    List<JsonObject> warnings =
        new PolicyTypeCheck(registry.catalog(), Schemas.builtIn()).check(policy);
    JsonObject typeChecking =
        warnings.isEmpty()
            ? JsonObject.EMPTY
            : JsonObject.of("expressionWarnings", JsonArray.copyOf(warnings));
    return policy.with(
        "status",
        policy
            .object("status")
            .with("observedGeneration", policy.object("metadata").integer("generation").orElse(0))
            .with("typeChecking", typeChecking));
  }

  @Override
  public void close() {
    loop.close();
    ObjectWatch current = watch;
    if (current != null) {
      current.close();
    }
  }
}
