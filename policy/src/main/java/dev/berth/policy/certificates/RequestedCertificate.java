package dev.berth.policy.certificates;

import java.util.List;

/** For whom a request asks: the subject and the alternative names of its PKCS#10 part. */
public record RequestedCertificate(
    String commonName,
    List<String> organizations,
    List<String> dnsNames,
    List<String> ipAddresses,
    List<String> emailAddresses,
    List<String> uris) {
  public RequestedCertificate {
    organizations = List.copyOf(organizations);
    dnsNames = List.copyOf(dnsNames);
    ipAddresses = List.copyOf(ipAddresses);
    emailAddresses = List.copyOf(emailAddresses);
    uris = List.copyOf(uris);
  }
}
