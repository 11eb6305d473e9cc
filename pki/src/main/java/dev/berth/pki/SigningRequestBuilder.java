package dev.berth.pki;

import java.io.IOException;
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Makes requests for certificates, as the certificates API takes them. */
public final class SigningRequestBuilder {
  private SigningRequestBuilder() {}

  /** A new key to ask with: ECDSA on the curve P-256. */
  public static KeyPair newKey() {
    return KeyPairs.generate();
  }

  /** A PKCS#10 request in PEM, signed with the key that it is for. */
  public static String pem(KeyPair key, RequestedNames wanted) {
    var subject = new X500NameBuilder(BCStyle.INSTANCE);
    wanted.organizations().forEach(group -> subject.addRDN(BCStyle.O, group));
    subject.addRDN(BCStyle.CN, wanted.commonName());
    List<GeneralName> names = new ArrayList<>();
    wanted.dnsNames().forEach(name -> names.add(new GeneralName(GeneralName.dNSName, name)));
    wanted.ipAddresses().forEach(name -> names.add(new GeneralName(GeneralName.iPAddress, name)));
    wanted
        .emailAddresses()
        .forEach(name -> names.add(new GeneralName(GeneralName.rfc822Name, name)));
    wanted
        .uris()
        .forEach(name -> names.add(new GeneralName(GeneralName.uniformResourceIdentifier, name)));
    try {
      var builder = new JcaPKCS10CertificationRequestBuilder(subject.build(), key.getPublic());
      if (!names.isEmpty()) {
        ExtensionsGenerator extensions = new ExtensionsGenerator();
        extensions.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(names.toArray(GeneralName[]::new)));
        builder.addAttribute(
            PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate());
      }
      var signer =
          new JcaContentSignerBuilder(KeyPairs.signatureAlgorithm(key.getPublic()))
              .build(key.getPrivate());
      return Pem.encode(Pem.CERTIFICATE_REQUEST, builder.build(signer).getEncoded());
    } catch (OperatorCreationException | IOException e) {
      throw new IllegalStateException("A new key cannot sign.", e);
    }
  }
}
