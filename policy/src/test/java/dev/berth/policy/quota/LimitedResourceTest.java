package dev.berth.policy.quota;

import static dev.berth.model.fixture.Fixtures.object;
import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.core.ResourceList;
import dev.berth.model.namespace.ResourceQuotaView;
import dev.berth.model.namespace.ResourceQuotaView.Scope;
import dev.berth.model.resource.GroupResource;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What may be used only where a quota limits it. */
class LimitedResourceTest {
  private static final GroupResource PODS = new GroupResource("", "pods");
  private static final List<LimitedResource> LIMITS =
      List.of(
          new LimitedResource(
              PODS,
              List.of("requests.", "gpu"),
              List.of(new Scope("PriorityClass", "In", List.of("high", "higher")))),
          new LimitedResource(new GroupResource("apps", "pods"), List.of("cpu"), List.of()));

  @ParameterizedTest(name = "{0} using {1} with {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``   | cpu              | {}                                   | ``
          ``   | requests.cpu     | {}                                   | insufficient quota to consume: requests.cpu
          ``   | requests.cpu     | {'status':{'hard':{'cpu':'1'}}}      | insufficient quota to consume: requests.cpu
          ``   | requests.cpu     | {'status':{'hard':{'requests.cpu':'1'}}} | ``
          ``   | requests.cpu     | {'status':{'hard':{'requests.cpu':'1'}},'spec':{'scopes':['PriorityClass']}} | insufficient quota to consume: requests.cpu
          ``   | requests.b/gpu   | {'status':{'hard':{'requests.cpu':'1'}}} | insufficient quota to consume: requests.b/gpu
          high | cpu              | {}                                   | insufficient quota to match these scopes: [{PriorityClass In [high higher]}]
          high | cpu              | {'spec':{'scopes':['PriorityClass']}} | ``
          high | cpu              | {'spec':{'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass','operator':'In','values':['low']}]}}} | insufficient quota to match these scopes: [{PriorityClass In [high higher]}]
          high | cpu              | {'spec':{'scopes':['PriorityClass','Terminating']}} | ``
          low  | cpu              | {}                                   | ``
          """)
  void needsAQuota(String priority, String used, String quota, String problem) {
    assertThat(
            LimitedResource.uncovered(
                    LIMITS,
                    PODS,
                    tree("{'spec':{'priorityClassName':'%s'}}".formatted(priority)),
                    ResourceList.read(object(used, "1", "requests.none", "0")),
                    List.of(ResourceQuotaView.read(tree(quota))))
                .orElse(""))
        .isEqualTo(problem);
  }
}
