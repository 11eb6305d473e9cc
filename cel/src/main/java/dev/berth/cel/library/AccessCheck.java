package dev.berth.cel.library;

import dev.berth.cel.value.CelType;
import dev.berth.cel.value.TypedValue;

/** The value of {@code authorizer}: asks the server what somebody may do. */
public interface AccessCheck extends TypedValue {
  CelType TYPE = CelType.object("kubernetes.authorization.Authorizer");

  /** Whether a path that names no resource may be requested. */
  Decision decide(PathCheck path, String verb);

  /** Whether something may be done to a resource. */
  Decision decide(ResourceCheck resource, String verb);

  /** The same for a service account instead. */
  AccessCheck asServiceAccount(String namespace, String name);

  @Override
  default CelType celType() {
    return TYPE;
  }

  /** A path that is asked for. */
  record PathCheck(AccessCheck check, String path) implements TypedValue {
    static final CelType TYPE = CelType.object("kubernetes.authorization.PathCheck");

    Decision check(String verb) {
      return check.decide(this, verb);
    }

    @Override
    public CelType celType() {
      return TYPE;
    }
  }

  /** An API group, of which a resource is still to be named. */
  record GroupCheck(AccessCheck check, String group) implements TypedValue {
    static final CelType TYPE = CelType.object("kubernetes.authorization.GroupCheck");

    @Override
    public CelType celType() {
      return TYPE;
    }
  }

  /** Resources that are asked for; what is empty is not asked for. */
  record ResourceCheck(
      AccessCheck check,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name,
      String fieldSelector,
      String labelSelector)
      implements TypedValue {
    /** The type of {@code authorizer.requestResource}, too. */
    public static final CelType TYPE = CelType.object("kubernetes.authorization.ResourceCheck");

    static ResourceCheck of(GroupCheck group, String resource) {
      return new ResourceCheck(group.check(), group.group(), resource, "", "", "", "", "");
    }

    ResourceCheck withSubresource(String value) {
      return new ResourceCheck(
          check, group, resource, value, namespace, name, fieldSelector, labelSelector);
    }

    ResourceCheck withNamespace(String value) {
      return new ResourceCheck(
          check, group, resource, subresource, value, name, fieldSelector, labelSelector);
    }

    ResourceCheck withName(String value) {
      return new ResourceCheck(
          check, group, resource, subresource, namespace, value, fieldSelector, labelSelector);
    }

    ResourceCheck withFieldSelector(String value) {
      return new ResourceCheck(
          check, group, resource, subresource, namespace, name, value, labelSelector);
    }

    ResourceCheck withLabelSelector(String value) {
      return new ResourceCheck(
          check, group, resource, subresource, namespace, name, fieldSelector, value);
    }

    Decision check(String verb) {
      return check.decide(this, verb);
    }

    @Override
    public CelType celType() {
      return TYPE;
    }
  }

  /**
   * What was decided.
   *
   * @param error empty unless it could not be decided
   */
  record Decision(boolean allowed, String reason, String error) implements TypedValue {
    static final CelType TYPE = CelType.object("kubernetes.authorization.Decision");

    boolean errored() {
      return !error.isEmpty();
    }

    @Override
    public CelType celType() {
      return TYPE;
    }
  }
}
