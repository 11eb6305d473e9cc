package dev.berth.pki;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.time.WallTime;
import java.io.StringReader;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.interfaces.ECPrivateKey;
import java.time.Instant;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The key of a kubeconfig, read by a library that knows all forms. */
class ClientKeyTest {
  @Test
  void isTheSameKeyInTheFormThatKubernetesWrites(@TempDir Path data) throws Exception {
    Instant now = new WallTime(_ -> {}).now();
    Credential admin = ClusterCa.open(data, now).administrator(now);
    String pem = ClientKey.pem(admin);
    assertThat(pem).startsWith("-----BEGIN EC PRIVATE KEY-----\n");
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      KeyPair read = new JcaPEMKeyConverter().getKeyPair((PEMKeyPair) parser.readObject());
      // The keys' own equality looks at optional parts of their encoding, too.
      assertThat(((ECPrivateKey) read.getPrivate()).getS())
          .isEqualTo(((ECPrivateKey) admin.key()).getS());
      assertThat(read.getPublic()).isEqualTo(admin.certificate().getPublicKey());
    }
  }
}
