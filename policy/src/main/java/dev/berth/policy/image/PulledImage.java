package dev.berth.policy.image;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An image that a node has pulled, and who may use it without its registry being asked again:
 *
 * <ul>
 *   <li>under a name by which it was pulled without a secret, every pod;
 *   <li>under a name by which it was pulled with a secret, pods that bring the same login, in
 *       whatever secret, or the same secret, whatever it holds by now. Both are noted, up to a
 *       hundred, so that it still holds when the other one has changed, too;
 *   <li>nobody else: their pods pull it with what they have, and the registry decides.
 * </ul>
 *
 * @param id as the runtime names it
 * @param byName by the name that pods used, without tag and digest
 */
public record PulledImage(String id, Instant updated, SortedMap<String, Access> byName) {
  private static final int MOST_NOTED = 100;
  private static final Comparator<PullSecret> ORDER =
      Comparator.comparing(PullSecret::namespace)
          .thenComparing(PullSecret::name)
          .thenComparing(PullSecret::uid);

  public PulledImage {
    byName = new TreeMap<>(byName);
  }

  /** One of which nobody knows yet with what it was pulled. */
  public static PulledImage unknown(String id, Instant now) {
    return new PulledImage(id, now, new TreeMap<>());
  }

  /** Who may use an image under one of its names: every pod, or those with one of the secrets. */
  public record Access(boolean isForAll, List<PullSecret> secrets) {
    static final Access ALL = new Access(true, List.of());

    public Access {
      secrets = List.copyOf(secrets);
    }
  }

  /**
   * Whether a pod may use an image, and what is known of it from then on.
   *
   * @param record the same object if nothing is new
   */
  public record Use(boolean isAllowed, PulledImage record) {}

  /** Whether it depends on a pod's secrets if that may use it under a name. */
  public boolean needsSecrets(String name) {
    Access access = byName.get(name);
    return access != null && !access.isForAll();
  }

  /**
   * Whether a pod may use it.
   *
   * @param name without tag and digest
   * @param secrets the pod's, for this image
   */
  public Use use(String name, List<PullSecret> secrets, Instant now) {
    Access access = byName.get(name);
    if (access == null) {
      return new Use(false, this);
    }
    if (access.isForAll()) {
      return new Use(true, this);
    }
    boolean hasRoom = access.secrets().size() < MOST_NOTED;
    for (PullSecret brought : secrets) {
      for (PullSecret known : access.secrets()) {
        boolean isSameLogin = !known.hash().isEmpty() && known.hash().equals(brought.hash());
        boolean isSameObject = known.isSameObject(brought);
        if (isSameLogin || (isSameObject && hasRoom)) {
          boolean isNew = !(isSameLogin && isSameObject) && hasRoom;
          return new Use(true, isNew ? pulled(name, Optional.of(brought), now) : this);
        }
      }
    }
    return new Use(false, this);
  }

  /**
   * The same after a pull.
   *
   * @param secret what it was pulled with; empty if with none
   * @return this if nothing is new
   */
  public PulledImage pulled(String name, Optional<PullSecret> secret, Instant now) {
    Access before = byName.getOrDefault(name, new Access(false, List.of()));
    if (before.isForAll()) {
      return this;
    }
    Access after = secret.map(each -> with(before, each)).orElse(Access.ALL);
    if (after.equals(before)) {
      return this;
    }
    SortedMap<String, Access> changed = new TreeMap<>(byName);
    changed.put(name, after);
    return new PulledImage(id, now, changed);
  }

  private static Access with(Access before, PullSecret secret) {
    List<PullSecret> secrets = new ArrayList<>(before.secrets());
    secrets.removeIf(secret::isSameObject);
    secrets.add(secret);
    secrets.sort(ORDER);
    return new Access(false, secrets);
  }
}
