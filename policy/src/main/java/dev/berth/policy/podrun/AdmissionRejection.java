package dev.berth.policy.podrun;

/** Why a node does not admit a pod, with a kubelet's reason and message. */
public record AdmissionRejection(String reason, String message) {

  static AdmissionRejection predicate(String name, String why) {
    return new AdmissionRejection(name, "Predicate " + name + " failed: " + why);
  }
}
