package dev.berth.client;

/** The types of patches. */
public enum PatchType {
  /** RFC 6902: operations, one after the other. */
  JSON("application/json-patch+json"),
  /** RFC 7386: the fields that change; lists are replaced. */
  MERGE("application/merge-patch+json"),
  /** The same, but lists are merged by the keys that the schema names. */
  STRATEGIC("application/strategic-merge-patch+json");

  private final String mediaType;

  PatchType(String mediaType) {
    this.mediaType = mediaType;
  }

  public String mediaType() {
    return mediaType;
  }
}
