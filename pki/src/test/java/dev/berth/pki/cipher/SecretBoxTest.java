package dev.berth.pki.cipher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class SecretBoxTest {
  private static final byte[] NO_CONTEXT = {};

  /** The example of "Cryptography in NaCl", section 10. */
  @Test
  void encryptsAsNaclDoes() throws GeneralSecurityException {
    byte[] key = hex("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389");
    byte[] nonce = hex("69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37");
    byte[] message =
        hex(
            "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffc"
                + "e5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb31"
                + "0e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde"
                + "048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f93776384864"
                + "5e0705");
    byte[] expected =
        hex(
            "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce"
                + "48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b4da7f011ec48c972"
                + "71d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae"
                + "90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b3"
                + "7973f622a43d14a6599b1f654cb45a74e355a5");
    SecretBox box = new SecretBox(key);

    byte[] encrypted = box.encryptWith(nonce, message);

    assertThat(Arrays.copyOf(encrypted, 24)).isEqualTo(nonce);
    assertThat(Arrays.copyOfRange(encrypted, 24, encrypted.length)).isEqualTo(expected);
    assertThat(box.decrypt(encrypted, NO_CONTEXT)).isEqualTo(message);
  }

  @Test
  void noNonceIsUsedTwice() throws GeneralSecurityException {
    SecretBox box = new SecretBox(new byte[32]);
    byte[] value = "{\"a\":1}".getBytes(UTF_8);
    byte[] once = box.encrypt(value, NO_CONTEXT);
    assertThat(box.encrypt(value, NO_CONTEXT)).isNotEqualTo(once);
    assertThat(box.decrypt(once, NO_CONTEXT)).isEqualTo(value);
  }

  @Test
  void anotherKeyAndAChangedByteAreNoticed() {
    byte[] other = new byte[32];
    other[31] = 1;
    byte[] encrypted = new SecretBox(other).encrypt(new byte[100], NO_CONTEXT);
    assertThatThrownBy(() -> new SecretBox(new byte[32]).decrypt(encrypted, NO_CONTEXT))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessage("it was encrypted with another key, or was changed");
    for (int i = 0; i < encrypted.length; i++) {
      byte[] changed = encrypted.clone();
      changed[i] ^= 1;
      assertThatThrownBy(() -> new SecretBox(other).decrypt(changed, NO_CONTEXT))
          .isInstanceOf(GeneralSecurityException.class);
    }
    assertThatThrownBy(() -> new SecretBox(other).decrypt(new byte[39], NO_CONTEXT))
        .hasMessage("the stored data was shorter than the required size");
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
