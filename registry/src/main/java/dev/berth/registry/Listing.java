package dev.berth.registry;

import dev.berth.kinds.resource.Resource;
import dev.berth.registry.ListOptions.At;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.Status;
import dev.berth.registry.status.StatusException;
import dev.berth.store.Keys;
import dev.berth.store.Store;
import dev.berth.store.Store.Entry;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.Store.RangeResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

  private final Store store;
  private final Resource resource;
  private final ListOptions request;
  private final Selection selection;
  private final String prefix;
  private final int limit;
  private final @Nullable ContinueToken token;

  private Listing(Store store, Resource resource, ListOptions request) {
    this.store = store;
    this.resource = resource;
    this.request = request;
    selection = request.selection();
    prefix = selection.prefix(resource);
    limit = request.limit() > 0 ? request.limit() : Integer.MAX_VALUE;
    token = request.continueToken().isEmpty() ? null : ContinueToken.parse(request.continueToken());
  }

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
    request.selection().check(resource);
    return new Listing(store, resource, request).list();
  }

  private Page list() {
    Optional<String> name = selection.name();
    boolean oneNamespace = !resource.isNamespaced() || !selection.namespace().isEmpty();
    RangeRequest all = RangeRequest.prefix(prefix);
    if (name.isPresent()) {
      return oneNamespace
          ? read(from(key(prefix + name.get())))
          : readEachNamespace(from(all), name.get());
    }
    return read(from(selection.indexedValue(resource).map(all::indexed).orElse(all)));
  }

  private static RangeRequest key(String key) {
    return new RangeRequest(key, key + '\0', Integer.MAX_VALUE, RangeRequest.CURRENT);
  }

  /** The part of a range that the request asks for, at the revision that it asks for. */
  private RangeRequest from(RangeRequest range) {
    if (token != null) {
      boolean anyRevision = token.revision() == ContinueToken.INCONSISTENT;
      if (!anyRevision) {
        new Recency(store).await(token.revision());
        checkAge(token);
      }
      return range.after(
          prefix + token.lastKey(), anyRevision ? RangeRequest.CURRENT : token.revision());
    }
    return switch (request.at()) {
      case At.Latest _ -> range;
      case At.Exactly(long revision) -> range.at(revision);
      case At.NotOlderThan(long revision) -> {
        if (revision > store.revision()) {
          throw Failures.tooLargeResourceVersion(revision, store.revision());
        }
        yield range;
      }
    };
  }

  /**
   * Whoever goes on too late is told so, as in Kubernetes, even where nothing was forgotten that
   * matters: clients are to see that a list is not held for ever.
   */
  private void checkAge(ContinueToken continued) {
    if (continued.revision() < store.releasedRevision()) {
      throw tooOldToContinue(continued);
    }
  }

  private Page read(RangeRequest from) {
    if (selection.selectsEverything()) {
      RangeResult.Page page = page(from.limit(limit));
      String next = page.remaining() == 0 ? "" : token(page.entries().getLast(), page.revision());
      return new Page(page.entries(), page.revision(), next, page.remaining());
    }
    List<Entry> matching = new ArrayList<>();
    RangeRequest range = from.limit(limit == Integer.MAX_VALUE ? limit : Math.max(limit, STRIDE));
    while (true) {
      RangeResult.Page page = page(range);
      for (Entry entry : page.entries()) {
        if (selection.matches(resource, entry)) {
          matching.add(entry);
          if (matching.size() == limit) {
            boolean last = page.remaining() == 0 && entry == page.entries().getLast();
            String next = last ? "" : token(entry, page.revision());
            return new Page(matching, page.revision(), next, -1);
          }
        }
      }
      if (page.remaining() == 0) {
        return new Page(matching, page.revision(), "", -1);
      }
      range = range.after(page.entries().getLast().key(), page.revision());
    }
  }

  /**
   * At most one object of each namespace has the name. It is looked up there, and what is left of
   * the namespace is skipped.
   */
  private Page readEachNamespace(RangeRequest from, String name) {
    List<Entry> matching = new ArrayList<>();
    RangeRequest range = from.limit(1);
    while (true) {
      RangeResult.Page first = page(range);
      if (first.entries().isEmpty()) {
        return new Page(matching, first.revision(), "", -1);
      }
      long revision = first.revision();
      String someKey = first.entries().getFirst().key();
      String namespace = someKey.substring(0, someKey.lastIndexOf('/') + 1);
      String key = namespace + name;
      if (key.compareTo(range.from()) >= 0) {
        page(key(key).at(revision)).entries().stream()
            .filter(entry -> selection.matches(resource, entry))
            .forEach(matching::add);
      }
      range = new RangeRequest(Keys.endOfPrefix(namespace), range.to(), 1, revision);
      if (matching.size() == limit) {
        boolean last = page(range).entries().isEmpty();
        String next = last ? "" : token(matching.getLast(), revision);
        return new Page(matching, revision, next, -1);
      }
    }
  }

  private String token(Entry last, long revision) {
    return new ContinueToken(revision, last.key().substring(prefix.length())).text();
  }

  private RangeResult.Page page(RangeRequest range) {
    return switch (store.range(range)) {
      case RangeResult.Page page -> page;
      case RangeResult.NotYet(long current) ->
          throw Failures.tooLargeResourceVersion(range.revision(), current);
      case RangeResult.TooOld _ ->
          throw token == null ? Failures.expired(TOO_OLD_TO_LIST) : tooOldToContinue(token);
    };
  }

  private static StatusException tooOldToContinue(ContinueToken token) {
    String fresh = new ContinueToken(ContinueToken.INCONSISTENT, token.lastKey()).text();
    return new StatusException(new Status(410, "Expired", TOO_OLD_TO_CONTINUE, null, fresh));
  }
}
