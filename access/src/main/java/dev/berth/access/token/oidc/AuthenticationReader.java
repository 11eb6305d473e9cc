package dev.berth.access.token.oidc;

import dev.berth.access.AnonymousAccess;
import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads an AuthenticationConfiguration, and notes all that is wrong with it. */
final class AuthenticationReader {
  private static final int MOST_ISSUERS = 64;

  private final String server;
  private final Set<String> issuers = new HashSet<>();
  private final Set<String> discoveries = new HashSet<>();

  AuthenticationReader(String server) {
    this.server = server;
  }

  AuthenticationConfiguration read(ConfigFields file) {
    file.onlyHas(Set.of("apiVersion", "kind", "jwt", "anonymous"));
    List<ConfigFields> listed = file.objects("jwt");
    if (listed.size() > MOST_ISSUERS) {
      file.error(
          new FieldError(
              FieldError.Reason.TOO_MANY,
              file.path("jwt"),
              (long) listed.size(),
              "must have at most " + MOST_ISSUERS + " items"));
      return AuthenticationConfiguration.NONE;
    }
    List<JwtIssuer> read = new ArrayList<>();
    for (ConfigFields each : listed) {
      JwtIssuerReader.read(each, server).ifPresent(read::add);
      ConfigFields issuer = each.object("issuer");
      checkUnique(issuer, "url", issuers);
      checkUnique(issuer, "discoveryURL", discoveries);
    }
    return new AuthenticationConfiguration(read, anonymous(file));
  }

  private static void checkUnique(ConfigFields issuer, String name, Set<String> seen) {
    String text = issuer.tree().get(name) instanceof String found ? found : "";
    if (!text.isEmpty() && !seen.add(text)) {
      issuer.error(FieldError.duplicate(issuer.path(name), text));
    }
  }

  private static Optional<AnonymousAccess> anonymous(ConfigFields file) {
    if (!file.has("anonymous")) {
      return Optional.empty();
    }
    ConfigFields anonymous = file.object("anonymous");
    anonymous.onlyHas(Set.of("enabled", "conditions"));
    boolean enabled = anonymous.flag("enabled", false);
    List<String> paths = new ArrayList<>();
    for (ConfigFields condition : anonymous.objects("conditions")) {
      condition.onlyHas(Set.of("path"));
      String path = condition.text("path", "");
      if (path.isEmpty()) {
        condition.required("path", "must be a path such as /healthz");
      }
      paths.add(path);
    }
    if (!enabled && !paths.isEmpty()) {
      anonymous.invalid(
          "conditions",
          anonymous.array("conditions"),
          "enabled should be set to true when conditions are defined");
    }
    return Optional.of(new AnonymousAccess(enabled, Set.copyOf(paths)));
  }
}
