package dev.berth.apiserver.pki;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/** What a certificate shall say. */
record CertificateSpec(
    String commonName,
    List<String> organizations,
    SubjectNames names,
    Set<Usage> usages,
    Duration validity) {
  CertificateSpec {
    organizations = List.copyOf(organizations);
    usages = Set.copyOf(usages);
  }
}
