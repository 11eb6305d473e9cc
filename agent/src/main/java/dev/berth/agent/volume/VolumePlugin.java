package dev.berth.agent.volume;

import java.io.IOException;

/** Makes volumes of one kind. */
interface VolumePlugin {

  /**
   * Makes a volume, or brings it up to date. What an earlier attempt did is found and built on, be
   * it another process's.
   */
  PreparedVolume setUp(PodVolume volume) throws SetUpException, IOException;
}
