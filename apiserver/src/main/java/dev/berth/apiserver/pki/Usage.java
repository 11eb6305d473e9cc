package dev.berth.apiserver.pki;

import java.util.Optional;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x509.KeyPurposeId;
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
  ANY("any", KeyPurposeId.anyExtendedKeyUsage),
  SERVER_AUTH("server auth", KeyPurposeId.id_kp_serverAuth),
  CLIENT_AUTH("client auth", KeyPurposeId.id_kp_clientAuth),
  CODE_SIGNING("code signing", KeyPurposeId.id_kp_codeSigning),
  EMAIL_PROTECTION("email protection", KeyPurposeId.id_kp_emailProtection),
  SMIME("s/mime", KeyPurposeId.id_kp_emailProtection),
  IPSEC_END_SYSTEM("ipsec end system", KeyPurposeId.id_kp_ipsecEndSystem),
  IPSEC_TUNNEL("ipsec tunnel", KeyPurposeId.id_kp_ipsecTunnel),
  IPSEC_USER("ipsec user", KeyPurposeId.id_kp_ipsecUser),
  TIMESTAMPING("timestamping", KeyPurposeId.id_kp_timeStamping),
  OCSP_SIGNING("ocsp signing", KeyPurposeId.id_kp_OCSPSigning);

  private final String text;
  private final int keyUsage;
  private final String purpose;

  Usage(String text, int keyUsage) {
    this.text = text;
    this.keyUsage = keyUsage;
    purpose = "";
  }

  Usage(String text, KeyPurposeId purpose) {
    this.text = text;
    this.purpose = purpose.getId();
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

  /** The entry in the extended key usage extension. */
  Optional<KeyPurposeId> purpose() {
    return purpose.isEmpty()
        ? Optional.empty()
        : Optional.of(KeyPurposeId.getInstance(new ASN1ObjectIdentifier(purpose)));
  }
}
