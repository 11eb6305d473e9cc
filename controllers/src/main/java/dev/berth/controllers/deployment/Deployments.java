package dev.berth.controllers.deployment;

import dev.berth.client.InformerSet;
import dev.berth.client.Resources;
import dev.berth.controllers.Controller;
import dev.berth.controllers.ControllerParts;
import dev.berth.controllers.owned.KnownObjects;
import dev.berth.controllers.owned.OwnedObjects;
import dev.berth.controllers.owned.Selectors;
import dev.berth.model.meta.Metadata;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.Loop;
import dev.berth.time.Time;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Brings deployments from one template to the next; {@link
 * dev.berth.policy.deployment.DeploymentPlan} says how. This class hears of deployments and their
 * replica sets; {@link DeploymentLook} looks at one.
 *
 * <p>It knows nothing of pods: replica sets count theirs in their status, those that are on their
 * way out as well, which is all that a deployment has to know.
 *
 * <p>One loop owns everything it knows, and nothing of that is durable.
 */
public final class Deployments implements Controller {
  /** The service account under which it works. */
  public static final String ACCOUNT = "deployment-controller";

  private static final String KIND = "Deployment";
  private static final String API_VERSION = "apps/v1";

  private final Loop loop;
  private final InformerSet informers;
  private final KnownObjects deployments = new KnownObjects();
  private final OwnedObjects sets;
  private final Selectors selectors = new Selectors();
  private final DeploymentLook looks;

  private Deployments(ControllerParts parts) {
    Time time = parts.time();
    loop = time.start(ACCOUNT);
    sets = new OwnedObjects(time);
    looks = new DeploymentLook(parts, loop, deployments, sets);
    informers = new InformerSet(parts.informers(), loop, this::synced, parts.warnings());
    informers
        .on(Resources.DEPLOYMENTS, this::deploymentChanged)
        .on(Resources.REPLICA_SETS, this::setChanged);
  }

  public static Deployments start(ControllerParts parts) {
    Deployments controller = new Deployments(parts);
    controller.informers.start();
    return controller;
  }

  /** An object that says what kind it is, which those in lists of some servers do not. */
  static JsonObject named(JsonObject deployment) {
    return deployment.with("kind", KIND).with("apiVersion", API_VERSION);
  }

  static LabelSelector selector(JsonObject deployment) {
    try {
      return LabelSelector.fromTree(deployment.object("spec").get("selector"));
    } catch (SelectorException e) {
      return LabelSelector.NOTHING;
    }
  }

  private void synced() {
    deployments.values().forEach(deployment -> looks.queue().add(ObjectName.of(deployment)));
  }

  /** Until everything is heard of, sets may seem to be missing that are not. */
  private void add(ObjectName name) {
    if (informers.isSynced()) {
      looks.queue().add(name);
    }
  }

  private void deploymentChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    JsonObject told = after == null ? before : after;
    if (told == null) {
      return;
    }
    ObjectName name = ObjectName.of(told);
    JsonObject is = after == null ? null : named(after);
    boolean isOwnWrite = is != null && deployments.get(name).filter(is::equals).isPresent();
    deployments.changed(before, is);
    if (is == null) {
      selectors.remove(name);
    } else {
      selectors.put(name, selector(is));
    }
    if (!isOwnWrite) {
      add(name);
    }
  }

  private void setChanged(@Nullable JsonObject before, @Nullable JsonObject after) {
    sets.changed(before, after);
    Optional<ObjectName> was = before == null ? Optional.empty() : deploymentOf(before);
    Optional<ObjectName> is = after == null ? Optional.empty() : deploymentOf(after);
    was.ifPresent(this::add);
    is.ifPresent(this::add);
    if (after != null && Metadata.of(after).controller().isEmpty()) {
      Metadata metadata = Metadata.of(after);
      selectors.matching(metadata.namespace(), metadata.labels()).forEach(this::add);
    }
  }

  private static Optional<ObjectName> deploymentOf(JsonObject set) {
    Metadata metadata = Metadata.of(set);
    return metadata
        .controller()
        .filter(owner -> owner.kind().equals(KIND) && owner.apiVersion().equals(API_VERSION))
        .map(owner -> new ObjectName(metadata.namespace(), owner.name()));
  }

  @Override
  public void close() {
    informers.close();
    loop.close();
  }
}
