package dev.berth.access.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.access.BoundedCache;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonException;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.time.Time;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Asks somebody else whose a token is. The answer, also that it is nobody's, holds for a while; a
 * failure to answer is asked about anew. Of those who ask about the same token at the same time one
 * asks, and the others wait for that answer.
 */
public final class WebhookTokens implements TokenVerifier {
  private static final String API_VERSION = "authentication.k8s.io/v1";
  private static final String KIND = "TokenReview";
  private static final int REMEMBERED = 10_000;

  private final TokenReviewer reviewer;
  private final Duration ttl;
  private final Time time;
  private final String server;
  private final BoundedCache<ByteBuffer, Answer> answers = new BoundedCache<>(REMEMBERED);
  private final ConcurrentMap<ByteBuffer, CompletableFuture<Verdict>> asking =
      new ConcurrentHashMap<>();

  /** An answer, and until when on the monotonic clock it holds. */
  private record Answer(Verdict verdict, Instant until) {}

  /**
   * @param ttl how long an answer holds
   * @param server the audience of this server, for which a token is good of which the answer does
   *     not say for whom it is
   */
  public WebhookTokens(TokenReviewer reviewer, Duration ttl, Time time, String server) {
    this.reviewer = reviewer;
    this.ttl = ttl;
    this.time = time;
    this.server = server;
  }

  @Override
  public Verdict verify(String token, List<String> audiences) {
    ByteBuffer key = digest(token, audiences);
    Optional<Answer> known =
        answers.get(key).filter(answer -> time.monotonicNow().isBefore(answer.until()));
    if (known.isPresent()) {
      return known.get().verdict();
    }
    CompletableFuture<Verdict> mine = new CompletableFuture<>();
    CompletableFuture<Verdict> other = asking.putIfAbsent(key, mine);
    if (other != null) {
      return other.join();
    }
    Verdict verdict = new Verdict.Rejected("the token webhook failed");
    try {
      verdict = ask(token, audiences, key);
      return verdict;
    } finally {
      asking.remove(key);
      mine.complete(verdict);
    }
  }

  private Verdict ask(String token, List<String> audiences, ByteBuffer key) {
    try {
      Verdict verdict = verdict(reviewer.review(review(token, audiences)), audiences);
      if (!(verdict instanceof Verdict.Rejected)) {
        answers.put(key, new Answer(verdict, time.monotonicNow().plus(ttl)));
      }
      return verdict;
    } catch (IOException e) {
      return new Verdict.Rejected("the token webhook did not answer: " + e.getMessage());
    } catch (JsonException e) {
      return new Verdict.Rejected("the token webhook answered nonsense: " + e.getMessage());
    }
  }

  private static JsonObject review(String token, List<String> audiences) {
    return new JsonObject.Builder()
        .put("kind", KIND)
        .put("apiVersion", API_VERSION)
        .put("metadata", JsonObject.EMPTY)
        .put(
            "spec",
            new JsonObject.Builder()
                .put("token", token)
                .put("audiences", JsonArray.copyOf(audiences))
                .build())
        .build();
  }

  private Verdict verdict(JsonObject answer, List<String> audiences) {
    if (!API_VERSION.equals(answer.get("apiVersion")) || !KIND.equals(answer.get("kind"))) {
      throw new JsonException(
          "it should be a %s of %s, and is a %s of %s"
              .formatted(KIND, API_VERSION, answer.get("kind"), answer.get("apiVersion")));
    }
    JsonObject status = answer.object("status");
    String error = status.text("error", "");
    if (!status.flag("authenticated", false)) {
      return error.isEmpty() ? new Verdict.Unknown() : new Verdict.Rejected(error);
    }
    JsonArray said = status.array("audiences");
    List<String> good = said.isEmpty() ? List.of(server) : said.texts();
    List<String> wanted = audiences.stream().filter(good::contains).toList();
    return wanted.isEmpty()
        ? new Verdict.Unknown()
        : new Verdict.Known(user(status.object("user")), wanted);
  }

  private static User user(JsonObject tree) {
    String name = tree.text("username", "");
    if (name.isEmpty()) {
      throw new JsonException("status.user.username is empty");
    }
    Map<String, List<String>> extra = new HashMap<>();
    JsonObject given = tree.object("extra");
    given.names().forEach(key -> extra.put(key, given.array(key).texts()));
    return new User(name, tree.text("uid", ""), tree.array("groups").texts(), extra);
  }

  /** Tokens themselves are not kept. */
  private static ByteBuffer digest(String token, List<String> audiences) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(token.getBytes(UTF_8));
      for (String audience : audiences) {
        digest.update((byte) 0);
        digest.update(audience.getBytes(UTF_8));
      }
      return ByteBuffer.wrap(digest.digest());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }
}
