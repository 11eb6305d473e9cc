package dev.berth.access.token;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.kinds.resource.Resource;
import dev.berth.model.meta.Metadata;
import dev.berth.model.meta.Times;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.registry.Registry;
import dev.berth.registry.Stored;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tokens that new nodes join with, {@code id.secret}. They are secrets in {@code kube-system} that
 * an administrator makes; each says until when and whether it may be used here.
 */
public final class BootstrapTokens implements TokenVerifier {
  private static final Pattern TOKEN = Pattern.compile("([a-z0-9]{6})\\.([a-z0-9]{16})");
  private static final Pattern GROUP =
      Pattern.compile("system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]");
  private static final String TYPE = "bootstrap.kubernetes.io/token";
  private static final String NAMESPACE = "kube-system";
  private static final String BOOTSTRAPPERS = "system:bootstrappers";

  private final Registry registry;
  private final Resource secrets;
  private final String audience;

  public BootstrapTokens(Registry registry, String audience) {
    this.registry = registry;
    this.secrets = registry.catalog().get("", "v1", "secrets");
    this.audience = audience;
  }

  @Override
  public Verdict verify(String token, List<String> audiences) {
    Matcher parts = TOKEN.matcher(token);
    if (!parts.matches()) {
      return new Verdict.Unknown();
    }
    String id = parts.group(1);
    ObjectName name = new ObjectName(NAMESPACE, "bootstrap-token-" + id);
    Optional<Stored> secret = registry.find(secrets, name);
    if (secret.isEmpty() || !isUsable(secret.get().tree(), id, parts.group(2))) {
      return new Verdict.Unknown();
    }
    return groups(secret.get().tree().object("data"))
        .map(groups -> new User("system:bootstrap:" + id, groups))
        .map(user -> Tokens.forServerOnly(user, audiences, audience))
        .orElseGet(Verdict.Unknown::new);
  }

  private boolean isUsable(JsonObject secret, String id, String tokenSecret) {
    JsonObject data = secret.object("data");
    return secret.text("type", "").equals(TYPE)
        && !Metadata.of(secret).isBeingDeleted()
        && equal(text(data, "token-secret"), tokenSecret)
        && text(data, "token-id").equals(id)
        && text(data, "usage-bootstrap-authentication").equals("true")
        && !isExpired(text(data, "expiration"));
  }

  /** In a time that does not tell how much of it was right. */
  private static boolean equal(String one, String other) {
    return MessageDigest.isEqual(one.getBytes(UTF_8), other.getBytes(UTF_8));
  }

  /** What cannot be read as a time has passed. */
  private boolean isExpired(String expiration) {
    if (expiration.isEmpty()) {
      return false;
    }
    try {
      return !registry.now().isBefore(Times.parse(expiration));
    } catch (IllegalArgumentException _) {
      return true;
    }
  }

  /** None if one of them is a group that bootstrap tokens may not be in. */
  private static Optional<List<String>> groups(JsonObject data) {
    List<String> groups = new ArrayList<>(List.of(BOOTSTRAPPERS));
    for (String group : text(data, "auth-extra-groups").split(",", -1)) {
      if (group.isEmpty()) {
        continue;
      }
      if (!GROUP.matcher(group).matches()) {
        return Optional.empty();
      }
      groups.add(group);
    }
    return Optional.of(groups);
  }

  private static String text(JsonObject data, String key) {
    try {
      return new String(Base64.getMimeDecoder().decode(data.text(key, "")), UTF_8);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }
}
