package dev.berth.serving.openapi;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The parameters of operations. Clients check here whether the server supports {@code dryRun} and
 * {@code fieldValidation}.
 */
final class Parameters {
  private static final List<String> WRITE =
      List.of("dryRun", "fieldManager", "fieldValidation", "pretty");
  private static final List<String> PATCH =
      List.of("dryRun", "fieldManager", "fieldValidation", "force", "pretty");
  private static final List<String> DELETE =
      List.of("dryRun", "gracePeriodSeconds", "orphanDependents", "pretty", "propagationPolicy");
  private static final List<String> LIST =
      List.of(
          "allowWatchBookmarks",
          "continue",
          "fieldSelector",
          "labelSelector",
          "limit",
          "pretty",
          "resourceVersion",
          "resourceVersionMatch",
          "sendInitialEvents",
          "timeoutSeconds",
          "watch");

  /** Each parameter's type and what it is for. */
  private static final Map<String, List<String>> KNOWN =
      Map.ofEntries(
          text("continue", "Where the last page of a list ended."),
          text("dryRun", "All: everything is done but the writing."),
          text("fieldManager", "Who owns the fields that are written."),
          text("fieldSelector", "Selects objects by their fields."),
          text("fieldValidation", "What unknown and doubled fields are: Ignore, Warn or Strict."),
          text("labelSelector", "Selects objects by their labels."),
          text("pretty", "Writes the answer for people."),
          text("propagationPolicy", "What becomes of dependents: Orphan, Background, Foreground."),
          text("resourceVersion", "What the answer must be as new as, or where a watch begins."),
          text("resourceVersionMatch", "How resourceVersion is meant: Exact or NotOlderThan."),
          of("allowWatchBookmarks", "boolean", "Sends bookmarks in a watch."),
          of("force", "boolean", "Takes over fields that others own."),
          of("gracePeriodSeconds", "integer", "How long an object may take to end."),
          of("limit", "integer", "The most objects that a page holds."),
          of("orphanDependents", "boolean", "Use propagationPolicy instead."),
          of("sendInitialEvents", "boolean", "Begins a watch with what there is."),
          of("timeoutSeconds", "integer", "When a watch ends."),
          of("watch", "boolean", "Sends changes as they happen."));

  private final Dialect dialect;

  Parameters(Dialect dialect) {
    this.dialect = dialect;
  }

  private static Map.Entry<String, List<String>> text(String name, String description) {
    return of(name, "string", description);
  }

  private static Map.Entry<String, List<String>> of(String name, String type, String description) {
    return Map.entry(name, List.of(type, description));
  }

  /** The parts of a path that are no fixed words. */
  JsonArray ofPath(String path) {
    List<JsonObject> parameters = new ArrayList<>();
    for (String name : List.of("name", "namespace")) {
      if (path.contains("{" + name + "}")) {
        parameters.add(
            dialect.parameter(
                name,
                "path",
                name.equals("name") ? "The object's name." : "The object's namespace.",
                unique("string")));
      }
    }
    return JsonArray.copyOf(parameters);
  }

  List<JsonObject> ofAction(String action) {
    List<String> names =
        switch (action) {
          case "list" -> LIST;
          case "post", "put" -> WRITE;
          case "patch" -> PATCH;
          case "delete", "deletecollection" -> DELETE;
          default -> List.of("pretty");
        };
    List<JsonObject> parameters = new ArrayList<>();
    for (String name : names) {
      List<String> known = KNOWN.getOrDefault(name, List.of("string", ""));
      parameters.add(dialect.parameter(name, "query", known.get(1), unique(known.get(0))));
    }
    return parameters;
  }

  private static JsonObject unique(String type) {
    return new JsonObject.Builder().put("type", type).put("uniqueItems", true).build();
  }
}
