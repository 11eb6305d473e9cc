package dev.berth.policy.localstorage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.PodSpecView;
import dev.berth.model.fixture.Fixtures;
import dev.berth.model.storage.EmptyDirVolume;
import dev.berth.model.tree.JsonObject;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocalStorageLimitsTest {
  private static final JsonObject POD =
      Fixtures.tree(
          "{'spec':{'volumes':[{'name':'free','emptyDir':{}},{'name':'zero','emptyDir':{'sizeLimit':'0'}},"
              + "{'name':'cache','emptyDir':{'sizeLimit':'1Ki'}},{'name':'other','hostPath':{}}],"
              + "'containers':[{'name':'a','resources':{'limits':{'ephemeral-storage':'2Ki'}}},"
              + "{'name':'b','resources':{'limits':{'ephemeral-storage':'3Ki'}}}]}}");

  private static Optional<String> exceeded(JsonObject pod, LocalStorageUse use) {
    return LocalStorageLimits.exceeded(
        PodSpecView.read(pod.object("spec")), EmptyDirVolume.of(pod), use);
  }

  @ParameterizedTest(name = "volume {0}, containers {1} and {2}, total {3}")
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "1024, 2048, 3072, 5120, ``",
        "1025, 0, 0, 0, `Usage of EmptyDir volume \"cache\" exceeds the limit \"1Ki\". `",
        "0, 0, 0, 5121, `Pod ephemeral local storage usage exceeds the total limit of containers 5Ki. `",
        "0, 2049, 0, 2049, `Container a exceeded its local ephemeral storage limit \"2Ki\". `",
        "0, 0, 3073, 3073, `Container b exceeded its local ephemeral storage limit \"3Ki\". `",
      })
  void saysWhichLimitIsExceeded(long volume, long a, long b, long total, String message) {
    LocalStorageUse use =
        new LocalStorageUse(
            Map.of("free", 1L << 40, "zero", 1L << 40, "cache", volume, "other", 1L << 40),
            Map.of("a", a, "b", b),
            total);
    assertThat(exceeded(POD, use).orElse("")).isEqualTo(message);
  }

  @Test
  void aPodWithoutLimitsMayTakeAll() {
    long much = 1L << 40;
    JsonObject pod = Fixtures.tree("{'spec':{'containers':[{'name':'a'}]}}");
    assertThat(exceeded(pod, new LocalStorageUse(Map.of(), Map.of("a", much), much))).isEmpty();
  }
}
