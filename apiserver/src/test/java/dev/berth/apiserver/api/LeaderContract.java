package dev.berth.apiserver.api;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.client.ApiError;
import dev.berth.client.ApiRequest;
import dev.berth.client.ApiResult;
import dev.berth.client.DeleteOptions;
import dev.berth.client.PatchType;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.leader.LeaderTerm;
import dev.berth.model.resource.GroupVersionResource;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes of leaders, which happen only in their term. */
abstract class LeaderContract extends ReadContract {
  private static final ObjectName LEASE = new ObjectName("kube-system", "leader");
  private static final ObjectName B = new ObjectName("default", "b");
  private static final LeaderTerm TERM = new LeaderTerm(LEASE, "host/1 _ü", 3);

  private JsonObject lease(String holder, long transitions) {
    return tree("{'metadata':{'name':'leader','namespace':'kube-system'},"
            + "'spec':{'leaseTransitions':%d}}".formatted(transitions))
        .update("spec", spec -> spec.with("holderIdentity", holder));
  }

  private JsonObject changed(JsonObject lease, JsonObject to) {
    return done(api().update(Resources.LEASES, lease.with("spec", to.object("spec"))));
  }

  private ApiResult asLeader(ApiRequest write) {
    return api().send(new ApiRequest.ByLeader(write, TERM));
  }

  private ApiRequest creation(String name) {
    return new ApiRequest.Create(
        Target.all(Resources.CONFIG_MAPS, "default"), configMap(name, "1"));
  }

  /** One of each kind that there is, the ways to a part of an object included. */
  private List<ApiRequest> writes() {
    Target pod = Target.of(Resources.PODS, B);
    Target map = Target.of(Resources.CONFIG_MAPS, B);
    JsonObject changed = done(api().get(Resources.CONFIG_MAPS, B)).with("data", JsonObject.EMPTY);
    JsonObject eviction =
        tree(
            "{'apiVersion':'policy/v1','kind':'Eviction',"
                + "'metadata':{'name':'b','namespace':'default'}}");
    JsonObject binding =
        tree("{'metadata':{'name':'b','namespace':'default'},'target':{'kind':'Node','name':'n'}}");
    JsonObject status = tree("{'status':{'message':'changed'}}");
    return List.of(
        creation("new"),
        new ApiRequest.Update(map, changed),
        new ApiRequest.Patch(map, PatchType.MERGE, tree("{'data':{'more':'1'}}")),
        new ApiRequest.Apply(map, configMap("b", "2"), "leader", true),
        new ApiRequest.Apply(Target.of(Resources.CONFIG_MAPS, A), configMap("a", "2"), "l", true),
        new ApiRequest.Patch(pod.subresource("status"), PatchType.MERGE, status),
        new ApiRequest.Create(pod.subresource("binding"), binding),
        new ApiRequest.Create(pod.subresource("eviction"), eviction),
        new ApiRequest.Delete(map, DeleteOptions.NONE),
        new ApiRequest.DeleteAll(Target.all(Resources.CONFIG_MAPS, "default"), DeleteOptions.NONE));
  }

  private void makeObjects() {
    var accounts = new GroupVersionResource("", "v1", "serviceaccounts");
    var _ = api().create(accounts, tree("{'metadata':{'name':'default','namespace':'default'}}"));
    created(
        Resources.PODS,
        tree(
            "{'metadata':{'name':'b','namespace':'default'},"
                + "'spec':{'containers':[{'name':'c','image':'i'}]}}"));
    created(Resources.CONFIG_MAPS, configMap("b", "1"));
  }

  private void assertRefused(String why) {
    for (ApiRequest write : writes()) {
      ApiError error = refused(asLeader(write));
      assertThat(error.isTermOver()).as("%s: %s", write, error).isTrue();
      assertThat(error.code()).isEqualTo(412);
      assertThat(error.message())
          .isEqualTo(
              "\"host/1 _ü\" does not hold the lease kube-system/leader since transition 3: "
                  + why);
    }
  }

  @Test
  void aLeaderWritesInItsTerm() {
    makeObjects();
    created(Resources.LEASES, lease(TERM.holder(), 3));
    assertThat(writes()).allSatisfy(write -> assertThat(asLeader(write).isDone()).isTrue());
    assertThat(api().get(Resources.CONFIG_MAPS, B).isNotFound()).isTrue();
  }

  @Test
  void aLeaderWhoseTermIsOverChangesNothing() {
    makeObjects();
    JsonObject pod = done(api().get(Resources.PODS, B));
    JsonObject map = done(api().get(Resources.CONFIG_MAPS, B));

    assertRefused("there is no such lease");
    JsonObject held = created(Resources.LEASES, lease("other", 3));
    assertRefused("\"other\" holds it since transition 3");
    held = changed(held, lease(TERM.holder(), 4));
    assertRefused("\"host/1 _ü\" holds it since transition 4");
    changed(held, lease("", 3));
    assertRefused("nobody holds it");

    assertThat(done(api().get(Resources.PODS, B))).isEqualTo(pod);
    assertThat(done(api().get(Resources.CONFIG_MAPS, B))).isEqualTo(map);
    assertThat(api().get(Resources.CONFIG_MAPS, A).isNotFound()).isTrue();
  }

  @Test
  void readsAreNobodysTerm() {
    created(Resources.CONFIG_MAPS, configMap("b", "1"));
    var read = new ApiRequest.Get(Target.of(Resources.CONFIG_MAPS, B));
    assertThat(api().send(new ApiRequest.ByLeader(read, TERM)).isDone()).isTrue();
  }
}
