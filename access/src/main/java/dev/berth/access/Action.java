package dev.berth.access;

import dev.berth.model.resource.GroupResource;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;

/** What somebody wants to do. */
public sealed interface Action {
  String verb();

  /** The same with another verb. */
  Action withVerb(String other);

  /**
   * Something with objects.
   *
   * @param namespace empty at the scope of the cluster
   * @param name empty for a collection, unless a selector lets only one object of it through
   * @param subresource empty for the object itself
   * @param selectors which objects of a collection are meant
   */
  record OnResource(
      String verb,
      GroupResource resource,
      String namespace,
      String name,
      String subresource,
      Selectors selectors)
      implements Action {

    public OnResource(
        String verb, GroupResource resource, String namespace, String name, String subresource) {
      this(verb, resource, namespace, name, subresource, Selectors.NONE);
    }

    @Override
    public OnResource withVerb(String other) {
      return new OnResource(other, resource, namespace, name, subresource, selectors);
    }

    /** The resource as roles write it, with its subresource: {@code pods/log}. */
    public String path() {
      return subresource.isEmpty() ? resource.resource() : resource.resource() + "/" + subresource;
    }
  }

  /** Which objects of a collection somebody wants to do something with. */
  record Selectors(FieldSelector fields, LabelSelector labels) {
    public static final Selectors NONE =
        new Selectors(FieldSelector.EVERYTHING, LabelSelector.EVERYTHING);
  }

  /** Something with a path that is no resource's. */
  record OnPath(String verb, String path) implements Action {
    @Override
    public OnPath withVerb(String other) {
      return new OnPath(other, path);
    }
  }
}
