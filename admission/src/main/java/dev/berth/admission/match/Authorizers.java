package dev.berth.admission.match;

import dev.berth.cel.library.AccessCheck;
import dev.berth.model.user.User;

/** Gives expressions the means to ask what a user may do. */
@FunctionalInterface
public interface Authorizers {
  /** Where nobody may do anything that an expression asks about. */
  Authorizers NOBODY = _ -> new Nobody();

  AccessCheck of(User user);

  /** Somebody who may do nothing. */
  final class Nobody implements AccessCheck {
    private static final Decision NO = new Decision(false, "", "");

    private Nobody() {}

    @Override
    public Decision decide(PathCheck path, String verb) {
      return NO;
    }

    @Override
    public Decision decide(ResourceCheck resource, String verb) {
      return NO;
    }

    @Override
    public AccessCheck asServiceAccount(String namespace, String name) {
      return this;
    }
  }
}
