package dev.berth.agent.pod;

import dev.berth.agent.pod.RunningPods.Eviction;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The pods of a node that goes away, as whoever ends them sees them. For any thread; nothing
 * blocks, and who is told something is told by any thread.
 */
public interface EndingPods {

  /** Gives the pods that have not ended, as soon as all that belong to this node are known. */
  void whenKnown(Consumer<List<JsonObject>> active);

  /**
   * Ends pods. Their statuses say why, and they are not started again.
   *
   * @param graces what the containers of each pod get at most, by its uid
   * @param ended told when nothing of them runs any more
   */
  void end(Map<String, Duration> graces, Eviction why, Runnable ended);

  /**
   * Waits until the server knows of all pods that have ended, or end because they were told to.
   *
   * @param patience after which nobody waits any longer
   */
  void whenTold(Duration patience, Runnable then);

  /** The node stays after all: what is left of its pods goes on. */
  void goOn();
}
