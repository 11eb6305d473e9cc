package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.resource.ObjectName;
import dev.berth.registry.ListOptions.At;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads lists. All pages of a list are read at the revision of the first, so that together they are
 * what there was at one moment, whatever was written meanwhile.
 */
public final class Listing {
  private static final String TOO_OLD_TO_CONTINUE =
      "The provided continue parameter is too old to display a consistent list result. You can"
          + " start a new list without the continue parameter, or use the continue token in this"
          + " response to retrieve the remainder of the results. Continuing with the provided"
          + " token results in an inconsistent list - objects that were created, modified, or"
          + " deleted between the time the first chunk was returned and now may show up in the"
          + " list.";

  private static final String TOO_OLD_TO_LIST =
      "The resourceVersion for the provided list is too old.";

  /** Entries read at a time when a selector leaves some out. */
  private static final int STRIDE = 500;

  private Listing() {}

  /**
   * A list or a part of one.
   *
   * @param continueToken empty on the last page
   * @param remaining how many come on further pages; -1 if only counting would tell
   */
  public record Page(List<Entry> entries, long revision, String continueToken, long remaining) {
    public Page {
      entries = List.copyOf(entries);
    }
  }

  static Page list(Store store, Resource resource, ListOptions request) {
    Selection selection = request.selection();
    selection.check(resource);
    Optional<String> name = selection.fields().exactValue("metadata.name");
    boolean oneObject = !resource.isNamespaced() || !selection.namespace().isEmpty();
    if (name.isPresent() && oneObject && request.at() instanceof At.Latest) {
      return single(store, resource, selection, name.get());
    }
    String prefix = selection.prefix(resource);
    RangeRequest range = RangeRequest.prefix(prefix);
    if (!request.continueToken().isEmpty()) {
      ContinueToken token = ContinueToken.parse(request.continueToken());
      long revision =
          token.revision() == ContinueToken.INCONSISTENT ? RangeRequest.CURRENT : token.revision();
      range = range.after(prefix + token.lastKey(), revision);
    } else {
      range =
          switch (request.at()) {
            case At.Latest _ -> range;
            case At.Exactly(long revision) -> range.at(revision);
            case At.NotOlderThan(long revision) -> {
              checkHappened(store, revision);
              yield range;
            }
          };
    }
    return read(store, resource, request, range, prefix);
  }

  private static Page single(Store store, Resource resource, Selection selection, String name) {
    long revision = store.revision();
    ObjectName object = new ObjectName(resource.isNamespaced() ? selection.namespace() : "", name);
    List<Entry> found =
        store
            .get(ObjectKeys.of(resource, object))
            .filter(entry -> selection.matches(resource, entry))
            .map(List::of)
            .orElse(List.of());
    // What was read may be newer than the revision that was asked for first, never older.
    return new Page(
        found, Math.max(revision, found.stream().mapToLong(Entry::revision).sum()), "", 0);
  }

  private static void checkHappened(Store store, long revision) {
    if (revision > store.revision()) {
      throw Failures.tooLargeResourceVersion(revision, store.revision());
    }
  }

  private static Page read(
      Store store, Resource resource, ListOptions request, RangeRequest from, String prefix) {
    int limit = request.limit() > 0 ? request.limit() : Integer.MAX_VALUE;
    Selection selection = request.selection();
    if (selection.selectsEverything()) {
      RangeResult.Page page = page(store, from.limit(limit), request, prefix);
      String token = page.remaining() == 0 ? "" : token(page, prefix);
      return new Page(page.entries(), page.revision(), token, page.remaining());
    }
    List<Entry> matching = new ArrayList<>();
    RangeRequest range = from.limit(limit == Integer.MAX_VALUE ? limit : Math.max(limit, STRIDE));
    while (true) {
      RangeResult.Page page = page(store, range, request, prefix);
      for (Entry entry : page.entries()) {
        if (selection.matches(resource, entry)) {
          matching.add(entry);
          if (matching.size() == limit) {
            boolean last = page.remaining() == 0 && entry == page.entries().getLast();
            String token =
                last
                    ? ""
                    : new ContinueToken(page.revision(), entry.key().substring(prefix.length()))
                        .text();
            return new Page(matching, page.revision(), token, -1);
          }
        }
      }
      if (page.remaining() == 0) {
        return new Page(matching, page.revision(), "", -1);
      }
      range = range.after(page.entries().getLast().key(), page.revision());
    }
  }

  private static String token(RangeResult.Page page, String prefix) {
    String last = page.entries().getLast().key();
    return new ContinueToken(page.revision(), last.substring(prefix.length())).text();
  }

  private static RangeResult.Page page(
      Store store, RangeRequest range, ListOptions request, String prefix) {
    return switch (store.range(range)) {
      case RangeResult.Page page -> page;
      case RangeResult.NotYet(long current) ->
          throw Failures.tooLargeResourceVersion(range.revision(), current);
      case RangeResult.TooOld _ ->
          throw request.continueToken().isEmpty()
              ? Failures.expired(TOO_OLD_TO_LIST)
              : tooOldToContinue(range, prefix);
    };
  }

  private static StatusException tooOldToContinue(RangeRequest range, String prefix) {
    String lastKey = range.from().substring(prefix.length(), range.from().length() - 1);
    String token = new ContinueToken(ContinueToken.INCONSISTENT, lastKey).text();
    return new StatusException(new Status(410, "Expired", TOO_OLD_TO_CONTINUE, null, token));
  }
}
