package dev.berth.apiserver.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.LocalApi;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.store.Store;
import dev.berth.store.embedded.Backup;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.time.VirtualTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Data directories and backups that earlier versions wrote still open, with all that they hold. */
class OlderDataTest {
  /** Long after whatever was written. */
  private static final Instant LATER = Instant.parse("2040-01-01T00:00:00Z");

  @TempDir Path root;
  private Path restored;

  @BeforeEach
  void choose() {
    restored = root.resolve("restored");
  }

  @ParameterizedTest
  @ValueSource(strings = "format-1.zip")
  void anOlderDataDirectoryOpens(String file) throws IOException {
    unpack(file);
    assertThat(root.resolve("data/pki")).isNotEmptyDirectory();
    holdsWhatWasWritten(root.resolve("data"));
  }

  @ParameterizedTest
  @ValueSource(strings = "format-1.zip")
  void anOlderBackupIsRestored(String file) throws IOException {
    unpack(file);
    Backup.restore(root.resolve("backup"), restored, LATER);
    assertThat(restored.resolve("pki")).isNotEmptyDirectory();
    holdsWhatWasWritten(restored);
  }

  private static void holdsWhatWasWritten(Path directory) {
    VirtualTime time =
        new VirtualTime(
            1,
            failure -> {
              throw new AssertionError(failure.toString(), failure.cause());
            });
    try (Store store = EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT);
        LocalApi local =
            LocalApi.open(
                store,
                time,
                (method, path, cause) -> {
                  throw new AssertionError(method + " " + path, cause);
                })) {
      Api api = local.api(User.authenticated("root", List.of(User.MASTERS)), "test");
      assertThat(get(api, Resources.SECRETS, "door").object("data"))
          .isEqualTo(JsonObject.of("key", "b3BlbiBzZXNhbWU="));
      JsonObject settings = get(api, Resources.CONFIG_MAPS, "settings");
      assertThat(settings.object("data")).isEqualTo(JsonObject.of("motto", "Grüße, 世界"));
      assertThat(settings.object("metadata").object("labels"))
          .isEqualTo(JsonObject.of("app", "web"));
      JsonObject web = get(api, Resources.DEPLOYMENTS, "web");
      assertThat(web.object("spec").get("replicas")).isEqualTo(2L);
      assertThat(web.object("metadata").array("managedFields").size()).isEqualTo(1);
      ApiResult changed =
          api.update(
              Resources.DEPLOYMENTS, web.with("spec", web.object("spec").with("replicas", 3L)));
      assertThat(changed).isInstanceOf(ApiResult.Done.class);
    }
  }

  private static JsonObject get(Api api, GroupVersionResource resource, String name) {
    return switch (api.get(resource, new ObjectName("default", name))) {
      case ApiResult.Done(JsonObject object) -> object;
      case ApiResult.Failure why -> throw new AssertionError(why.message());
    };
  }

  private void unpack(String name) throws IOException {
    try (InputStream file = OlderDataTest.class.getResourceAsStream(name);
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path target = root.resolve(entry.getName());
        Files.createDirectories(target.getParent());
        Files.copy(zip, target);
      }
    }
  }
}
