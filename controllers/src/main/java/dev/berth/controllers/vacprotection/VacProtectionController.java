package dev.berth.controllers.vacprotection;

import dev.berth.client.Api;
import dev.berth.client.BoundedRequests;
import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.Controller;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.reconcile.WorkQueue;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.storage.AttributesClassNames;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.persistentvolume.Protection;
import dev.berth.time.Loop;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes the finalizer from VolumeAttributesClasses that are being deleted once no claim or volume
 * names them ({@link AttributesClassNames}), and gives it to classes that are without.
 *
 * <p>Decides nothing before all claims and volumes are known. A claim that is made while its class
 * is let go finds no class, as in upstream. One loop owns everything it knows, and nothing of that
 * is durable.
 */
public final class VacProtectionController implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "volumeattributesclass-protection-controller";

  private static final int AT_ONCE = 2;

  private final Api api;
  private final Loop loop;
  private final InformerSet informers;
  private final WorkQueue queue;
  private final BoundedRequests requests;
  private final Consumer<String> warnings;

  /** Classes that are without the finalizer, or are to go once nobody uses them. */
  private final Map<ObjectName, JsonObject> concerned = new LinkedHashMap<>();

  /** How many claims and volumes name a class. */
  private final Map<String, Integer> uses = new HashMap<>();

  private boolean synced;

  private VacProtectionController(ControllerParts parts) {
    api = parts.api();
    loop = parts.time().start(ACCOUNT);
    warnings = parts.warnings();
    queue = new WorkQueue(parts, loop, "vacprotection", AT_ONCE, this::reconcile);
    requests = new BoundedRequests(loop, AT_ONCE);
    informers = new InformerSet(parts.informers(), loop, this::begin, warnings);
    informers.on(
        Resources.PERSISTENT_VOLUMES,
        (before, after) -> used(before, after, AttributesClassNames::ofVolume));
    informers.on(
        Resources.PERSISTENT_VOLUME_CLAIMS,
        (before, after) -> used(before, after, AttributesClassNames::ofClaim));
    informers.onOptional(Resources.VOLUME_ATTRIBUTES_CLASSES, this::changed);
  }

  public static VacProtectionController start(ControllerParts parts) {
    VacProtectionController controller = new VacProtectionController(parts);
    controller.informers.start();
    return controller;
  }

  private void begin() {
    synced = true;
    concerned.keySet().forEach(queue::add);
  }

  private void used(
      @Nullable JsonObject before,
      @Nullable JsonObject after,
      Function<JsonObject, Set<String>> classes) {
    if (after != null) {
      classes.apply(after).forEach(name -> uses.merge(name, 1, Integer::sum));
    }
    if (before != null) {
      for (String name : classes.apply(before)) {
        uses.computeIfPresent(name, (_, count) -> count == 1 ? null : count - 1);
        consider(ObjectName.of(name));
      }
    }
  }

  private void changed(@Nullable JsonObject before, @Nullable JsonObject after) {
    if (after != null
        && (Protection.isMissing(after, Protection.OF_ATTRIBUTES_CLASSES)
            || Protection.holds(after, Protection.OF_ATTRIBUTES_CLASSES))) {
      concerned.put(ObjectName.of(after), after);
      consider(ObjectName.of(after));
    } else if (after != null) {
      concerned.remove(ObjectName.of(after));
    } else if (before != null) {
      concerned.remove(ObjectName.of(before));
    }
  }

  private void consider(ObjectName name) {
    if (synced && concerned.containsKey(name)) {
      queue.add(name);
    }
  }

  private void reconcile(ObjectName name, WorkQueue.Item item) {
    JsonObject found = concerned.get(name);
    boolean missing =
        found != null && Protection.isMissing(found, Protection.OF_ATTRIBUTES_CLASSES);
    if (found == null || (!missing && uses.containsKey(name.name()))) {
      item.succeeded();
      return;
    }
    JsonObject wanted =
        missing
            ? Metadata.withFinalizer(found, Protection.OF_ATTRIBUTES_CLASSES)
            : Metadata.withoutFinalizer(found, Protection.OF_ATTRIBUTES_CLASSES);
    requests.run(
        () -> api.update(Resources.VOLUME_ATTRIBUTES_CLASSES, wanted),
        result -> item.ended(result, "protect VolumeAttributesClass " + name, warnings));
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
