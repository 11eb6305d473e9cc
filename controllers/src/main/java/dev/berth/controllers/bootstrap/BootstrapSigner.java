package dev.berth.controllers.bootstrap;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.BoundedRequests;
import dev.berth.client.ListRequest;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.bootstrap.BootstrapToken;
import dev.berth.model.bootstrap.ClusterInfoTree;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.pki.DetachedSignature;
import dev.berth.policy.bootstrap.ClusterInfo;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the signatures in the ConfigMap {@code cluster-info}, as {@link ClusterInfo} says: when it
 * changes, when tokens do, and when one of them ends. Where there is no such ConfigMap there is
 * nothing to do: somebody else makes it.
 */
public final class BootstrapSigner implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "bootstrap-signer";

  private static final ObjectName CLUSTER_INFO =
      new ObjectName(ClusterInfoTree.NAMESPACE, ClusterInfoTree.NAME);

  private final Api api;
  private final Time time;
  private final Loop loop;
  private final BoundedRequests requests;
  private final WorkQueue queue;
  private final InformerSet informers;
  private final Map<String, BootstrapToken> tokens = new TreeMap<>();
  private @Nullable JsonObject configMap;

  private BootstrapSigner(ControllerParts parts) {
    this.api = parts.api();
    this.time = parts.time();
    this.loop = time.start("bootstrap-signer");
    this.requests = new BoundedRequests(loop, 1);
    this.queue = new WorkQueue(parts, loop, "bootstrap_signer_queue", 1, this::sign);
    this.informers =
        new InformerSet(parts.informers(), loop, this::add, parts.warnings())
            .on(
                ListRequest.of(Resources.CONFIG_MAPS)
                    .in(CLUSTER_INFO.namespace())
                    .fields("metadata.name=" + CLUSTER_INFO.name()),
                this::configMapChanged)
            .on(TokenSecrets.ALL, this::secretChanged);
  }

  public static Controller start(ControllerParts parts) {
    BootstrapSigner signer = new BootstrapSigner(parts);
    signer.informers.start();
    return signer;
  }

  private void configMapChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    configMap = after;
    add();
  }

  private void secretChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null) {
      tokens.put(Metadata.of(after).name(), BootstrapToken.read(after));
    } else if (before != null) {
      tokens.remove(Metadata.of(before).name());
    }
    add();
  }

  private void add() {
    if (informers.isSynced()) {
      queue.add(CLUSTER_INFO);
    }
  }

  private void sign(ObjectName name, WorkQueue.Item item) {
    if (configMap == null) {
      item.succeeded();
      return;
    }
    Instant now = time.now();
    ClusterInfo.nextExpiration(tokens.values(), now)
        .ifPresent(end -> queue.addAfter(name, Duration.between(now, end)));
    Optional<JsonObject> signed =
        ClusterInfo.signed(
            new ClusterInfoTree(configMap), tokens.values(), DetachedSignature::of, now);
    if (signed.isEmpty()) {
      item.succeeded();
      return;
    }
    requests.run(
        () -> api.update(Resources.CONFIG_MAPS, signed.get()),
        result -> {
          if (result instanceof ApiResult.Failure why && !why.isNotFound()) {
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
