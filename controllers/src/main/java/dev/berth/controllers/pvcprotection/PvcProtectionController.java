package dev.berth.controllers.pvcprotection;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Pages;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.core.PodTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PodClaim;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.ClaimUse;
import dev.berth.policy.persistentvolume.Protection;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the finalizer from claims that are being deleted once no pod uses them ({@link ClaimUse}),
 * and gives it to claims that are without.
 *
 * <p>What the watch has told of pods may be old, so the server is asked for all pods of the
 * namespace before a claim is let go: once for all claims of the namespace that are going.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class PvcProtectionController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "pvc-protection-controller";

  private static final int AT_ONCE = 8;

  private final Api api;
  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final BoundedRequests requests;
  private final Consumer<String> warnings;

  /** Claims that are going, or without the finalizer, by namespace. */
  private final Map<String, Map<ObjectName, JsonObject>> concerned = new HashMap<>();

  /** Pods with a node, by the claims that they use. */
  private final Map<ObjectName, Map<String, JsonObject>> users = new HashMap<>();

  private PvcProtectionController(ControllerParts parts) {
    api = parts.api();
    Time time = parts.time();
    loop = time.start(ACCOUNT);
    warnings = parts.warnings();
    queue = new WorkQueue(parts, loop, "pvcprotection", AT_ONCE, this::reconcile);
    requests = new BoundedRequests(loop, AT_ONCE);
    informers = new InformerSet(parts.informers(), loop, this::synced, warnings);
    informers
        .on(Resources.PERSISTENT_VOLUME_CLAIMS, this::claimChanged)
        .on(Resources.PODS, this::podChanged);
  }

  public static PvcProtectionController start(ControllerParts parts) {
    PvcProtectionController controller = new PvcProtectionController(parts);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    concerned.keySet().forEach(this::touch);
  }

  private void touch(String namespace) {
    if (informers.isSynced() && concerned.containsKey(namespace)) {
      queue.add(ObjectName.of(namespace));
    }
  }

  private void claimChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    ObjectName name = ObjectName.of(told);
    if (after != null
        && (Protection.holds(after, Protection.OF_CLAIMS)
            || Protection.isMissing(after, Protection.OF_CLAIMS))) {
      concerned.computeIfAbsent(name.namespace(), _ -> new LinkedHashMap<>()).put(name, after);
      touch(name.namespace());
      return;
    }
    Map<ObjectName, JsonObject> others = concerned.get(name.namespace());
    if (others != null && others.remove(name) != null && others.isEmpty()) {
      concerned.remove(name.namespace());
    }
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null) {
      for (PodClaim use : PodClaim.of(before)) {
        Map<String, JsonObject> pods = users.get(use.claim());
        if (pods != null && pods.remove(Metadata.of(before).uid()) != null && pods.isEmpty()) {
          users.remove(use.claim());
        }
      }
    }
    if (after != null && new PodTree(after).isBound()) {
      for (PodClaim use : PodClaim.of(after)) {
        users
            .computeIfAbsent(use.claim(), _ -> new LinkedHashMap<>())
            .put(Metadata.of(after).uid(), after);
      }
    }
    JsonObject told = after == null ? before : after;
    if (told != null && !PodClaim.of(told).isEmpty()) {
      touch(Metadata.of(told).namespace());
    }
  }

  private boolean isUsed(JsonObject claim) {
    return users.getOrDefault(ObjectName.of(claim), Map.of()).values().stream()
        .anyMatch(pod -> ClaimUse.keeps(pod, claim));
  }

  private void reconcile(ObjectName namespace, WorkQueue.Item item) {
    List<JsonObject> missing = new ArrayList<>();
    List<JsonObject> unused = new ArrayList<>();
    for (JsonObject claim : concerned.getOrDefault(namespace.name(), Map.of()).values()) {
      if (Protection.isMissing(claim, Protection.OF_CLAIMS)) {
        missing.add(claim);
      } else if (!isUsed(claim)) {
        unused.add(claim);
      }
    }
    if (missing.isEmpty() && unused.isEmpty()) {
      item.succeeded();
      return;
    }
    requests.run(
        () -> write(namespace.name(), missing, unused),
        failure ->
            failure.ifPresentOrElse(
                why -> item.ended(why, "protect claims in " + namespace.name(), warnings),
                item::succeeded));
  }

  /** Runs beside the loop; returns the first thing that went wrong. */
  private Optional<ApiResult.Failure> write(
      String namespace, List<JsonObject> missing, List<JsonObject> unused) {
    List<ApiResult.Failure> failures = new ArrayList<>();
    missing.forEach(claim -> update(Metadata.withFinalizer(claim, Protection.OF_CLAIMS), failures));
    if (!unused.isEmpty()) {
      switch (Pages.all(api, ListRequest.of(Resources.PODS).in(namespace))) {
        case ListResult.Page page -> letGo(unused, page.items(), failures);
        case ApiResult.Failure why -> failures.add(why);
      }
    }
    return failures.stream().findFirst();
  }

  private void letGo(
      List<JsonObject> claims, List<JsonObject> pods, List<ApiResult.Failure> failures) {
    Map<ObjectName, List<JsonObject>> live = new HashMap<>();
    for (JsonObject pod : pods) {
      for (PodClaim use : PodClaim.of(pod)) {
        live.computeIfAbsent(use.claim(), _ -> new ArrayList<>()).add(pod);
      }
    }
    for (JsonObject claim : claims) {
      List<JsonObject> same = live.getOrDefault(ObjectName.of(claim), List.of());
      if (same.stream().noneMatch(pod -> ClaimUse.keeps(pod, claim))) {
        update(Metadata.withoutFinalizer(claim, Protection.OF_CLAIMS), failures);
      }
    }
  }

  private void update(JsonObject claim, List<ApiResult.Failure> failures) {
    ApiResult result = api.update(Resources.PERSISTENT_VOLUME_CLAIMS, claim);
    if (result instanceof ApiResult.Failure why && !result.isNotFound()) {
      failures.add(why);
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
