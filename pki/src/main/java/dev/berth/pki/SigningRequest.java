package dev.berth.pki;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;

/**
 * A PKCS#10 request with the usages and the validity that were asked for beside it. Subject, key
 * and alternative names are the request's; all else in it is ignored, above all a wish to be an
 * authority.
 *
 * @param pem a {@code CERTIFICATE REQUEST} block; what follows is ignored
 * @param usages in the words of the certificates API
 */
public record SigningRequest(String pem, List<String> usages, Duration validity) {
  private static final int LEAST_RSA_BITS = 2048;

  public SigningRequest {
    usages = List.copyOf(usages);
  }

  public SigningRequest(byte[] pem, List<String> usages, Duration validity) {
    this(new String(pem, StandardCharsets.ISO_8859_1), usages, validity);
  }

  SigningResult sign(CertificateAuthority authority, Instant now) {
    Instant end = authority.certificate().getNotAfter().toInstant();
    if (!now.isBefore(end)) {
      return new SigningResult.Unavailable(
          "The authority's certificate expired at %s: renew it.".formatted(end));
    }
    if (!validity.isPositive()) {
      return new SigningResult.Refused(
          "The validity is %s, but it must be above zero.".formatted(validity));
    }
    if (usages.isEmpty()) {
      return new SigningResult.Refused("The request names no usages: name at least one.");
    }
    EnumSet<Usage> known = EnumSet.noneOf(Usage.class);
    for (String text : usages) {
      Optional<Usage> usage = Usage.of(text);
      if (usage.isEmpty()) {
        return new SigningResult.Refused(
            "The usage \"%s\" is not one that is signed here.".formatted(text));
      }
      known.add(usage.get());
    }
    try {
      PKCS10CertificationRequest request = parse();
      SubjectPublicKeyInfo key = request.getSubjectPublicKeyInfo();
      Optional<String> weakness = weakness(key);
      if (weakness.isPresent()) {
        return new SigningResult.Refused(weakness.get());
      }
      if (!request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
        return new SigningResult.Refused(
            "The request's signature is not by its own key: make it with that key.");
      }
      var leaf =
          new Signing.Leaf(request.getSubject(), key, names(request).orElse(null), known, validity);
      return new SigningResult.Signed(Signing.sign(authority, leaf, now));
    } catch (GeneralSecurityException
        | PKCSException
        | OperatorCreationException
        | IOException
        | IllegalArgumentException e) {
      return new SigningResult.Refused(
          "The request is no readable PKCS#10 \"CERTIFICATE REQUEST\" in PEM form (%s)."
              .formatted(e.getMessage()));
    }
  }

  /** The groups that the request is for; empty if it cannot be read. */
  public Optional<List<String>> organizations() {
    return requestedNames().map(RequestedNames::organizations);
  }

  /** The user that the request is for; empty if it cannot be read. */
  public Optional<String> commonName() {
    return requestedNames().map(RequestedNames::commonName);
  }

  /** For whom the request asks; empty if it cannot be read. */
  public Optional<RequestedNames> requestedNames() {
    try {
      PKCS10CertificationRequest request = parse();
      return Optional.of(
          names(request)
              .map(names -> RequestedNames.of(request.getSubject(), names))
              .orElseGet(() -> RequestedNames.of(request.getSubject())));
    } catch (GeneralSecurityException | IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Why it was not signed with the key that it is for, in the words of Go's parsers; empty if it
   * was.
   */
  public Optional<String> signatureProblem() {
    try {
      PKCS10CertificationRequest request = parse();
      SubjectPublicKeyInfo key = request.getSubjectPublicKeyInfo();
      return request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))
          ? Optional.empty()
          : Optional.of(
              switch (algorithm(key)) {
                case "RSA" -> "crypto/rsa: verification error";
                case "EC" -> "x509: ECDSA verification failure";
                default -> "x509: Ed25519 verification failure";
              });
    } catch (GeneralSecurityException
        | PKCSException
        | OperatorCreationException
        | IOException
        | IllegalArgumentException _) {
      return Optional.of("x509: cannot verify signature: algorithm unimplemented");
    }
  }

  private PKCS10CertificationRequest parse() throws GeneralSecurityException, IOException {
    Pem.Block block =
        block().orElseThrow(() -> new GeneralSecurityException("its first block is none"));
    return new PKCS10CertificationRequest(block.content());
  }

  private Optional<Pem.Block> block() {
    return Pem.first(pem).filter(block -> block.label().equals(Pem.CERTIFICATE_REQUEST));
  }

  /** Whether it says that it is a request, readable or not. */
  public boolean isRequest() {
    return block().isPresent();
  }

  /** Empty if it is none of those that are signed. */
  private static String algorithm(SubjectPublicKeyInfo key) {
    return switch (key.getAlgorithm().getAlgorithm().getId()) {
      case "1.2.840.113549.1.1.1" -> "RSA";
      case "1.2.840.10045.2.1" -> "EC";
      case "1.3.101.112" -> "Ed25519";
      default -> "";
    };
  }

  private static Optional<String> weakness(SubjectPublicKeyInfo info)
      throws GeneralSecurityException, IOException {
    var spec = new X509EncodedKeySpec(info.getEncoded());
    String algorithm = algorithm(info);
    if (algorithm.isEmpty()) {
      return Optional.of("The request's key is of a kind that is not signed: use RSA or ECDSA.");
    }
    PublicKey key = KeyFactory.getInstance(algorithm).generatePublic(spec);
    return switch (key) {
      case RSAPublicKey rsa when rsa.getModulus().bitLength() < LEAST_RSA_BITS ->
          Optional.of(
              "The request's RSA key has %d bits, but %d are the least."
                  .formatted(rsa.getModulus().bitLength(), LEAST_RSA_BITS));
      case RSAPublicKey _, ECPublicKey _, EdECPublicKey _ -> Optional.empty();
      default -> throw new GeneralSecurityException("unexpected key " + key.getAlgorithm());
    };
  }

  private static Optional<GeneralNames> names(PKCS10CertificationRequest request) {
    Extensions extensions = request.getRequestedExtensions();
    return extensions == null
        ? Optional.empty()
        : Optional.ofNullable(
            GeneralNames.fromExtensions(extensions, Extension.subjectAlternativeName));
  }
}
