package dev.berth.policy.image;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of images. */
class ImageReferenceTest {
  private static final String HASH =
      "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

  @ParameterizedTest
  @CsvSource({
    "nginx, docker.io/library/nginx, nginx:latest",
    "nginx:1.2, docker.io/library/nginx, nginx:1.2",
    "team/app, docker.io/team/app, team/app:latest",
    "registry.example/app:1, registry.example/app, registry.example/app:1",
    "registry.example:5000/a/b/c, registry.example:5000/a/b/c, registry.example:5000/a/b/c:latest",
    "localhost/app, localhost/app, localhost/app:latest",
    "app@" + HASH + ", docker.io/library/app, app@" + HASH,
    "app:1@" + HASH + ", docker.io/library/app, app:1@" + HASH,
  })
  void namesAreReadInFull(String name, String repository, String tagged) {
    assertThat(ImageReference.parse(name))
        .isInstanceOfSatisfying(
            ImageReference.Result.Valid.class,
            valid -> {
              assertThat(valid.reference().repository()).isEqualTo(repository);
              assertThat(valid.reference().tagged(name)).isEqualTo(tagged);
            });
  }

  @ParameterizedTest
  @CsvSource({
    "'', invalid reference format",
    "a b, invalid reference format",
    "app:, invalid reference format",
    "app:-1, invalid reference format",
    "app@sha256:12, invalid reference format",
    "-app, invalid reference format",
    "a//b, invalid reference format",
    "App, invalid reference format: repository name (library/App) must be lowercase",
    "Team/app, invalid reference format: repository name (Team/app) must be lowercase",
    "registry.example/App, invalid reference format: repository name (App) must be lowercase",
  })
  void othersAreRefused(String name, String problem) {
    assertThat(ImageReference.parse(name)).isEqualTo(new ImageReference.Result.Invalid(problem));
  }
}
