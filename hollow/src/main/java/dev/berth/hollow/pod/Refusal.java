package dev.berth.hollow.pod;

/** Why a node does not let a pod in: a kubelet's word for it, and its sentence. */
public record Refusal(String reason, String message) {

  static Refusal predicate(String name, String why) {
    return new Refusal(name, "Predicate " + name + " failed: " + why);
  }
}
