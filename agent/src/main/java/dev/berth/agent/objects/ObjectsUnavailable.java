package dev.berth.agent.objects;

/**
 * Whether there is an object is not known: the server does not answer, or does not let this node
 * see it. The message is for people.
 */
public final class ObjectsUnavailable extends Exception {
  private static final long serialVersionUID = 1;

  public ObjectsUnavailable(String message) {
    super(message);
  }
}
