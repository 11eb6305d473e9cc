package dev.berth.pki.cipher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AesTest {
  private static final byte[] VALUE = "{\"kind\":\"Secret\"}".getBytes(UTF_8);
  private static final byte[] HERE = "/registry/secrets/default/a".getBytes(UTF_8);
  private static final byte[] THERE = "/registry/secrets/default/b".getBytes(UTF_8);

  /** Test case 16 of the specification of GCM, as it stands in the store: nonce, text, tag. */
  @Test
  void decryptsWhatOthersEncrypted() throws GeneralSecurityException {
    byte[] key = hex("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308");
    byte[] stored =
        hex(
            "cafebabefacedbaddecaf888"
                + "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                + "76fc6ece0f4e1768cddf8853bb2d551b");
    assertThat(new AesGcm(key).decrypt(stored, hex("feedfacedeadbeeffeedfacedeadbeefabaddad2")))
        .isEqualTo(
            hex(
                "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
                    + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"));
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 24, 32})
  void whatIsEncryptedBelongsToItsPlace(int keyBytes) throws GeneralSecurityException {
    AesGcm cipher = new AesGcm(new byte[keyBytes]);
    byte[] encrypted = cipher.encrypt(VALUE, HERE);
    assertThat(encrypted).hasSize(12 + VALUE.length + 16);
    assertThat(cipher.encrypt(VALUE, HERE)).isNotEqualTo(encrypted);
    assertThat(cipher.decrypt(encrypted, HERE)).isEqualTo(VALUE);
    assertThatThrownBy(() -> cipher.decrypt(encrypted, THERE))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessage("it was encrypted with another key or for another object, or was changed");
  }

  @Test
  void anotherKeyAndAChangedByteAreNoticed() {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 7);
    byte[] encrypted = new AesGcm(key).encrypt(VALUE, HERE);
    assertThatThrownBy(() -> new AesGcm(new byte[32]).decrypt(encrypted, HERE))
        .isInstanceOf(GeneralSecurityException.class);
    for (int i = 0; i < encrypted.length; i++) {
      byte[] changed = encrypted.clone();
      changed[i] ^= 1;
      assertThatThrownBy(() -> new AesGcm(key).decrypt(changed, HERE))
          .isInstanceOf(GeneralSecurityException.class);
    }
    assertThatThrownBy(() -> new AesGcm(key).decrypt(new byte[27], HERE))
        .hasMessage("the stored data was shorter than the required size");
  }

  /** The first block of the example F.2.5 of NIST SP 800-38A, with its padding. */
  @Test
  void decryptsChainedBlocks() throws GeneralSecurityException {
    byte[] key = hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");
    byte[] start = hex("000102030405060708090a0b0c0d0e0f");
    Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
    cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"), new IvParameterSpec(start));
    byte[] blocks = cipher.doFinal(hex("6bc1bee22e409f96e93d7e117393172a"));
    assertThat(Arrays.copyOf(blocks, 16)).isEqualTo(hex("f58c4c04d6e5f1ba779eabfb5f7bfbd6"));
    byte[] stored = Arrays.copyOf(start, 48);
    System.arraycopy(blocks, 0, stored, 16, 32);

    assertThat(new AesCbc(key).decrypt(stored, HERE))
        .isEqualTo(hex("6bc1bee22e409f96e93d7e117393172a"));
    assertThatThrownBy(() -> new AesCbc(key).decrypt(Arrays.copyOf(stored, 47), HERE))
        .hasMessage("the stored data is not a multiple of the block size");
    assertThatThrownBy(() -> new AesCbc(key).decrypt(Arrays.copyOf(stored, 16), HERE))
        .hasMessage("the stored data was shorter than the required size");
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }
}
