package dev.berth.cel.library;

import static dev.berth.cel.library.Overload.member;
import static dev.berth.cel.value.CelType.BOOL;
import static dev.berth.cel.value.CelType.INT;
import static dev.berth.cel.value.CelType.STRING;

import dev.berth.cel.value.CelException;
import dev.berth.cel.value.CelType;
import java.util.function.Predicate;

/** IP addresses and ranges of them. */
final class AddressFunctions {
  private static final CelType IP = IpAddress.TYPE;
  private static final CelType CIDR = CidrBlock.TYPE;

  private AddressFunctions() {}

  static void addTo(FunctionTable table) {
    table.addType(IP);
    table.addType(CIDR);
    addresses(table);
    ranges(table);
  }

  private static void addresses(FunctionTable table) {
    table.add(
        "ip", Overload.of("string_to_ip", IP, args -> IpAddress.parse((String) args[0]), STRING));
    table.add(
        "family", member("ip_family", INT, args -> (long) ((IpAddress) args[0]).family(), IP));
    table.add(
        "ip.isCanonical",
        Overload.of(
            "ip_is_canonical",
            BOOL,
            args -> IpAddress.parse((String) args[0]).toString().equals(args[0]),
            STRING));
    test(table, "isUnspecified", "ip_is_unspecified", IpAddress::isUnspecified);
    test(table, "isLoopback", "ip_is_loopback", IpAddress::isLoopback);
    test(
        table,
        "isLinkLocalMulticast",
        "ip_is_link_local_multicast",
        IpAddress::isLinkLocalMulticast);
    test(table, "isLinkLocalUnicast", "ip_is_link_local_unicast", IpAddress::isLinkLocalUnicast);
    test(table, "isGlobalUnicast", "ip_is_global_unicast", IpAddress::isGlobalUnicast);
    table.add("isIP", Overload.of("is_ip", BOOL, args -> isIp((String) args[0]), STRING));
    table.add("string", Overload.of("ip_to_string", STRING, args -> args[0].toString(), IP));
  }

  private static void test(
      FunctionTable table, String function, String id, Predicate<IpAddress> test) {
    table.add(function, member(id, BOOL, args -> test.test((IpAddress) args[0]), IP));
  }

  private static void ranges(FunctionTable table) {
    table.add(
        "cidr",
        Overload.of("string_to_cidr", CIDR, args -> CidrBlock.parse((String) args[0]), STRING));
    table.add(
        "containsIP",
        member(
            "cidr_contains_ip_string",
            BOOL,
            args -> ((CidrBlock) args[0]).contains(IpAddress.parse((String) args[1])),
            CIDR,
            STRING),
        member(
            "cidr_contains_ip_ip",
            BOOL,
            args -> ((CidrBlock) args[0]).contains((IpAddress) args[1]),
            CIDR,
            IP));
    table.add(
        "containsCIDR",
        member(
            "cidr_contains_cidr_string",
            BOOL,
            args -> ((CidrBlock) args[0]).contains(CidrBlock.parse((String) args[1])),
            CIDR,
            STRING),
        member(
            "cidr_contains_cidr",
            BOOL,
            args -> ((CidrBlock) args[0]).contains((CidrBlock) args[1]),
            CIDR,
            CIDR));
    table.add("ip", member("cidr_ip", IP, args -> ((CidrBlock) args[0]).address(), CIDR));
    table.add(
        "prefixLength",
        member("cidr_prefix_length", INT, args -> (long) ((CidrBlock) args[0]).bits(), CIDR));
    table.add("masked", member("cidr_masked", CIDR, args -> masked((CidrBlock) args[0]), CIDR));
    table.add("isCIDR", Overload.of("is_cidr", BOOL, args -> isCidr((String) args[0]), STRING));
    table.add("string", Overload.of("cidr_to_string", STRING, args -> args[0].toString(), CIDR));
  }

  private static CidrBlock masked(CidrBlock range) {
    return new CidrBlock(range.address().masked(range.bits()), range.bits());
  }

  private static boolean isIp(String text) {
    try {
      IpAddress.parse(text);
      return true;
    } catch (CelException e) {
      return false;
    }
  }

  private static boolean isCidr(String text) {
    try {
      CidrBlock.parse(text);
      return true;
    } catch (CelException e) {
      return false;
    }
  }
}
