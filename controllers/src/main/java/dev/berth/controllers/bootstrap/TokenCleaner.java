package dev.berth.controllers.bootstrap;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.DeleteOptions;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.bootstrap.BootstrapToken;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Deletes the secrets of bootstrap tokens when they end. */
public final class TokenCleaner implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "token-cleaner";

  private static final int AT_ONCE = 4;

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final BoundedRequests requests;
  private final WorkQueue queue;
  private final InformerSet informers;
  private final Map<ObjectName, JsonObject> secrets = new HashMap<>();

  private TokenCleaner(ControllerParts parts) {
    this.api = parts.api();
    this.time = parts.time();
    this.loop = time.start("token-cleaner");
    this.requests = new BoundedRequests(loop, AT_ONCE);
    this.queue = new WorkQueue(parts, loop, "token_cleaner", AT_ONCE, this::check);
    this.informers =
        new InformerSet(parts.informers(), loop, () -> {}, parts.warnings())
            .on(TokenSecrets.ALL, this::changed);
  }

  public static Controller start(ControllerParts parts) {
    TokenCleaner cleaner = new TokenCleaner(parts);
    cleaner.informers.start();
    return cleaner;
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      secrets.put(ObjectName.of(after), after);
      queue.add(ObjectName.of(after));
    } else if (before != null) {
      secrets.remove(ObjectName.of(before));
      queue.forget(ObjectName.of(before));
    }
  }

  private void check(ObjectName name, WorkQueue.Item item) {
    JsonObject secret = secrets.get(name);
    Instant now = time.now();
    if (secret == null || !BootstrapToken.read(secret).isExpired(now)) {
      item.succeeded();
      if (secret != null) {
        BootstrapToken.read(secret)
            .expiration()
            .ifPresent(end -> queue.addAfter(name, Duration.between(now, end)));
      }
      return;
    }
    DeleteOptions only = DeleteOptions.NONE.onlyUid(Metadata.of(secret).uid());
    requests.run(
        () -> api.delete(Resources.SECRETS, name, only),
        result -> {
          // One of the same name that has come since is heard of.
          if (result instanceof ApiResult.Failure why && !why.isNotFound() && !why.isConflict()) {
            item.failed();
          } else {
            item.succeeded();
          }
        });
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
