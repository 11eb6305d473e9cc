package dev.berth.scheduler.plugin.config;

/** Where a plugin can take part, by the names that configuration files have for it. */
public enum ExtensionPoint {
  PRE_ENQUEUE("preEnqueue"),
  QUEUE_SORT("queueSort"),
  PRE_FILTER("preFilter"),
  FILTER("filter"),
  POST_FILTER("postFilter"),
  PRE_SCORE("preScore"),
  SCORE("score"),
  RESERVE("reserve"),
  PERMIT("permit"),
  PRE_BIND("preBind"),
  BIND("bind"),
  POST_BIND("postBind");

  private final String field;

  ExtensionPoint(String field) {
    this.field = field;
  }

  /** Its field in {@code profiles[*].plugins}. */
  public String field() {
    return field;
  }
}
