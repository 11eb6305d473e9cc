package dev.berth.model.tree;

/**
 * What a document may cost its reader. Depth is bounded so that recursion over a tree cannot
 * exhaust the stack; size, so that a document cannot exhaust the memory.
 */
public record JsonLimits(int maxBytes, int maxDepth) {
  /** As deep as any tree may be: deeper than any real schema, far from the end of a stack. */
  public static final int MAX_DEPTH = 512;

  /** The limits for one object from a client: Kubernetes' own limit on a request's body. */
  public static final JsonLimits REQUEST = new JsonLimits(3 * 1024 * 1024, MAX_DEPTH);

  /** The limits for documents from a trusted source, such as a list from an API server. */
  public static final JsonLimits TRUSTED = new JsonLimits(Integer.MAX_VALUE, MAX_DEPTH);

  public JsonLimits {
    if (maxBytes < 1 || maxDepth < 1 || maxDepth > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "maxBytes must be positive and maxDepth between 1 and " + MAX_DEPTH);
    }
  }
}
