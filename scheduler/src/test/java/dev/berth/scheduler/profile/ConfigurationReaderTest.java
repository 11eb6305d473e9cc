package dev.berth.scheduler.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.resource.FieldError;
import dev.berth.model.tree.JsonLimits;
import dev.berth.model.tree.JsonObject;
import dev.berth.model.tree.JsonReader;
import dev.berth.scheduler.profile.ConfigurationReader.Result;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a configuration file makes of the profiles, and what is said of one that is wrong. */
class ConfigurationReaderTest {
  private static final List<String> DEFAULT_FILTERS =
      List.of(
          "NodeUnschedulable",
          "NodeName",
          "TaintToleration",
          "NodeAffinity",
          "NodePorts",
          "NodeResourcesFit",
          "VolumeRestrictions",
          "NodeVolumeLimits",
          "VolumeBinding",
          "VolumeZone",
          "PodTopologySpread",
          "InterPodAffinity",
          "DynamicResources",
          "NodeDeclaredFeatures");

  /** A file with these fields, in single quotes. */
  private static JsonObject file(String fields) {
    String text =
        "{'apiVersion': 'kubescheduler.config.k8s.io/v1', 'kind': 'KubeSchedulerConfiguration'"
            + (fields.isEmpty() ? "" : ", " + fields)
            + "}";
    return tree(text);
  }

  private static JsonObject tree(String text) {
    return JsonReader.object(
        text.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.REQUEST);
  }

  private static SchedulerConfiguration valid(String fields) {
    return switch (ConfigurationReader.read(file(fields))) {
      case Result.Valid(SchedulerConfiguration configuration) -> configuration;
      case Result.Invalid(List<FieldError> errors) ->
          throw new AssertionError(FieldError.join(errors));
    };
  }

  private static ProfileSettings plugins(String plugins) {
    return valid("'profiles': [{'plugins': " + plugins + "}]").profiles().getFirst();
  }

  private static List<String> errors(JsonObject file) {
    return switch (ConfigurationReader.read(file)) {
      case Result.Valid _ -> List.of();
      case Result.Invalid(List<FieldError> errors) ->
          errors.stream().map(FieldError::toString).toList();
    };
  }

  @Test
  void anEmptyFileIsUpstreamsDefault() {
    SchedulerConfiguration configuration = valid("");
    assertThat(configuration).isEqualTo(ConfigurationReader.defaults());
    assertThat(configuration.initialBackoff()).isEqualTo(Duration.ofSeconds(1));
    assertThat(configuration.maxBackoff()).isEqualTo(Duration.ofSeconds(10));
    assertThat(configuration.leaderElection()).isEqualTo(LeaderElectionSettings.DEFAULT);
    assertThat(configuration.notes()).isEmpty();
    ProfileSettings profile = configuration.profiles().getFirst();
    assertThat(profile.schedulerName()).isEqualTo("default-scheduler");
    assertThat(profile.filters()).isEqualTo(DEFAULT_FILTERS);
    assertThat(profile.scores().toString())
        .isEqualTo(
            "{TaintToleration=3, NodeAffinity=2, NodeResourcesFit=1, VolumeBinding=1,"
                + " PodTopologySpread=2, InterPodAffinity=2, DynamicResources=2, NodeResourcesBalancedAllocation=1,"
                + " ImageLocality=1}");
    assertThat(profile.preempts()).isTrue();
  }

  @Test
  void severalProfilesDifferInTheirPlugins() {
    SchedulerConfiguration configuration =
        valid(
            "'profiles': [{'schedulerName': 'default-scheduler'}, {'schedulerName': 'packing',"
                + " 'plugins': {'score': {'disabled': [{'name': '*'}],"
                + " 'enabled': [{'name': 'NodeResourcesFit', 'weight': 5}]},"
                + " 'postFilter': {'disabled': [{'name': 'DefaultPreemption'}]}}}]");
    assertThat(configuration.profiles()).hasSize(2);
    ProfileSettings packing = configuration.profiles().get(1);
    assertThat(packing.scores()).hasToString("{NodeResourcesFit=5}");
    assertThat(packing.filters()).isEqualTo(DEFAULT_FILTERS);
    assertThat(packing.preempts()).isFalse();
  }

  @Test
  void aPluginIsDisabledAtOnePointOrEverywhere() {
    ProfileSettings score = plugins("{'score': {'disabled': [{'name': 'TaintToleration'}]}}");
    assertThat(score.scores()).doesNotContainKey("TaintToleration");
    assertThat(score.filters()).contains("TaintToleration");
    ProfileSettings everywhere =
        plugins("{'multiPoint': {'disabled': [{'name': 'TaintToleration'}]}}");
    assertThat(everywhere.scores()).doesNotContainKey("TaintToleration");
    assertThat(everywhere.filters()).doesNotContain("TaintToleration");
  }

  @Test
  void nothingButWhatIsNamed() {
    ProfileSettings profile =
        plugins(
            "{'multiPoint': {'disabled': [{'name': '*'}], 'enabled': [{'name': 'NodeAffinity'},"
                + " {'name': 'PrioritySort'}, {'name': 'DefaultBinder'}, {'name': 'NodeName'}]}}");
    assertThat(profile.filters()).containsExactly("NodeAffinity", "NodeName");
    assertThat(profile.scores()).as("a weight that is not given").hasToString("{NodeAffinity=1}");
  }

  @Test
  void aPluginThatIsEnabledAgainKeepsItsPlaceWithItsNewWeight() {
    ProfileSettings profile =
        plugins("{'multiPoint': {'enabled': [{'name': 'NodeAffinity', 'weight': 9}]}}");
    assertThat(profile.filters()).isEqualTo(DEFAULT_FILTERS);
    assertThat(profile.scores()).containsEntry("NodeAffinity", 9);
  }

  @Test
  void aPluginThatIsEnabledAtAPointGoesToItsFront() {
    ProfileSettings profile = plugins("{'filter': {'enabled': [{'name': 'NodePorts'}]}}");
    assertThat(profile.filters().getFirst()).isEqualTo("NodePorts");
    assertThat(profile.filters()).containsExactlyInAnyOrderElementsOf(DEFAULT_FILTERS);
  }

  @Test
  void argumentsAreFilledInWithDefaults() {
    ProfileSettings profile =
        valid(
                "'profiles': [{'pluginConfig': [{'name': 'NodeResourcesFit', 'args': {"
                    + "'kind': 'NodeResourcesFitArgs', 'scoringStrategy': {'type':"
                    + " 'MostAllocated', 'resources': [{'name': 'cpu'}]}}}]}]")
            .profiles()
            .getFirst();
    assertThat(profile.args("NodeResourcesFit"))
        .isEqualTo(
            tree(
                "{'scoringStrategy': {'type': 'MostAllocated', 'resources': [{'name': 'cpu',"
                    + " 'weight': 1}]}}"));
    assertThat(profile.args("InterPodAffinity")).isEqualTo(tree("{'hardPodAffinityWeight': 1}"));
    assertThat(profile.args("PodTopologySpread")).isEqualTo(tree("{'defaultingType': 'System'}"));
    assertThat(profile.args("VolumeBinding")).isEqualTo(tree("{'bindTimeoutSeconds': 600}"));
  }

  @Test
  void readsTheRest() {
    SchedulerConfiguration configuration =
        valid(
            "'podInitialBackoffSeconds': 2, 'podMaxBackoffSeconds': 3, 'parallelism': 4,"
                + " 'percentageOfNodesToScore': 50, 'clientConnection': {'kubeconfig': '/k'},"
                + " 'leaderElection': {'leaderElect': false, 'leaseDuration': '1m30s'}");
    assertThat(configuration.initialBackoff()).isEqualTo(Duration.ofSeconds(2));
    assertThat(configuration.maxBackoff()).isEqualTo(Duration.ofSeconds(3));
    assertThat(configuration.kubeconfig()).isEqualTo("/k");
    assertThat(configuration.leaderElection().leaderElect()).isFalse();
    assertThat(configuration.leaderElection().leaseDuration()).isEqualTo(Duration.ofSeconds(90));
    assertThat(configuration.notes())
        .containsExactly("percentageOfNodesToScore has no effect: all nodes are scored");
  }

  @Test
  void whatHasNoEffectIsSaid() {
    SchedulerConfiguration configuration =
        valid(
            "'profiles': [{'plugins': {'preEnqueue': {'disabled': [{'name': 'SchedulingGates'}]}},"
                + " 'pluginConfig': [{'name': 'DefaultPreemption', 'args':"
                + " {'minCandidateNodesPercentage': 20}}]}]");
    assertThat(configuration.notes())
        .containsExactly(
            "profiles[0].plugins: SchedulingGates stays on, since no server binds a pod that has"
                + " gates",
            "profiles[0].pluginConfig: the arguments of DefaultPreemption have no effect, since all"
                + " nodes are considered");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          'parallelism': 0 | parallelism: Invalid value: 0: should be an integer value greater than zero
          'parallelism': 'x' | parallelism: Invalid value: "x": must be an integer
          'percentageOfNodesToScore': 101 | percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]
          'podInitialBackoffSeconds': 0 | podInitialBackoffSeconds: Invalid value: 0: must be greater than 0
          'podMaxBackoffSeconds': 0 | podMaxBackoffSeconds: Invalid value: 0: must be greater than or equal to PodInitialBackoffSeconds
          'extenders': [{}] | extenders: Forbidden: extenders are not supported
          'profile': [] | profile: Forbidden: unknown field
          'profiles': [{'schedulerName': 'a'}, {'schedulerName': 'a'}] | profiles[1].schedulerName: Duplicate value: "a"
          'profiles': [{'schedulerName': 'a'}, {}] | profiles[1].schedulerName: Required value: each of several profiles has a name
          'profiles': [{'plugins': {'scores': {}}}] | profiles[0].plugins.scores: Forbidden: unknown field
          'profiles': [{'plugins': {'filter': {'enabled': [{'name': 'ImageLocality'}]}}}] | profiles[0].plugins.filter.enabled[0].name: Invalid value: "ImageLocality": does not extend filter
          'profiles': [{'plugins': {'score': {'enabled': [{'name': 'ImageLocality', 'weight': -1}]}}}] | profiles[0].plugins.score.enabled[0].weight: Invalid value: -1: must not be negative
          'profiles': [{'plugins': {'score': {'enabled': [{'name': 'ImageLocality'}, {'name': 'ImageLocality'}]}}}] | profiles[0].plugins.score.enabled[1].name: Duplicate value: "ImageLocality"
          'profiles': [{'plugins': {'bind': {'disabled': [{'name': '*'}]}}}] | profiles[0].plugins.bind: Required value: DefaultBinder is the only one there is
          'profiles': [{'pluginConfig': [{'name': 'NodeName', 'args': {}}]}] | profiles[0].pluginConfig[0].args: Forbidden: NodeName takes no arguments
          'profiles': [{'pluginConfig': [{'name': 'InterPodAffinity', 'args': {'hardPodAffinityWeight': 101}}]}] | profiles[0].pluginConfig[0].args.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]
          'profiles': [{'pluginConfig': [{'name': 'InterPodAffinity', 'args': {'kind': 'Other'}}]}] | profiles[0].pluginConfig[0].args.kind: Unsupported value: "Other": supported values: "InterPodAffinityArgs"
          'profiles': [{'pluginConfig': [{'name': 'NodeResourcesFit', 'args': {'scoringStrategy': {'type': 'Best'}}}]}] | profiles[0].pluginConfig[0].args.scoringStrategy.type: Unsupported value: "Best": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"
          'profiles': [{'pluginConfig': [{'name': 'PodTopologySpread', 'args': {'defaultingType': 'Some'}}]}] | profiles[0].pluginConfig[0].args.defaultingType: Unsupported value: "Some": supported values: "System", "List"
          'leaderElection': {'leaseDuration': 'soon'} | leaderElection.leaseDuration: Invalid value: "soon": must be a duration greater than zero, such as 15s or 1m30s
          'leaderElection': {'leaseDuration': '5s'} | leaderElection.leaseDuration: Invalid value: "5s": LeaseDuration must be greater than RenewDeadline
          'leaderElection': {'resourceLock': 'endpoints'} | leaderElection.resourceLock: Invalid value: "endpoints": resourceLock value must be "leases"
          """)
  void saysWhatIsWrongAndWhere(String fields, String error) {
    assertThat(errors(file(fields))).containsExactly(error);
  }

  @Test
  void namesThePluginsThatThereAre() {
    assertThat(
            errors(file("'profiles': [{'plugins': {'filter': {'disabled': [{'name': 'Nope'}]}}}]")))
        .singleElement()
        .asString()
        .startsWith(
            "profiles[0].plugins.filter.disabled[0].name: Unsupported value: \"Nope\": supported"
                + " values: \"SchedulingGates\", \"PrioritySort\", \"NodeUnschedulable\"");
  }

  @Test
  void saysEverythingAtOnce() {
    assertThat(errors(tree("{'apiVersion': 'v1', 'parallelism': -1}")))
        .containsExactly(
            "apiVersion: Unsupported value: \"v1\": supported values:"
                + " \"kubescheduler.config.k8s.io/v1\"",
            "kind: Required value: must be KubeSchedulerConfiguration",
            "parallelism: Invalid value: -1: should be an integer value greater than zero");
  }
}
