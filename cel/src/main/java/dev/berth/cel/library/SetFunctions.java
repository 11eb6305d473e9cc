package dev.berth.cel.library;

import static dev.berth.cel.value.CelType.BOOL;

import dev.berth.cel.value.CelType;
import dev.berth.cel.value.Values;
import java.util.List;

/** Lists as sets. */
final class SetFunctions {
  private SetFunctions() {}

  static void addTo(FunctionTable table) {
    CelType list = CelType.list(CelType.parameter("T"));
    table.add(
        "sets.contains",
        Overload.of(
            "list_sets_contains_list", BOOL, args -> contains(args[0], args[1]), list, list));
    table.add(
        "sets.equivalent",
        Overload.of(
            "list_sets_equivalent_list",
            BOOL,
            args -> contains(args[0], args[1]) && contains(args[1], args[0]),
            list,
            list));
    table.add(
        "sets.intersects",
        Overload.of(
            "list_sets_intersects_list",
            BOOL,
            args ->
                ListFunctions.elements(args[0]).stream()
                    .anyMatch(element -> has(ListFunctions.elements(args[1]), element)),
            list,
            list));
  }

  private static boolean contains(Object list, Object part) {
    List<Object> elements = ListFunctions.elements(list);
    return ListFunctions.elements(part).stream().allMatch(element -> has(elements, element));
  }

  private static boolean has(List<Object> elements, Object element) {
    for (Object other : elements) {
      if (Values.equal(other, element)) {
        return true;
      }
    }
    return false;
  }
}
