package dev.berth.grpc.cri;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.agent.runtime.process.TestContainer;
import dev.berth.agent.runtime.process.TestPod;
import dev.berth.grpc.criapi.Cri;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Images that containers mount: how runtimes are asked for them, and which can. */
class ImageVolumesTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "containerd://1.6.20~ds1, false",
    "containerd://v1.7.27,    false",
    "containerd://2.0.5,      false",
    "containerd://v2.1.0,     true",
    "containerd://2.10.0-rc1, true",
    "containerd://3.0.0,      true",
    // Nobody knows.
    "cri-o://1.20.0,          true",
    "scripted://1.0,          true",
  })
  void whichRuntimesMountImages(String version, boolean expected) {
    assertThat(ImageVolumes.problem(version).isEmpty()).isEqualTo(expected);
  }

  @Test
  void whoIsTooOldIsToldOf() {
    assertThat(ImageVolumes.problem("containerd://1.6.20"))
        .isEqualTo(
            "ImageVolumeMountFailed: containerd 1.6.20 cannot mount images as volumes, which takes"
                + " containerd 2.1 or later");
  }

  @Test
  void anImageIsAskedForByItsIdAndNotByAPath() {
    Cri.ContainerConfig config =
        ContainerConfigs.of(
            TestContainer.running("x")
                .mounting("/tmp", "/host", false)
                .mountingImage("files:1", "a/b", "/image")
                .spec(TestPod.named("web")),
            new ContainerConfigs.Place(
                Cri.PodSandboxConfig.getDefaultInstance(),
                Cri.Image.getDefaultInstance(),
                Map.of("files:1", "sha256:1"),
                "",
                new CgroupFeatures(false, false, List.of())));
    assertThat(config.getMountsList())
        .containsExactly(
            Cri.Mount.newBuilder().setHostPath("/tmp").setContainerPath("/host").build(),
            Cri.Mount.newBuilder()
                .setContainerPath("/image")
                .setReadonly(true)
                .setImage(
                    Cri.ImageSpec.newBuilder()
                        .setImage("sha256:1")
                        .setUserSpecifiedImage("files:1"))
                .setImageSubPath("a/b")
                .build());
    assertThat(config.getAnnotationsMap()).containsEntry(CriNames.MOUNTED_IMAGES, "sha256:1");
  }
}
