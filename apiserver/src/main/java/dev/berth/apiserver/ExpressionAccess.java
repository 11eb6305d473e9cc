package dev.berth.apiserver;

import dev.berth.access.AccessControl;
import dev.berth.access.Action;
import dev.berth.access.Authorizer;
import dev.berth.cel.library.AccessCheck;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.selector.FieldSelector;
import dev.berth.model.selector.LabelSelector;
import dev.berth.model.user.User;
import java.util.List;

/** What expressions learn of what a user may do: the same that requests are checked by. */
record ExpressionAccess(AccessControl control, User user) implements AccessCheck {

  @Override
  public Decision decide(PathCheck path, String verb) {
    return decision(new Action.OnPath(verb, path.path()));
  }

  @Override
  public Decision decide(ResourceCheck resource, String verb) {
    Action.Selectors selectors;
    try {
      selectors =
          new Action.Selectors(
              resource.fieldSelector().isEmpty()
                  ? FieldSelector.EVERYTHING
                  : FieldSelector.parse(resource.fieldSelector()),
              resource.labelSelector().isEmpty()
                  ? LabelSelector.EVERYTHING
                  : LabelSelector.parse(resource.labelSelector()));
    } catch (IllegalArgumentException e) {
      // A selector that cannot be read narrows nothing: the check is for all objects.
      selectors = Action.Selectors.NONE;
    }
    return decision(
        new Action.OnResource(
            verb,
            new GroupResource(resource.group(), resource.resource()),
            resource.namespace(),
            resource.name(),
            resource.subresource(),
            selectors));
  }

  private Decision decision(Action action) {
    Authorizer.Decision decision = control.decide(user, action);
    return new Decision(decision instanceof Authorizer.Decision.Allowed, decision.reason(), "");
  }

  @Override
  public AccessCheck asServiceAccount(String namespace, String name) {
    return new ExpressionAccess(
        control,
        User.authenticated(
            "system:serviceaccount:" + namespace + ":" + name,
            List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace)));
  }
}
