package dev.berth.kinds.core;

import dev.berth.kinds.resource.AddressRules;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/** The addresses of a node's pods: an older field for one range, and a newer one for several. */
final class NodeRanges {
  private static final FieldPath SEVERAL = FieldPath.of("spec", "podCIDRs");

  private NodeRanges() {}

  /** Either field says what the other does; where they disagree, the older counts. */
  static JsonObject defaults(JsonObject spec) {
    List<String> several = spec.array("podCIDRs").texts();
    String one = spec.text("podCIDR", "");
    if (!one.isEmpty() && (several.isEmpty() || !several.getFirst().equals(one))) {
      return spec.with("podCIDRs", JsonArray.of(one));
    }
    return several.isEmpty() ? spec : spec.with("podCIDR", several.getFirst());
  }

  /** What is wrong with a node's ranges, in upstream's words. */
  static List<FieldError> validate(JsonObject spec) {
    List<FieldError> errors = new ArrayList<>();
    List<String> texts = spec.array("podCIDRs").texts();
    Set<Cidr.Family> families = EnumSet.noneOf(Cidr.Family.class);
    for (int i = 0; i < texts.size(); i++) {
      String text = texts.get(i);
      String at = SEVERAL.index(i).toString();
      AddressRules.range(text).forEach(p -> errors.add(FieldError.invalid(at, text, p)));
      Cidr.parse(text).ifPresent(cidr -> families.add(cidr.family()));
    }
    OptionalInt unreadable =
        IntStream.range(0, texts.size())
            .filter(i -> Cidr.parse(texts.get(i)).isEmpty())
            .findFirst();
    if (texts.size() > 1 && unreadable.isPresent()) {
      int i = unreadable.getAsInt();
      errors.add(
          new FieldError(
              FieldError.Reason.INTERNAL,
              SEVERAL.toString(),
              null,
              "invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[%d]: <nil>"
                      .formatted(i)
                  + " (invalid CIDR address: %s)".formatted(texts.get(i))));
    }
    if (texts.size() > 2
        || (texts.size() == 2 && (families.size() < 2 || unreadable.isPresent()))) {
      errors.add(
          FieldError.invalid(
              SEVERAL.toString(),
              spec.array("podCIDRs"),
              "may specify no more than one CIDR for each IP family"));
    }
    return errors;
  }

  /** The ranges of a node stay as they were first set. */
  static void validateUpdate(JsonObject spec, JsonObject before, FieldErrorList problems) {
    String why = "node updates may not change podCIDR except from \"\" to valid";
    List<String> now = spec.array("podCIDRs").texts();
    List<String> was = before.array("podCIDRs").texts();
    if (!was.isEmpty() && was.size() != now.size()) {
      problems.forbidden(SEVERAL, why);
      return;
    }
    for (int i = 0; i < was.size(); i++) {
      if (!was.get(i).equals(now.get(i))) {
        problems.forbidden(SEVERAL, why);
      }
    }
  }
}
