package dev.berth.controllers;

import dev.berth.client.ApiError;
import dev.berth.client.ApiResult;

/** The end of a namespace, as those learn of it who would create something there. */
public final class NamespaceEnd {
  private static final String CAUSE = "NamespaceTerminating";

  private NamespaceEnd() {}

  /** Whether a server refused since the namespace is being deleted: then it need not be tried. */
  public static boolean isWhy(ApiResult result) {
    return result instanceof ApiResult.Refused(ApiError error)
        && error.status().object("details").array("causes").objects().stream()
            .anyMatch(cause -> cause.text("reason", "").equals(CAUSE));
  }
}
