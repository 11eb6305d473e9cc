package dev.berth.policy.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.image.ImageVerification.Policy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of which images a node verifies that a pod may use them. */
class ImageVerificationTest {
  @ParameterizedTest(name = "{0}: pulled here {1}, brought by others {2}")
  @CsvSource({
    "NeverVerify, false, false",
    "NeverVerifyPreloadedImages, true, false",
    "NeverVerifyAllowlistedImages, true, true",
    "AlwaysVerify, true, true",
  })
  void eachPolicy(String name, boolean ofPulled, boolean ofOthers) {
    ImageVerification verification =
        new ImageVerification(Policy.of(name).orElseThrow(), List.of());
    assertThat(verification.verifies("registry.example/app:1", true)).isEqualTo(ofPulled);
    assertThat(verification.verifies("registry.example/app:1", false)).isEqualTo(ofOthers);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "registry.example/base:1, false",
    "registry.example/base@sha256:0123456789abcdef0123456789abcdef, false",
    "registry.example/base2, true",
    "registry.example:5000/base, true",
    "registry.example/team/app:2, false",
    "registry.example/team, true",
    "registry.example/teams/app, true",
  })
  void aListNamesImagesAndPaths(String image, boolean isVerified) {
    ImageVerification verification =
        new ImageVerification(
            Policy.NEVER_ALLOWLISTED, List.of("registry.example/base", "registry.example/team/*"));
    assertThat(verification.verifies(image, true)).isEqualTo(isVerified);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "registry.example/base |",
        "registry.example/* |",
        "registry.example:5000/base |",
        "\" a\" | leading/trailing spaces are not allowed:  a",
        "\"\" | the supplied pattern is too short: ",
        "a/*/b | not a valid wildcard pattern, only patterns ending with '/*' are allowed: a/*/b",
        "/* | at least registry hostname is required",
        "a:1 | neither tag nor digest is accepted in an image reference: a:1",
        "a//b | failed to parse as an image name: invalid reference format",
      })
  void whatIsWrongWithAnEntry(String entry, String problem) {
    assertThat(ImageVerification.problem(entry).map(String::strip).orElse(null)).isEqualTo(problem);
  }

  @Test
  void unlessSaidImagesThatOthersBroughtAreForAll() {
    assertThat(ImageVerification.DEFAULT.policy().text()).isEqualTo("NeverVerifyPreloadedImages");
  }
}
