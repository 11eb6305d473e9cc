package dev.berth.pki;

import java.io.IOException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Set;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.bc.BcX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Writes and signs certificates. BouncyCastle writes them; the signatures are the JDK's own, so no
 * further provider is registered or searched for.
 *
 * <p>A start that finds all its certificates must not load this class: BouncyCastle's jars are
 * signed, and opening them takes longer than all else that such a start does with certificates.
 */
final class Signing {

  /** Certificates begin a little in the past, for clients whose clocks are behind. */
  private static final Duration BACKDATE = Duration.ofMinutes(5);

  private static final String COMMON_NAME = "berth-ca";
  private static final Duration VALIDITY = Duration.ofDays(3650);

  private Signing() {}

  /** An authority of this key, whose certificate begins now. */
  static CertificateAuthority selfSigned(KeyPair key, Instant now) {
    X500Name name = name(COMMON_NAME, Set.of());
    var builder = builder(name, name, publicKeyInfo(key.getPublic()), now, now.plus(VALIDITY));
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      builder.addExtension(
          Extension.keyUsage,
          true,
          new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyCertSign | KeyUsage.cRLSign));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new BcX509ExtensionUtils().createSubjectKeyIdentifier(publicKeyInfo(key.getPublic())));
    } catch (IOException e) {
      throw new IllegalStateException("The extensions cannot be encoded.", e);
    }
    return new CertificateAuthority(
        key.getPrivate(), sign(builder, key.getPrivate(), key.getPublic()));
  }

  static Credential issue(CertificateAuthority authority, CertificateSpec spec, Instant now) {
    KeyPair pair = KeyPairs.generate();
    X509Certificate issued =
        sign(
            authority,
            new Leaf(
                name(spec.commonName(), spec.organizations()),
                publicKeyInfo(pair.getPublic()),
                spec.names().isEmpty() ? null : spec.names().toGeneralNames(),
                spec.usages(),
                spec.validity()),
            now);
    return new Credential(pair.getPrivate(), issued);
  }

  /** What a certificate of somebody else's key shall say. */
  record Leaf(
      X500Name subject,
      SubjectPublicKeyInfo publicKey,
      @Nullable GeneralNames names,
      Set<Usage> usages,
      Duration validity) {}

  /** Signs, but for no longer than the authority itself is good. */
  static X509Certificate sign(CertificateAuthority authority, Leaf leaf, Instant now) {
    X509Certificate certificate = authority.certificate();
    Instant end = now.plus(leaf.validity());
    Instant last = certificate.getNotAfter().toInstant();
    var builder =
        builder(
            X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()),
            leaf.subject(),
            leaf.publicKey(),
            now,
            end.isBefore(last) ? end : last);
    try {
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      int bits = leaf.usages().stream().mapToInt(Usage::keyUsage).reduce(0, (a, b) -> a | b);
      if (bits != 0) {
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(bits));
      }
      KeyPurposeId[] purposes =
          leaf.usages().stream()
              .sorted()
              .flatMap(usage -> usage.purpose().stream())
              .distinct()
              .map(id -> KeyPurposeId.getInstance(new ASN1ObjectIdentifier(id)))
              .toArray(KeyPurposeId[]::new);
      if (purposes.length > 0) {
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes));
      }
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new BcX509ExtensionUtils()
              .createAuthorityKeyIdentifier(publicKeyInfo(certificate.getPublicKey())));
      if (leaf.names() != null) {
        // The names count instead of the subject, which is critical when there is no subject.
        boolean critical = leaf.subject().getRDNs().length == 0;
        builder.addExtension(Extension.subjectAlternativeName, critical, leaf.names());
      }
    } catch (IOException e) {
      throw new IllegalStateException("The extensions cannot be encoded.", e);
    }
    return sign(builder, authority.key(), certificate.getPublicKey());
  }

  private static X509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, SubjectPublicKeyInfo publicKey, Instant now, Instant end) {
    return new X509v3CertificateBuilder(
        issuer,
        KeyPairs.serial(),
        Date.from(now.minus(BACKDATE)),
        Date.from(end),
        subject,
        publicKey);
  }

  private static X509Certificate sign(
      X509v3CertificateBuilder builder, PrivateKey key, PublicKey publicKey) {
    try {
      var signer = new JcaContentSignerBuilder(KeyPairs.signatureAlgorithm(publicKey)).build(key);
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    } catch (OperatorCreationException | CertificateException e) {
      throw new IllegalStateException("The authority's key cannot sign.", e);
    }
  }

  private static SubjectPublicKeyInfo publicKeyInfo(PublicKey key) {
    return SubjectPublicKeyInfo.getInstance(key.getEncoded());
  }

  private static X500Name name(String commonName, Iterable<String> organizations) {
    var name = new X500NameBuilder(BCStyle.INSTANCE);
    organizations.forEach(organization -> name.addRDN(BCStyle.O, organization));
    return name.addRDN(BCStyle.CN, commonName).build();
  }
}
