package dev.berth.access.token;

import dev.berth.model.user.User;
import java.util.List;

/** Says whose a bearer token is. Several are asked in turn until one knows the token. */
public interface TokenVerifier {

  /**
   * Verifies a token.
   *
   * @param audiences for whom it must be good; one of them is enough
   */
  Verdict verify(String token, List<String> audiences);

  /** Whose it is. */
  sealed interface Verdict {
    /** A good one, for these of the audiences that were asked for. */
    record Known(User user, List<String> audiences) implements Verdict {}

    /** A bad one of the kind that is looked at. */
    record Rejected(String why) implements Verdict {}

    /** Nothing that is known here. */
    record Unknown() implements Verdict {}
  }
}
