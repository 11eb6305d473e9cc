package dev.berth.admission;

import static dev.berth.model.fixture.Fixtures.tree;
import static dev.berth.registry.fixture.TestCluster.named;
import static dev.berth.registry.fixture.TestCluster.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.admission.quota.QuotaStatus;
import dev.berth.model.resource.GroupResource;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.user.User;
import dev.berth.policy.quota.LimitedResource;
import dev.berth.registry.DeletionOptions;
import dev.berth.registry.ListOptions;
import dev.berth.registry.WriteOptions;
import dev.berth.registry.fixture.TestCluster;
import dev.berth.registry.status.StatusException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Nothing grows beyond its namespace's quotas. */
class ResourceQuotaTest {
  private static final WriteOptions COUNTER =
      new WriteOptions(false, "status", "", User.authenticated("counter", List.of()));

  private final AdmissionPlugins policies = AdmissionPlugins.standard();
  private final TestCluster cluster = new TestCluster(policies::chain);
  private final QuotaStatus status = new QuotaStatus(cluster.registry, policies.pending());

  /** A quota that was counted. */
  private void quota(String spec) {
    cluster.create("resourcequotas", "{'metadata':{'name':'q'},'spec':{%s}}".formatted(spec));
    status.sync(named("q"));
  }

  private String used() {
    return cluster
        .registry
        .get(cluster.core("resourcequotas"), named("q"))
        .tree()
        .object("status")
        .object("used")
        .toString()
        .replace('"', '\'');
  }

  private void pod(String name, String fields, String resources) {
    cluster.create(
        "pods",
        "{'metadata':{'name':'%s'},'spec':{%s'containers':[{'name':'c','image':'i','resources':{%s}}]}}"
            .formatted(name, fields, resources));
  }

  private String refusal(Runnable action) {
    return refused(action::run).message();
  }

  /** A pod comes to be one that ends, and takes its place among them. */
  @Test
  void aPodThatGetsADeadlineIsCountedWhereThatMatters() {
    quota("'hard':{'pods':'1'},'scopes':['Terminating']");
    pod("a", "'activeDeadlineSeconds':9,", "");
    pod("b", "", "");
    assertThat(used()).isEqualTo("{'pods':'1'}");
    assertThat(
            refusal(() ->
                cluster.registry.modify(
                    cluster.core("pods"),
                    named("b"),
                    WriteOptions.DEFAULT,
                    pod -> pod.with("spec", pod.object("spec").with("activeDeadlineSeconds", 9L)))))
        .endsWith("exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1");
  }

  @Test
  void aFileSaysWhatNeedsAQuota() {
    ResourceQuotaSettings settings =
        new ResourceQuotaSettings(
            List.of(
                new LimitedResource(
                    new GroupResource("", "pods"), List.of("requests.cpu"), List.of())));
    TestCluster strict =
        new TestCluster(policies.with(AdmissionConfiguration.NONE.with(settings))::chain);
    String pod =
        "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i','resources':{'requests':{'cpu':'1'}}}]}}";
    assertThat(refusal(() -> strict.create("pods", pod)))
        .isEqualTo("pods \"p\" is forbidden: insufficient quota to consume: requests.cpu");
    strict.create("pods", pod.replace("cpu", "memory"));
    strict.create(
        "resourcequotas", "{'metadata':{'name':'q'},'spec':{'hard':{'requests.cpu':'2'}}}");
    new QuotaStatus(strict.registry, policies.pending()).sync(named("q"));
    strict.create("pods", pod.replace("'p'", "'q'"));
  }

  @Test
  void whatDoesNotFitIsRefusedWithTheFigures() {
    quota("'hard':{'pods':'2'}");
    pod("a", "", "");
    pod("b", "", "");
    assertThat(refusal(() -> pod("c", "", "")))
        .isEqualTo(
            "pods \"c\" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited:"
                + " pods=2");
    assertThat(used()).isEqualTo("{'pods':'2'}");
  }

  @Test
  void requestsAndLimitsAreCounted() {
    quota("'hard':{'requests.cpu':'1','limits.memory':'1Gi'}");
    pod("a", "", "'requests':{'cpu':'600m'},'limits':{'memory':'512Mi'}");
    assertThat(used()).isEqualTo("{'requests.cpu':'600m','limits.memory':'512Mi'}");
    assertThat(refusal(() -> pod("b", "", "'requests':{'cpu':'600m'},'limits':{'memory':'1Mi'}")))
        .endsWith(
            "exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited:"
                + " requests.cpu=1");
  }

  @Test
  void whoIsLimitedInCpuMustSayHowMuchItWants() {
    quota("'hard':{'limits.cpu':'1','requests.memory':'1Gi'}");
    assertThat(refusal(() -> pod("a", "", "")))
        .isEqualTo(
            "pods \"a\" is forbidden: failed quota: q: must specify limits.cpu for: c;"
                + " requests.memory for: c");
  }

  @Test
  void aQuotaWithScopesIsAboutThePodsInThem() {
    quota("'hard':{'pods':'0'},'scopes':['BestEffort']");
    pod("a", "", "'requests':{'cpu':'1'}");
    assertThat(refusal(() -> pod("b", "", ""))).contains("exceeded quota: q");
  }

  @Test
  void aQuotaCanBeAboutAPriorityClass() {
    cluster.create(
        "scheduling.k8s.io", "priorityclasses", "", "{'metadata':{'name':'high'},'value':9}");
    quota(
        "'hard':{'pods':'0'},'scopeSelector':{'matchExpressions':[{'scopeName':'PriorityClass',"
            + "'operator':'In','values':['high']}]}");
    pod("a", "", "");
    assertThat(refusal(() -> pod("b", "'priorityClassName':'high',", "")))
        .contains("exceeded quota: q");
  }

  @Test
  void anyObjectsCanBeCounted() {
    quota("'hard':{'count/configmaps':'1','count/deployments.apps':'0','secrets':'0'}");
    cluster.configMap("a");
    assertThat(refusal(() -> cluster.configMap("b")))
        .endsWith(
            "exceeded quota: q, requested: count/configmaps=1, used: count/configmaps=1, limited:"
                + " count/configmaps=1");
    assertThat(refusal(() -> cluster.create("secrets", "{'metadata':{'name':'s'}}")))
        .endsWith("requested: secrets=1, used: secrets=0, limited: secrets=0");
    assertThat(
            refusal(() ->
                cluster.create(
                    "apps",
                    "deployments",
                    "default",
                    "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
                        + "'template':{'metadata':{'labels':{'a':'b'}},'spec':{'containers':["
                        + "{'name':'c','image':'i'}]}}}}")))
        .contains("count/deployments.apps=1");
  }

  @Test
  void claimsCountTheirStorageAlsoByClass() {
    quota(
        "'hard':{'requests.storage':'5Gi',"
            + "'fast.storageclass.storage.k8s.io/persistentvolumeclaims':'1'}");
    claim("a", "1Gi");
    assertThat(refusal(() -> claim("b", "1Gi")))
        .contains("fast.storageclass.storage.k8s.io/persistentvolumeclaims=1");
  }

  private void claim(String name, String size) {
    cluster.create(
        "persistentvolumeclaims",
        "{'metadata':{'name':'%s'},'spec':{'storageClassName':'fast','accessModes':['ReadWriteOnce'],"
                .formatted(name)
            + "'resources':{'requests':{'storage':'%s'}}}}".formatted(size));
  }

  @Test
  void aRehearsalIsNotCharged() {
    quota("'hard':{'pods':'1'}");
    cluster.registry.create(
        cluster.core("pods"),
        "default",
        tree("{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}"),
        new WriteOptions(true, "", "", WriteOptions.DEFAULT.user()));
    pod("a", "", "");
    assertThat(used()).isEqualTo("{'pods':'1'}");
  }

  @Test
  void whatWasNotWrittenIsNotCharged() {
    quota("'hard':{'pods':'5'}");
    pod("a", "", "");
    assertThat(refused(() -> pod("a", "", "")).code()).isEqualTo(409);
    assertThat(used()).isEqualTo("{'pods':'1'}");
  }

  @Test
  void aQuotaLimitsNothingBeforeItWasCounted() {
    cluster.create("resourcequotas", "{'metadata':{'name':'q'},'spec':{'hard':{'pods':'0'}}}");
    pod("a", "", "");
    assertThat(used()).isEqualTo("{}");
  }

  @Test
  void whatTheStatusDoesNotShowAsUsedIsRefused() {
    quota("'hard':{'pods':'5'}");
    write(quota -> quota.with("status", tree("{'hard':{'pods':'5','secrets':'5'}}")));
    assertThat(refusal(() -> pod("a", "", "")))
        .isEqualTo("pods \"a\" is forbidden: status unknown for quota: q, resources: pods");
  }

  @Test
  void aPodThatShouldBeGoneByNowTakesNothing() {
    quota("'hard':{'pods':'5','count/pods':'5'}");
    pod("a", "'nodeName':'lost','terminationGracePeriodSeconds':30,", "");
    cluster.registry.delete(cluster.core("pods"), named("a"), DeletionOptions.DEFAULT);
    cluster.time.advance(Duration.ofSeconds(59));
    status.sync(named("q"));
    assertThat(used()).isEqualTo("{'pods':'1','count/pods':'1'}");
    cluster.time.advance(Duration.ofSeconds(2));
    status.sync(named("q"));
    assertThat(used()).isEqualTo("{'pods':'0','count/pods':'1'}");
  }

  @Test
  void aCountThatMissesWhatIsThereIsAConflict() {
    quota("'hard':{'pods':'5'}");
    pod("a", "", "");
    UnaryOperator<JsonObject> nothing =
        quota -> quota.with("status", tree("{'hard':{'pods':'5'},'used':{'pods':'0'}}"));
    assertThat(refused(() -> write(nothing)).code()).isEqualTo(409);
    assertThat(used()).isEqualTo("{'pods':'1'}");
    cluster.registry.delete(cluster.core("pods"), named("a"), DeletionOptions.DEFAULT);
    write(nothing);
    assertThat(used()).isEqualTo("{'pods':'0'}");
  }

  private void write(UnaryOperator<JsonObject> change) {
    cluster.registry.modify(cluster.core("resourcequotas"), named("q"), COUNTER, change);
  }

  /** Many who come at once: none is let in too many, and the figures are right in the end. */
  @Test
  void manyAtOnceDoNotExceedIt() throws Exception {
    quota("'hard':{'pods':'20'}");
    List<Future<Boolean>> attempts = new ArrayList<>();
    try (var threads = Executors.newFixedThreadPool(16)) {
      for (int i = 0; i < 100; i++) {
        String name = "p" + i;
        attempts.add(threads.submit(() -> isCreated(name)));
        if (i % 10 == 0) {
          attempts.add(
              threads.submit(() -> {
                count();
                return false;
              }));
        }
      }
    }
    assertThat(attempts.stream().filter(ResourceQuotaTest::result)).hasSize(20);
    status.sync(named("q"));
    assertThat(used()).isEqualTo("{'pods':'20'}");
  }

  /** As a controller does: reads the quota, then what is there, and writes to what it read. */
  private void count() {
    JsonObject quota = cluster.registry.get(cluster.core("resourcequotas"), named("q")).tree();
    int pods = cluster.registry.list(cluster.core("pods"), ListOptions.ALL).entries().size();
    JsonObject counted =
        quota.with("status", tree("{'hard':{'pods':'20'},'used':{'pods':'%d'}}".formatted(pods)));
    try {
      cluster.registry.update(cluster.core("resourcequotas"), named("q"), counted, COUNTER);
    } catch (StatusException e) {
      assertThat(e.status().code()).isEqualTo(409);
    }
  }

  private boolean isCreated(String name) {
    try {
      pod(name, "", "");
      return true;
    } catch (StatusException e) {
      assertThat(e.status().message()).contains("exceeded quota: q");
      return false;
    }
  }

  private static boolean result(Future<Boolean> attempt) {
    try {
      return attempt.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }
}
