package dev.berth.pki;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;

/**
 * The names that a certificate is good for.
 *
 * @param dns host names
 * @param addresses IP addresses as {@link InetAddress#getHostAddress} writes them, without scope
 */
record SubjectNames(SortedSet<String> dns, SortedSet<String> addresses) {
  static final SubjectNames NONE = new SubjectNames(new TreeSet<>(), new TreeSet<>());

  SubjectNames {
    dns = Collections.unmodifiableSortedSet(new TreeSet<>(dns));
    addresses = Collections.unmodifiableSortedSet(new TreeSet<>(addresses));
  }

  private static final int DNS = GeneralName.dNSName;
  private static final int ADDRESS = GeneralName.iPAddress;

  /** The names in a certificate. */
  static SubjectNames of(X509Certificate certificate) throws CertificateParsingException {
    SortedSet<String> dns = new TreeSet<>();
    SortedSet<String> addresses = new TreeSet<>();
    var names = certificate.getSubjectAlternativeNames();
    for (List<?> name : names == null ? List.<List<?>>of() : names) {
      switch ((Integer) name.get(0)) {
        case DNS -> dns.add((String) name.get(1));
        case ADDRESS -> addresses.add(canonical((String) name.get(1)));
        default -> {}
      }
    }
    return new SubjectNames(dns, addresses);
  }

  /** Writes each address in one way only. */
  static String canonical(String address) {
    try {
      return withoutScope(InetAddress.ofLiteral(address));
    } catch (IllegalArgumentException | UnknownHostException e) {
      throw new IllegalArgumentException("\"%s\" is no IP address.".formatted(address), e);
    }
  }

  /**
   * Writes an address of 4 or 16 bytes.
   *
   * @throws IllegalArgumentException if there are as many bytes as no address has
   */
  static String address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(bytes.length + " bytes are no IP address.", e);
    }
  }

  static String withoutScope(InetAddress address) throws UnknownHostException {
    return InetAddress.getByAddress(address.getAddress()).getHostAddress();
  }

  boolean isEmpty() {
    return dns.isEmpty() && addresses.isEmpty();
  }

  GeneralNames toGeneralNames() {
    List<GeneralName> names = new ArrayList<>();
    dns.forEach(name -> names.add(new GeneralName(DNS, name)));
    addresses.forEach(address -> names.add(new GeneralName(ADDRESS, address)));
    return new GeneralNames(names.toArray(GeneralName[]::new));
  }
}
