package dev.berth.policy.pressure;

import static dev.berth.policy.pressure.PodConsumptionFixture.pod;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalStorageLimitTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "no limits | '' | '' | '' | 999 | 999 | 999 | false | ''",
        "just within | 20Mi | 10Mi | 30Mi | 10 | 10 | 10 | false | ''",
        "a volume | '' | 10Mi | '' | 0 | 0 | 11 | false | Usage of EmptyDir volume \"v\" exceeds the limit \"10Mi\".",
        "the pod in all | 40Mi | 40Mi | 30Mi | 11 | 10 | 10 | false | Pod ephemeral local storage usage exceeds the total limit of containers 30Mi.",
        "a container | 20Mi | '' | '' | 11 | 10 | 0 | false | Container c exceeded its local ephemeral storage limit \"20Mi\".",
        "its root is on another file system | 20Mi | '' | '' | 11 | 10 | 0 | true | ''",
        "its logs are not | 20Mi | '' | '' | 11 | 21 | 0 | true | Container c exceeded its local ephemeral storage limit \"20Mi\".",
      })
  void limits(
      String name,
      String container,
      String volume,
      String ofPod,
      long root,
      long logs,
      long written,
      boolean imageFilesystem,
      String message) {
    PodConsumption made =
        pod("p").limits(container, volume, ofPod).writes(root, logs, written).made();
    assertThat(LocalStorageLimit.exceededBy(made, imageFilesystem).map(String::strip).orElse(""))
        .isEqualTo(message);
  }
}
