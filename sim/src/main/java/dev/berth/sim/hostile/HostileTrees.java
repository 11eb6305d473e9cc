package dev.berth.sim.hostile;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/** The parts that hostile objects are made of: much of one thing. */
final class HostileTrees {
  /** Deep enough to be expensive, with room for what is around it. */
  private static final int DEEP = JsonLimits.MAX_DEPTH - 32;

  private final RandomGenerator random;

  HostileTrees(RandomGenerator random) {
    this.random = random;
  }

  /** A name that no other has. */
  String name(int index) {
    return Integer.toString(index, 36) + 'x' + Integer.toString(random.nextInt(46_656), 36);
  }

  /** Names of which all have the same hash. */
  static String colliding(int index) {
    StringBuilder name = new StringBuilder();
    for (int bit = 0; bit < 20; bit++) {
      name.append((index >> bit & 1) == 0 ? "Aa" : "BB");
    }
    return name.toString();
  }

  /** So many fields. */
  JsonObject fields(int count, IntFunction<String> name, IntFunction<Object> value) {
    JsonObject.Builder fields = new JsonObject.Builder();
    for (int i = 0; i < count; i++) {
      fields.put(name.apply(i), value.apply(i));
    }
    return fields.build();
  }

  /** So many elements. */
  static JsonArray elements(int count, IntFunction<Object> element) {
    List<Object> elements = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      elements.add(element.apply(i));
    }
    return JsonArray.copyOf(elements);
  }

  /** A value below very many objects. */
  static Object deep(String name, Object bottom) {
    Object value = bottom;
    for (int i = 0; i < DEEP; i++) {
      value = JsonObject.of(name, value);
    }
    return value;
  }

  static JsonObject object(Object... namesAndValues) {
    JsonObject.Builder object = new JsonObject.Builder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      object.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return object.build();
  }
}
