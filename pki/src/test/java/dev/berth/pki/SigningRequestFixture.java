package dev.berth.pki;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/** Requests for certificates, as the certificates API takes them. */
public final class SigningRequestFixture {
  private SigningRequestFixture() {}

  /** A request for a user of some groups. */
  public static String base64(String user, String... groups) {
    StringBuilder name = new StringBuilder("CN=" + user);
    for (String group : groups) {
      name.append(",O=").append(group);
    }
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      KeyPair key = generator.generateKeyPair();
      var builder =
          new JcaPKCS10CertificationRequestBuilder(new X500Name(name.toString()), key.getPublic());
      var signer =
          new JcaContentSignerBuilder(KeyPairs.signatureAlgorithm(key.getPublic()))
              .build(key.getPrivate());
      String pem = Pem.encode(Pem.CERTIFICATE_REQUEST, builder.build(signer).getEncoded());
      return Base64.getEncoder().encodeToString(pem.getBytes(UTF_8));
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw new AssertionError(e);
    }
  }
}
