package dev.berth.grpc.cri;

import dev.berth.agent.cgroup.Cgroups;
import dev.berth.agent.runtime.HugePages;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the cgroups of a machine can do, which decides in which words a runtime is told.
 *
 * @param isVersion2 whether they are of version 2 alone
 * @param limitsSwap whether they limit swap
 * @param pageSizes of huge pages that the machine has, as the kernel calls them
 */
record CgroupFeatures(boolean isVersion2, boolean limitsSwap, List<String> pageSizes) {
  CgroupFeatures {
    pageSizes = List.copyOf(pageSizes);
  }

  /**
   * Those of a machine.
   *
   * @param sys where its /sys is
   */
  static CgroupFeatures of(Path sys) {
    boolean isVersion2 = Cgroups.isVersion2(sys);
    Path root = sys.resolve("fs/cgroup");
    return new CgroupFeatures(
        isVersion2,
        isVersion2
            ? hasGroupWith(root, "memory.swap.max")
            : Files.exists(root.resolve("memory/memory.memsw.limit_in_bytes")),
        HugePages.sizes(sys));
  }

  /** With version 2, the group of the whole machine has no limits. */
  private static boolean hasGroupWith(Path root, String file) {
    try (DirectoryStream<Path> groups =
        Files.newDirectoryStream(root, each -> Files.exists(each.resolve(file)))) {
      return groups.iterator().hasNext();
    } catch (IOException e) {
      return false;
    }
  }
}
