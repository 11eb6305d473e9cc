package dev.berth.policy.daemon;

import dev.berth.model.core.TaintEffect;
import dev.berth.model.core.Toleration;
import dev.berth.model.core.WellKnownTaints;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * What a DaemonSet's pods tolerate beside what their template says, because what serves a node must
 * not leave it for being unwell.
 *
 * <ul>
 *   <li>NoExecute, for ever: {@code not-ready}, {@code unreachable}.
 *   <li>NoSchedule: {@code disk-pressure}, {@code memory-pressure}, {@code pid-pressure}, {@code
 *       unschedulable}; and {@code network-unavailable} for pods that use the node's network.
 * </ul>
 */
public final class DaemonTolerations {
  private static final List<Toleration> ALL =
      List.of(
          Toleration.exists(WellKnownTaints.NOT_READY, TaintEffect.NO_EXECUTE),
          Toleration.exists(WellKnownTaints.UNREACHABLE, TaintEffect.NO_EXECUTE),
          Toleration.exists(WellKnownTaints.DISK_PRESSURE, TaintEffect.NO_SCHEDULE),
          Toleration.exists(WellKnownTaints.MEMORY_PRESSURE, TaintEffect.NO_SCHEDULE),
          Toleration.exists(WellKnownTaints.PID_PRESSURE, TaintEffect.NO_SCHEDULE),
          Toleration.exists(WellKnownTaints.UNSCHEDULABLE, TaintEffect.NO_SCHEDULE));

  private static final Toleration NETWORK =
      Toleration.exists(WellKnownTaints.NETWORK_UNAVAILABLE, TaintEffect.NO_SCHEDULE);

  private DaemonTolerations() {}

  /** The automatic tolerations. */
  public static List<Toleration> automatic(boolean hostNetwork) {
    if (!hostNetwork) {
      return ALL;
    }
    List<Toleration> withNetwork = new ArrayList<>(ALL);
    withNetwork.add(NETWORK);
    return List.copyOf(withNetwork);
  }

  /**
   * A template's tolerations with the automatic ones. A toleration of the template that matches the
   * same taints as an automatic one stays where it is and loses its seconds; the rest is appended.
   */
  static JsonArray addTo(JsonArray own, boolean hostNetwork) {
    JsonArray merged = own;
    for (Toleration automatic : automatic(hostNetwork)) {
      int present = indexOf(merged.objects(), automatic);
      merged =
          present < 0
              ? merged.append(automatic.toTree())
              : merged.with(present, merged.objects().get(present).without("tolerationSeconds"));
    }
    return merged;
  }

  private static int indexOf(List<JsonObject> tolerations, Toleration wanted) {
    for (int i = 0; i < tolerations.size(); i++) {
      if (Toleration.read(tolerations.get(i)).sameTaintsAs(wanted)) {
        return i;
      }
    }
    return -1;
  }
}
