package dev.berth.controllers.podautoscaler;

import dev.berth.client.Resources;
import dev.berth.client.informer.InformerSet;
import dev.berth.controllers.reconcile.ControllerParts;
import dev.berth.controllers.selected.SelectedPods;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.selector.LabelSelector;
import dev.berth.policy.autoscale.MeasuredPod;
import dev.berth.time.Loop;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pods of the targets of autoscalers. Pods are followed only while there is an autoscaler: most
 * clusters have none, and should not pay for each change of a pod.
 *
 * <p>It lives on its controller's loop; all methods are for that loop's tasks.
 */
final class AutoscaledPods {
  private final ControllerParts parts;
  private final Loop loop;
  private @Nullable Following following;

  AutoscaledPods(ControllerParts parts, Loop loop) {
    this.parts = parts;
    this.loop = loop;
  }

  /** What is known while pods are followed. */
  private final class Following {
    private final SelectedPods<MeasuredPod> pods = new SelectedPods<>(MeasuredPod::read, _ -> {});
    private final InformerSet informers =
        new InformerSet(parts.informers(), loop, pods::begin, parts.warnings())
            .on(Resources.PODS, pods::podChanged);
  }

  /** There is an autoscaler. */
  void follow() {
    if (following == null) {
      following = new Following();
      following.informers.start();
    }
  }

  /** There is none any more. */
  void close() {
    if (following != null) {
      following.informers.close();
      following = null;
    }
  }

  /** Whether all pods have been heard of. */
  boolean areKnown() {
    return following != null && following.informers.isSynced();
  }

  /** Says which pods are those of an autoscaler's target. */
  void select(ObjectName autoscaler, LabelSelector selector) {
    if (following != null) {
      following.pods.select(autoscaler, selector);
    }
  }

  void forget(ObjectName autoscaler) {
    if (following != null) {
      following.pods.forget(autoscaler);
    }
  }

  Collection<MeasuredPod> of(ObjectName autoscaler) {
    return following == null ? List.of() : following.pods.of(autoscaler);
  }

  /** All autoscalers whose targets have pods of this one's, itself among them if it has any. */
  Set<ObjectName> sharing(ObjectName autoscaler) {
    return following == null ? Set.of() : following.pods.sharing(autoscaler);
  }
}
