package dev.berth.agent.runtime;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.quantity.QuantityFormatException;
import dev.berth.policy.pod.ResourceNames;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How many bytes of huge pages a cgroup may use, by what the kernel calls the size of the pages:
 * 64KB, 2MB or 1GB. Of sizes that are not named it may use none.
 */
public final class HugePages {
  private static final List<String> UNITS = List.of("B", "KB", "MB", "GB", "TB", "PB");
  private static final long STEP = 1024;
  private static final String FOLDER = "hugepages-";
  private static final String KIBIBYTES = "kB";

  private HugePages() {}

  /** Those of limits such as {@code hugepages-2Mi: 10Mi}. */
  public static SortedMap<String, Long> of(ResourceList limits) {
    SortedMap<String, Long> bytes = new TreeMap<>();
    limits
        .amounts()
        .forEach((resource, amount) -> {
          if (ResourceNames.isHugePages(resource)) {
            bytes.put(name(pageSize(resource)), amount.value());
          }
        });
    return bytes;
  }

  /** The size of the pages of a resource; 0 if its name says none. */
  public static long pageSize(String resource) {
    try {
      return Quantity.parse(resource.substring(ResourceNames.HUGE_PAGES.length())).value();
    } catch (QuantityFormatException e) {
      return 0;
    }
  }

  /** What the kernel calls pages of a size. */
  public static String name(long bytes) {
    long size = bytes;
    int unit = 0;
    while (size > 0 && size % STEP == 0 && unit < UNITS.size() - 1) {
      size /= STEP;
      unit++;
    }
    return size + UNITS.get(unit);
  }

  /** What the kernel of a machine calls the sizes of pages that it has. */
  public static List<String> sizes(Path sys) {
    String[] folders = sys.resolve("kernel/mm/hugepages").toFile().list();
    return Stream.of(folders == null ? new String[0] : folders)
        .filter(each -> each.matches(FOLDER + "\\d+" + KIBIBYTES))
        .map(each -> each.substring(FOLDER.length(), each.length() - KIBIBYTES.length()))
        .map(each -> Long.parseLong(each) * STEP)
        .sorted()
        .map(HugePages::name)
        .toList();
  }
}
