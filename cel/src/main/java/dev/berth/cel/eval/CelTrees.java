package dev.berth.cel.eval;

import dev.berth.cel.library.GoDurations;
import dev.berth.cel.library.Timestamps;
import dev.berth.cel.value.CelBytes;
import dev.berth.cel.value.CelException;
import dev.berth.cel.value.StructValue;
import dev.berth.cel.value.UnsignedInt;
import dev.berth.cel.value.Values;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonNumber;
import dev.berth.model.tree.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Values of expressions as trees. */
public final class CelTrees {
  private CelTrees() {}

  /** The tree of a value; fails if no tree can hold it. */
  public static Object toTree(Object value) {
    return switch (value) {
      case JsonObject _, JsonArray _, String _, Long _, JsonNumber _, Boolean _, JsonNull _ ->
          value;
      case Double number ->
          number == Math.rint(number) && Math.abs(number) < 0x1p53
              ? (Object) number.longValue()
              : new JsonNumber(number.toString());
      case UnsignedInt number -> number.bits();
      case CelBytes bytes -> Base64.getEncoder().encodeToString(bytes.toArray());
      case Instant instant -> Timestamps.print(instant);
      case Duration duration -> GoDurations.seconds(duration);
      case List<?> list -> {
        List<Object> elements = new ArrayList<>(list.size());
        list.forEach(element -> elements.add(toTree(element)));
        yield JsonArray.copyOf(elements);
      }
      case Map<?, ?> map -> object(map);
      case StructValue struct -> object(struct.fields());
      default ->
          throw new CelException(
              "a value of type " + Values.typeName(value) + " cannot be converted to JSON");
    };
  }

  private static JsonObject object(Map<?, ?> map) {
    JsonObject.Builder object = new JsonObject.Builder();
    map.forEach((key, value) -> {
      if (!(key instanceof String name)) {
        throw new CelException(
            "map key \"" + key + "\" is of type " + Values.typeName(key) + ", not string");
      }
      object.put(name, toTree(value));
    });
    return object.build();
  }
}
