package dev.berth.pki;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
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

/** Requests for certificates, as the certificates API takes them. */
public final class SigningRequestFixture {
  private SigningRequestFixture() {}

  /** A new key that requests can be made with. */
  public static KeyPair key() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A request for a user of some groups. */
  public static String base64(String user, String... groups) {
    return base64(key(), names(user, groups));
  }

  /** A user of some groups, without alternative names. */
  public static RequestedNames names(String user, String... groups) {
    return new RequestedNames(user, List.of(groups), List.of(), List.of(), List.of(), List.of());
  }

  /** A request with a key for these names. */
  public static String base64(KeyPair key, RequestedNames wanted) {
    return Base64.getEncoder().encodeToString(pem(key, wanted).getBytes(UTF_8));
  }

  /** The same in PEM. */
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
      throw new AssertionError(e);
    }
  }
}
