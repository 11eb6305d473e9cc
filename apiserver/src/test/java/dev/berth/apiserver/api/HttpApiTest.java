package dev.berth.apiserver.api;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.AccessConfig;
import dev.berth.apiserver.fixture.LocalServer;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.ApiWatch;
import dev.berth.client.ApiWatch.Poll;
import dev.berth.client.ListRequest;
import dev.berth.client.ListResult;
import dev.berth.client.Resources;
import dev.berth.client.http.HttpApi;
import dev.berth.client.kubeconfig.Connection;
import dev.berth.client.kubeconfig.Connection.Identity;
import dev.berth.client.kubeconfig.Connection.Trust;
import dev.berth.client.kubeconfig.Kubeconfig;
import dev.berth.client.kubeconfig.TokenSource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.time.WallTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API over HTTPS, of a server on a loopback port. */
class HttpApiTest extends ApiContract {
  /** The servers of all tests have the same keys. */
  @TempDir static Path directory;

  private final WallTime time =
      new WallTime(failure -> {
        throw new AssertionError(failure.toString(), failure.cause());
      });
  private LocalServer server;
  private Connection connection;
  private HttpApi api;
  private HttpApi stranger;

  @BeforeEach
  void open() throws IOException {
    Path tokens = Files.writeString(directory.resolve("tokens.csv"), "stranger-token,stranger,1\n");
    server = LocalServer.open(directory, new AccessConfig(tokens, AccessConfig.DEFAULT.issuer()));
    connection = Kubeconfig.read(server.kubeconfig()).connection();
    api = new HttpApi(connection, time, "test");
    stranger = new HttpApi(as(connection.trust(), "stranger-token"), time, "test");
  }

  private Connection as(Trust trust, String token) {
    return new Connection(
        connection.server(), trust, new Identity.Token(TokenSource.fixed(token)), "default");
  }

  @AfterEach
  void close() {
    api.close();
    stranger.close();
    server.close();
    time.close();
  }

  @Override
  Api api() {
    return api;
  }

  @Override
  Api stranger() {
    return stranger;
  }

  @Override
  void forgetHistory() {
    server.forgetHistory();
  }

  @Test
  void whoNeedsOnlyMetadataIsSentNoMore() throws InterruptedException {
    created(Resources.CONFIG_MAPS, configMap("a", "1"));
    ListRequest request = ListRequest.of(Resources.CONFIG_MAPS).in("default").metadata();
    ListResult.Page page = page(api.list(request));
    JsonObject listed = page.items().getFirst();
    assertThat(listed.names()).containsExactly("metadata");
    assertThat(listed.object("metadata").has("managedFields")).isFalse();

    try (Watched watched = new Watched(api, request.watchAfter(page.revision()))) {
      created(Resources.CONFIG_MAPS, configMap("b", "2"));
      assertThat(watched.next(1))
          .isInstanceOfSatisfying(
              Poll.Events.class,
              events -> {
                JsonObject told = events.events().getFirst().object();
                assertThat(told.names()).containsExactly("metadata");
                assertThat(ObjectName.of(told)).isEqualTo(new ObjectName("default", "b"));
              });
    }
  }

  /** Whichever it begins with: that is chosen by chance. */
  @Test
  void aServerThatCannotBeReachedIsLeftForAnother() throws Exception {
    try (Socket taken = new Socket()) {
      // Bound, so that nobody else listens there, and not listening itself.
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI dead = URI.create("https://127.0.0.1:" + taken.getLocalPort());
      for (List<URI> servers :
          List.of(List.of(dead, connection.server()), List.of(connection.server(), dead))) {
        Connection several =
            new Connection(servers, connection.trust(), connection.identity(), "default");
        try (HttpApi other = new HttpApi(several, time, "test")) {
          String name = "made-by-" + servers.indexOf(dead);
          assertThat(other.create(Resources.CONFIG_MAPS, configMap(name, "1")))
              .isInstanceOf(ApiResult.Done.class);
          ListRequest request = ListRequest.of(Resources.CONFIG_MAPS).in("default");
          ListResult.Page page = page(other.list(request));
          try (Watched watched = new Watched(other, request.watchAfter(page.revision()))) {
            created(Resources.CONFIG_MAPS, configMap(name + "-too", "2"));
            assertThat(watched.next(1)).isInstanceOf(Poll.Events.class);
          }
        }
      }
    }
  }

  @Test
  void serversOfWhichNoneCanBeReachedAreAllNamed() throws Exception {
    try (Socket taken = new Socket()) {
      taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI one = URI.create("https://127.0.0.1:" + taken.getLocalPort());
      URI other = URI.create("https://localhost:" + taken.getLocalPort());
      Connection several =
          new Connection(List.of(one, other), connection.trust(), connection.identity(), "default");
      try (HttpApi api = new HttpApi(several, time, "test")) {
        assertThat(api.get(Resources.NODES, ObjectName.of("a")))
            .isEqualTo(
                new ApiResult.Unreachable(
                    "A server of %s, %s does not answer: nobody listens there."
                        .formatted(one, other)));
      }
    }
  }

  @Test
  void aTokenThatNobodyKnowsIsRefused() {
    try (HttpApi other = new HttpApi(as(connection.trust(), "wrong"), time, "test")) {
      assertThat(refused(other.get(Resources.NODES, ObjectName.of("a"))).code()).isEqualTo(401);
    }
  }

  @Test
  void aServerThatNobodyVouchesForIsNotSpokenTo() {
    Trust machine = new Trust.Machine(Optional.empty());
    try (HttpApi wary = new HttpApi(as(machine, "stranger-token"), time, "test")) {
      assertThat(wary.get(Resources.NODES, ObjectName.of("a")))
          .isInstanceOfSatisfying(
              ApiResult.Unreachable.class,
              why ->
                  assertThat(why.message())
                      .startsWith("The server " + connection.server() + " does not answer: "));
    }
  }

  @Test
  void aServerIsKnownByTheNameThatIsAskedFor() {
    var authorities = ((Trust.Authorities) connection.trust()).certificates();
    Trust right = new Trust.Authorities(authorities, Optional.of("kubernetes.default.svc"));
    Trust wrong = new Trust.Authorities(authorities, Optional.of("another.example"));
    try (HttpApi one = new HttpApi(as(right, "stranger-token"), time, "test");
        HttpApi other = new HttpApi(as(wrong, "stranger-token"), time, "test");
        HttpApi any = new HttpApi(as(new Trust.Anything(), "stranger-token"), time, "test")) {
      assertThat(refused(one.get(Resources.NODES, ObjectName.of("a"))).code()).isEqualTo(403);
      assertThat(other.get(Resources.NODES, ObjectName.of("a")))
          .isInstanceOf(ApiResult.Unreachable.class);
      assertThat(refused(any.get(Resources.NODES, ObjectName.of("a"))).code()).isEqualTo(403);
    }
  }

  @Test
  void aServerThatWentIsUnreachableAndItsWatchesEnd() throws Exception {
    Semaphore told = new Semaphore(0);
    String revision = page(api.list(ListRequest.of(Resources.NODES))).revision();
    try (ApiWatch watch =
        api.watch(ListRequest.of(Resources.NODES).watchAfter(revision), told::release)) {
      server.restart();
      Poll poll = watch.poll(1);
      while (poll instanceof Poll.Events) {
        assertThat(told.tryAcquire(120, TimeUnit.SECONDS)).isTrue();
        poll = watch.poll(1);
      }
      assertThat(poll).isInstanceOfAny(Poll.Ended.class, Poll.Failed.class);
    }
    server.close();
    assertThat(api.get(Resources.NODES, ObjectName.of("a")))
        .isInstanceOf(ApiResult.Unreachable.class);
    server = LocalServer.open(directory);
  }

  @Test
  void manyWatchesAndRequestsFitTogether() throws Exception {
    String revision = page(api.list(ListRequest.of(Resources.CONFIG_MAPS))).revision();
    Semaphore told = new Semaphore(0);
    List<ApiWatch> watches =
        IntStream.range(0, 320)
            .mapToObj(i ->
                api.watch(
                    ListRequest.of(Resources.CONFIG_MAPS).watchAfter(revision),
                    new Once(told::release)))
            .toList();
    assertThat(
            api.create(
                    Resources.CONFIG_MAPS, tree("{'metadata':{'name':'x','namespace':'default'}}"))
                .isDone())
        .isTrue();
    assertThat(told.tryAcquire(320, 180, TimeUnit.SECONDS)).isTrue();
    for (ApiWatch watch : watches) {
      assertThat(watch.poll(10))
          .isInstanceOfSatisfying(
              Poll.Events.class, events -> assertThat(events.events()).hasSize(1));
      watch.close();
    }
  }

  /** Runs something the first time only. */
  private static final class Once implements Runnable {
    private final Runnable task;
    private final AtomicBoolean done = new AtomicBoolean();

    Once(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      if (done.compareAndSet(false, true)) {
        task.run();
      }
    }
  }
}
