package dev.berth.policy.certificates;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Certificate signing requests for tests. */
final class Requests {
  static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  static final String CLIENT = "digital signature,key encipherment,client auth";
  static final String SERVING = "digital signature,key encipherment,server auth";

  private Requests() {}

  /** What a node asks for: names with a dot or a colon are addresses. */
  static RequestedCertificate node(String name, String... names) {
    return wanted("system:node:" + name, List.of("system:nodes"), names);
  }

  static RequestedCertificate wanted(String user, List<String> groups, String... names) {
    List<String> all = List.of(names);
    return new RequestedCertificate(
        user,
        groups,
        all.stream().filter(name -> !isAddress(name)).toList(),
        all.stream().filter(Requests::isAddress).toList(),
        List.of(),
        List.of());
  }

  private static boolean isAddress(String name) {
    return name.contains(":") || name.matches("[0-9.]+");
  }

  /** A request by somebody in a group. */
  static CertificateRequest request(
      String signer, String user, String group, String usages, RequestedCertificate wanted) {
    JsonObject spec =
        new JsonObject.Builder()
            .put("signerName", "kubernetes.io/" + signer)
            .put("username", user)
            .put("groups", JsonArray.of(group))
            .put("usages", JsonArray.copyOf(List.of(usages.split(","))))
            .build();
    return CertificateRequest.read(
        new JsonObject.Builder()
            .put("metadata", JsonObject.of("name", "r"))
            .put("spec", spec)
            .build(),
        Optional.of(wanted));
  }

  /** The same with conditions. */
  static CertificateRequest with(CertificateRequest request, String... types) {
    JsonArray conditions = JsonArray.EMPTY;
    for (String type : types) {
      conditions =
          conditions.append(
              new JsonObject.Builder().put("type", type).put("status", "True").build());
    }
    return CertificateRequest.read(
        request.tree().with("status", JsonObject.of("conditions", conditions)),
        request.requested());
  }
}
