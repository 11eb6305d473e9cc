package dev.berth.hollow.pod;

/** Why a node does not let a pod in: a kubelet's word for it, and its sentence. */
public record AdmissionRejection(String reason, String message) {

  static AdmissionRejection predicate(String name, String why) {
    return new AdmissionRejection(name, "Predicate " + name + " failed: " + why);
  }
}
