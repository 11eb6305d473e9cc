package dev.berth.model.tree;

/**
 * A document that cannot be read as a tree, or a tree that has not the shape its reader expects.
 */
public final class JsonException extends RuntimeException {
  public JsonException(String message) {
    super(message);
  }

  static JsonException expected(JsonKind kind, String field, Object found) {
    return new JsonException(
        field + ": expected " + kind.withArticle() + ", found " + JsonKind.of(found).withArticle());
  }
}
