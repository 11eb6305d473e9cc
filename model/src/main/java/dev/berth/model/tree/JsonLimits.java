package dev.berth.model.tree;

/**
 * What a document may cost its reader. Depth is bounded so that recursion over a tree cannot
 * exhaust the stack; size, so that a document cannot exhaust the memory; and the number of values,
 * since an empty object takes two bytes to send and a hundred times that to give it its defaults.
 */
public record JsonLimits(int maxBytes, int maxDepth, int maxValues) {
  /** As deep as any tree may be: deeper than any real schema, far from the end of a stack. */
  public static final int MAX_DEPTH = 512;

  /**
   * How many oddities of a document its sender is told of, fields that are named twice or unknown:
   * as many as Kubernetes tells of. Telling all would make a large document costly.
   */
  public static final int MOST_ODDITIES = 100;

  /**
   * The limits for one object from a client: Kubernetes' own limit on a request's body, and several
   * times as many values as its largest objects have.
   */
  public static final JsonLimits REQUEST = new JsonLimits(3 * 1024 * 1024, MAX_DEPTH, 100_000);

  /** The limits for documents from a trusted source, such as a list from an API server. */
  public static final JsonLimits TRUSTED =
      new JsonLimits(Integer.MAX_VALUE, MAX_DEPTH, Integer.MAX_VALUE);

  public JsonLimits {
    if (maxBytes < 1 || maxValues < 1 || maxDepth < 1 || maxDepth > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "maxBytes and maxValues must be positive and maxDepth between 1 and " + MAX_DEPTH);
    }
  }

  /** What is said of a document with more values. */
  public String tooManyValues() {
    return "the document has more than " + maxValues + " fields and elements";
  }
}
