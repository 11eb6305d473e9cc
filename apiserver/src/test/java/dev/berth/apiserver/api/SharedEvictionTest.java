package dev.berth.apiserver.api;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.apiserver.LocalApi;
import dev.berth.client.Api;
import dev.berth.client.ApiResult;
import dev.berth.client.Resources;
import dev.berth.client.Target;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.store.Store;
import dev.berth.store.Store.RangeRequest;
import dev.berth.store.memory.MemoryStore;
import dev.berth.time.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A server on a shared store that does not know yet what was written through another one. */
class SharedEvictionTest {
  private static final String BUDGETS = "/registry/poddisruptionbudgets/";

  private final VirtualTime time =
      new VirtualTime(
          1,
          failure -> {
            throw new AssertionError(failure.toString(), failure.cause());
          });
  private final MemoryStore memory = new MemoryStore();

  /** What the server knows of budgets, until it has asked for what is new; 0 is everything. */
  private volatile long known;

  private Store behind() {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              Object[] asked = arguments;
              switch (method.getName()) {
                case "isShared" -> {
                  return true;
                }
                case "sync" -> known = RangeRequest.CURRENT;
                case "range" -> {
                  RangeRequest range = (RangeRequest) arguments[0];
                  if (range.from().startsWith(BUDGETS) && known != RangeRequest.CURRENT) {
                    asked = new Object[] {range.at(known)};
                  }
                }
                default -> {}
              }
              try {
                return method.invoke(memory, asked);
              } catch (InvocationTargetException e) {
                throw Objects.requireNonNull(e.getCause());
              }
            });
  }

  @Test
  void anEvictionMindsABudgetThatWasCreatedThroughAnotherServer() {
    try (LocalApi server =
        LocalApi.open(
            behind(),
            time,
            (_, _, cause) -> {
              throw new AssertionError(cause);
            })) {
      Api api = server.api(User.authenticated("admin", List.of(User.MASTERS)), "test");
      JsonObject pod =
          tree(
              """
              {'metadata':{'name':'p','namespace':'default','labels':{'app':'a'}},
               'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}
              """);
      done(api.create(Resources.PODS, pod));
      // Whoever evicts a pod that does not run yet needs no budget.
      done(api.updateStatus(Resources.PODS, pod.with("status", tree("{'phase':'Running'}"))));
      long before = memory.revision();
      done(
          api.create(
              Resources.POD_DISRUPTION_BUDGETS,
              tree(
                  """
                  {'metadata':{'name':'b','namespace':'default'},
                   'spec':{'minAvailable':1,'selector':{'matchLabels':{'app':'a'}}}}
                  """)));

      known = before;
      ApiResult evicted =
          api.create(
              new Target(Resources.PODS, new ObjectName("default", "p"), "eviction"),
              tree("{'metadata':{'name':'p','namespace':'default'}}"));

      assertThat(evicted)
          .isInstanceOfSatisfying(
              ApiResult.Refused.class, why -> assertThat(why.error().code()).isEqualTo(429));
      done(api.get(Resources.PODS, new ObjectName("default", "p")));
    }
  }

  private static void done(ApiResult result) {
    assertThat(result).isInstanceOf(ApiResult.Done.class);
  }
}
