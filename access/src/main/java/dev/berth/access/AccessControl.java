package dev.berth.access;

import dev.berth.access.Authorizer.Decision;
import dev.berth.http.Exchange;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.user.User;
import dev.berth.registry.status.Failures;
import dev.berth.registry.status.StatusException;
import java.util.List;
import java.util.Optional;

/** The gate that every request goes through: first who, then whether. */
public record AccessControl(List<Authenticator> authenticators, List<Authorizer> authorizers) {

  public AccessControl {
    authenticators = List.copyOf(authenticators);
    authorizers = List.copyOf(authorizers);
  }

  /**
   * Who sends the request. The first proof that holds counts; a request with proofs of which none
   * does is refused, and one without any is anonymous.
   */
  public User identify(Exchange exchange) {
    boolean rejected = false;
    for (Authenticator authenticator : authenticators) {
      switch (authenticator.authenticate(exchange)) {
        case Authenticator.Answer.Known(User user) -> {
          return user;
        }
        case Authenticator.Answer.Rejected _ -> rejected = true;
        case Authenticator.Answer.NoProof _ -> {}
      }
    }
    if (rejected) {
      throw Failures.unauthorized();
    }
    return User.ANONYMOUS;
  }

  /**
   * Whom the sender of a request acts as, if that is somebody else.
   *
   * @param action what is requested: some may act as others for that only
   */
  public Requester requester(Exchange exchange, User sender, Action action) {
    return Impersonation.of(exchange, sender, action, this);
  }

  /** What is decided: the first opinion, or none with all that was said about that. */
  public Decision decide(User user, Action action) {
    StringBuilder reasons = new StringBuilder();
    for (Authorizer authorizer : authorizers) {
      Decision decision = authorizer.authorize(user, action);
      if (!(decision instanceof Decision.NoOpinion)) {
        return decision;
      }
      if (!decision.reason().isEmpty()) {
        reasons.append(reasons.isEmpty() ? "" : "\n").append(decision.reason());
      }
    }
    return reasons.isEmpty() ? Decision.NO_OPINION : new Decision.NoOpinion(reasons.toString());
  }

  public boolean allows(User user, Action action) {
    return decide(user, action) instanceof Decision.Allowed;
  }

  /**
   * Refuses what the user may not do.
   *
   * @return why they may, if there is anything to say
   */
  public String check(User user, Action action) {
    Decision decision = decide(user, action);
    if (!(decision instanceof Decision.Allowed)) {
      throw forbidden(user, action, decision.reason());
    }
    return decision.reason();
  }

  /** Why a user may not do something, if so. */
  Optional<StatusException> refusal(User user, Action action) {
    Decision decision = decide(user, action);
    return decision instanceof Decision.Allowed
        ? Optional.empty()
        : Optional.of(forbidden(user, action, decision.reason()));
  }

  static StatusException forbidden(User user, Action action, String reason) {
    String begin = "User \"" + user.name() + "\" cannot " + action.verb();
    String end = reason.isEmpty() ? "" : ": " + reason;
    return switch (action) {
      case Action.OnPath onPath ->
          Failures.forbiddenPath(begin + " path \"" + onPath.path() + "\"" + end);
      case Action.OnResource onResource -> {
        GroupResource resource = onResource.resource();
        String what = "\"" + onResource.path() + "\" in API group \"" + resource.group() + "\"";
        String where =
            onResource.namespace().isEmpty()
                ? " at the cluster scope"
                : " in the namespace \"" + onResource.namespace() + "\"";
        yield Failures.forbidden(
            resource, onResource.name(), begin + " resource " + what + where + end);
      }
    };
  }
}
