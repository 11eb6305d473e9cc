package dev.berth.policy.image;

/**
 * A secret that an image was pulled with.
 *
 * @param hash of the login that it held then; no login can be told from it
 */
public record PullSecret(String uid, String namespace, String name, String hash) {

  /** Whether it is the same object, whatever it holds by now. */
  boolean isSameObject(PullSecret other) {
    return uid.equals(other.uid) && namespace.equals(other.namespace) && name.equals(other.name);
  }
}
