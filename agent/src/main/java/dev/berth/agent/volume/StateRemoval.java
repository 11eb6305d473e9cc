package dev.berth.agent.volume;

import java.io.IOException;
import java.nio.file.Path;

/** Removes the directory of an agent that is gone for good, with all that is mounted in it. */
public final class StateRemoval {
  private StateRemoval() {}

  /** Does nothing if there is no such directory. */
  public static void remove(Path root) throws IOException {
    Path top = root.toAbsolutePath().normalize();
    Mounts.unmountBelow(top);
    TreeRemoval.remove(top);
  }
}
