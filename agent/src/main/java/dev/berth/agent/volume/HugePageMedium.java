package dev.berth.agent.volume;

import dev.berth.agent.runtime.HugePages;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.pod.ResourceNames;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * The size of the pages of an emptyDir in huge pages: {@code HugePages-2Mi} says it, and {@code
 * HugePages} means the only size that the pod asks for. In any case the pod has to ask for some,
 * since nothing else keeps room for them.
 */
final class HugePageMedium {
  private static final String MEDIUM = "HugePages";
  private static final String WITH_SIZE = MEDIUM + "-";

  private HugePageMedium() {}

  static boolean is(String medium) {
    return medium.equals(MEDIUM) || medium.startsWith(WITH_SIZE);
  }

  /** How large the pages of a volume are, in bytes. */
  static long pageSize(String medium, JsonObject pod) throws SetUpException {
    NavigableSet<Long> sizes = requested(pod.object("spec"));
    if (!medium.equals(MEDIUM)) {
      long size =
          HugePages.pageSize(ResourceNames.HUGE_PAGES + medium.substring(WITH_SIZE.length()));
      if (size <= 0) {
        throw new SetUpException(
            "unknown storage medium \"%s\": a size of pages is written like HugePages-2Mi"
                .formatted(medium));
      }
      sizes.removeIf(each -> each != size);
    } else if (sizes.size() > 1) {
      throw new SetUpException(
          "medium: %s can't be used if container requests multiple huge page sizes"
              .formatted(medium));
    }
    if (sizes.isEmpty()) {
      throw new SetUpException(
          "medium %s: hugePages storage requested, but there is no resource request for huge pages"
              .formatted(medium));
    }
    return sizes.first();
  }

  private static NavigableSet<Long> requested(JsonObject spec) {
    NavigableSet<Long> sizes = new TreeSet<>();
    addRequested(spec, sizes);
    spec.array("containers").objects().forEach(each -> addRequested(each, sizes));
    spec.array("initContainers").objects().forEach(each -> addRequested(each, sizes));
    return sizes;
  }

  private static void addRequested(JsonObject podOrContainer, NavigableSet<Long> sizes) {
    podOrContainer.object("resources").object("requests").names().stream()
        .filter(ResourceNames::isHugePages)
        .map(HugePages::pageSize)
        .forEach(sizes::add);
  }
}
