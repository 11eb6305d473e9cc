package dev.berth.pki;

import java.util.Optional;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x509.KeyUsage;

/**
 * What a certificate may be used for, in the words of the certificates API. Missing are, unlike
 * upstream, "cert sign" and "crl sign": what is signed here is never an authority.
 */
public enum Usage {
  SIGNING("signing", KeyUsage.digitalSignature),
  DIGITAL_SIGNATURE("digital signature", KeyUsage.digitalSignature),
  CONTENT_COMMITMENT("content commitment", KeyUsage.nonRepudiation),
  KEY_ENCIPHERMENT("key encipherment", KeyUsage.keyEncipherment),
  KEY_AGREEMENT("key agreement", KeyUsage.keyAgreement),
  DATA_ENCIPHERMENT("data encipherment", KeyUsage.dataEncipherment),
  ENCIPHER_ONLY("encipher only", KeyUsage.encipherOnly),
  DECIPHER_ONLY("decipher only", KeyUsage.decipherOnly),
  ANY("any", "2.5.29.37.0"),
  SERVER_AUTH("server auth", "1.3.6.1.5.5.7.3.1"),
  CLIENT_AUTH("client auth", "1.3.6.1.5.5.7.3.2"),
  CODE_SIGNING("code signing", "1.3.6.1.5.5.7.3.3"),
  EMAIL_PROTECTION("email protection", "1.3.6.1.5.5.7.3.4"),
  SMIME("s/mime", "1.3.6.1.5.5.7.3.4"),
  IPSEC_END_SYSTEM("ipsec end system", "1.3.6.1.5.5.7.3.5"),
  IPSEC_TUNNEL("ipsec tunnel", "1.3.6.1.5.5.7.3.6"),
  IPSEC_USER("ipsec user", "1.3.6.1.5.5.7.3.7"),
  TIMESTAMPING("timestamping", "1.3.6.1.5.5.7.3.8"),
  OCSP_SIGNING("ocsp signing", "1.3.6.1.5.5.7.3.9");

  private final String text;
  private final int keyUsage;
  private final String purpose;

  Usage(String text, int keyUsage) {
    this.text = text;
    this.keyUsage = keyUsage;
    purpose = "";
  }

  Usage(String text, String purpose) {
    this.text = text;
    this.purpose = purpose;
    keyUsage = 0;
  }

  /** As the API spells it. */
  public String text() {
    return text;
  }

  public static Optional<Usage> of(String text) {
    return Stream.of(values()).filter(usage -> usage.text.equals(text)).findFirst();
  }

  /** The bit in the key usage extension, or zero. */
  int keyUsage() {
    return keyUsage;
  }

  /** The object identifier in the extended key usage extension. */
  Optional<String> purpose() {
    return purpose.isEmpty() ? Optional.empty() : Optional.of(purpose);
  }
}
