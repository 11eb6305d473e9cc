package dev.berth.model.security;

import dev.berth.model.meta.Metadata;
import dev.berth.model.reference.PodReferences;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A pod, or the template of one, as those see it who judge how safe it is.
 *
 * @param ownUsers whether its users are not the host's
 * @param containers those that come first, then those that stay, then those added later
 */
public record PodSecurityView(
    Map<String, String> annotations,
    boolean hostNetwork,
    boolean hostPid,
    boolean hostIpc,
    boolean ownUsers,
    boolean windows,
    List<Volume> volumes,
    SecurityContextView context,
    List<ContainerSecurityView> containers) {

  /** A volume, and the fields that say of which kind it is. */
  public record Volume(String name, Set<String> kinds) {}

  public static PodSecurityView read(JsonObject pod) {
    JsonObject spec = pod.object("spec");
    List<ContainerSecurityView> containers = new ArrayList<>();
    for (String list : PodReferences.CONTAINER_LISTS) {
      spec.array(list).objects().forEach(c -> containers.add(ContainerSecurityView.read(c)));
    }
    return new PodSecurityView(
        Metadata.of(pod).annotations().toStrings(),
        spec.flag("hostNetwork", false),
        spec.flag("hostPID", false),
        spec.flag("hostIPC", false),
        !spec.flag("hostUsers", true),
        spec.object("os").text("name", "").equals("windows"),
        spec.array("volumes").objects().stream().map(PodSecurityView::volume).toList(),
        SecurityContextView.of(spec),
        List.copyOf(containers));
  }

  private static Volume volume(JsonObject volume) {
    Set<String> kinds = new LinkedHashSet<>(volume.names());
    kinds.remove("name");
    return new Volume(volume.text("name", ""), kinds);
  }

  /** The names of the containers that something is true of. */
  public List<String> containersThat(Predicate<ContainerSecurityView> holds) {
    return containers.stream().filter(holds).map(ContainerSecurityView::name).toList();
  }

  /** The names of the volumes that something is true of. */
  public List<String> volumesThat(Predicate<Volume> holds) {
    return volumes.stream().filter(holds).map(Volume::name).toList();
  }
}
