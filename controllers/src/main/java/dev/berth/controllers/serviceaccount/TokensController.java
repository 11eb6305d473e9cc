package dev.berth.controllers.serviceaccount;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.TokenSecret;
import dev.berth.time.Loop;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fills secrets that are to hold a token of a service account, and deletes those whose account is
 * gone. An account that names a secret which is gone names it no longer.
 *
 * <p>That an account is not there is asked of the server before its secrets are deleted: news of it
 * may be late. One loop owns everything it knows, and nothing of that is durable.
 */
public final class TokensController implements Controller {
  private static final int AT_ONCE = 8;
  private static final Duration LOOK_AT_CERTIFICATES = Duration.ofMinutes(1);
  private static final ListRequest TOKENS =
      ListRequest.of(Resources.SECRETS).fields("type=" + TokenSecret.TYPE);

  private final Api api;
  private final TokenSettings settings;
  private final Loop loop;
  private final BoundedRequests requests;
  private final WorkQueue queue;
  private final InformerSet informers;
  private final Consumer<String> warnings;
  private final Map<ObjectName, JsonObject> accounts = new HashMap<>();
  private final Map<ObjectName, TokenSecret> secrets = new HashMap<>();

  /** Secrets that are gone, as they were, until their accounts do not name them any more. */
  private final Map<ObjectName, TokenSecret> gone = new HashMap<>();

  private String lastCertificates;

  private TokensController(ControllerParts parts, TokenSettings settings) {
    this.api = parts.api();
    this.settings = settings;
    this.lastCertificates = settings.rootCertificates().get();
    this.loop = parts.time().start("serviceaccount-token-controller");
    this.warnings = parts.warnings();
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.queue = new WorkQueue(parts, loop, "serviceaccount_tokens_secret", AT_ONCE, this::sync);
    this.informers =
        new InformerSet(parts.informers(), loop, this::synced, warnings)
            .on(Resources.SERVICE_ACCOUNTS, this::accountChanged)
            .on(TOKENS, this::secretChanged);
  }

  public static Controller start(ControllerParts parts, TokenSettings settings) {
    TokensController controller = new TokensController(parts, settings);
    controller.informers.start();
    return controller;
  }

  private void synced() {
    secrets.keySet().forEach(queue::add);
    loop.after(LOOK_AT_CERTIFICATES, this::lookAtCertificates);
  }

  /** Who is to be trusted changes while the cluster's authority is replaced. */
  private void lookAtCertificates() {
    String now = settings.rootCertificates().get();
    if (!now.equals(lastCertificates)) {
      lastCertificates = now;
      secrets.keySet().forEach(queue::add);
    }
    loop.after(LOOK_AT_CERTIFICATES, this::lookAtCertificates);
  }

  private void accountChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      accounts.put(ObjectName.of(after), after);
    } else if (before != null) {
      accounts.remove(ObjectName.of(before));
    }
    if (before != null && informers.isSynced()) {
      ObjectName name = ObjectName.of(before);
      secrets.forEach((secret, view) -> {
        if (view.account().equals(name)) {
          queue.add(secret);
        }
      });
    }
  }

  private void secretChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    ObjectName name = ObjectName.of(told);
    if (after == null) {
      secrets.remove(name);
      gone.put(name, new TokenSecret(told));
    } else {
      secrets.put(name, new TokenSecret(after));
      gone.remove(name);
    }
    if (informers.isSynced()) {
      queue.add(name);
    }
  }

  private void sync(ObjectName name, WorkQueue.Item item) {
    TokenSecret secret = secrets.get(name);
    TokenSecret old = gone.remove(name);
    if (secret == null) {
      unname(name, Optional.ofNullable(old), item);
      return;
    }
    JsonObject known = accounts.get(secret.account());
    if (known != null && secret.isOf(known)) {
      fill(secret, known, item);
      return;
    }
    requests.run(
        () -> api.get(Resources.SERVICE_ACCOUNTS, secret.account()),
        result -> {
          if (result instanceof ApiResult.Done(JsonObject account) && secret.isOf(account)) {
            fill(secret, account, item);
          } else if (result.isDone() || result.isNotFound()) {
            delete(name, secret, item);
          } else {
            end("read the account of", name, result, item);
          }
        });
  }

  private void fill(TokenSecret secret, JsonObject account, WorkQueue.Item item) {
    String certificates = settings.rootCertificates().get();
    if (secret.isFull(certificates)) {
      item.succeeded();
      return;
    }
    ObjectName name = ObjectName.of(secret.object());
    JsonObject filled = secret.filled(account, certificates, settings.signer());
    requests.run(
        () -> api.update(Resources.SECRETS, filled), result -> end("fill", name, result, item));
  }

  private void delete(ObjectName name, TokenSecret secret, WorkQueue.Item item) {
    DeleteOptions only = DeleteOptions.NONE.onlyUid(secret.metadata().uid());
    requests.run(
        () -> api.delete(Resources.SECRETS, name, only),
        result -> end("delete", name, result, item));
  }

  /** The account of a secret that is gone does not name it any more. */
  private void unname(ObjectName name, Optional<TokenSecret> old, WorkQueue.Item item) {
    Optional<JsonObject> account =
        old.flatMap(
            secret -> Optional.ofNullable(accounts.get(secret.account())).filter(secret::isOf));
    if (account.isEmpty()) {
      item.succeeded();
      return;
    }
    JsonArray named = account.get().array("secrets");
    List<JsonObject> left =
        named.objects().stream()
            .filter(reference -> !reference.text("name", "").equals(name.name()))
            .toList();
    if (left.size() == named.size()) {
      item.succeeded();
      return;
    }
    JsonObject changed =
        left.isEmpty()
            ? account.get().without("secrets")
            : account.get().with("secrets", JsonArray.copyOf(left));
    requests.run(
        () -> api.update(Resources.SERVICE_ACCOUNTS, changed),
        result -> {
          if (result instanceof ApiResult.Failure why && why.isConflict()) {
            // Tried again with what the account is then.
            gone.put(name, old.orElseThrow());
            item.failed();
          } else {
            end("forget", name, result, item);
          }
        });
  }

  private void end(String what, ObjectName name, ApiResult result, WorkQueue.Item item) {
    if (result instanceof ApiResult.Failure why && !why.isNotFound() && !why.isConflict()) {
      warnings.accept(
          "cannot %s the token secret %s, and tries again: %s"
              .formatted(what, name, why.message()));
      item.failed();
    } else {
      // Whatever it is now will be heard of.
      item.succeeded();
    }
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
