package dev.berth.kinds.pod;

import dev.berth.model.core.ResourceList;
import dev.berth.model.quantity.Quantity;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import java.util.List;

/** What is odd about amounts of bytes: there are no parts of one. */
public final class ClaimSpecWarnings {
  private static final long THOUSANDTHS = 1000;

  private ClaimSpecWarnings() {}

  /** About the specification of a claim for a volume. */
  public static void add(JsonObject spec, FieldPath at, List<String> warnings) {
    FieldPath resources = at.field("resources");
    for (String list : List.of("requests", "limits")) {
      JsonObject amounts = spec.object("resources").object(list);
      fraction(amounts, ResourceList.STORAGE, resources.field(list), warnings);
    }
  }

  /** About one amount of several, if it is there. */
  static void fraction(JsonObject amounts, String name, FieldPath at, List<String> warnings) {
    Object amount = amounts.get(name);
    if (amount == null) {
      return;
    }
    Quantity quantity = Quantity.fromTree(amount);
    if (quantity.milliValue() % THOUSANDTHS != 0) {
      warnings.add(
          "%s: fractional byte value \"%s\" is invalid, must be an integer"
              .formatted(at.key(name), quantity));
    }
  }
}
