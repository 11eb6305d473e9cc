package dev.berth.policy.cloud;

/** What a cloud says when it is asked for the machine of a node. */
public sealed interface CloudAnswer {

  record Found(Machine machine) implements CloudAnswer {}

  /** There is none: it was removed, or never was. */
  record NotFound() implements CloudAnswer {}

  /** Nobody knows. Nothing may be done because of it. */
  record Failed(String why) implements CloudAnswer {}
}
