package dev.berth.pki;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

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

  /** All of it but the validity, on one line. */
  String title() {
    return "# CN=%s O=%s for %s %s, %s\n"
        .formatted(
            commonName, organizations, names.dns(), names.addresses(), new TreeSet<>(usages));
  }
}
