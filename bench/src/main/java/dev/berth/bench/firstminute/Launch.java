package dev.berth.bench.firstminute;

import dev.berth.bench.api.Berth;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Which Berth is measured, and where it keeps its data.
 *
 * @param launcher the folder of the command {@code berth}
 * @param nodes how many hollow nodes it has
 * @param pods how many a round creates
 */
record Launch(Path launcher, Path folder, int nodes, int pods) {
  Berth start(String... options) throws IOException {
    return Berth.startClone(launcher, folder.resolve("data"), List.of(options));
  }
}
