package dev.berth.kinds.networking;

import dev.berth.kinds.resource.AddressRules;
import dev.berth.kinds.resource.FieldErrorList;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.util.List;
import java.util.Optional;

/**
 * The ranges that services have addresses of: one, or one of each family. A range stays as it is;
 * one of the other family may join it later.
 */
final class ServiceCidrRules implements ResourceRules {
  private static final FieldPath RANGES = FieldPath.of("spec", "cidrs");
  private static final String IMMUTABLE = "field is immutable";

  @Override
  public JsonObject throughSubresource(String subresource, JsonObject object, JsonObject old) {
    return ResourceRules.statusAlone(object, old);
  }

  @Override
  public List<FieldError> validate(JsonObject object) {
    FieldErrorList problems = new FieldErrorList();
    List<String> ranges = ranges(object);
    if (ranges.isEmpty()) {
      problems.required(RANGES, "at least one CIDR required");
      return problems.all();
    }
    if (ranges.size() > 2) {
      problems.invalid(
          RANGES,
          JsonObject.of("CIDRs", object.object("spec").array("cidrs")),
          "may only hold up to 2 values");
      return problems.all();
    }
    for (int i = 0; i < ranges.size(); i++) {
      problems.invalid(RANGES.index(i), ranges.get(i), AddressRules.canonicalRange(ranges.get(i)));
    }
    if (ranges.size() == 2 && areOfOneFamily(ranges)) {
      problems.invalid(
          RANGES,
          object.object("spec").array("cidrs"),
          "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and"
              + " 2001:db8::/64");
    }
    return problems.all();
  }

  private static List<String> ranges(JsonObject object) {
    return object.object("spec").array("cidrs").texts();
  }

  private static boolean areOfOneFamily(List<String> ranges) {
    Optional<Cidr.Family> first = Cidr.parse(ranges.get(0)).map(Cidr::family);
    return first.isPresent() && first.equals(Cidr.parse(ranges.get(1)).map(Cidr::family));
  }

  @Override
  public List<FieldError> validateReplacing(JsonObject object, JsonObject old) {
    return ranges(old).size() == 1 && ranges(object).size() == 2 ? validate(object) : List.of();
  }

  @Override
  public List<FieldError> validateUpdate(JsonObject object, JsonObject old) {
    FieldErrorList problems = new FieldErrorList();
    List<String> now = ranges(object);
    List<String> before = ranges(old);
    boolean grows = before.size() == 1 && now.size() == 2;
    if (before.size() != now.size() && !grows) {
      Object shown = now.isEmpty() ? JsonNull.NULL : object.object("spec").array("cidrs");
      problems.invalid(RANGES, shown, IMMUTABLE);
      return problems.all();
    }
    for (int i = 0; i < before.size(); i++) {
      if (!before.get(i).equals(now.get(i))) {
        problems.invalid(RANGES.index(i), now.get(i), IMMUTABLE);
      }
    }
    return problems.all();
  }
}
