package dev.berth.kinds.resource;

import dev.berth.policy.cidr.Cidr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is wrong with addresses and ranges, in Kubernetes' words. Older fields take any way of
 * writing them that means the same to everybody; newer ones take the canonical way alone.
 */
public final class AddressRules {
  private static final String NO_ADDRESS =
      "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  private static final String NO_RANGE =
      "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

  /** Programs disagree whether a number that begins with 0 is octal. */
  private static final Pattern LEADING_ZERO = Pattern.compile("(^|[.:])0[0-9]+(\\.|$)");

  private AddressRules() {}

  /** An address of an older field. */
  public static List<String> address(String text) {
    Optional<Cidr> parsed = Cidr.parseAddress(text);
    if (parsed.isEmpty()) {
      return List.of(NO_ADDRESS);
    }
    List<String> problems = new ArrayList<>();
    if (hasLeadingZero(text)) {
      problems.add("must not have leading 0s");
    }
    if (parsed.get().isMappedIpv4()) {
      problems.add("must not be an IPv4-mapped IPv6 address");
    }
    return problems;
  }

  /** An address of a newer field. */
  public static List<String> canonicalAddress(String text) {
    List<String> problems = address(text);
    return problems.isEmpty()
        ? canonical(text, Cidr.parseAddress(text).orElseThrow().address())
        : problems;
  }

  /** A range of an older field. */
  public static List<String> range(String text) {
    Optional<Cidr> parsed = Cidr.parse(text);
    if (parsed.isEmpty()) {
      return List.of(NO_RANGE);
    }
    int slash = text.indexOf('/');
    String address = text.substring(0, slash);
    if (hasLeadingZero(address) || text.substring(slash + 1).matches("0[0-9]+")) {
      return List.of("must not have leading 0s in IP or prefix length");
    }
    Cidr lowest = Cidr.parseAddress(address).orElseThrow();
    if (lowest.isMappedIpv4()) {
      return List.of("must not have an IPv4-mapped IPv6 address");
    }
    boolean masked = lowest.high() == parsed.get().high() && lowest.low() == parsed.get().low();
    return masked ? List.of() : List.of("must not have bits set beyond the prefix length");
  }

  /** A range of a newer field. */
  public static List<String> canonicalRange(String text) {
    List<String> problems = range(text);
    return problems.isEmpty()
        ? canonical(text, Cidr.parse(text).orElseThrow().toString())
        : problems;
  }

  /** An address with the length of its network: {@code 10.1.2.3/24}. */
  public static List<String> addressInRange(String text) {
    Optional<Cidr> range = Cidr.parse(text);
    if (range.isEmpty()) {
      return List.of("must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)");
    }
    Cidr address = Cidr.parseAddress(text.substring(0, text.indexOf('/'))).orElseThrow();
    return canonical(text, address.address() + "/" + range.get().length());
  }

  private static List<String> canonical(String text, String canonical) {
    return text.equals(canonical)
        ? List.of()
        : List.of("must be in canonical form (\"" + canonical + "\")");
  }

  private static boolean hasLeadingZero(String text) {
    return text.indexOf('.') >= 0 && LEADING_ZERO.matcher(text).find();
  }
}
