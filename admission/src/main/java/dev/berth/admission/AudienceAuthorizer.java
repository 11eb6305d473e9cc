package dev.berth.admission;

import dev.berth.model.resource.ObjectName;
import dev.berth.model.user.User;

/** Knows who may have tokens of a service account for an audience that no pod of theirs names. */
@FunctionalInterface
public interface AudienceAuthorizer {
  boolean mayRequest(User user, String audience, ObjectName account);
}
