package dev.berth.serving.rest;

import dev.berth.model.resource.FieldError;
import dev.berth.model.resource.GroupKind;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.registry.ListOptions;
import dev.berth.registry.Registry;
import dev.berth.registry.Selection;
import dev.berth.registry.WatchOptions;
import dev.berth.registry.status.Failures;
import dev.berth.serving.request.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the parameters of lists and watches. */
final class Selections {
  private static final GroupKind LIST_OPTIONS = new GroupKind("meta.k8s.io", "ListOptions");

  /** What Kubernetes does not cache, and so reads from its store by pages. */
  private static final Set<GroupKind> UNCACHED =
      Set.of(new GroupKind("", "Event"), new GroupKind("events.k8s.io", "Event"));

  private static final String NAME = "metadata.name";
  private static final String VERSION = "resourceVersion";
  private static final String MATCH = "resourceVersionMatch";
  private static final String INITIAL_EVENTS = "sendInitialEvents";
  private static final String EXACT = "Exact";
  private static final String NOT_OLDER_THAN = "NotOlderThan";

  private Selections() {}

  static Selection selection(Call call) {
    Query query = call.query();
    try {
      FieldSelector fields = FieldSelector.parse(query.text("fieldSelector"));
      if (call.hasName()) {
        fields = named(fields, call.name().name());
      }
      return new Selection(
          call.namespace(), LabelSelector.parse(query.text("labelSelector")), fields);
    } catch (SelectorException e) {
      throw Failures.badRequest(e.getMessage() == null ? "invalid selector" : e.getMessage());
    }
  }

  /** Of the one object whose name the path says; a selector may say no other. */
  private static FieldSelector named(FieldSelector fields, String name) {
    if (fields.terms().isEmpty()) {
      return new FieldSelector(List.of(new FieldSelector.Term(NAME, false, name)));
    }
    if (!fields.exactValue(NAME).equals(Optional.of(name))) {
      throw Failures.badRequest("fieldSelector metadata.name doesn't match requested name");
    }
    return fields;
  }

  static ListOptions list(Call call) {
    Query query = call.query();
    String version = query.text(VERSION);
    String match = query.text(MATCH);
    String token = query.text("continue");
    long limit = Math.max(0, query.integer("limit").orElse(0));
    var _ = query.integer("timeoutSeconds");
    if (!token.isEmpty() && !version.isEmpty() && !version.equals("0")) {
      throw Failures.badRequest("specifying resource version is not allowed when using continue");
    }
    checkMatch(match, version, token, query.has(INITIAL_EVENTS));
    if (!version.isEmpty() && !RequestOptions.isRevision(version)) {
      throw Failures.badRequest(
          "invalid resource version: " + RequestOptions.malformedRevision(version));
    }
    if (version.equals("0") && token.isEmpty() && !UNCACHED.contains(call.resource().groupKind())) {
      // Kubernetes answers from its cache then, which knows no pages.
      limit = 0;
    }
    return new ListOptions(
        selection(call),
        (int) Math.min(limit, Integer.MAX_VALUE),
        token,
        at(version, match, limit > 0));
  }

  /** Which revision a list is read at; see Kubernetes' table of the two parameters. */
  private static ListOptions.At at(String version, String match, boolean limited) {
    long revision = revision(version);
    if (version.isEmpty() || revision == 0) {
      return new ListOptions.At.Latest();
    }
    return match.equals(EXACT) || (match.isEmpty() && limited)
        ? new ListOptions.At.Exactly(revision)
        : new ListOptions.At.NotOlderThan(revision);
  }

  private static void checkMatch(
      String match, String version, String token, boolean sendInitialEvents) {
    List<FieldError> errors = new ArrayList<>();
    if (!match.isEmpty()) {
      if (version.isEmpty()) {
        errors.add(
            FieldError.forbidden(
                MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
      }
      if (!token.isEmpty()) {
        errors.add(
            FieldError.forbidden(
                MATCH, "resourceVersionMatch is forbidden when continue is provided"));
      }
      if (!match.equals(EXACT) && !match.equals(NOT_OLDER_THAN)) {
        errors.add(FieldError.notSupported(MATCH, match, List.of(EXACT, NOT_OLDER_THAN, "")));
      }
      if (match.equals(EXACT) && version.equals("0")) {
        errors.add(
            FieldError.forbidden(
                MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
      }
    }
    if (sendInitialEvents) {
      errors.add(FieldError.forbidden(INITIAL_EVENTS, "sendInitialEvents is forbidden for list"));
    }
    check(errors);
  }

  /**
   * Whether a watch begins with what there is, and says where that ends: if it asks for that, or
   * asks to begin anywhere.
   */
  static boolean sendsInitialEvents(Call call) {
    Query query = call.query();
    if (query.has(INITIAL_EVENTS) || query.has(MATCH)) {
      return query.flag(INITIAL_EVENTS);
    }
    return query.flag("watch") && Set.of("", "0").contains(query.text(VERSION));
  }

  static WatchOptions watch(Call call) {
    Query query = call.query();
    String version = query.text(VERSION);
    long revision = revision(version);
    String match = query.text(MATCH);
    boolean chooses = query.has(INITIAL_EVENTS);
    checkWatchMatch(match, chooses, query.has("continue"));
    WatchOptions.From from;
    if (chooses) {
      from =
          sendsInitialEvents(call)
              ? new WatchOptions.From.Present()
              : revision == 0
                  ? new WatchOptions.From.Next()
                  : new WatchOptions.From.After(revision);
    } else {
      from =
          revision == 0 ? new WatchOptions.From.Present() : new WatchOptions.From.After(revision);
    }
    return new WatchOptions(selection(call), from);
  }

  private static void checkWatchMatch(String match, boolean chooses, boolean continues) {
    List<FieldError> errors = new ArrayList<>();
    if (chooses && !match.equals(NOT_OLDER_THAN)) {
      errors.add(
          FieldError.forbidden(
              MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
    }
    if (!match.isEmpty()) {
      if (!chooses) {
        errors.add(
            FieldError.forbidden(
                MATCH,
                "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
      }
      if (!match.equals(NOT_OLDER_THAN)) {
        errors.add(FieldError.notSupported(MATCH, match, List.of(NOT_OLDER_THAN)));
      }
      if (continues) {
        errors.add(
            FieldError.forbidden(
                MATCH, "resourceVersionMatch is forbidden when continue is provided"));
      }
    }
    check(errors);
  }

  /**
   * Waits until a list or watch sees what it asks for: everything, if it names no revision. A
   * further page is of the revision of the first one.
   */
  static void awaitRecent(Call call, Registry registry) {
    String version = call.query().text(VERSION);
    if (call.query().text("continue").isEmpty() || !version.isEmpty()) {
      registry.awaitRecent(version);
    }
  }

  private static long revision(String text) {
    RequestOptions.checkRevision(text);
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException _) {
      return Long.MAX_VALUE;
    }
  }

  private static void check(List<FieldError> errors) {
    if (!errors.isEmpty()) {
      throw Failures.invalid(LIST_OPTIONS, "", errors);
    }
  }
}
