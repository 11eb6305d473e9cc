package dev.berth.apiserver.auth;

/** Decides what users may do. Several are asked in turn until one has an opinion. */
@FunctionalInterface
public interface Authorizer {

  Decision authorize(User user, Action action);

  /** What is decided. */
  enum Decision {
    ALLOWED,
    DENIED,
    NO_OPINION
  }
}
