package dev.berth.agent.runtime;

/** Which pod. A pod that was deleted and made again under its name has another uid. */
public record PodId(String namespace, String name, String uid) {

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
