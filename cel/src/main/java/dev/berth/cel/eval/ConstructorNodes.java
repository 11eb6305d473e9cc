package dev.berth.cel.eval;

import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import dev.berth.cel.value.StructValue;
import dev.berth.cel.value.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lists, maps and objects that are written out. */
final class ConstructorNodes {
  private static final long LIST_COST = 10;
  private static final long MAP_COST = 30;
  private static final long STRUCT_COST = 40;

  private ConstructorNodes() {}

  static final class ListNode extends Node {
    private final Node[] elements;
    private final boolean[] optional;

    ListNode(Node[] elements, boolean[] optional) {
      this.elements = elements;
      this.optional = optional;
    }

    @Override
    Object eval(Frame frame) {
      List<Object> list = create(frame);
      frame.charge(LIST_COST);
      return list;
    }

    List<Object> create(Frame frame) {
      List<Object> list = new ArrayList<>(elements.length);
      for (int i = 0; i < elements.length; i++) {
        Object value = elements[i].eval(frame);
        if (!optional[i]) {
          list.add(value);
        } else if (value instanceof Optional<?> wrapped) {
          wrapped.ifPresent(list::add);
        } else {
          throw new CelException(
              "cannot initialize optional list element from non-optional value " + value);
        }
      }
      return list;
    }
  }

  static final class MapNode extends Node {
    private final Node[] keys;
    private final Node[] values;
    private final boolean[] optional;

    MapNode(Node[] keys, Node[] values, boolean[] optional) {
      this.keys = keys;
      this.values = values;
      this.optional = optional;
    }

    @Override
    Object eval(Frame frame) {
      Map<Object, Object> map = create(frame);
      frame.charge(MAP_COST);
      return map;
    }

    Map<Object, Object> create(Frame frame) {
      Map<Object, Object> map = new LinkedHashMap<>();
      for (int i = 0; i < keys.length; i++) {
        Object key = keys[i].eval(frame);
        if (Values.lookUp(map, key) != null) {
          throw new CelException("Failed with repeated key");
        }
        Object value = values[i].eval(frame);
        if (!optional[i]) {
          map.put(key, value);
        } else if (value instanceof Optional<?> wrapped) {
          wrapped.ifPresent(inner -> map.put(key, inner));
        } else {
          throw notOptional(key, value);
        }
      }
      return map;
    }
  }

  private static CelException notOptional(Object key, Object value) {
    return new CelException(
        "cannot initialize optional entry '" + key + "' from non-optional value " + value);
  }

  static final class StructNode extends Node {
    private final CelType type;
    private final String[] names;
    private final Node[] values;
    private final boolean[] optional;

    StructNode(CelType type, String[] names, Node[] values, boolean[] optional) {
      this.type = type;
      this.names = names;
      this.values = values;
      this.optional = optional;
    }

    @Override
    Object eval(Frame frame) {
      Map<String, Object> fields = new LinkedHashMap<>();
      for (int i = 0; i < names.length; i++) {
        String name = names[i];
        Object value = values[i].eval(frame);
        if (!optional[i]) {
          fields.put(name, value);
        } else if (value instanceof Optional<?> wrapped) {
          wrapped.ifPresent(inner -> fields.put(name, inner));
        } else {
          throw notOptional(name, value);
        }
      }
      frame.charge(STRUCT_COST);
      return new StructValue(type, fields);
    }
  }
}
