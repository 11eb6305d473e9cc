package dev.berth.cli.foresight;

import dev.berth.cli.arguments.Arguments;
import dev.berth.cli.arguments.Command;
import dev.berth.cli.arguments.Console;
import dev.berth.cli.arguments.ExitCode;
import dev.berth.cli.arguments.Option;
import dev.berth.cli.arguments.Suggestion;
import dev.berth.cli.arguments.UsageException;
import dev.berth.cli.options.SchedulerFile;
import dev.berth.client.Resources;
import dev.berth.model.resource.ObjectName;
import dev.berth.model.tree.JsonObject;
import dev.berth.scheduler.profile.SchedulerConfiguration;
import dev.berth.sim.explain.ExplainedCluster;
import dev.berth.sim.explain.LifecycleFlags;
import dev.berth.sim.explain.NodeExplainer;
import dev.berth.sim.explain.PodExplainer;
import dev.berth.sim.explain.WorkloadExplainer;
import dev.berth.sim.explain.WorkloadKind;
import dev.berth.sim.snapshot.ClusterSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/** Says why a pod, a node or a workload is as it is. */
public final class ExplainCommand implements Command {
  private static final List<String> SUBJECTS = List.of("pod", "node", "workload");
  private static final int MOST_NAMED = 5;

  static final Option CONFIG =
      new Option(
          "--config",
          "FILE",
          "The KubeSchedulerConfiguration of the cluster's scheduler (default: upstream's defaults).");

  private static final Option NAMESPACE =
      new Option("-n", "NAMESPACE", "The namespace of the pod or workload (default: default).");

  @Override
  public String name() {
    return "explain";
  }

  @Override
  public List<String> description() {
    return List.of(
        "Explains why a pod, a node or a workload is as it is, in any Kubernetes cluster.",
        "berth explain pod NAMESPACE/NAME: for a pending pod, every reason of every node, and the"
            + " smallest changes that would let it in, each of which was tried; for a running one,"
            + " what holds it on its node, and until when.",
        "berth explain node NAME: its conditions, who set its taints and why, its zone's eviction"
            + " rate, which of its pods leave when, and what it has left.",
        "berth explain workload KIND/NAME: what a Deployment, ReplicaSet, StatefulSet, DaemonSet or"
            + " Job should have and has, and what holds it back.");
  }

  @Override
  public List<String> parameters() {
    return List.of("pod|node|workload");
  }

  @Override
  public List<String> optionalParameters() {
    return List.of("NAME");
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(ClusterSource.OPTIONS);
    options.add(NAMESPACE);
    options.add(CONFIG);
    options.add(Output.OPTION);
    return options;
  }

  @Override
  public int run(Arguments arguments, Console console) throws InterruptedException {
    String subject = arguments.parameters().getFirst();
    check(arguments.parameters());
    Output output = Output.of(arguments);
    SchedulerConfiguration configuration =
        SchedulerFile.read(arguments.path(CONFIG.name()), console.err());
    ClusterSnapshot snapshot = ClusterSource.read(arguments);
    ClusterSource.tellUnseen(snapshot, console);
    ExplainedCluster cluster =
        new ExplainedCluster(snapshot, configuration, ClusterSource.chance());
    output.print(explain(arguments, cluster), console, text(subject));
    return ExitCode.OK;
  }

  private static void check(List<String> words) {
    String subject = words.getFirst();
    if (!SUBJECTS.contains(subject)) {
      throw new UsageException(
          "berth explain knows %s, not \"%s\".%s"
              .formatted(String.join(", ", SUBJECTS), subject, meant(words)));
    }
    if (words.size() == 1) {
      String name = subject.equals("workload") ? "KIND/NAME" : "NAME";
      throw new UsageException(
          "Which %1$s? Use \"berth explain %1$s %2$s\".".formatted(subject, name));
    }
  }

  /** What somebody meant who left out what a name is of, or a sentence about a word like it. */
  private static String meant(List<String> words) {
    String whole = String.join("/", words);
    int slash = whole.indexOf('/');
    String kind = slash < 0 ? whole : whole.substring(0, slash);
    String name = slash < 0 ? "NAME" : whole.substring(slash + 1);
    if (WorkloadKind.of(kind).isPresent()) {
      return " Use \"berth explain workload %s/%s\".".formatted(kind, name);
    }
    return slash > 0 && words.size() == 1 && SUBJECTS.contains(kind)
        ? " Use \"berth explain %s %s\".".formatted(kind, name)
        : Suggestion.of(words.getFirst(), SUBJECTS);
  }

  private static JsonObject explain(Arguments arguments, ExplainedCluster cluster) {
    String name = arguments.parameters().get(1);
    return switch (arguments.parameters().getFirst()) {
      case "pod" ->
          new PodExplainer(cluster)
              .explain(inNamespace(name, arguments))
              .orElseThrow(() -> noPod(inNamespace(name, arguments), cluster.snapshot()));
      case "node" ->
          new NodeExplainer(cluster, LifecycleFlags.read(cluster.snapshot().settings()))
              .explain(name, ClusterSource.whole(arguments, Resources.NODES, ObjectName.of(name)))
              .orElseThrow(() -> none("node " + name));
      default -> workload(name, arguments, cluster);
    };
  }

  private static JsonObject workload(String name, Arguments arguments, ExplainedCluster cluster) {
    int slash = name.indexOf('/');
    Optional<WorkloadKind> kind = WorkloadKind.of(slash < 0 ? name : name.substring(0, slash));
    if (slash < 0 || kind.isEmpty()) {
      throw new UsageException(
          "A workload is given as KIND/NAME, such as deployment/web, not \"%s\"; kinds are %s."
              .formatted(name, String.join(", ", WorkloadKind.words())));
    }
    ObjectName object = inNamespace(name.substring(slash + 1), arguments);
    return new WorkloadExplainer(cluster)
        .explain(kind.get(), object)
        .orElseThrow(() -> none(kind.get().kind() + " " + object));
  }

  private static UsageException noPod(ObjectName name, ClusterSnapshot snapshot) {
    String others =
        snapshot.list(Resources.PODS.resource()).stream()
            .map(ObjectName::of)
            .filter(pod -> pod.name().equals(name.name()))
            .limit(MOST_NAMED)
            .map(ObjectName::toString)
            .collect(Collectors.joining(", "));
    return others.isEmpty()
        ? none("pod " + name)
        : new UsageException("There is no pod %s, but %s.".formatted(name, others));
  }

  private static UsageException none(String what) {
    return new UsageException("There is no %s.".formatted(what));
  }

  private static BiConsumer<JsonObject, Screen> text(String subject) {
    return switch (subject) {
      case "pod" -> PodText::print;
      case "node" -> NodeText::print;
      default -> WorkloadText::print;
    };
  }

  private static ObjectName inNamespace(String name, Arguments arguments) {
    ObjectName parsed = ObjectName.parse(name);
    return parsed.namespace().isEmpty()
        ? new ObjectName(arguments.text(NAMESPACE.name()).orElse("default"), parsed.name())
        : parsed;
  }
}
