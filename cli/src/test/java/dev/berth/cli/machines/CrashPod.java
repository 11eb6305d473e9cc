package dev.berth.cli.machines;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A pod of a round of crashes, and what must have become of it. Each of its containers notes each
 * run in a file of the machine, and writes lines with numbers.
 *
 * @param exits by container, the exit codes of all its runs, in order; none if it runs on
 * @param lines by container, how many lines each run writes; 0 if it goes on writing
 */
record CrashPod(
    String name, String manifest, Map<String, List<Integer>> exits, Map<String, Integer> lines) {

  /** Makes one. */
  static final class Builder {
    private final String name;
    private final String restartPolicy;
    private final String runs;
    private final List<String> initContainers = new ArrayList<>();
    private final List<String> containers = new ArrayList<>();
    private final Map<String, List<Integer>> exits = new TreeMap<>();
    private final Map<String, Integer> lines = new TreeMap<>();

    /**
     * @param runs the directory of the notes
     */
    Builder(String name, String restartPolicy, String runs) {
      this.name = name;
      this.restartPolicy = restartPolicy;
      this.runs = runs;
    }

    private String container(String container, String script, String further) {
      return """
      {"name": "%s", "image": "any", %s "env": [{"name": "CRASH_POD", "value": "%s"}],
       "command": ["sh", "-c", "echo run >>/runs/%s-%s; %s"],
       "volumeMounts": [{"name": "runs", "mountPath": "/runs"},
                        {"name": "work", "mountPath": "/scratch"}]}
      """
          .formatted(container, further, runs + "/" + name, name, container, script);
    }

    private static String writing(int count, String pause) {
      return "i=0; while [ $i -lt %d ]; do i=$((i+1)); echo line $i; %sdone; "
          .formatted(count, pause);
    }

    private void add(String container, int lines, List<Integer> exits) {
      this.lines.put(container, lines);
      this.exits.put(container, exits);
    }

    /** One that writes some lines and ends. */
    Builder ending(String container, int lines, boolean isFast, int code) {
      add(container, lines, List.of(code));
      containers.add(
          container(container, writing(lines, isFast ? "" : "sleep 0.02; ") + "exit " + code, ""));
      return this;
    }

    /** The same before the others. */
    Builder first(String container, int lines) {
      add(container, lines, List.of(0));
      initContainers.add(container(container, writing(lines, "sleep 0.01; "), ""));
      return this;
    }

    /** One that fails the first time. */
    Builder failingOnce(String container, int lines, int code) {
      add(container, lines, List.of(code, 0));
      containers.add(
          container(
              container,
              writing(lines, "sleep 0.01; ")
                  + "[ -e /scratch/again ] && exit 0; touch /scratch/again; exit "
                  + code,
              ""));
      return this;
    }

    /** One that goes on until it is told to end. */
    Builder endless(String container) {
      add(container, 0, List.of());
      containers.add(container(container, endless(), ""));
      return this;
    }

    /** One beside the others that ends with them. */
    Builder sidecar(String container) {
      add(container, 0, List.of(9));
      initContainers.add(container(container, endless(), "\"restartPolicy\": \"Always\","));
      return this;
    }

    private static String endless() {
      return "trap 'exit 9' TERM; i=0; while :; do i=$((i+1)); echo line $i; sleep 0.02; done";
    }

    CrashPod build() {
      return new CrashPod(
          name,
          """
          {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s"}, "spec": {
            "restartPolicy": "%s", "terminationGracePeriodSeconds": 5,
            "volumes": [{"name": "runs", "hostPath": {"path": "%s"}},
                        {"name": "work", "emptyDir": {}}],
            "initContainers": [%s], "containers": [%s]}}
          """
              .formatted(
                  name,
                  restartPolicy,
                  runs,
                  String.join(",", initContainers),
                  String.join(",", containers)),
          Map.copyOf(exits),
          Map.copyOf(lines));
    }
  }

  boolean isEndless() {
    return exits.values().stream().anyMatch(List::isEmpty);
  }
}
