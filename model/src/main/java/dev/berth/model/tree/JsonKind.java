package dev.berth.model.tree;

/** The kinds of value a tree holds, and the Java types that stand for them. */
public enum JsonKind {
  /** {@link JsonObject}. */
  OBJECT("an object"),
  /** {@link JsonArray}. */
  ARRAY("an array"),
  /** {@link String}. */
  STRING("a string"),
  /** {@link Long} for plain 64-bit integers, {@link JsonNumber} for all others. */
  NUMBER("a number"),
  /** {@link Boolean}. */
  BOOLEAN("a boolean"),
  /** {@link JsonNull}. */
  NULL("null");

  private final String withArticle;

  JsonKind(String withArticle) {
    this.withArticle = withArticle;
  }

  /** The kind in words, for messages: "an object". */
  public String withArticle() {
    return withArticle;
  }

  /** The kind of a tree's value; fails for a Java object that no tree can hold. */
  public static JsonKind of(Object value) {
    return switch (value) {
      case JsonObject _ -> OBJECT;
      case JsonArray _ -> ARRAY;
      case String _ -> STRING;
      case Long _ -> NUMBER;
      case JsonNumber _ -> NUMBER;
      case Boolean _ -> BOOLEAN;
      case JsonNull _ -> NULL;
      default ->
          throw new IllegalArgumentException("A tree cannot hold a " + value.getClass().getName());
    };
  }
}
