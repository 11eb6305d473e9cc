package dev.berth.kinds.core;

import dev.berth.kinds.resource.AddressRules;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is wrong with a service's addresses of its own, and with the families they are of. */
public final class ServiceAddressValidation {
  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath ADDRESSES = SPEC.field("clusterIPs");
  private static final FieldPath FAMILIES = SPEC.field("ipFamilies");
  private static final FieldPath POLICY = SPEC.field("ipFamilyPolicy");
  private static final List<String> KNOWN_FAMILIES = List.of("IPv4", "IPv6");
  private static final List<String> POLICIES =
      List.of("PreferDualStack", "RequireDualStack", "SingleStack");
  private static final String UNCHANGED = "may not change once set";

  private ServiceAddressValidation() {}

  /**
   * Checks a service by itself.
   *
   * @param before what the service was; empty if it is new
   */
  public static void validate(JsonObject spec, JsonObject before, FieldErrorList problems) {
    if (ServiceTraits.isExternalName(spec)) {
      return;
    }
    JsonArray addresses = spec.array("clusterIPs");
    List<String> texts = addresses.texts();
    String first = spec.text("clusterIP", "");
    if (!first.isEmpty() && texts.isEmpty()) {
      problems.required(ADDRESSES, "");
    } else if (!first.isEmpty() && !texts.getFirst().equals(first)) {
      problems.invalid(ADDRESSES, addresses, "first value must match `clusterIP`");
    } else if (first.isEmpty() && !texts.isEmpty()) {
      problems.invalid(ADDRESSES, addresses, "must be empty when `clusterIP` is not specified");
    }
    families(spec, problems);
    boolean wellFormed = addresses(addresses, before, problems);
    if (texts.size() > 2) {
      problems.invalid(ADDRESSES, addresses, "may only hold up to 2 values");
    }
    if (!wellFormed) {
      return;
    }
    List<Optional<Cidr.Family>> actual =
        texts.stream().map(text -> Cidr.parseAddress(text).map(Cidr::family)).toList();
    if (texts.size() > 1 && new HashSet<>(actual).size() < 2) {
      problems.invalid(ADDRESSES, addresses, "may specify no more than one IP for each IP family");
    }
    if (!ServiceTraits.isHeadless(spec)) {
      List<String> wanted = spec.array("ipFamilies").texts();
      for (int i = 0; i < Math.min(texts.size(), wanted.size()); i++) {
        String family = actual.get(i).map(Cidr.Family::toString).orElse("");
        if (KNOWN_FAMILIES.contains(wanted.get(i)) && !wanted.get(i).equals(family)) {
          problems.invalid(
              ADDRESSES.index(i),
              texts.get(i),
              "expected an %s value as indicated by `ipFamilies[%d]`".formatted(wanted.get(i), i));
        }
      }
    }
  }

  private static void families(JsonObject spec, FieldErrorList problems) {
    Set<String> seen = new HashSet<>();
    List<String> families = spec.array("ipFamilies").texts();
    for (int i = 0; i < families.size(); i++) {
      problems.oneOf(FAMILIES.index(i), families.get(i), KNOWN_FAMILIES);
      if (!seen.add(families.get(i))) {
        problems.duplicate(FAMILIES.index(i), families.get(i));
      }
    }
    String policy = spec.text("ipFamilyPolicy");
    if (policy != null) {
      problems.oneOf(POLICY, policy, POLICIES);
    }
  }

  private static boolean addresses(
      JsonArray addresses, JsonObject before, FieldErrorList problems) {
    List<String> texts = addresses.texts();
    Set<String> known = Set.copyOf(before.array("clusterIPs").texts());
    boolean wellFormed = true;
    for (int i = 0; i < texts.size(); i++) {
      if (i == 0 && texts.get(i).equals("None")) {
        if (texts.size() > 1) {
          wellFormed = false;
          problems.invalid(ADDRESSES, addresses, "'None' must be the first and only value");
        }
      } else if (!known.contains(texts.get(i))) {
        List<String> wrong = AddressRules.address(texts.get(i));
        problems.invalid(ADDRESSES.index(i), texts.get(i), wrong);
        wellFormed &= wrong.isEmpty();
      }
    }
    return wellFormed;
  }

  /** What was given out first stays; a second address of the other family may come and go. */
  static void validateUpdate(JsonObject spec, JsonObject before, FieldErrorList problems) {
    if (ServiceTraits.isExternalName(spec) || ServiceTraits.isExternalName(before)) {
      return;
    }
    boolean headless = ServiceTraits.isHeadless(spec);
    boolean wasHeadless = ServiceTraits.isHeadless(before);
    if (!headless || !wasHeadless) {
      change(spec, before, "clusterIPs", "clusterIP", problems);
    }
    if (!headless && !wasHeadless) {
      change(spec, before, "ipFamilies", "ipFamily", problems);
    }
  }

  private static void change(
      JsonObject spec, JsonObject before, String field, String one, FieldErrorList problems) {
    JsonArray now = spec.array(field);
    JsonArray was = before.array(field);
    FieldPath at = SPEC.field(field);
    if (now.size() == was.size()) {
      for (int i = 0; i < was.size(); i++) {
        if (!was.get(i).equals(now.get(i))) {
          problems.invalid(at.index(field.equals("clusterIPs") ? i : 0), now, UNCHANGED);
        }
      }
      return;
    }
    if (now.isEmpty()) {
      problems.invalid(at.index(0), JsonNull.NULL, "primary " + one + " can not be unset");
    } else if (!was.isEmpty() && !now.get(0).equals(was.get(0))) {
      problems.invalid(at.index(0), now, UNCHANGED);
    }
    boolean released = was.size() > now.size() && now.size() == 1;
    String policy = spec.text("ipFamilyPolicy");
    if (released && !"SingleStack".equals(policy)) {
      problems.invalid(
          POLICY,
          policy == null ? JsonNull.NULL : policy,
          "must be set to 'SingleStack' when releasing the secondary " + one);
    }
  }
}
