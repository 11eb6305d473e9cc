package dev.berth.agent.runtime.process;

import dev.berth.agent.runtime.ContainerUser;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is written down of a container before it starts, for this agent and the next.
 *
 * @param order how many containers of its pod were started before
 * @param mountedImages the ids of images that it mounts as volumes
 * @param isHostRoot whether it sees the machine's programs rather than those of an image
 * @param identity the options of {@code setpriv} that make its processes what they are
 * @param stdin {@code none}, {@code once} or {@code always}
 */
record ContainerState(
    String id,
    String name,
    int attempt,
    long order,
    String image,
    String imageId,
    List<String> mountedImages,
    boolean isHostRoot,
    String cgroup,
    List<String> identity,
    Map<String, String> environment,
    String workingDirectory,
    boolean isFiltered,
    String stdin,
    boolean tty,
    String stopSignal) {

  /** Who its first process is, by the options that make it so. */
  ContainerUser user() {
    long group = number("--regid=");
    List<Long> groups = new ArrayList<>(List.of(group));
    option("--groups=").stream()
        .flatMap(list -> Stream.of(list.split(",", -1)))
        .map(Long::valueOf)
        .filter(each -> each != group)
        .forEach(groups::add);
    return new ContainerUser(number("--reuid="), group, groups);
  }

  private long number(String option) {
    return option(option).map(Long::valueOf).orElse(0L);
  }

  private Optional<String> option(String name) {
    return identity.stream()
        .filter(each -> each.startsWith(name))
        .map(each -> each.substring(name.length()))
        .findFirst();
  }

  JsonObject toJson() {
    return new JsonObject.Builder()
        .put("id", id)
        .put("name", name)
        .put("attempt", (long) attempt)
        .put("order", order)
        .put("image", image)
        .put("imageId", imageId)
        .put("mountedImages", JsonArray.copyOf(mountedImages))
        .put("isHostRoot", isHostRoot)
        .put("cgroup", cgroup)
        .put("identity", JsonArray.copyOf(identity))
        .put("environment", JsonObject.ofStrings(environment))
        .put("workingDirectory", workingDirectory)
        .put("isFiltered", isFiltered)
        .put("stdin", stdin)
        .put("tty", tty)
        .put("stopSignal", stopSignal)
        .build();
  }

  static ContainerState read(JsonObject json) {
    return new ContainerState(
        json.text("id", ""),
        json.text("name", ""),
        (int) json.integer("attempt").orElse(0),
        json.integer("order").orElse(0),
        json.text("image", ""),
        json.text("imageId", ""),
        json.array("mountedImages").texts(),
        json.flag("isHostRoot", true),
        json.text("cgroup", ""),
        json.array("identity").texts(),
        json.object("environment").toStrings(),
        json.text("workingDirectory", "/"),
        json.flag("isFiltered", true),
        json.text("stdin", "none"),
        json.flag("tty", false),
        json.text("stopSignal", "SIGTERM"));
  }
}
