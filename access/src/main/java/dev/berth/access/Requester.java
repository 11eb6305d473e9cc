package dev.berth.access;

import dev.berth.model.user.User;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who a request counts as, and who sent it.
 *
 * @param user whose rights count, and whose name goes on what is done
 * @param impersonator who acts as that user; null if it is the user
 * @param constraint the verb by which they may, if only for some requests; empty otherwise
 */
public record Requester(User user, @Nullable User impersonator, String constraint) {

  public static Requester of(User user) {
    return new Requester(user, null, "");
  }

  /** Who proved who they are. */
  public User sender() {
    return impersonator == null ? user : impersonator;
  }

  public Optional<User> actingFor() {
    return impersonator == null ? Optional.empty() : Optional.of(user);
  }
}
