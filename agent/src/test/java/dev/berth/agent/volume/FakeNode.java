package dev.berth.agent.volume;

import dev.berth.agent.node.NodeState;
import dev.berth.model.fixture.Fixtures;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A node as a test says it is. */
final class FakeNode implements NodeState {
  private JsonObject node =
      Fixtures.tree(
          "{'metadata':{'name':'n1','labels':{'kubernetes.io/hostname':'n1'}},"
              + "'status':{'allocatable':{'cpu':'2','memory':'64Mi'}}}");

  void set(JsonObject changed) {
    node = changed;
  }

  JsonObject tree() {
    return node;
  }

  @Override
  public String name() {
    return "n1";
  }

  @Override
  public Optional<JsonObject> node() {
    return Optional.of(node);
  }

  @Override
  public List<String> addresses() {
    return List.of("192.0.2.1");
  }

  @Override
  public Set<String> pressures() {
    return Set.of();
  }
}
