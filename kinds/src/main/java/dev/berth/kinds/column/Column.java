package dev.berth.kinds.column;

import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import java.util.function.Function;

/**
 * A column of a printed table.
 *
 * @param type {@code string}, {@code integer} or {@code date}, as in OpenAPI
 * @param format {@code name} for the column that names the object; mostly empty
 * @param priority 0 for columns that are always shown, more for those of the wide form
 */
public record Column(
    String name, String type, String format, String description, int priority, Cell cell) {

  /** What stands in the column: a value of a tree. */
  @FunctionalInterface
  public interface Cell {
    Object of(JsonObject object, Instant now);
  }

  public static final Column NAME =
      new Column(
          "Name",
          "string",
          "name",
          "The object's name, unique in its namespace.",
          0,
          (object, now) -> object.object("metadata").text("name", ""));

  public static final Column AGE =
      timed(
          "Age",
          "How long ago the object was created.",
          (object, now) -> Ages.since(object.object("metadata").text("creationTimestamp"), now));

  /** In the place of the age, for kinds that have no columns of their own. */
  public static final Column CREATED =
      new Column(
          "Created At",
          "date",
          "",
          "When it was created.",
          0,
          (object, now) -> object.object("metadata").text("creationTimestamp", ""));

  public static Column text(String name, String description, Function<JsonObject, String> cell) {
    return new Column(name, "string", "", description, 0, (object, now) -> cell.apply(object));
  }

  public static Column number(String name, String description, Function<JsonObject, Long> cell) {
    return new Column(name, "integer", "", description, 0, (object, now) -> cell.apply(object));
  }

  /** A column that depends on what time it is. */
  public static Column timed(String name, String description, Cell cell) {
    return new Column(name, "string", "", description, 0, cell);
  }

  /** This column, in the wide form only. */
  public Column wide() {
    return new Column(name, type, format, description, 1, cell);
  }

  /** This column, in every form. */
  public Column always() {
    return new Column(name, type, format, description, 0, cell);
  }

  /** This column, said to be of another type than its cells are, as upstream says of some. */
  public Column typed(String other) {
    return new Column(name, other, format, description, priority, cell);
  }

  public JsonObject definition() {
    return new JsonObject.Builder()
        .put("name", name)
        .put("type", type)
        .put("format", format)
        .put("description", description)
        .put("priority", (long) priority)
        .build();
  }
}
