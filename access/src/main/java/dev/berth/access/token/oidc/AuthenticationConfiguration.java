package dev.berth.access.token.oidc;

import dev.berth.access.AnonymousAccess;
import dev.berth.model.config.ConfigException;
import dev.berth.model.config.ConfigFields;
import dev.berth.model.config.ConfigFile;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Who is let in by tokens of others, and who without any proof.
 *
 * @param anonymous where requests without proof are let in; empty for everywhere
 */
public record AuthenticationConfiguration(
    List<JwtIssuer> issuers, Optional<AnonymousAccess> anonymous) {
  static final String KIND = "AuthenticationConfiguration";

  /** No issuers, and anonymous requests everywhere. */
  public static final AuthenticationConfiguration NONE =
      new AuthenticationConfiguration(List.of(), Optional.empty());

  public AuthenticationConfiguration {
    issuers = List.copyOf(issuers);
  }

  /**
   * The configuration of one issuer.
   *
   * @param issuer an element of {@code jwt}
   * @param algorithms the names of the only ways in which its tokens may be signed
   * @throws ConfigException if something of it is wrong
   */
  public static AuthenticationConfiguration ofIssuer(
      JsonObject issuer, List<String> algorithms, String server) {
    List<FieldError> errors = new ArrayList<>();
    JsonObject tree = JsonObject.of("jwt", JsonArray.of(issuer));
    AuthenticationConfiguration read =
        new AuthenticationReader(server).read(new ConfigFields(tree, FieldPath.ROOT, errors));
    if (!errors.isEmpty()) {
      throw new ConfigException(FieldError.join(errors));
    }
    Set<SigningAlgorithm> allowed =
        algorithms.stream().map(SigningAlgorithm::valueOf).collect(Collectors.toSet());
    return new AuthenticationConfiguration(
        read.issuers().stream().map(each -> each.with(allowed)).toList(), read.anonymous());
  }

  /**
   * Reads an AuthenticationConfiguration of {@code apiserver.config.k8s.io/v1}; whatever is wrong
   * with it is reported at once.
   *
   * @param server the issuer of this server's own tokens, which nobody else can be
   */
  public static AuthenticationConfiguration read(Path file, String server) {
    return ConfigFile.read(
        file,
        List.of("apiserver.config.k8s.io/v1", "apiserver.config.k8s.io/v1beta1"),
        KIND,
        fields -> new AuthenticationReader(server).read(fields));
  }
}
