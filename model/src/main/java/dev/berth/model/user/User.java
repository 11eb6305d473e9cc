package dev.berth.model.user;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who sends a request.
 *
 * @param uid tells users of the same name apart; mostly empty
 * @param extra what else is known of the user, such as the pod that its token is bound to
 */
public record User(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  public static final String MASTERS = "system:masters";
  public static final String AUTHENTICATED = "system:authenticated";
  public static final String UNAUTHENTICATED = "system:unauthenticated";
  public static final String ANONYMOUS_NAME = "system:anonymous";

  /** The key of what identifies the proof that a user gave. */
  public static final String CREDENTIAL_ID = "authentication.kubernetes.io/credential-id";

  /** Who proves nothing. */
  public static final User ANONYMOUS = new User(ANONYMOUS_NAME, List.of(UNAUTHENTICATED));

  /** The server itself. */
  public static final User SERVER = authenticated("system:apiserver", List.of(MASTERS));

  public User {
    groups = List.copyOf(groups);
    Map<String, List<String>> sorted = new TreeMap<>();
    extra.forEach((key, values) -> sorted.put(key, List.copyOf(values)));
    extra = Collections.unmodifiableMap(sorted);
  }

  public User(String name, List<String> groups) {
    this(name, "", groups, Map.of());
  }

  /** A user that proved who it is. */
  public static User authenticated(String name, List<String> groups) {
    return new User(name, groups).authenticated();
  }

  /** The same, among those who proved who they are. */
  public User authenticated() {
    if (groups.contains(AUTHENTICATED) || groups.contains(UNAUTHENTICATED)) {
      return this;
    }
    List<String> all = new ArrayList<>(groups);
    all.add(AUTHENTICATED);
    return new User(name, uid, all, extra);
  }

  public User withUid(String id) {
    return new User(name, id, groups, extra);
  }

  public User withExtra(String key, String value) {
    Map<String, List<String>> more = new TreeMap<>(extra);
    more.put(key, List.of(value));
    return new User(name, uid, groups, more);
  }

  /** Kubernetes' {@code UserInfo}. */
  public JsonObject toTree() {
    JsonObject.Builder tree = new JsonObject.Builder().put("username", name);
    if (!uid.isEmpty()) {
      tree.put("uid", uid);
    }
    if (!groups.isEmpty()) {
      tree.put("groups", JsonArray.copyOf(groups));
    }
    if (!extra.isEmpty()) {
      JsonObject.Builder all = new JsonObject.Builder();
      extra.forEach((key, values) -> all.put(key, JsonArray.copyOf(values)));
      tree.put("extra", all.build());
    }
    return tree.build();
  }

  /** By hand: what Java makes of a record is a chain of method handles, slow for long. */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof User that
            && name.equals(that.name)
            && uid.equals(that.uid)
            && groups.equals(that.groups)
            && extra.equals(that.extra));
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * name.hashCode() + uid.hashCode()) + groups.hashCode())
        + extra.hashCode();
  }
}
