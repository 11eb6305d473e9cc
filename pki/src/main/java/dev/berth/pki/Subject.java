package dev.berth.pki;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;

/**
 * What Kubernetes reads in a subject. Of several common names the last one counts, as upstream;
 * none is the empty one.
 */
record Subject(String commonName, List<String> organizations) {

  static Subject of(X509Certificate certificate) {
    return of(X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()));
  }

  static Subject of(X500Name name) {
    String commonName = "";
    List<String> organizations = new ArrayList<>();
    for (RDN part : name.getRDNs()) {
      for (AttributeTypeAndValue attribute : part.getTypesAndValues()) {
        if (attribute.getType().equals(BCStyle.CN)) {
          commonName = text(attribute);
        } else if (attribute.getType().equals(BCStyle.O)) {
          organizations.add(text(attribute));
        }
      }
    }
    return new Subject(commonName, List.copyOf(organizations));
  }

  private static String text(AttributeTypeAndValue attribute) {
    return attribute.getValue() instanceof ASN1String string
        ? string.getString()
        : IETFUtils.valueToString(attribute.getValue());
  }
}
