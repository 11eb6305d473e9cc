package dev.berth.kinds.core;

import dev.berth.kinds.resource.AddressRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The addresses of a node's pods: an older field for one range, and a newer one for several. */
final class NodeRanges {
  private static final FieldPath SEVERAL = FieldPath.of("spec", "podCIDRs");

  private NodeRanges() {}

  /** Either field says what the other does; where they disagree, the newer counts. */
  static JsonObject defaults(JsonObject spec) {
    List<String> several = spec.array("podCIDRs").texts();
    String one = spec.text("podCIDR", "");
    if (!several.isEmpty()) {
      return spec.with("podCIDR", several.getFirst());
    }
    return one.isEmpty() ? spec : spec.with("podCIDRs", JsonArray.of(one));
  }

  /** What is wrong with a node's ranges, in upstream's words. */
  static List<FieldError> validate(JsonObject spec) {
    List<FieldError> errors = new ArrayList<>();
    List<String> texts = spec.array("podCIDRs").texts();
    Set<Cidr.Family> families = EnumSet.noneOf(Cidr.Family.class);
    boolean twice = false;
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      String at = SEVERAL.index(i).toString();
      AddressRules.range(text).forEach(p -> errors.add(FieldError.invalid(at, text, p)));
      var cidr = Cidr.parse(text);
      twice |= cidr.isPresent() && !families.add(cidr.get().family());
    }
    if (twice) {
      errors.add(
          FieldError.invalid(
              SEVERAL.toString(),
              spec.array("podCIDRs"),
              "may specify no more than one CIDR for each IP family"));
    }
    return errors;
  }
}
