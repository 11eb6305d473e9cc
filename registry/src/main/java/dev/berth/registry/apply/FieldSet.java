package dev.berth.registry.apply;

import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A set of paths to fields, held as the tree that {@code FieldsV1} is: an object with a field for
 * each {@link Elements element}, whose value holds the elements after it. A path is in the set if
 * its object is empty or has the field {@code "."}; others only lead to such.
 *
 * <p>Held so because sets are read from every object that is written and nearly always stay as they
 * are: nothing is decoded or encoded, and operations that change nothing return the very same tree.
 */
public final class FieldSet {
  static final String SELF = ".";

  public static final FieldSet EMPTY = new FieldSet(JsonObject.EMPTY);

  private final JsonObject tree;

  private FieldSet(JsonObject tree) {
    this.tree = tree;
  }

  /** A set that was written here, or checked before. */
  static FieldSet trusted(JsonObject tree) {
    return tree.isEmpty() ? EMPTY : new FieldSet(tree);
  }

  /**
   * A set from elsewhere, put into our own form. Elements of kinds that nobody knows are dropped.
   *
   * @throws JsonException if it is none
   */
  public static FieldSet parse(Object tree) {
    Node root = new Node();
    var _ = parse(tree, root);
    return root.set();
  }

  /** Whether there is anything in a node of a tree, which is then in ours. */
  private static boolean parse(Object node, Node into) {
    if (node == JsonNull.NULL) {
      return false;
    }
    if (!(node instanceof JsonObject object)) {
      throw new JsonException("a set of fields is an object, found " + node);
    }
    into.member |= object.isEmpty() || object.has(SELF);
    boolean any = into.member;
    for (int i = 0; i < object.size(); i++) {
      String name = object.name(i);
      Optional<String> element = name.equals(SELF) ? Optional.empty() : Elements.canonical(name);
      if (element.isPresent()) {
        Node child = new Node();
        if (parse(object.value(i), child)) {
          into.child(element.get()).addAll(child);
          any = true;
        }
      }
    }
    return any;
  }

  /** The set of paths of plain fields, each written as {@code metadata.name}. */
  public static FieldSet of(String... paths) {
    Builder<String> builder = new Builder<>(element -> element);
    for (String path : paths) {
      List<String> elements = new ArrayList<>();
      for (String name : path.split("\\.", -1)) {
        elements.add(Elements.field(name));
      }
      builder.insert(elements);
      builder.leave(0);
    }
    return builder.build();
  }

  /** The set as {@code FieldsV1}. */
  public JsonObject tree() {
    return tree;
  }

  public boolean isEmpty() {
    return tree.isEmpty();
  }

  public boolean has(List<String> path) {
    JsonObject node = tree;
    for (String element : path) {
      if (!(node.get(element) instanceof JsonObject child)) {
        return false;
      }
      node = child;
    }
    return !path.isEmpty() && isMember(node);
  }

  /** Whether all of these paths are in this set. */
  public boolean hasAll(FieldSet others) {
    return others.minus(this).isEmpty();
  }

  /**
   * Calls for each path in the set, in upstream's order: what is in the set at a level, then what
   * is below it. The list is only valid during the call.
   */
  public void forEach(Consumer<List<String>> action) {
    forEach(tree, new ArrayList<>(), action);
  }

  private static void forEach(JsonObject node, List<String> path, Consumer<List<String>> action) {
    node.forEach((name, value) -> {
      if (!name.equals(SELF) && isMember((JsonObject) value)) {
        path.add(name);
        action.accept(path);
        path.removeLast();
      }
    });
    node.forEach((name, value) -> {
      if (!name.equals(SELF)) {
        path.add(name);
        forEach((JsonObject) value, path, action);
        path.removeLast();
      }
    });
  }

  /** The paths that are in either; this set itself if the other adds nothing. */
  public FieldSet union(FieldSet other) {
    if (isEmpty() || other.isEmpty()) {
      return isEmpty() ? other : this;
    }
    return wrap(SetOperations.union(tree, other.tree, false));
  }

  /** The paths that are in any of many sets, of which each is read once. */
  static FieldSet union(Iterable<FieldSet> sets) {
    Node root = new Node();
    for (FieldSet set : sets) {
      root.addAll(set.tree);
    }
    return root.set();
  }

  /** The paths that are in this one only; this set itself if that are all. */
  public FieldSet minus(FieldSet other) {
    return isEmpty() || other.isEmpty()
        ? this
        : wrap(SetOperations.difference(tree, other.tree, false, false));
  }

  /** The paths that neither are in the other nor lead on from one that is. */
  public FieldSet minusAllBelow(FieldSet other) {
    return isEmpty() || other.isEmpty()
        ? this
        : wrap(SetOperations.difference(tree, other.tree, false, true));
  }

  public FieldSet intersection(FieldSet other) {
    return wrap(SetOperations.intersection(tree, other.tree, false));
  }

  private FieldSet wrap(@Nullable JsonObject result) {
    return result == null ? EMPTY : SetOperations.same(result, tree) ? this : trusted(result);
  }

  static boolean isMember(JsonObject node) {
    return node.isEmpty() || node.has(SELF);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FieldSet that && tree.equals(that.tree);
  }

  @Override
  public int hashCode() {
    return tree.hashCode();
  }

  @Override
  public String toString() {
    return tree.toString();
  }

  /**
   * Collects paths while somebody walks over an object. Of the path that the walk has reached it
   * remembers the nodes, so that fields cost the same however deep they are.
   *
   * @param <E> what the walk has for an element
   */
  static final class Builder<E> {
    private final Node root = new Node();
    private final List<Node> reached = new ArrayList<>();
    private final Function<E, String> text;

    /**
     * @param text the element as it is written
     */
    Builder(Function<E, String> text) {
      this.text = text;
    }

    /** Adds the path that the walk has reached. */
    void insert(List<? extends E> path) {
      // Nobody owns an object as a whole.
      if (!path.isEmpty()) {
        for (int i = reached.size(); i < path.size(); i++) {
          Node parent = i == 0 ? root : reached.get(i - 1);
          reached.add(parent.child(text.apply(path.get(i))));
        }
        reached.getLast().member = true;
      }
    }

    /** The walk left all elements of the path but the first so many. */
    void leave(int length) {
      while (reached.size() > length) {
        reached.removeLast();
      }
    }

    FieldSet build() {
      return root.set();
    }
  }

  private static final class Node {
    boolean member;
    @Nullable TreeMap<String, Node> children;

    Node child(String element) {
      if (children == null) {
        children = new TreeMap<>(Elements.ORDER);
      }
      return children.computeIfAbsent(element, _ -> new Node());
    }

    void addAll(JsonObject tree) {
      member |= isMember(tree);
      tree.forEach((element, child) -> {
        if (!element.equals(SELF)) {
          child(element).addAll((JsonObject) child);
        }
      });
    }

    void addAll(Node other) {
      member |= other.member;
      if (children == null) {
        children = other.children;
      } else if (other.children != null) {
        other.children.forEach((element, node) -> child(element).addAll(node));
      }
    }

    /** The set of this node as the root, which is in no set itself. */
    FieldSet set() {
      member = false;
      return children == null ? EMPTY : trusted(tree());
    }

    JsonObject tree() {
      if (children == null) {
        return JsonObject.EMPTY;
      }
      JsonObject.Builder builder = new JsonObject.Builder();
      if (member) {
        builder.put(SELF, JsonObject.EMPTY);
      }
      children.forEach((element, node) -> builder.put(element, node.tree()));
      return builder.build();
    }
  }
}
