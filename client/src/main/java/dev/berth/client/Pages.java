package dev.berth.client;

import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Reads lists page by page, so that no answer is too large for a server to give in one piece. */
public final class Pages {
  /** How many objects client-go asks for at a time. */
  private static final int PAGE = 500;

  private Pages() {}

  /**
   * The whole list as one page. A server that forgot the revision of the first page before the last
   * was asked for is asked for all at once.
   */
  public static ListResult all(Api api, ListRequest request) {
    List<JsonObject> items = new ArrayList<>();
    String token = "";
    while (true) {
      boolean first = token.isEmpty();
      switch (api.list(request.limit(PAGE).continuing(token))) {
        case ListResult.Page page -> {
          if (first && page.continueToken().isEmpty()) {
            return page;
          }
          items.addAll(page.items());
          token = page.continueToken();
          if (token.isEmpty()) {
            return new ListResult.Page(items, page.revision(), "");
          }
        }
        case ApiResult.Refused(ApiError error) when error.isExpired() && !first -> {
          return api.list(request.limit(0).continuing(""));
        }
        case ApiResult.Failure failure -> {
          return failure;
        }
      }
    }
  }
}
