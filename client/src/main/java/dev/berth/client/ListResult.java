package dev.berth.client;

import dev.berth.model.tree.JsonObject;
import java.util.List;

/** The outcome of a list: a page, or a failure. */
public sealed interface ListResult permits ListResult.Page, ApiResult.Failure {

  /**
   * The objects, or some of them.
   *
   * @param items each says its kind and version, which a list on the wire leaves out
   * @param revision the moment that the list shows; a watch goes on from there
   * @param continueToken asks for the next page; empty on the last
   */
  record Page(List<JsonObject> items, String revision, String continueToken) implements ListResult {
    public Page {
      items = List.copyOf(items);
    }
  }
}
