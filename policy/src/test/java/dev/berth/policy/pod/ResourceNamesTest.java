package dev.berth.policy.pod;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourceNamesTest {

  @ParameterizedTest
  @CsvSource({
    "example.com/gpu, true",
    "pod.alpha.kubernetes.io/opaque-int-resource-gpu, true",
    "pod.alpha.kubernetes.io/other, false",
    "kubernetes.io/batch, false",
    "cpu, false",
    "requests.example.com/gpu, false",
  })
  void extendedResourcesAreThoseOfOtherDomainsAndOpaqueIntegers(String name, boolean extended) {
    assertThat(ResourceNames.isExtended(name)).isEqualTo(extended);
    assertThat(ResourceNames.isNative(name) && extended).isFalse();
  }
}
