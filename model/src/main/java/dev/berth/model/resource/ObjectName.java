package dev.berth.model.resource;

import dev.berth.model.tree.JsonObject;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Which object of a kind: its namespace and its name. The namespace is empty for objects that are
 * in none, such as nodes.
 *
 * <p>Ordered by namespace, then by name, so that whatever walks objects in this order always walks
 * them alike.
 */
public record ObjectName(String namespace, String name) implements Comparable<ObjectName> {
  private static final Comparator<ObjectName> ORDER =
      Comparator.comparing(ObjectName::namespace).thenComparing(ObjectName::name);

  /** The name of an object in no namespace. */
  public static ObjectName of(String name) {
    return new ObjectName("", name);
  }

  /** The name in an object's metadata; parts that are absent are empty. */
  public static ObjectName of(JsonObject object) {
    JsonObject metadata = object.object("metadata");
    return new ObjectName(metadata.text("namespace", ""), metadata.text("name", ""));
  }

  /** The inverse of {@link #toString}. */
  public static ObjectName parse(String text) {
    int slash = text.indexOf('/');
    return slash < 0
        ? of(text)
        : new ObjectName(text.substring(0, slash), text.substring(slash + 1));
  }

  @Override
  public int compareTo(ObjectName other) {
    return ORDER.compare(this, other);
  }

  /** {@code namespace/name}, or the name alone where there is no namespace. */
  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  /** By hand: what Java makes of a record is a chain of method handles, slow for long. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof ObjectName that
            && name.equals(that.name)
            && namespace.equals(that.namespace));
  }

  @Override
  public int hashCode() {
    return 31 * namespace.hashCode() + name.hashCode();
  }
}
