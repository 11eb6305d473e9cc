package dev.berth.registry.patch;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonKind;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonNull;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JSON patch of RFC 6902: operations that are carried out in turn, all or none.
 *
 * <p>It is as lenient as the library that Kubernetes uses, and says what that says: a value that is
 * left out is null, negative indices count from the end, an absent field is null to those who copy
 * or test it, and who replaces it adds it.
 */
public final class JsonPatch {
  public static final int MAX_OPERATIONS = 10_000;

  /** What all copies together may add, in bytes; a few copies of copies would fill any memory. */
  private static final long MAX_COPIED = JsonLimits.REQUEST.maxBytes();

  private static final String MISSING = ": missing value";

  private final List<Operation> operations;

  private JsonPatch(List<Operation> operations) {
    this.operations = operations;
  }

  private record Operation(
      String op, @Nullable String path, @Nullable String from, @Nullable Object value) {}

  /** Reads a patch; whether it fits an object shows when it is applied. */
  public static JsonPatch parse(Object patch) {
    if (!(patch instanceof JsonArray array)) {
      throw PatchException.badRequest(
          "error decoding patch: expected an array of operations, found "
              + JsonKind.of(patch).withArticle());
    }
    if (array.size() > MAX_OPERATIONS) {
      throw PatchException.tooLarge(
          "The allowed maximum operations in a JSON patch is "
              + MAX_OPERATIONS
              + ", got "
              + array.size());
    }
    List<Operation> operations = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      if (!(array.get(i) instanceof JsonObject operation)) {
        throw PatchException.badRequest(
            "error decoding patch: operation %d: expected an object, found %s"
                .formatted(i, JsonKind.of(array.get(i)).withArticle()));
      }
      String op = text(operation, "op", i);
      operations.add(
          new Operation(
              op == null ? "unknown" : op,
              text(operation, "path", i),
              text(operation, "from", i),
              operation.get("value")));
    }
    return new JsonPatch(List.copyOf(operations));
  }

  private static @Nullable String text(JsonObject operation, String field, int index) {
    return switch (operation.get(field)) {
      case null -> null;
      case JsonNull _ -> null;
      case String text -> text;
      case Object other ->
          throw PatchException.badRequest(
              "error decoding patch: operation %d: %s: expected a string, found %s"
                  .formatted(index, field, JsonKind.of(other).withArticle()));
    };
  }

  /** The object after all operations. */
  public JsonObject apply(JsonObject object) {
    if (applyTo(object) instanceof JsonObject patched) {
      return patched;
    }
    throw PatchException.unprocessable("the patch replaces the object by something that is none");
  }

  /** The document, an object or an array, after all operations. */
  Object applyTo(Object tree) {
    PatchedDocument document = new PatchedDocument(tree);
    long copied = 0;
    for (Operation operation : operations) {
      switch (operation.op) {
        case "add" -> add(document, operation);
        case "remove" -> remove(document, operation);
        case "replace" -> replace(document, operation);
        case "move" -> move(document, operation);
        case "test" -> test(document, operation);
        case "copy" -> {
          Object value = copySource(document, operation);
          copied += size(value);
          if (copied > MAX_COPIED) {
            throw PatchException.unprocessable(
                "Unable to complete the copy, the accumulated size increase of copy is "
                    + copied
                    + ", exceeding the limit "
                    + MAX_COPIED);
          }
          copy(document, operation, value);
        }
        default -> throw PatchException.unprocessable("Unexpected kind: " + operation.op);
      }
    }
    return document.tree();
  }

  private static void add(PatchedDocument document, Operation operation) {
    String path = required(operation.path, "add operation failed to decode path" + MISSING);
    JsonPlace.find(
            document, path, "add operation does not apply: doc is missing path: \"" + path + "\"")
        .add(value(operation), "error in add for path: '" + path + "'");
  }

  private static void remove(PatchedDocument document, Operation operation) {
    String path = required(operation.path, "remove operation failed to decode path" + MISSING);
    JsonPlace.find(
            document,
            path,
            "remove operation does not apply: doc is missing path: \"" + path + "\"")
        .remove("error in remove for path: '" + path + "'");
  }

  private static void replace(PatchedDocument document, Operation operation) {
    String path = required(operation.path, withoutPath("replace"));
    Object value = value(operation);
    if (path.isEmpty()) {
      if (!(value instanceof JsonObject || value instanceof JsonArray)) {
        throw PatchException.unprocessable("replace operation value must be object or array");
      }
      document.replace(value);
      return;
    }
    JsonPlace place =
        JsonPlace.find(
            document, path, "replace operation does not apply: doc is missing path: " + path);
    if (place.isNoElement()) {
      throw PatchException.unprocessable(
          "replace operation does not apply: doc is missing key: " + path + MISSING);
    }
    place.set(value);
  }

  private static void move(PatchedDocument document, Operation operation) {
    String from = required(operation.from, withoutFrom("move"));
    JsonPlace source =
        JsonPlace.find(
            document, from, "move operation does not apply: doc is missing from path: " + from);
    String context = "error in move for path: '" + source.key() + "'";
    Object value = source.require(context);
    String path = required(operation.path, withoutPath("move"));
    source.remove(context);
    JsonPlace.find(
            document,
            path,
            "move operation does not apply: doc is missing destination path: " + path)
        .add(value, "error in move for path: '" + path + "'");
  }

  private static Object copySource(PatchedDocument document, Operation operation) {
    String from = required(operation.from, withoutFrom("copy"));
    Object value =
        JsonPlace.find(
                document, from, "copy operation does not apply: doc is missing from path: " + from)
            .getChecked("error in copy for from: '" + from + "'");
    return value == null ? JsonNull.NULL : PatchedDocument.tree(value);
  }

  private static int size(Object value) {
    try {
      return JsonWriter.toText(value).length();
    } catch (JsonException e) {
      // Copying a value into itself, again and again, nests without end.
      throw PatchException.unprocessable("error while performing deep copy: " + e.getMessage());
    }
  }

  private static void copy(PatchedDocument document, Operation operation, Object value) {
    String path = required(operation.path, "copy operation failed to decode path" + MISSING);
    JsonPlace.find(
            document,
            path,
            "copy operation does not apply: doc is missing destination path: " + path)
        .add(value, "error while adding value during copy");
  }

  private static void test(PatchedDocument document, Operation operation) {
    String path = required(operation.path, withoutPath("test"));
    Object found = document.root();
    if (!path.isEmpty()) {
      JsonPlace place =
          JsonPlace.find(document, path, "test operation does not apply: is missing path: " + path);
      found = place.getChecked("error in test for path: '" + path + "'");
    }
    if (!PatchedDocument.equals(value(operation), found == null ? JsonNull.NULL : found)) {
      throw PatchException.unprocessable("testing value " + path + " failed: test failed");
    }
  }

  private static Object value(Operation operation) {
    return operation.value == null ? JsonNull.NULL : operation.value;
  }

  private static String required(@Nullable String text, String warning) {
    if (text == null) {
      throw PatchException.unprocessable(warning);
    }
    return text;
  }

  private static String withoutPath(String op) {
    return op + " operation failed to decode path: operation missing path field" + MISSING;
  }

  private static String withoutFrom(String op) {
    return op + " operation failed to decode from: operation, missing from field" + MISSING;
  }
}
