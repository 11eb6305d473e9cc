package dev.berth.agent.volume;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What other parts of the agent tell of volumes. For any thread. */
public interface VolumeReports {

  /**
   * The volumes that pods here use or are about to and that have to be attached, as {@code
   * status.volumesInUse} of the node names them.
   */
  List<String> volumesInUse();

  /**
   * What the volumes of a pod take. Volumes of the machine itself ({@code hostPath}) are left out,
   * and so are those that cannot be read just now. Files are counted now and then only, so this is
   * cheap to ask for often; it may block.
   */
  List<VolumeStats> stats(JsonObject pod);
}
