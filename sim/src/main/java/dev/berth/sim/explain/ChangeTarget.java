package dev.berth.sim.explain;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.function.UnaryOperator;

/** Where a {@link Change} is made: in a what-if cluster, or in a real one. */
public interface ChangeTarget {
  /** Changes the pod that is to be let in. */
  void changePod(UnaryOperator<JsonObject> change);

  void changeNode(String name, UnaryOperator<JsonObject> change);

  void addNode(JsonObject node);

  /** Takes another pod off its node. */
  void removePod(ObjectName name);
}
