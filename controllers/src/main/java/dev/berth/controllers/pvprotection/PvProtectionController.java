package dev.berth.controllers.pvprotection;

import dev.berth.client.Api;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.PersistentVolumeView;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.Protection;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the finalizer from volumes that are being deleted once no claim has them ({@link
 * Protection}), and gives it to volumes that are without.
 *
 * <p>A volume says itself whether a claim has it, and what is written replaces the revision that
 * was reconciled. One loop owns everything it knows, and nothing of that is durable.
 */
public final class PvProtectionController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "pv-protection-controller";

  private static final int AT_ONCE = 8;

  private final Api api;
  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final BoundedRequests requests;
  private final Consumer<String> warnings;

  /** Volumes that are to get or to lose the finalizer. */
  private final Map<ObjectName, JsonObject> concerned = new LinkedHashMap<>();

  private PvProtectionController(ControllerParts parts) {
    api = parts.api();
    Time time = parts.time();
    loop = time.start(ACCOUNT);
    warnings = parts.warnings();
    queue = new WorkQueue(parts, loop, "pvprotection", AT_ONCE, this::reconcile);
    requests = new BoundedRequests(loop, AT_ONCE);
    informers = new InformerSet(parts.informers(), loop, () -> {}, warnings);
    informers.on(Resources.PERSISTENT_VOLUMES, this::changed);
  }

  public static PvProtectionController start(ControllerParts parts) {
    PvProtectionController controller = new PvProtectionController(parts);
    controller.informers.start();
    return controller;
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null
        && (Protection.isMissing(after, Protection.OF_VOLUMES)
            || (Protection.holds(after, Protection.OF_VOLUMES)
                && !Protection.keeps(PersistentVolumeView.read(after))))) {
      concerned.put(ObjectName.of(after), after);
      queue.add(ObjectName.of(after));
    } else if (after != null) {
      concerned.remove(ObjectName.of(after));
    } else if (before != null) {
      concerned.remove(ObjectName.of(before));
    }
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    JsonObject volume = concerned.get(name);
    if (volume == null) {
      item.succeeded();
      return;
    }
    JsonObject wanted =
        Protection.isMissing(volume, Protection.OF_VOLUMES)
            ? Metadata.withFinalizer(volume, Protection.OF_VOLUMES)
            : Metadata.withoutFinalizer(volume, Protection.OF_VOLUMES);
    requests.run(
        () -> api.update(Resources.PERSISTENT_VOLUMES, wanted),
        result -> item.ended(result, "protect volume " + name, warnings));
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
