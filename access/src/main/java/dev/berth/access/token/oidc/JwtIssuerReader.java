package dev.berth.access.token.oidc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.berth.access.token.oidc.JwtIssuer.PrefixedClaim;
import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.FieldError;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads one issuer of an AuthenticationConfiguration. Expressions in CEL are refused rather than
 * passed over: a rule that is not checked would let in whom it should keep out.
 */
final class JwtIssuerReader {
  private final ConfigFields fields;
  private final String server;

  private JwtIssuerReader(ConfigFields fields, String server) {
    this.fields = fields;
    this.server = server;
  }

  /**
   * Reads an issuer; what is returned is only good if nothing was noted.
   *
   * @param server the issuer of this server's own tokens
   */
  static Optional<JwtIssuer> read(ConfigFields fields, String server) {
    return new JwtIssuerReader(fields, server).read();
  }

  private Optional<JwtIssuer> read() {
    fields.onlyHas(
        Set.of("issuer", "claimValidationRules", "claimMappings", "userValidationRules"));
    ConfigFields issuer = fields.object("issuer");
    issuer.onlyHas(
        Set.of(
            "url",
            "discoveryURL",
            "certificateAuthority",
            "audiences",
            "audienceMatchPolicy",
            "egressSelectorType"));
    String url = issuer.text("url", "");
    if (url.isEmpty()) {
      issuer.required("url", "must be the address of the issuer, such as https://example.com");
    } else {
      checkUrl(issuer, "url", url);
    }
    if (url.equals(server)) {
      issuer.invalid(
          "url", url, "URL must not overlap with disallowed issuers: [%s]".formatted(server));
    }
    for (ConfigFields rule : fields.objects("userValidationRules")) {
      refuseExpression(rule, "expression", "claimValidationRules with claim and requiredValue");
    }
    if (issuer.has("egressSelectorType")) {
      issuer.error(
          FieldError.forbidden(
              issuer.path("egressSelectorType"), "egress selectors are not supported"));
    }
    ConfigFields mappings = fields.object("claimMappings");
    mappings.onlyHas(Set.of("username", "groups", "uid", "extra"));
    for (ConfigFields extra : mappings.objects("extra")) {
      refuseExpression(extra, "valueExpression", "no extra");
    }
    Optional<PrefixedClaim> username = claim(mappings, "username");
    if (!mappings.has("username")) {
      mappings.required("username", "claim or expression is required");
    }
    return Optional.of(
        new JwtIssuer(
            url,
            discoveryUrl(issuer, url),
            authorities(issuer),
            audiences(issuer),
            EnumSet.allOf(SigningAlgorithm.class),
            requiredClaims(),
            username.orElse(new PrefixedClaim("", "")),
            claim(mappings, "groups"),
            uid(mappings)));
  }

  private static String discoveryUrl(ConfigFields issuer, String url) {
    String discovery = issuer.text("discoveryURL", "");
    if (!discovery.isEmpty()) {
      if (withoutSlashes(discovery).equals(withoutSlashes(url))) {
        issuer.invalid("discoveryURL", discovery, "discoveryURL must be different from URL");
      }
      checkUrl(issuer, "discoveryURL", discovery);
    }
    return discovery;
  }

  private static String withoutSlashes(String url) {
    return url.replaceFirst("/+$", "");
  }

  private static void checkUrl(ConfigFields issuer, String name, String url) {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      issuer.invalid(name, url, String.valueOf(e.getMessage()));
      return;
    }
    if (!"https".equals(uri.getScheme())) {
      issuer.invalid(name, url, "URL scheme must be https");
    }
    if (uri.getUserInfo() != null) {
      issuer.invalid(name, url, "URL must not contain a username or password");
    }
    if (uri.getQuery() != null) {
      issuer.invalid(name, url, "URL must not contain a query");
    }
    if (uri.getFragment() != null) {
      issuer.invalid(name, url, "URL must not contain a fragment");
    }
  }

  private static List<X509Certificate> authorities(ConfigFields issuer) {
    String text = issuer.text("certificateAuthority", "");
    if (text.isEmpty()) {
      return List.of();
    }
    try {
      List<X509Certificate> certificates =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(text.getBytes(UTF_8)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (!certificates.isEmpty()) {
        return certificates;
      }
    } catch (CertificateException e) {
      // Said below.
    }
    issuer.invalid(
        "certificateAuthority",
        "<omitted>",
        "data does not contain any valid RSA or ECDSA certificates");
    return List.of();
  }

  private static List<String> audiences(ConfigFields issuer) {
    List<String> audiences = issuer.texts("audiences");
    String policy = issuer.text("audienceMatchPolicy", "");
    if (audiences.isEmpty()) {
      issuer.required(
          "audiences", "at least one %s is required".formatted(issuer.path("audiences")));
    }
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < audiences.size(); i++) {
      String at = "%s[%d]".formatted(issuer.path("audiences"), i);
      if (audiences.get(i).isEmpty()) {
        issuer.error(FieldError.required(at, ""));
      } else if (!seen.add(audiences.get(i))) {
        issuer.error(FieldError.duplicate(at, audiences.get(i)));
      }
    }
    if (audiences.size() > 1 && !policy.equals("MatchAny")) {
      issuer.invalid(
          "audienceMatchPolicy",
          policy,
          "audienceMatchPolicy must be MatchAny for multiple audiences");
    } else if (!policy.isEmpty() && !policy.equals("MatchAny")) {
      issuer.invalid(
          "audienceMatchPolicy",
          policy,
          "audienceMatchPolicy must be empty or MatchAny for single audience");
    }
    return audiences;
  }

  private Map<String, String> requiredClaims() {
    Map<String, String> required = new HashMap<>();
    for (ConfigFields rule : fields.objects("claimValidationRules")) {
      rule.onlyHas(Set.of("claim", "requiredValue", "expression", "message"));
      String claim = rule.text("claim", "");
      if (rule.has("expression")) {
        refuseExpression(rule, "expression", "claim and requiredValue");
      } else if (claim.isEmpty()) {
        rule.error(FieldError.required(rule.path(), "claim or expression is required"));
      } else {
        if (!rule.text("message", "").isEmpty()) {
          rule.invalid(
              "message", rule.text("message", ""), "may not be specified when claim is set");
        }
        if (required.put(claim, rule.text("requiredValue", "")) != null) {
          rule.error(FieldError.duplicate(rule.path("claim"), claim));
        }
      }
    }
    return required;
  }

  private static Optional<PrefixedClaim> claim(ConfigFields mappings, String name) {
    if (!mappings.has(name)) {
      return Optional.empty();
    }
    ConfigFields mapping = mappings.object(name);
    mapping.onlyHas(Set.of("claim", "prefix", "expression"));
    String claim = mapping.text("claim", "");
    if (mapping.has("expression")) {
      refuseExpression(mapping, "expression", "claim and prefix");
      return Optional.empty();
    }
    if (claim.isEmpty()) {
      mapping.error(FieldError.required(mapping.path(), "claim or expression is required"));
      return Optional.empty();
    }
    if (!mapping.has("prefix")) {
      mapping.required(
          "prefix",
          "prefix is required when claim is set. It can be set to an empty string to disable"
              + " prefixing");
    }
    return Optional.of(new PrefixedClaim(claim, mapping.text("prefix", "")));
  }

  private static String uid(ConfigFields mappings) {
    ConfigFields uid = mappings.object("uid");
    uid.onlyHas(Set.of("claim", "expression"));
    if (uid.has("expression")) {
      refuseExpression(uid, "expression", "claim");
    }
    return uid.text("claim", "");
  }

  private static void refuseExpression(ConfigFields owner, String name, String instead) {
    owner.error(
        FieldError.forbidden(
            owner.path(name), "CEL expressions are not supported: use " + instead));
  }
}
