package dev.berth.access.token;

import dev.berth.access.Authenticator;
import dev.berth.http.Exchange;
import dev.berth.model.user.User;
import java.util.ArrayList;
import java.util.List;

/**
 * Knows clients by the bearer tokens that they send.
 *
 * @param audience the server itself, for whom tokens must be good
 */
public record Tokens(List<TokenVerifier> verifiers, String audience) implements Authenticator {
  private static final String SCHEME = "bearer";
  private static final String INVALID = "invalid bearer token";

  public Tokens {
    verifiers = List.copyOf(verifiers);
  }

  @Override
  public Answer authenticate(Exchange exchange) {
    String[] words = exchange.header("Authorization").orElse("").strip().split(" ", 3);
    if (words.length >= 2 && words[0].equalsIgnoreCase(SCHEME) && !words[1].isEmpty()) {
      return answer(words[1]);
    }
    return switch (WebSocketToken.of(exchange)) {
      case WebSocketToken.None _ -> new Answer.NoProof();
      case WebSocketToken.Sent(String token) -> answer(token);
      case WebSocketToken.Malformed(String why) -> new Answer.Rejected(why);
    };
  }

  private Answer answer(String token) {
    return switch (verify(token, List.of(audience))) {
      case TokenVerifier.Verdict.Known(User user, List<String> _) -> new Answer.Known(user);
      case TokenVerifier.Verdict.Rejected(String why) -> new Answer.Rejected(why);
      case TokenVerifier.Verdict.Unknown _ -> new Answer.Rejected(INVALID);
    };
  }

  /** Whose a token is; one that nobody knows is rejected. */
  public TokenVerifier.Verdict verify(String token, List<String> audiences) {
    List<String> problems = new ArrayList<>(List.of(INVALID));
    for (TokenVerifier verifier : verifiers) {
      switch (verifier.verify(token, audiences)) {
        case TokenVerifier.Verdict.Known known -> {
          return new TokenVerifier.Verdict.Known(known.user().authenticated(), known.audiences());
        }
        case TokenVerifier.Verdict.Rejected(String why) -> problems.add(why);
        case TokenVerifier.Verdict.Unknown _ -> {}
      }
    }
    return new TokenVerifier.Verdict.Rejected(
        problems.size() == 1 ? INVALID : "[" + String.join(", ", problems) + "]");
  }

  /** Of the audiences asked for, those that a token is good for which is for the server alone. */
  public static TokenVerifier.Verdict forServerOnly(User user, List<String> asked, String server) {
    return asked.contains(server)
        ? new TokenVerifier.Verdict.Known(user, List.of(server))
        : new TokenVerifier.Verdict.Unknown();
  }
}
