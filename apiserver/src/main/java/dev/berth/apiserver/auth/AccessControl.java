package dev.berth.apiserver.auth;

import dev.berth.apiserver.http.Exchange;
import dev.berth.apiserver.status.Failures;
import dev.berth.apiserver.status.StatusException;
import dev.berth.model.resource.GroupResource;
import java.util.List;

/**
 * The gate that every request goes through: first who, then whether. RBAC, the node authorizer and
 * tokens are further elements of the two lists.
 */
public record AccessControl(List<Authenticator> authenticators, List<Authorizer> authorizers) {

  public AccessControl {
    authenticators = List.copyOf(authenticators);
    authorizers = List.copyOf(authorizers);
  }

  /** Who sends the request; anonymous if nothing proves anything, refused if a proof is bad. */
  public User identify(Exchange exchange) {
    for (Authenticator authenticator : authenticators) {
      switch (authenticator.authenticate(exchange)) {
        case Authenticator.Answer.Known(User user) -> {
          return user;
        }
        case Authenticator.Answer.Rejected _ -> throw Failures.unauthorized();
        case Authenticator.Answer.NoProof _ -> {}
      }
    }
    return User.ANONYMOUS;
  }

  /** Refuses what the user may not do. */
  public void check(User user, Action action) {
    for (Authorizer authorizer : authorizers) {
      switch (authorizer.authorize(user, action)) {
        case ALLOWED -> {
          return;
        }
        case DENIED -> throw forbidden(user, action);
        case NO_OPINION -> {}
      }
    }
    throw forbidden(user, action);
  }

  private static StatusException forbidden(User user, Action action) {
    String begin = "User \"" + user.name() + "\" cannot " + action.verb();
    return switch (action) {
      case Action.OnPath onPath ->
          Failures.forbiddenPath(begin + " path \"" + onPath.path() + "\"");
      case Action.OnResource onResource -> {
        GroupResource resource = onResource.resource();
        String what =
            onResource.subresource().isEmpty()
                ? resource.resource()
                : resource.resource() + "/" + onResource.subresource();
        String where =
            onResource.namespace().isEmpty()
                ? " at the cluster scope"
                : " in the namespace \"" + onResource.namespace() + "\"";
        yield Failures.forbidden(
            resource,
            onResource.name(),
            begin + " resource \"" + what + "\" in API group \"" + resource.group() + "\"" + where);
      }
    };
  }
}
