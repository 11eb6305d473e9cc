package dev.berth.agent.image;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageNamesTest {
  @ParameterizedTest
  @CsvSource({
    "nginx, docker.io/library/nginx:latest",
    "nginx:1.27, docker.io/library/nginx:1.27",
    "team/app, docker.io/team/app:latest",
    "localhost/app:1, localhost/app:1",
    "registry.example:5000/app, registry.example:5000/app:latest",
    "quay.io/a/b@sha256:12, quay.io/a/b@sha256:12",
  })
  void shortNamesStandForFullOnes(String name, String full) {
    assertThat(ImageNames.full(name)).isEqualTo(full);
  }
}
