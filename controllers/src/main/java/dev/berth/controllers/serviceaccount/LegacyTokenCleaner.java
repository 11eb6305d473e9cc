package dev.berth.controllers.serviceaccount;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.model.meta.Metadata;
import dev.berth.model.reference.PodReferences;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.TokenSecret;
import dev.berth.policy.serviceaccount.LegacyTokenCleanup;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Marks tokens invalid that were made for accounts long ago and that nobody uses, and deletes them
 * later, as {@link LegacyTokenCleanup} says. It looks at all of them when it starts and once a day.
 */
public final class LegacyTokenCleaner implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "legacy-service-account-token-cleaner";

  private static final Logger LOG = LoggerFactory.getLogger(ACCOUNT);
  private static final Duration PERIOD = Duration.ofHours(24);
  private static final int AT_ONCE = 4;

  /** The parts of a pod that may name a secret. */
  private static final List<String> NAMING =
      List.of("containers", "initContainers", "ephemeralContainers", "volumes", "imagePullSecrets");

  private final Api api;
  private final Time time;
  private final Duration unused;
  private final Loop loop;
  private final BoundedRequests requests;
  private final InformerSet informers;
  private final Consumer<String> warnings;
  private final Map<ObjectName, JsonObject> accounts = new HashMap<>();
  private final Map<ObjectName, TokenSecret> secrets = new TreeMap<>();
  private final Map<ObjectName, Set<String>> mounted = new HashMap<>();

  private LegacyTokenCleaner(ControllerParts parts, Duration unused) {
    this.api = parts.api();
    this.time = parts.time();
    this.unused = unused;
    this.warnings = parts.warnings();
    this.loop = time.start(ACCOUNT);
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.informers =
        new InformerSet(parts.informers(), loop, this::sweep, warnings)
            .on(Resources.SERVICE_ACCOUNTS, (before, after) -> put(accounts, before, after))
            .on(
                ListRequest.of(Resources.SECRETS).fields("type=" + TokenSecret.TYPE),
                this::secretChanged)
            .on(Resources.PODS, this::podChanged);
  }

  /**
   * Begins to look after such tokens.
   *
   * @param unused how long a token may be unused
   */
  public static Controller start(ControllerParts parts, Duration unused) {
    LegacyTokenCleaner cleaner = new LegacyTokenCleaner(parts, unused);
    cleaner.informers.start();
    return cleaner;
  }

  private static void put(
      Map<ObjectName, JsonObject> all, @Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      all.put(ObjectName.of(after), after);
    } else if (before != null) {
      all.remove(ObjectName.of(before));
    }
  }

  private void secretChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      secrets.put(ObjectName.of(after), new TokenSecret(after));
    } else if (before != null) {
      secrets.remove(ObjectName.of(before));
    }
  }

  private void podChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (before != null && after != null && namesTheSame(before, after)) {
      return;
    }
    if (after != null) {
      Set<String> names = new HashSet<>(PodReferences.of(after).secrets());
      if (names.isEmpty()) {
        mounted.remove(ObjectName.of(after));
      } else {
        mounted.put(ObjectName.of(after), names);
      }
    } else if (before != null) {
      mounted.remove(ObjectName.of(before));
    }
  }

  /** Whether all that could name a secret is as it was: a pod that is bound is no news. */
  private static boolean namesTheSame(JsonObject before, JsonObject after) {
    JsonObject was = before.object("spec");
    JsonObject is = after.object("spec");
    return NAMING.stream().allMatch(field -> Objects.equals(was.get(field), is.get(field)));
  }

  private void sweep() {
    requests.run(
        () ->
            api.get(
                Resources.CONFIG_MAPS, new ObjectName("kube-system", LegacyTokenCleanup.TRACKING)),
        result -> {
          if (result instanceof ApiResult.Done(JsonObject tracking)) {
            LegacyTokenCleanup.day(tracking.object("data").text(LegacyTokenCleanup.SINCE, ""))
                .ifPresent(since -> sweep(new LegacyTokenCleanup(since, unused)));
          }
        });
    loop.after(PERIOD, this::sweep);
  }

  private void sweep(LegacyTokenCleanup cleanup) {
    secrets.forEach((name, secret) -> {
      Optional<JsonObject> account = Optional.ofNullable(accounts.get(secret.account()));
      boolean isMounted =
          mounted.entrySet().stream()
              .anyMatch(pod ->
                  pod.getKey().namespace().equals(name.namespace())
                      && pod.getValue().contains(name.name()));
      switch (cleanup.decide(secret, account, isMounted, time.now())) {
        case LegacyTokenCleanup.Step.Keep _ -> {}
        case LegacyTokenCleanup.Step.Invalidate(String day) -> invalidate(name, secret, day);
        case LegacyTokenCleanup.Step.Delete _ -> delete(name, secret);
      }
    });
  }

  private void invalidate(ObjectName name, TokenSecret secret, String day) {
    LOG.atInfo().addKeyValue("secret", name).addKeyValue("since", day).log("marking invalid");
    JsonObject metadata =
        new JsonObject.Builder()
            .put("uid", secret.metadata().uid())
            .put("labels", JsonObject.of(TokenSecret.INVALID_SINCE, day))
            .build();
    requests.run(
        () ->
            api.patch(
                Target.of(Resources.SECRETS, name),
                PatchType.MERGE,
                JsonObject.of("metadata", metadata)),
        result -> end("mark invalid", name, result));
  }

  private void delete(ObjectName name, TokenSecret secret) {
    LOG.atInfo().addKeyValue("secret", name).log("deleting a token that nobody uses");
    Metadata metadata = secret.metadata();
    DeleteOptions only =
        DeleteOptions.NONE.onlyUid(metadata.uid()).onlyRevision(metadata.resourceVersion());
    requests.run(
        () -> api.delete(Resources.SECRETS, name, only), result -> end("delete", name, result));
  }

  private void end(String what, ObjectName name, ApiResult result) {
    if (result instanceof ApiResult.Failure why && !why.isNotFound() && !why.isConflict()) {
      warnings.accept(
          "cannot %s the token secret %s, and tries again in a day: %s"
              .formatted(what, name, why.message()));
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
