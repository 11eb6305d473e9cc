package dev.berth.kinds.apps;

import static dev.berth.model.fixture.Fixtures.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kinds.BuiltIns;
import dev.berth.kinds.resource.ResourceRules;
import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with what makes pods, in Kubernetes' words. */
class WorkloadRulesTest {
  private static final String TEMPLATE =
      "'selector':{'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'}},'spec':"
          + "{'containers':[{'name':'c','image':'i'}]}}";

  private static ResourceRules rules(String plural) {
    return BuiltIns.catalog().get("apps", "v1", plural).rules();
  }

  private static JsonObject object(String plural, String fields) {
    return rules(plural).defaults(tree("{'spec':{%s%s}}".formatted(TEMPLATE, fields)));
  }

  private static String problems(String plural, String fields) {
    return FieldError.join(rules(plural).validate(object(plural, fields))).replace('"', '\'');
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          deployments|,'strategy':{'type':'X'}|spec.strategy: Unsupported value: {'Type':'X','RollingUpdate':null}: supported values: 'Recreate', 'RollingUpdate'
          deployments|,'strategy':{'type':'Recreate','rollingUpdate':{}}|spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'
          deployments|,'strategy':{'rollingUpdate':{'maxUnavailable':0,'maxSurge':'0%'}}|spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when `maxSurge` is 0
          deployments|,'strategy':{'rollingUpdate':{'maxUnavailable':'x'}}|spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 'x': a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')
          deployments|,'minReadySeconds':600|spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds
          daemonsets|,'updateStrategy':{'rollingUpdate':{'maxUnavailable':0}}|spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0
          daemonsets|,'updateStrategy':{'rollingUpdate':{'maxUnavailable':'101%'}}|spec.updateStrategy.rollingUpdate.maxUnavailable: Invalid value: '101%': must not be greater than 100%
          daemonsets|,'updateStrategy':{'rollingUpdate':{'maxSurge':1}}|spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero
          statefulsets|,'podManagementPolicy':'X'|spec.podManagementPolicy: Invalid value: 'X': must be 'OrderedReady' or 'Parallel'
          statefulsets|,'updateStrategy':{'type':'OnDelete','rollingUpdate':{}}|spec.updateStrategy.rollingUpdate: Invalid value: {'Partition':0,'MaxUnavailable':null}: only allowed for updateStrategy 'RollingUpdate'
          statefulsets|,'persistentVolumeClaimRetentionPolicy':{'whenScaled':'X'}|spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: 'X': supported values: 'Retain', 'Delete'
          statefulsets|,'ordinals':{'start':-1}|spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0
          statefulsets|,'volumeClaimTemplates':[{'metadata':{'name':'d'},'spec':{'resources':{'requests':{'storage':'1Gi'}}}}]|spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required
          replicasets|,'replicas':-1|spec.replicas: Invalid value: -1: must be greater than or equal to 0
          """)
  void aSpecificationIsRefused(String plural, String fields, String problem) {
    assertThat(problems(plural, fields)).isEqualTo(problem);
  }

  @Test
  void withoutASelectorNoPodIsSelected() {
    JsonObject set =
        rules("replicasets")
            .defaults(
                tree("{'spec':{'template':{'spec':{'containers':[{'name':'c','image':'i'}]}}}}"));
    assertThat(FieldError.join(rules("replicasets").validate(set)))
        .isEqualTo(
            "[spec.selector: Required value, spec.template.metadata.labels: Invalid value: null:"
                + " `selector` does not match template `labels`]");
  }

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          deployments|{'replicas':1,'readyReplicas':2}|status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas
          replicasets|{'replicas':2,'availableReplicas':1}|status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas
          daemonsets|{'numberReady':-1}|status.numberReady: Invalid value: -1: must be greater than or equal to 0
          statefulsets|{'collisionCount':1}|status.collisionCount: Invalid value: 1: cannot be decremented
          """)
  void aStatusIsRefused(String plural, String status, String problem) {
    JsonObject old = object(plural, "").with("status", tree("{'collisionCount':2}"));
    JsonObject now = old.with("status", tree(status));
    assertThat(FieldError.join(rules(plural).validateSubresource("status", now, old)))
        .isEqualTo(problem);
  }

  @Test
  void aDaemonSetCountsTheChangesOfItsTemplate() {
    ResourceRules rules = rules("daemonsets");
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    JsonObject created = rules.prepareForCreate(object("daemonsets", ""), now);
    JsonObject changed =
        rules.prepareForUpdate(
            tree(created.toString().replace("\"i\"", "\"j\"").replace('"', '\'')), created, now);
    assertThat(generation(created)).isEqualTo("1");
    assertThat(generation(rules.prepareForUpdate(created, created, now))).isEqualTo("1");
    assertThat(generation(changed)).isEqualTo("2");
    JsonObject reported = rules.defaults(object("daemonsets", ""));
    assertThat(generation(rules.prepareThroughSubresource(reported, changed, now)))
        .as("a status does not change it")
        .isEqualTo("2");
  }

  private static String generation(JsonObject set) {
    return set.object("metadata")
        .object("annotations")
        .text("deprecated.daemonset.template.generation", "");
  }

  @Test
  void claimsOfAStatefulSetAreNamedAndPending() {
    JsonObject set =
        object("statefulsets", ",'volumeClaimTemplates':[{'metadata':{'name':'d'},'spec':{}}]");
    assertThat(set.object("spec").array("volumeClaimTemplates").objects())
        .singleElement()
        .isEqualTo(
            tree(
                "{'metadata':{'name':'d'},'spec':{'volumeMode':'Filesystem'},'apiVersion':'v1',"
                    + "'kind':'PersistentVolumeClaim','status':{'phase':'Pending'}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'revision':-1,'data':{}}|revision: Invalid value: -1: must be greater than or equal to 0
          {}|data: Required value: data is mandatory
          {'data':[]}|data: Required value: data must be a valid JSON object
          {'data':{'a':1}}|[]
          """)
  void aRevisionHoldsAnObject(String revision, String problem) {
    assertThat(FieldError.join(rules("controllerrevisions").validate(tree(revision))))
        .isEqualTo(problem);
  }

  @Test
  void aRevisionNeverChanges() {
    assertThat(
            FieldError.join(
                rules("controllerrevisions")
                    .validateReplacing(tree("{'data':{'a':2}}"), tree("{'data':{'a':1}}"))))
        .isEqualTo("data: Invalid value: {\"a\":2}: field is immutable");
  }
}
