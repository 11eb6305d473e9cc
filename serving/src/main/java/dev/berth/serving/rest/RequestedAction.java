package dev.berth.serving.rest;

import dev.berth.access.Action;
import dev.berth.access.Action.Selectors;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.resource.NameRules;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.selector.SelectorException;
import dev.berth.serving.request.Query;
import dev.berth.serving.request.RequestPath;
import java.util.Set;
import java.util.function.Function;

/**
 * What a request for a resource wants to do, for those who decide whether it may. A list or watch
 * of the one object whose {@code metadata.name} the field selector says is about that object: who
 * may read it alone may watch it so.
 */
final class RequestedAction {
  private static final Set<String> WITH_SELECTORS = Set.of("list", "watch", "deletecollection");

  private RequestedAction() {}

  static Action on(String verb, RequestPath.OfResource path, Query query) {
    Selectors selectors = WITH_SELECTORS.contains(verb) ? selectors(query) : Selectors.NONE;
    String name = path.name();
    if (name.isEmpty() && !verb.equals("deletecollection")) {
      name =
          selectors
              .fields()
              .exactValue("metadata.name")
              .filter(said -> NameRules.pathSegment(said).isEmpty())
              .orElse("");
    }
    return new Action.OnResource(
        verb,
        new GroupResource(path.version().group(), path.resource()),
        path.namespace(),
        name,
        withoutProxiedPath(path.subresource()),
        selectors);
  }

  /** Who may proxy may proxy to any path. */
  private static String withoutProxiedPath(String subresource) {
    return subresource.startsWith("proxy/") ? "proxy" : subresource;
  }

  private static Selectors selectors(Query query) {
    String fields = query.text("fieldSelector");
    String labels = query.text("labelSelector");
    if (fields.isEmpty() && labels.isEmpty()) {
      return Selectors.NONE;
    }
    return new Selectors(
        parsed(fields, FieldSelector::parse, FieldSelector.EVERYTHING),
        parsed(labels, LabelSelector::parse, LabelSelector.EVERYTHING));
  }

  /** What cannot be read selects nothing less than everything; the endpoint will say so. */
  private static <T> T parsed(String text, Function<String, T> parse, T everything) {
    try {
      return parse.apply(text);
    } catch (SelectorException _) {
      return everything;
    }
  }
}
