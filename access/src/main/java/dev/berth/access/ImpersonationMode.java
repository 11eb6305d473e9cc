package dev.berth.access;

import dev.berth.model.resource.NameRules;
import dev.berth.model.user.NodeUsers;
import dev.berth.model.user.ServiceAccountUsers;
import dev.berth.model.user.User;
import java.util.List;
import java.util.Optional;

/**
 * The ways of acting as somebody else, in the order in which they are tried. All but the last are
 * constrained: the sender also needs the right to do this very thing as such a user. As nodes and
 * service accounts one may only name the user; the groups follow.
 */
enum ImpersonationMode {
  /** As the node that the sender's own pod runs on. */
  ASSOCIATED_NODE("associated-node") {
    @Override
    boolean applies(WantedUser wanted, User sender) {
      Optional<String> node = nodeName(wanted);
      return node.isPresent()
          && ServiceAccountUsers.account(sender.name()).isPresent()
          && sender
              .extra()
              .getOrDefault("authentication.kubernetes.io/node-name", List.of())
              .equals(List.of(node.get()));
    }
  },
  ARBITRARY_NODE("arbitrary-node") {
    @Override
    boolean applies(WantedUser wanted, User sender) {
      return nodeName(wanted).isPresent();
    }
  },
  SERVICE_ACCOUNT("serviceaccount") {
    @Override
    boolean applies(WantedUser wanted, User sender) {
      return wanted.isNameOnly() && ServiceAccountUsers.account(wanted.name()).isPresent();
    }
  },
  /** As anybody who is neither. */
  USER_INFO("user-info") {
    @Override
    boolean applies(WantedUser wanted, User sender) {
      return NodeUsers.nodeName(wanted.name()).filter(ImpersonationMode::isNodeName).isEmpty()
          && ServiceAccountUsers.account(wanted.name()).isEmpty();
    }
  },
  /** As anybody, for whatever that user may do. */
  UNCONSTRAINED("") {
    @Override
    boolean applies(WantedUser wanted, User sender) {
      return true;
    }
  };

  private final String word;

  ImpersonationMode(String word) {
    this.word = word;
  }

  abstract boolean applies(WantedUser wanted, User sender);

  boolean isConstrained() {
    return this != UNCONSTRAINED;
  }

  /** What one must be allowed to do with each part of the identity. */
  String verb() {
    return isConstrained() ? "impersonate:" + word : "impersonate";
  }

  /** What one must be allowed to do with the object of the request. */
  Action on(Action action) {
    return action.withVerb("impersonate-on:" + word + ":" + action.verb());
  }

  private static Optional<String> nodeName(WantedUser wanted) {
    return wanted.isNameOnly()
        ? NodeUsers.nodeName(wanted.name()).filter(ImpersonationMode::isNodeName)
        : Optional.empty();
  }

  private static boolean isNodeName(String name) {
    return NameRules.dns1123Subdomain(name).isEmpty();
  }
}
