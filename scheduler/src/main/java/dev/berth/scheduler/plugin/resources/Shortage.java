package dev.berth.scheduler.plugin.resources;

import dev.berth.model.core.ResourceList;
import dev.berth.scheduler.plugin.Refusal;
import java.util.List;

/** A node does not have enough of some resources. */
public record Shortage(List<Lack> resources) implements Refusal {

  public Shortage {
    resources = List.copyOf(resources);
  }

  /**
   * A node does not have enough of one resource. Cpu is in thousandths, everything else in its
   * unit.
   *
   * @param used what the pods on the node request
   */
  public record Lack(String resource, long asked, long used, long capacity) {
    private String message() {
      return resource.equals(ResourceList.PODS) ? "Too many pods" : "Insufficient " + resource;
    }
  }

  @Override
  public String plugin() {
    return NodeResourcesFit.NAME;
  }

  @Override
  public List<String> messages() {
    return resources.stream().map(Lack::message).toList();
  }

  /** Not if the pod asks for more than the whole node has. */
  @Override
  public boolean preemptionMayHelp() {
    return resources.stream()
        .allMatch(r -> r.resource.equals(ResourceList.PODS) || r.asked <= r.capacity);
  }
}
