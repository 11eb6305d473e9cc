package dev.berth.cli.server;

import dev.berth.apiserver.service.LivingServers;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonWriter;
import dev.berth.store.etcd.EtcdStore;
import java.time.Duration;
import java.util.List;

/**
 * The servers on an etcd that are alive, kube-apiservers included: keys that go by themselves, as
 * upstream's lease reconciler writes them. Each is named like its address and holds an Endpoints
 * with it.
 */
record MasterLeases(EtcdStore store) implements LivingServers {
  private static final String FOLDER = "masterleases/";
  private static final Duration LIFE = Duration.ofSeconds(15);

  @Override
  public List<String> renew(String address) {
    JsonObject endpoints =
        new JsonObject.Builder()
            .put("kind", "Endpoints")
            .put("apiVersion", "v1")
            .put("metadata", JsonObject.EMPTY)
            .put(
                "subsets",
                JsonArray.of(
                    JsonObject.of("addresses", JsonArray.of(JsonObject.of("ip", address)))))
            .build();
    store.putBeside(FOLDER + address, JsonWriter.toBytes(endpoints), LIFE);
    return addresses();
  }

  /** Where they are. */
  List<String> addresses() {
    return store.namesBeside(FOLDER);
  }

  @Override
  public List<String> remove(String address) {
    store.deleteBeside(FOLDER + address);
    return addresses();
  }
}
