package dev.berth.pki;

import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;

/**
 * For whom a PKCS#10 request asks: its subject and its alternative names, each list in the
 * request's order.
 *
 * @param ipAddresses as {@link java.net.InetAddress#getHostAddress} writes them
 */
public record RequestedNames(
    String commonName,
    List<String> organizations,
    List<String> dnsNames,
    List<String> ipAddresses,
    List<String> emailAddresses,
    List<String> uris) {
  public RequestedNames {
    organizations = List.copyOf(organizations);
    dnsNames = List.copyOf(dnsNames);
    ipAddresses = List.copyOf(ipAddresses);
    emailAddresses = List.copyOf(emailAddresses);
    uris = List.copyOf(uris);
  }

  static RequestedNames of(X500Name name, GeneralName... alternatives) {
    Subject subject = Subject.of(name);
    List<String> dns = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    List<String> emails = new ArrayList<>();
    List<String> uris = new ArrayList<>();
    for (GeneralName alternative : alternatives) {
      switch (alternative.getTagNo()) {
        case GeneralName.dNSName -> dns.add(alternative.getName().toString());
        case GeneralName.iPAddress ->
            addresses.add(
                SubjectNames.address(
                    ASN1OctetString.getInstance(alternative.getName()).getOctets()));
        case GeneralName.rfc822Name -> emails.add(alternative.getName().toString());
        case GeneralName.uniformResourceIdentifier -> uris.add(alternative.getName().toString());
        default -> {}
      }
    }
    return new RequestedNames(
        subject.commonName(), subject.organizations(), dns, addresses, emails, uris);
  }

  static RequestedNames of(X500Name name, GeneralNames alternatives) {
    return of(name, alternatives.getNames());
  }
}
