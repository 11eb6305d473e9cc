package dev.berth.access.token.oidc;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An issuer whose tokens are accepted, and how a user is read from one.
 *
 * @param url what tokens call their issuer
 * @param discoveryUrl where it describes itself, if that is not below its own address
 * @param authorities vouch for its server; empty for those that the machine trusts
 * @param audiences for whom its tokens are; one of them is enough
 * @param requiredClaims claims that must have these values
 * @param uidClaim empty if users have no uid
 */
public record JwtIssuer(
    String url,
    String discoveryUrl,
    List<X509Certificate> authorities,
    List<String> audiences,
    Set<SigningAlgorithm> algorithms,
    Map<String, String> requiredClaims,
    PrefixedClaim username,
    Optional<PrefixedClaim> groups,
    String uidClaim) {

  public JwtIssuer {
    authorities = List.copyOf(authorities);
    audiences = List.copyOf(audiences);
    algorithms = Set.copyOf(algorithms);
    requiredClaims = Map.copyOf(requiredClaims);
  }

  JwtIssuer with(Set<SigningAlgorithm> allowed) {
    return new JwtIssuer(
        url,
        discoveryUrl,
        authorities,
        audiences,
        allowed,
        requiredClaims,
        username,
        groups,
        uidClaim);
  }

  /** A claim, and what is put in front of its value so that it is no name of another source. */
  public record PrefixedClaim(String claim, String prefix) {}
}
