package dev.berth.agent.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.http.Exchange;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.pki.ClientCertificates;
import dev.berth.time.Time;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Who may use the node's port: whoever has a certificate of the cluster's authority or a token that
 * the API server knows, and may do it by the API server's word. Nobody is let in without a proof.
 *
 * <p>Answers are remembered for as long as {@link NodeServerConfig.Memory} says. Failures to ask
 * are not remembered.
 */
final class NodeAccess {
  private static final GroupVersionResource TOKEN_REVIEWS =
      new GroupVersionResource("authentication.k8s.io", "v1", "tokenreviews");
  private static final int REMEMBERED = 1_000;
  private static final String BEARER = "bearer ";

  private final Api api;
  private final ClientCertificates certificates;
  private final NodeServerConfig.Memory memory;
  private final Time time;
  private final String nodeName;
  private final ExpiringCache<String, Optional<User>> tokens;
  private final ExpiringCache<Question, Boolean> answers;

  /** What is asked of the API server. */
  private record Question(User user, String verb, String subresource) {}

  /** What comes of asking. */
  sealed interface Permission {
    record Allowed() implements Permission {}

    record Unauthorized() implements Permission {}

    record Forbidden(String message) implements Permission {}

    /** The API server could not be asked. */
    record Failed(String message) implements Permission {}
  }

  NodeAccess(
      Api api,
      ClientCertificates certificates,
      NodeServerConfig.Memory memory,
      Time time,
      String nodeName) {
    this.api = api;
    this.certificates = certificates;
    this.memory = memory;
    this.time = time;
    this.nodeName = nodeName;
    this.tokens = new ExpiringCache<>(REMEMBERED, time);
    this.answers = new ExpiringCache<>(REMEMBERED, time);
  }

  /** Whether a request may be answered; it blocks while the API server is asked. */
  Permission check(Exchange exchange) {
    Optional<User> user;
    try {
      user = user(exchange);
    } catch (NoAnswerException e) {
      return new Permission.Unauthorized();
    }
    if (user.isEmpty()) {
      return new Permission.Unauthorized();
    }
    exchange.markAuthenticated();
    String verb = NodeSubresources.verb(exchange.method());
    List<String> subresources = NodeSubresources.of(exchange.path());
    for (String subresource : subresources) {
      try {
        if (isAllowed(new Question(user.get(), verb, subresource))) {
          return new Permission.Allowed();
        }
      } catch (NoAnswerException e) {
        return new Permission.Failed(
            "Authorization error (user=%s, verb=%s, resource=nodes, subresource=%s)"
                .formatted(user.get().name(), verb, subresource));
      }
    }
    return new Permission.Forbidden(
        "Forbidden (user=%s, verb=%s, resource=nodes, subresource(s)=[%s])\n"
            .formatted(user.get().name(), verb, String.join(" ", subresources)));
  }

  private Optional<User> user(Exchange exchange) throws NoAnswerException {
    if (certificates.verify(exchange.peerCertificates(), time.now())
        instanceof ClientCertificates.Verdict.Valid(String name, List<String> groups)) {
      return Optional.of(User.authenticated(name, groups));
    }
    String header = exchange.header("Authorization").orElse("").strip();
    if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
      return Optional.empty();
    }
    String token = header.substring(BEARER.length()).strip();
    return token.isEmpty() ? Optional.empty() : ofToken(token);
  }

  private Optional<User> ofToken(String token) throws NoAnswerException {
    String key = hash(token);
    Optional<Optional<User>> known = tokens.get(key);
    if (known.isPresent()) {
      return known.get();
    }
    JsonObject review = review("TokenReview", "authentication.k8s.io/v1", "token", token);
    JsonObject status = ask(TOKEN_REVIEWS, review).object("status");
    Optional<User> user =
        status.flag("authenticated", false)
            ? Optional.of(user(status.object("user")))
            : Optional.empty();
    tokens.put(key, user, user.isPresent() ? memory.tokens() : memory.denied());
    return user;
  }

  private static JsonObject review(String kind, String version, String field, Object value) {
    return JsonObject.of("apiVersion", version)
        .with("kind", kind)
        .with("metadata", JsonObject.EMPTY)
        .with("spec", JsonObject.of(field, value));
  }

  private static User user(JsonObject tree) {
    Map<String, List<String>> extra = new TreeMap<>();
    JsonObject values = tree.object("extra");
    values.names().forEach(name -> extra.put(name, values.array(name).texts()));
    return new User(
        tree.text("username", ""), tree.text("uid", ""), tree.array("groups").texts(), extra);
  }

  private boolean isAllowed(Question question) throws NoAnswerException {
    Optional<Boolean> known = answers.get(question);
    if (known.isPresent()) {
      return known.get();
    }
    User user = question.user();
    JsonObject attributes =
        JsonObject.of("verb", question.verb())
            .with("version", "v1")
            .with("resource", "nodes")
            .with("subresource", question.subresource())
            .with("name", nodeName);
    JsonObject asked = user.toTree();
    JsonObject spec =
        asked
            .without("username")
            .with("user", asked.text("username", ""))
            .with("resourceAttributes", attributes);
    JsonObject review =
        review("SubjectAccessReview", "authorization.k8s.io/v1", "user", user.name())
            .with("spec", spec);
    boolean allowed =
        ask(Resources.SUBJECT_ACCESS_REVIEWS, review).object("status").flag("allowed", false);
    answers.put(question, allowed, allowed ? memory.allowed() : memory.denied());
    return allowed;
  }

  private JsonObject ask(GroupVersionResource reviews, JsonObject review) throws NoAnswerException {
    return switch (api.create(reviews, review)) {
      case ApiResult.Done(JsonObject answer) -> answer;
      case ApiResult.Failure failure -> throw new NoAnswerException(failure.message());
    };
  }

  /** So that nothing in memory holds more tokens than needed. */
  private static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("This Java has no SHA-256.", e);
    }
  }

  private static final class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    NoAnswerException(String message) {
      super(message);
    }
  }
}
