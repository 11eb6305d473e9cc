package dev.berth.agent.runtime;

/** Which pod. A pod that was deleted and made again under its name has another uid. */
public record PodId(String namespace, String name, String uid) {

  /** The name of the directory of its containers' logs, among those of all pods; a kubelet's. */
  public String logDirectory() {
    return "%s_%s_%s".formatted(namespace, name, uid);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
