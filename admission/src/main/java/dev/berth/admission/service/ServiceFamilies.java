package dev.berth.admission.service;

import dev.berth.kinds.core.ServiceAddressValidation;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import dev.berth.policy.cidr.Cidr.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Of which families a service's addresses are: what the service says, what it was, and what the
 * cluster has addresses of, as upstream decides it.
 */
final class ServiceFamilies {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath POLICY = SPEC.field("ipFamilyPolicy");
  private static final String SINGLE = "SingleStack";
  private static final String BOTH = "RequireDualStack";
  private static final String PREFERS_BOTH = "PreferDualStack";

  private final List<Family> configured;

  /**
   * @param configured what the cluster has addresses of; the first is for services that do not say
   */
  ServiceFamilies(List<Family> configured) {
    this.configured = List.copyOf(configured);
  }

  /**
   * Whether a service that would take two families keeps what it has: it neither gains one nor
   * loses one because the cluster has changed.
   */
  static boolean prefersWhatItHas(JsonObject spec, JsonObject before) {
    return List.of("type", "ipFamilyPolicy", "clusterIPs", "ipFamilies").stream()
            .allMatch(field -> Objects.equals(spec.get(field), before.get(field)))
        && spec.text("ipFamilyPolicy", "").equals(PREFERS_BOTH);
  }

  /** Whether somebody gives an address in the older field alone. */
  static boolean isUnlisted(JsonObject spec, JsonObject before) {
    String address = spec.text("clusterIP", "");
    return !address.isEmpty()
        && !address.equals(before.text("clusterIP", ""))
        && spec.array("clusterIPs").equals(before.array("clusterIPs"));
  }

  /** The specification with its addresses in both fields, as far as it says them. */
  static JsonObject normalized(JsonObject spec, JsonObject before) {
    String address = spec.text("clusterIP", "");
    JsonArray addresses = spec.array("clusterIPs");
    String was = before.text("clusterIP", "");
    if (was.isEmpty()) {
      return !address.isEmpty() && addresses.isEmpty()
          ? spec.with("clusterIPs", JsonArray.of(address))
          : spec;
    }
    // Who replaces a service by what it once sent does not take its address away.
    JsonObject kept = address.isEmpty() ? spec.with("clusterIP", was) : spec;
    boolean same = kept.text("clusterIP", "").equals(was);
    if (same) {
      return addresses.isEmpty() ? kept.with("clusterIPs", before.array("clusterIPs")) : kept;
    }
    return addresses.isEmpty() || addresses.equals(before.array("clusterIPs"))
        ? kept.with("clusterIPs", JsonArray.of(address))
        : kept;
  }

  /** The specification with its policy and families, unless something is wrong with them. */
  JsonObject decide(JsonObject wanted, JsonObject before, FieldErrorList problems) {
    boolean open =
        wanted.text("clusterIP", "").equals("None") && wanted.object("selector").isEmpty();
    JsonObject spec = wanted;
    if (!spec.has("ipFamilyPolicy")) {
      spec = spec.with("ipFamilyPolicy", before.text("ipFamilyPolicy", open ? BOTH : SINGLE));
    }
    ServiceAddressValidation.validate(spec, before, problems);
    if (!problems.all().isEmpty()) {
      return spec;
    }
    String policy = spec.text("ipFamilyPolicy", "");
    spec = reduced(spec, before, policy, problems);
    List<String> families = new ArrayList<>(spec.array("ipFamilies").texts());
    addFamiliesOfAddresses(spec, families, problems);
    if (!problems.all().isEmpty()) {
      return spec;
    }
    if (!open) {
      check(families, policy, problems);
    }
    if (families.isEmpty()) {
      families.add(configured.getFirst().toString());
    }
    boolean second = families.size() == 1 && !policy.equals(SINGLE);
    if (second && (open || configured.size() > 1)) {
      families.add(families.getFirst().equals("IPv4") ? "IPv6" : "IPv4");
    }
    return spec.with("ipFamilies", JsonArray.copyOf(families));
  }

  /** Who asks for a single family gives the second one up. */
  private static JsonObject reduced(
      JsonObject spec, JsonObject before, String policy, FieldErrorList problems) {
    JsonObject kept = spec;
    for (String field : List.of("clusterIPs", "ipFamilies")) {
      JsonArray now = spec.array(field);
      JsonArray was = before.array(field);
      String several = field.equals("clusterIPs") ? "cluster IPs" : "IP families";
      String one = field.equals("clusterIPs") ? "cluster IP" : "IP family";
      if (policy.equals(SINGLE)) {
        if (now.size() == 2 && now.equals(was)) {
          kept = kept.with(field, now.without(1));
        } else if (now.size() == 2) {
          problems.invalid(
              POLICY,
              policy,
              "must be 'RequireDualStack' or 'PreferDualStack' when multiple %s are specified"
                  .formatted(several));
        }
      } else if (!now.isEmpty() && now.size() < was.size()) {
        problems.invalid(POLICY, policy, "must be 'SingleStack' to release the secondary " + one);
      }
    }
    return kept;
  }

  private void addFamiliesOfAddresses(
      JsonObject spec, List<String> families, FieldErrorList problems) {
    List<String> addresses = spec.array("clusterIPs").texts();
    for (int i = families.size(); i < addresses.size(); i++) {
      if (addresses.get(i).equals("None")) {
        return;
      }
      Family family = Cidr.parseAddress(addresses.get(i)).orElseThrow().family();
      if (configured.contains(family)) {
        families.add(family.toString());
      } else {
        problems.invalid(
            SPEC.field("clusterIPs").index(i),
            spec.array("clusterIPs"),
            family + " is not configured on this cluster");
      }
    }
  }

  private void check(List<String> families, String policy, FieldErrorList problems) {
    if (policy.equals(BOTH) && configured.size() < 2) {
      problems.invalid(POLICY, policy, "this cluster is not configured for dual-stack services");
    }
    for (int i = 0; i < families.size(); i++) {
      String family = families.get(i);
      if (configured.stream().noneMatch(known -> known.toString().equals(family))) {
        problems.invalid(
            SPEC.field("ipFamilies").index(i), family, "not configured on this cluster");
      }
    }
  }
}
