package dev.berth.kinds.resource;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.BuiltIns;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How often Kubernetes tells what is wrong with the metadata of each kind. */
class UpdateStepsTest {
  private static final JsonArray ONE = JsonArray.of("x");

  private static JsonObject object(Resource resource, String name, String label) {
    JsonObject object =
        tree(
            "{'metadata':{'name':'%s','namespace':'%s','labels':{'a':'%s'}}}"
                .formatted(name, resource.isNamespaced() ? "n" : "", label));
    return resource.rules().defaults(object);
  }

  @ParameterizedTest(name = "{1}: {2} times")
  @CsvSource({
    "'',configmaps,4",
    "'',secrets,4",
    "'',serviceaccounts,4",
    "'',endpoints,4",
    "'',nodes,4",
    "'',namespaces,4",
    "'',limitranges,3",
    "'',resourcequotas,3",
    "'',persistentvolumes,4",
    "'',persistentvolumeclaims,4",
    "'',podtemplates,3",
    "'',replicationcontrollers,3",
    "apps,controllerrevisions,4",
    "apps,daemonsets,3",
    "apps,deployments,3",
    "apps,replicasets,3",
    "apps,statefulsets,3",
    "batch,jobs,4",
    "batch,cronjobs,3",
    "coordination.k8s.io,leases,3",
    "discovery.k8s.io,endpointslices,3",
    "node.k8s.io,runtimeclasses,4",
    "policy,poddisruptionbudgets,2",
    "rbac.authorization.k8s.io,clusterroles,4",
    "rbac.authorization.k8s.io,rolebindings,4",
    "scheduling.k8s.io,priorityclasses,3",
    "storage.k8s.io,csidrivers,3",
    "storage.k8s.io,storageclasses,4",
    "storage.k8s.io,volumeattachments,3",
    "storage.k8s.io,volumeattributesclasses,4",
    "networking.k8s.io,ingresses,4",
    "certificates.k8s.io,certificatesigningrequests,4",
    "resource.k8s.io,deviceclasses,4",
    "resource.k8s.io,resourceclaims,4",
    "apiregistration.k8s.io,apiservices,4",
    "admissionregistration.k8s.io,validatingwebhookconfigurations,3",
    "admissionregistration.k8s.io,validatingadmissionpolicybindings,3",
  })
  void labelsAreLookedAtSeveralTimes(String group, String plural, int times) {
    Resource resource = BuiltIns.catalog().get(group, "v1", plural);
    List<FieldError> errors =
        UpdateSteps.validate(resource, object(resource, "x", "a b"), object(resource, "x", "ab"));

    assertThat(errors.stream().filter(e -> e.field().equals("metadata.labels"))).hasSize(times);
  }

  /** The kinds of other servers never had finalizers without a domain to be careful with. */
  @ParameterizedTest(name = "{1}: {2}")
  @CsvSource({
    "'',configmaps,1",
    "apiregistration.k8s.io,apiservices,0",
    "admissionregistration.k8s.io,mutatingwebhookconfigurations,0",
    "admissionregistration.k8s.io,validatingadmissionpolicies,0",
  })
  void finalizersHaveADomainInOlderKinds(String group, String plural, int times) {
    Resource resource = BuiltIns.catalog().get(group, "v1", plural);
    JsonObject old = object(resource, "x", "ab");
    JsonObject kept = old.with("metadata", old.object("metadata").with("finalizers", ONE));

    assertThat(
            UpdateSteps.validateNew(resource, kept).stream()
                .filter(e -> e.field().equals("metadata.finalizers[0]")))
        .hasSize(times);
  }

  @ParameterizedTest(name = "{1}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          policy|poddisruptionbudgets|metadata.name: Invalid value: "a/b": may not contain '/'
          rbac.authorization.k8s.io|clusterroles|metadata.name: Invalid value: "a/b": may not contain '/'
          """)
  void aNameIsASegmentOfAPathAtLeast(String group, String plural, String problem) {
    Resource resource = BuiltIns.catalog().get(group, "v1", plural);

    assertThat(FieldError.join(UpdateSteps.validateNew(resource, object(resource, "a/b", "c"))))
        .isEqualTo(problem);
  }
}
