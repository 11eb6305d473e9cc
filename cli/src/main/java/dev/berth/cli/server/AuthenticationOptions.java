package dev.berth.cli.server;

import dev.berth.access.token.oidc.AuthenticationConfiguration;
import dev.berth.access.token.oidc.SigningAlgorithm;
import dev.berth.apiserver.AccessConfig;
import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.FlagValues;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.UsageException;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The options that say whose tokens are good, under kube-apiserver's names. */
final class AuthenticationOptions {
  private static final Duration USUAL_TTL = Duration.ofMinutes(2);

  private static final Option TOKEN_FILE =
      new Option(
          "--token-auth-file",
          "FILE",
          "Static bearer tokens, one per line: token,user,uid,\"group1,group2\" (default: none).");
  private static final Option CONFIG =
      new Option(
          "--authentication-config",
          "FILE",
          "An AuthenticationConfiguration (apiserver.config.k8s.io/v1): issuers of tokens, and"
              + " whether anonymous requests are let in. Not together with --oidc options.");
  private static final Option ISSUER =
      new Option(
          "--oidc-issuer-url", "URL", "The issuer of OpenID Connect tokens (default: none).");
  private static final Option CLIENT =
      new Option("--oidc-client-id", "ID", "The audience that its tokens must be for.");
  private static final Option CA =
      new Option(
          "--oidc-ca-file",
          "FILE",
          "Certificates that the issuer's server is trusted by (default: this machine's).");
  private static final Option USERNAME_CLAIM =
      new Option(
          "--oidc-username-claim", "CLAIM", "The claim with the user's name (default: sub).");
  private static final Option USERNAME_PREFIX =
      new Option(
          "--oidc-username-prefix",
          "PREFIX",
          "Put in front of user names; - for none (default: the issuer's URL and #, but none for"
              + " the claim email).");
  private static final Option GROUPS_CLAIM =
      new Option(
          "--oidc-groups-claim", "CLAIM", "The claim with the user's groups (default: none).");
  private static final Option GROUPS_PREFIX =
      new Option("--oidc-groups-prefix", "PREFIX", "Put in front of groups (default: nothing).");
  private static final Option REQUIRED_CLAIM =
      new Option(
          "--oidc-required-claim",
          "KEY=VALUE,...",
          "Claims that tokens must have, with their values.");
  private static final Option ALGORITHMS =
      new Option(
          "--oidc-signing-algs",
          "NAME,...",
          "The ways in which tokens may be signed (default: RS256).");
  private static final Option WEBHOOK =
      new Option(
          "--authentication-token-webhook-config-file",
          "FILE",
          "A kubeconfig whose server answers TokenReviews (authentication.k8s.io/v1) about tokens"
              + " that nobody else knows (default: none).");
  private static final Option WEBHOOK_VERSION =
      new Option(
          "--authentication-token-webhook-version",
          "VERSION",
          "The version of these reviews; only v1 is supported (default: v1).");
  private static final Option WEBHOOK_TTL =
      new Option(
          "--authentication-token-webhook-cache-ttl",
          "DURATION",
          "How long its answers hold (default: %s).".formatted(FlagValues.text(USUAL_TTL)));

  private static final List<Option> OIDC =
      List.of(
          ISSUER,
          CLIENT,
          CA,
          USERNAME_CLAIM,
          USERNAME_PREFIX,
          GROUPS_CLAIM,
          GROUPS_PREFIX,
          REQUIRED_CLAIM,
          ALGORITHMS);

  private AuthenticationOptions() {}

  static List<Option> options() {
    List<Option> options = new ArrayList<>(List.of(TOKEN_FILE, CONFIG));
    options.addAll(OIDC);
    options.addAll(List.of(WEBHOOK, WEBHOOK_VERSION, WEBHOOK_TTL));
    return options;
  }

  static AccessConfig read(Arguments arguments) {
    return new AccessConfig(
        arguments.path(TOKEN_FILE.name()).orElse(null),
        AccessConfig.DEFAULT.issuer(),
        authentication(arguments),
        webhook(arguments));
  }

  private static AuthenticationConfiguration authentication(Arguments arguments) {
    String server = AccessConfig.DEFAULT.issuer();
    boolean byOptions = OIDC.stream().anyMatch(option -> arguments.has(option.name()));
    Optional<Path> file = arguments.path(CONFIG.name());
    if (!byOptions) {
      return file.map(f -> AuthenticationConfiguration.read(f, server))
          .orElse(AuthenticationConfiguration.NONE);
    }
    if (file.isPresent()) {
      throw new UsageException(
          "%s and the --oidc options exclude each other: put the issuer into the file."
              .formatted(CONFIG.name()));
    }
    if (!arguments.has(ISSUER.name()) || !arguments.has(CLIENT.name())) {
      throw new UsageException(
          "%s and %s must be given together when any --oidc option is."
              .formatted(ISSUER.name(), CLIENT.name()));
    }
    List<String> algorithms =
        arguments.has(ALGORITHMS.name()) ? arguments.list(ALGORITHMS.name()) : List.of("RS256");
    for (String algorithm : algorithms) {
      if (!SigningAlgorithm.names().contains(algorithm)) {
        throw new UsageException(
            "%s: \"%s\" is none of %s."
                .formatted(
                    ALGORITHMS.name(), algorithm, String.join(", ", SigningAlgorithm.names())));
      }
    }
    return AuthenticationConfiguration.ofIssuer(issuer(arguments), algorithms, server);
  }

  /** The issuer as an entry of an AuthenticationConfiguration, so that it is checked as one. */
  private static JsonObject issuer(Arguments arguments) {
    String url = arguments.text(ISSUER.name()).orElse("");
    JsonObject.Builder issuer =
        new JsonObject.Builder()
            .put("url", url)
            .put("audiences", JsonArray.of(arguments.text(CLIENT.name()).orElse("")));
    arguments.path(CA.name()).ifPresent(file -> issuer.put("certificateAuthority", text(file)));
    String claim = arguments.text(USERNAME_CLAIM.name()).orElse("sub");
    String usualPrefix = claim.equals("email") ? "" : url + "#";
    String prefix = arguments.text(USERNAME_PREFIX.name()).orElse(usualPrefix);
    JsonObject.Builder mappings =
        new JsonObject.Builder().put("username", claim(claim, prefix.equals("-") ? "" : prefix));
    arguments
        .text(GROUPS_CLAIM.name())
        .ifPresent(groups ->
            mappings.put("groups", claim(groups, arguments.text(GROUPS_PREFIX.name()).orElse(""))));
    List<JsonObject> rules = new ArrayList<>();
    for (String required : arguments.list(REQUIRED_CLAIM.name())) {
      int equals = required.indexOf('=');
      if (equals <= 0) {
        throw new UsageException(
            "%s must be pairs such as hd=example.com, not \"%s\"."
                .formatted(REQUIRED_CLAIM.name(), required));
      }
      rules.add(
          new JsonObject.Builder()
              .put("claim", required.substring(0, equals))
              .put("requiredValue", required.substring(equals + 1))
              .build());
    }
    return new JsonObject.Builder()
        .put("issuer", issuer.build())
        .put("claimMappings", mappings.build())
        .put("claimValidationRules", JsonArray.copyOf(rules))
        .build();
  }

  private static JsonObject claim(String claim, String prefix) {
    return new JsonObject.Builder().put("claim", claim).put("prefix", prefix).build();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UsageException("%s %s cannot be read.".formatted(CA.name(), file));
    }
  }

  private static Optional<AccessConfig.TokenWebhook> webhook(Arguments arguments) {
    String version = arguments.text(WEBHOOK_VERSION.name()).orElse("v1");
    if (!version.equals("v1")) {
      throw new UsageException(
          "%s \"%s\" is not supported: use v1.".formatted(WEBHOOK_VERSION.name(), version));
    }
    Duration ttl = FlagValues.duration(arguments, WEBHOOK_TTL, USUAL_TTL);
    return arguments
        .path(WEBHOOK.name())
        .map(file -> new AccessConfig.TokenWebhook(Kubeconfig.read(file).connection(), ttl));
  }
}
