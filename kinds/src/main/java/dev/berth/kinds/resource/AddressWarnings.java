package dev.berth.kinds.resource;

import dev.berth.model.tree.FieldPath;
import dev.berth.model.tree.JsonObject;
import dev.berth.policy.cidr.Cidr;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is odd about addresses and ranges that older fields take: ways of writing them that programs
 * read differently, or that are not how everybody else writes them.
 */
public final class AddressWarnings {
  private static final FieldPath POINTS = FieldPath.of("status", "loadBalancer", "ingress");

  private AddressWarnings() {}

  public static void address(FieldPath at, String text, List<String> warnings) {
    Optional<Cidr> parsed = Cidr.parseAddress(text);
    if (parsed.isEmpty()) {
      return;
    }
    Cidr address = parsed.get();
    if (!AddressRules.address(text).isEmpty()) {
      warnings.add(
          "%s: non-standard IP address \"%s\" is invalid: use \"%s\""
              .formatted(at, text, unmapped(address)));
    } else if (isIpv6(address) && !address.address().equals(text)) {
      warnings.add(
          "%s: IPv6 address \"%s\" should be in RFC 5952 canonical format (\"%s\")"
              .formatted(at, text, address.address()));
    }
  }

  public static void range(FieldPath at, String text, List<String> warnings) {
    Optional<Cidr> parsed = Cidr.parse(text);
    if (parsed.isEmpty()) {
      return;
    }
    Cidr range = parsed.get();
    Cidr address = Cidr.parseAddress(text.substring(0, text.indexOf('/'))).orElseThrow();
    boolean ambiguous = address.high() != range.high() || address.low() != range.low();
    if (ambiguous) {
      warnings.add(
          "%s: CIDR value \"%s\" is ambiguous in this context (should be \"%s\" or \"%s/%d\"?)"
              .formatted(at, text, range, unmapped(address), range.family().bits()));
    }
    boolean standard =
        AddressRules.range(text).stream().noneMatch(problem -> !problem.contains("bits set"));
    if (!standard) {
      warnings.add(
          "%s: non-standard CIDR value \"%s\" is invalid: use \"%s\"".formatted(at, text, range));
    } else if (!ambiguous && isIpv6(range) && !range.toString().equals(text)) {
      warnings.add(
          "%s: IPv6 CIDR value \"%s\" should be in RFC 5952 canonical format (\"%s\")"
              .formatted(at, text, range));
    }
  }

  /** About where a load balancer serves a service or an ingress. */
  public static List<String> ofLoadBalancer(JsonObject object) {
    List<String> warnings = new ArrayList<>();
    List<JsonObject> points =
        object.object("status").object("loadBalancer").array("ingress").objects();
    for (int i = 0; i < points.size(); i++) {
      address(POINTS.index(i), points.get(i).text("ip", ""), warnings);
    }
    return warnings;
  }

  private static boolean isIpv6(Cidr address) {
    return address.family() == Cidr.Family.IPV6;
  }

  /** An address as Go writes it: of IPv4, even if it came in the form of IPv6. */
  private static String unmapped(Cidr address) {
    if (!address.isMappedIpv4()) {
      return address.address();
    }
    long bits = address.low();
    return "%d.%d.%d.%d"
        .formatted((bits >>> 24) & 0xff, (bits >>> 16) & 0xff, (bits >>> 8) & 0xff, bits & 0xff);
  }
}
