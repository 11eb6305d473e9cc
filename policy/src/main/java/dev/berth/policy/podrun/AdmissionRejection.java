package dev.berth.policy.podrun;

/** Why a node does not admit a pod, with a kubelet's reason and message. */
public record AdmissionRejection(String reason, String message) {

  /** For what no scheduler would have let come so far. */
  public static AdmissionRejection unexpected(String why) {
    return new AdmissionRejection(
        "UnexpectedAdmissionError",
        "Allocate failed due to %s, which is unexpected".formatted(why));
  }

  static AdmissionRejection predicate(String name, String why) {
    return new AdmissionRejection(name, "Predicate " + name + " failed: " + why);
  }
}
