package dev.berth.policy.image;

import dev.berth.model.core.RegistrySecret;
import dev.berth.model.resource.NameHash;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The logins of pull secrets, by what they are for: a registry, or a path in one. Which of them an
 * image is pulled with:
 *
 * <ul>
 *   <li>{@code https://} in front and {@code /v1/} or {@code /v2/} behind the registry do not
 *       matter.
 *   <li>Ports are equal, the path is a prefix, and hosts have as many parts, each of which may be
 *       {@code *} or have such in it.
 *   <li>All that match are tried, the most specific first.
 *   <li>What is for {@code index.docker.io} is for all images of docker.io, if nothing else is.
 * </ul>
 */
public final class RegistryLogins {
  private static final String DOCKER = "index.docker.io";

  private final Map<String, List<RegistryLogin>> byPlace =
      new TreeMap<>(Comparator.<String>naturalOrder().reversed());

  /** Those of secrets, in order. */
  public static RegistryLogins of(List<RegistrySecret> secrets) {
    RegistryLogins logins = new RegistryLogins();
    for (RegistrySecret secret : secrets) {
      secret.logins().forEach(each -> logins.add(each.place(), login(secret, each)));
    }
    return logins;
  }

  /** Those that a node has for all of its pods, which are in no secret. */
  public static RegistryLogins ofNode(List<RegistrySecret.Login> all) {
    RegistryLogins logins = new RegistryLogins();
    all.forEach(
        each -> logins.add(each.place(), new RegistryLogin(each.username(), each.password())));
    return logins;
  }

  private void add(String place, RegistryLogin login) {
    byPlace.computeIfAbsent(key(place), _ -> new ArrayList<>()).add(login);
  }

  private static RegistryLogin login(RegistrySecret secret, RegistrySecret.Login login) {
    // No user's name has a colon.
    String hash = NameHash.sha256(login.username() + ":" + login.password());
    return new RegistryLogin(
        login.username(),
        login.password(),
        Optional.of(
            new PullSecret(secret.uid(), secret.name().namespace(), secret.name().name(), hash)));
  }

  private static String key(String place) {
    String plain = place.replaceFirst("^https?://", "");
    int slash = plain.indexOf('/');
    if (slash < 0) {
      return plain;
    }
    String path = plain.substring(slash);
    if (path.startsWith("/v1/") || path.startsWith("/v2/")) {
      path = path.substring(3);
    }
    return plain.substring(0, slash) + (path.equals("/") ? "" : path);
  }

  /**
   * Those to try for an image; none if it is to be pulled without.
   *
   * @param repository in full, such as {@code docker.io/library/nginx}
   */
  public List<RegistryLogin> forRepository(String repository) {
    List<RegistryLogin> found = new ArrayList<>();
    byPlace.forEach((place, logins) -> {
      if (matches(place, repository)) {
        found.addAll(logins);
      }
    });
    return found.isEmpty() && repository.startsWith("docker.io/")
        ? List.copyOf(byPlace.getOrDefault(DOCKER, List.of()))
        : List.copyOf(found);
  }

  private static boolean matches(String place, String repository) {
    int slash = place.indexOf('/');
    String host = slash < 0 ? place : place.substring(0, slash);
    String path = slash < 0 ? "" : place.substring(slash);
    int imageSlash = repository.indexOf('/');
    String imageHost = repository.substring(0, imageSlash);
    if (!repository.substring(imageSlash).startsWith(path) || !port(host).equals(port(imageHost))) {
      return false;
    }
    List<String> globs = parts(host);
    List<String> parts = parts(imageHost);
    if (globs.size() != parts.size()) {
      return false;
    }
    for (int i = 0; i < globs.size(); i++) {
      String pattern = "\\Q" + globs.get(i).replace("*", "\\E.*\\Q") + "\\E";
      if (!Pattern.matches(pattern, parts.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static String port(String host) {
    int colon = host.lastIndexOf(':');
    return colon < 0 ? "" : host.substring(colon);
  }

  private static List<String> parts(String host) {
    return List.of(host.substring(0, host.length() - port(host).length()).split("\\.", -1));
  }
}
