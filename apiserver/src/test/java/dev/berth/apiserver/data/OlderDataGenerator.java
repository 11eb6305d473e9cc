package dev.berth.apiserver.data;

import static dev.berth.model.fixture.Fixtures.tree;

import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.ApiServerConfig;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.user.User;
import dev.berth.store.Store;
import dev.berth.store.embedded.Backup;
import dev.berth.store.embedded.EmbeddedStore;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes the data that {@link OlderDataTest} keeps: a data directory and a backup of it, in one zip
 * file. A file that was made once is never made again, since it stands for the version that made
 * it; whoever changes what is on disk adds another one first.
 *
 * <p>Run it with the class path of this module's tests and the name of the file to make, such as
 * {@code format-2.zip}, and put that beside the others.
 */
final class OlderDataGenerator {
  private OlderDataGenerator() {}

  public static void main(String[] args) throws IOException {
    Path root = Files.createTempDirectory("berth-older-");
    Path directory = root.resolve("data");
    try (WallTime time = new WallTime(failure -> failure.cause().printStackTrace());
        Store store = EmbeddedStore.open(directory, EmbeddedStore.Options.DEFAULT)) {
      var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      var config =
          new ApiServerConfig(
              address,
              directory.resolve("pki"),
              store,
              time,
              (method, path, cause) -> cause.printStackTrace());
      try (ApiServer server = ApiServer.start(config)) {
        fill(server.api(User.authenticated("root", List.of(User.MASTERS)), "generator"));
      }
    }
    Backup.backup(directory, root.resolve("backup"));
    pack(root, Path.of(args[0]));
  }

  private static void fill(Api api) {
    made(
        api.create(
            Resources.SECRETS,
            tree(
                "{'metadata':{'name':'door','namespace':'default'},'type':'Opaque',"
                    + "'stringData':{'key':'open sesame'}}")));
    made(
        api.create(
            Resources.CONFIG_MAPS,
            tree(
                "{'metadata':{'name':'settings','namespace':'default','labels':{'app':'web'},"
                    + "'finalizers':['example.com/keep']},'data':{'motto':'Grüße, 世界'}}")));
    made(
        api.create(
            Resources.DEPLOYMENTS,
            tree(
                "{'metadata':{'name':'web','namespace':'default'},'spec':{'replicas':2,"
                    + "'selector':{'matchLabels':{'app':'web'}},'template':{'metadata':"
                    + "{'labels':{'app':'web'}},'spec':{'containers':[{'name':'web',"
                    + "'image':'web:1'}]}}}}")));
  }

  private static void made(ApiResult result) {
    if (result instanceof ApiResult.Failure why) {
      throw new IllegalStateException(why.message());
    }
  }

  private static void pack(Path root, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out);
        Stream<Path> files = Files.walk(root)) {
      for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
        zip.putNextEntry(new ZipEntry(root.relativize(each).toString()));
        Files.copy(each, zip);
      }
    }
  }
}
