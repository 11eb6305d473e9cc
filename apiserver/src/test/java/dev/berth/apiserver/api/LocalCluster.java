package dev.berth.apiserver.api;

import static dev.berth.model.fixture.Fixtures.tree;

import dev.berth.apiserver.LocalApi;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.VirtualTime;
import java.util.List;

/** A cluster in memory, at a time that the test turns, and an API of it that can break. */
final class LocalCluster implements AutoCloseable {
  final VirtualTime time;
  final MemoryStore store = new MemoryStore();
  final LocalApi local;
  final Api api;
  final BrokenApi broken;

  LocalCluster(long seed) {
    time =
        new VirtualTime(
            seed,
            failure -> {
              throw new AssertionError(failure.toString(), failure.cause());
            });
    local =
        LocalApi.open(
            store,
            time,
            (method, path, cause) -> {
              throw new AssertionError(method + " " + path, cause);
            });
    api = local.api(User.authenticated("root", List.of(User.MASTERS)), "test");
    broken = new BrokenApi(api);
  }

  JsonObject create(String name, String value) {
    return done(
        api.create(
            Resources.CONFIG_MAPS,
            tree(
                "{'metadata':{'name':'%s','namespace':'default'},'data':{'key':'%s'}}"
                    .formatted(name, value))));
  }

  void change(String name, String value) {
    JsonObject old = done(api.get(Resources.CONFIG_MAPS, new ObjectName("default", name)));
    done(api.update(Resources.CONFIG_MAPS, old.with("data", JsonObject.of("key", value))));
  }

  void delete(String name) {
    done(api.delete(Resources.CONFIG_MAPS, new ObjectName("default", name)));
  }

  static JsonObject done(ApiResult result) {
    return ApiContract.done(result);
  }

  @Override
  public void close() {
    local.close();
    store.close();
  }
}
