package dev.berth.pki;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Certificates for keys that others hold. */
class SigningRequestTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final List<String> NODE_USAGES =
      List.of("digital signature", "key encipherment", "server auth", "client auth");

  @TempDir Path data;
  private ClusterCa ca;

  @BeforeEach
  void open() {
    ca = ClusterCa.open(data.resolve("pki"), NOW);
  }

  /** A request that asks for names, and to be an authority. */
  private static String request(KeyPair key, KeyPair signer) throws Exception {
    ExtensionsGenerator extensions = new ExtensionsGenerator();
    var names = new SubjectNames(new TreeSet<>(Set.of("n1")), new TreeSet<>(Set.of("192.0.2.1")));
    extensions.addExtension(Extension.subjectAlternativeName, false, names.toGeneralNames());
    extensions.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
    var builder =
        new JcaPKCS10CertificationRequestBuilder(
            new X500Name("O=system:nodes,CN=system:node:n1"), key.getPublic());
    builder.addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate());
    var by =
        new JcaContentSignerBuilder(KeyPairs.signatureAlgorithm(signer.getPublic()))
            .build(signer.getPrivate());
    return Pem.encode(Pem.CERTIFICATE_REQUEST, builder.build(by).getEncoded());
  }

  private void assertRefused(String pem, List<String> usages, Duration validity, String why) {
    assertThat(ca.sign(new SigningRequest(pem, usages, validity), NOW))
        .isInstanceOfSatisfying(
            SigningResult.Refused.class, refused -> assertThat(refused.reason()).contains(why));
  }

  @Test
  void subjectKeyAndNamesAreTheRequestsAndUsagesAndValidityAreGiven() throws Exception {
    KeyPair key = KeyPairs.generate();
    SigningResult result = ca.sign(new SigningRequest(request(key, key), NODE_USAGES, HOUR), NOW);
    assertThat(result).isInstanceOf(SigningResult.Signed.class);
    X509Certificate certificate = ((SigningResult.Signed) result).certificate();
    certificate.verify(ca.certificate().getPublicKey());
    assertThat(certificate.getPublicKey()).isEqualTo(key.getPublic());
    assertThat(Subject.of(certificate))
        .isEqualTo(new Subject("system:node:n1", List.of("system:nodes")));
    assertThat(SubjectNames.of(certificate).dns()).containsExactly("n1");
    assertThat(SubjectNames.of(certificate).addresses()).containsExactly("192.0.2.1");
    assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
    assertThat(certificate.getExtendedKeyUsage())
        .containsExactlyInAnyOrder("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");
    assertThat(certificate.getKeyUsage())
        .containsExactly(true, false, true, false, false, false, false, false, false);
    assertThat(certificate.getNotBefore().toInstant()).isEqualTo(NOW.minusSeconds(300));
    assertThat(certificate.getNotAfter().toInstant()).isEqualTo(NOW.plus(HOUR));
    assertThat(((SigningResult.Signed) result).pem()).startsWith("-----BEGIN CERTIFICATE-----\n");
    assertThat(ca.clientCertificates().verify(List.of(certificate), NOW))
        .isInstanceOf(ClientCertificates.Verdict.Valid.class);
  }

  @ParameterizedTest
  @CsvSource({"RSA, 2048", "RSA, 3072", "EC, 384", "Ed25519, 255"})
  void keysOfTheseKindsAreSigned(String algorithm, int bits) throws Exception {
    var generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(bits);
    KeyPair key = generator.generateKeyPair();
    String pem;
    if (algorithm.equals("Ed25519")) {
      var builder =
          new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=me"), key.getPublic());
      var by = new JcaContentSignerBuilder("Ed25519").build(key.getPrivate());
      pem = Pem.encode(Pem.CERTIFICATE_REQUEST, builder.build(by).getEncoded());
    } else {
      pem = request(key, key);
    }
    assertThat(ca.sign(new SigningRequest(pem, List.of("client auth"), HOUR), NOW))
        .isInstanceOf(SigningResult.Signed.class);
  }

  @Test
  void aShortRsaKeyIsRefused() throws Exception {
    var generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    KeyPair key = generator.generateKeyPair();
    assertRefused(request(key, key), NODE_USAGES, HOUR, "has 1024 bits, but 2048 are the least");
  }

  @Test
  void aRequestWithoutTheKeyIsRefused() throws Exception {
    assertRefused(
        request(KeyPairs.generate(), KeyPairs.generate()),
        NODE_USAGES,
        HOUR,
        "signature is not by its own key");
  }

  @ParameterizedTest
  @CsvSource({
    "RSA, 2048, crypto/rsa: verification error",
    "EC, 256, x509: ECDSA verification failure"
  })
  void whoseKeySignedItIsSaidInGosWords(String algorithm, int bits, String problem)
      throws Exception {
    var generator = KeyPairGenerator.getInstance(algorithm);
    generator.initialize(bits);
    KeyPair key = generator.generateKeyPair();
    assertThat(read(request(key, key)).signatureProblem()).isEmpty();
    assertThat(read(request(key, generator.generateKeyPair())).signatureProblem())
        .contains(problem);
  }

  private static SigningRequest read(String pem) {
    return new SigningRequest(pem, List.of(), HOUR);
  }

  /** As Go's parsers do: text before the first block and all that follows it are ignored. */
  @Test
  void theFirstBlockIsTheRequest() throws Exception {
    KeyPair key = KeyPairs.generate();
    String good = request(key, key);
    String other = Pem.encode(ca.certificate());
    for (String pem :
        List.of(
            "for n1\n" + good + "rubbish",
            good + other,
            good + good,
            good.replace("\n", "\r\n"),
            good.replaceFirst("\n", "\nName: n1\nMore: 1\n\n"),
            "-----BEGIN X-----\nno base64!\n-----END X-----\n" + good)) {
      assertThat(read(pem).commonName()).as(pem).contains("system:node:n1");
    }
    for (String pem :
        List.of(other + good, "", "x" + good.strip(), good.replace("END ", "END X"))) {
      assertThat(read(pem).isRequest()).as(pem).isFalse();
    }
  }

  /** A request has a megabyte: what looks like many blocks takes no longer than what is one. */
  @Test
  @Timeout(10)
  void whatLooksLikeManyBlocksIsReadInTime() {
    for (String line : List.of("-----BEGIN :-----\n", ":\n", "-----BEGIN X-----\na\n", "A:\n")) {
      assertThat(read("-----BEGIN X-----\n" + line.repeat(100_000)).isRequest()).isFalse();
    }
  }

  @Test
  void whatCannotBeReadOrGivenIsRefused() throws Exception {
    KeyPair key = KeyPairs.generate();
    String good = request(key, key);
    String certificate = Pem.encode(ca.certificate());
    assertRefused("rubbish", NODE_USAGES, HOUR, "no readable PKCS#10");
    assertRefused(certificate + good, NODE_USAGES, HOUR, "its first block is none");
    assertRefused(good.replace('M', 'N'), NODE_USAGES, HOUR, "no readable PKCS#10");
    assertRefused(
        Pem.encode(Pem.CERTIFICATE_REQUEST, new byte[] {0x30, 0x03, 2, 1, 1}),
        NODE_USAGES,
        HOUR,
        "no readable PKCS#10");
    assertRefused(good, List.of(), HOUR, "names no usages");
    assertRefused(good, List.of("cert sign"), HOUR, "The usage \"cert sign\" is not one");
    assertRefused(good, NODE_USAGES, Duration.ZERO, "must be above zero");
  }
}
