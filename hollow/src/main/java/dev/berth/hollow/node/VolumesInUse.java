package dev.berth.hollow.node;

import java.util.List;
import java.util.Optional;

/** What nodes report as {@code status.volumesInUse}. */
public interface VolumesInUse {
  /** What a node has to report; empty if the server shows that already, or it is not known yet. */
  Optional<List<String>> toReport(HollowNode node);

  /** A node is about to report this: what is not in it does not count as reported any more. */
  void reporting(HollowNode node, List<String> volumes);

  /** The server has accepted the report. */
  void reported(HollowNode node, List<String> volumes);
}
