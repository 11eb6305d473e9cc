package dev.berth.kinds.column;

import dev.berth.model.selector.LabelSelector;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What columns of several kinds have in common. */
public final class Cells {
  public static final String NONE = "<none>";
  public static final String UNSET = "<unset>";

  private Cells() {}

  public static String orNone(String text) {
    return text.isEmpty() ? NONE : text;
  }

  /** The text at a path, such as {@code spec.nodeName}. */
  public static Function<JsonObject, String> text(String path, String whenAbsent) {
    FieldPath parsed = FieldPath.parse(path);
    return object -> {
      Object value = parsed.get(object);
      return value == null || value.equals("") ? whenAbsent : value.toString();
    };
  }

  /** The integer at a path; 0 if there is none. */
  public static Function<JsonObject, Long> number(String path) {
    FieldPath parsed = FieldPath.parse(path);
    return object -> parsed.get(object) instanceof Long number ? number : 0L;
  }

  /** The containers of a template, in the columns of the wide form. */
  public static Column containers(String templatePath) {
    return Column.text(
            "Containers",
            "The names of the template's containers.",
            object -> join(template(object, templatePath), "name"))
        .wide();
  }

  public static Column images(String templatePath) {
    return Column.text(
            "Images",
            "The images of the template's containers.",
            object -> join(template(object, templatePath), "image"))
        .wide();
  }

  public static Column selector() {
    return selector("spec.selector");
  }

  /** The selector at a path, in a column of the wide form. */
  public static Column selector(String path) {
    return Column.text(
            "Selector",
            "Which pods are meant, by their labels.",
            object -> {
              Object selector = FieldPath.parse(path).get(object);
              return orNone(LabelSelector.fromTree(selector).toString());
            })
        .wide();
  }

  /** Labels as {@code a=b,c=d}, such as those of an old selector. */
  public static String labels(JsonObject labels) {
    return orNone(
        labels.names().stream()
            .sorted()
            .map(key -> key + "=" + labels.text(key, ""))
            .collect(Collectors.joining(",")));
  }

  private static JsonArray template(JsonObject object, String path) {
    Object spec = FieldPath.parse(path).get(object);
    return spec instanceof JsonObject tree ? tree.array("containers") : JsonArray.EMPTY;
  }

  private static String join(JsonArray containers, String field) {
    return containers.objects().stream()
        .map(container -> container.text(field, ""))
        .collect(Collectors.joining(","));
  }

  /** Texts with commas between them. */
  public static String join(List<String> texts) {
    return String.join(",", texts);
  }
}
