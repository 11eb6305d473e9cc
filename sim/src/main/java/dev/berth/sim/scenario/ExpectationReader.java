package dev.berth.sim.scenario;

import dev.berth.model.config.ConfigFields;
import dev.berth.model.resource.ObjectName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads what a scenario expects: {@code {workload: web, available: ">= 80%"}}. */
final class ExpectationReader {
  private static final Set<String> MEASURES = Set.of("available", "evictions", "pending");

  private final ConfigFields fields;

  ExpectationReader(ConfigFields fields) {
    this.fields = fields;
  }

  List<Expectation> read() {
    fields.onlyHas(Set.of("workload", "available", "evictions", "pending", "after"));
    Optional<ObjectName> workload =
        Optional.of(fields.text("workload", ""))
            .filter(text -> !text.isEmpty())
            .map(ActionReader::workload);
    List<Expectation> all = new ArrayList<>();
    if (MEASURES.stream().noneMatch(fields.tree()::has)) {
      fields.required("available", "an expectation is about available, evictions or pending");
    }
    if (fields.has("available")) {
      if (workload.isEmpty()) {
        fields.required("workload", "whose pods are to be available");
      }
      measure("available")
          .ifPresent(m ->
              all.add(
                  new Expectation.Available(
                      workload.orElse(ObjectName.of("")), m.bound(), m.after())));
    }
    if (fields.has("evictions")) {
      measure("evictions")
          .ifPresent(m -> {
            if (m.bound().isPercent()) {
              fields.invalid("evictions", m.bound().toString(), "must be a number of pods");
            }
            all.add(new Expectation.Evictions(workload, m.bound()));
          });
    }
    if (fields.has("pending")) {
      measure("pending")
          .ifPresent(m -> all.add(new Expectation.Pending(workload, m.bound(), m.after())));
    }
    return all;
  }

  private record Measure(Bound bound, Optional<Duration> after) {}

  /** {@code >= 80%}, {@code 0 after 20m}. */
  private Optional<Measure> measure(String name) {
    String text = Values.scalar(fields, name).orElse("");
    int split = text.indexOf(" after ");
    Optional<Bound> bound = Bound.parse(split < 0 ? text : text.substring(0, split));
    if (bound.isEmpty()) {
      fields.invalid(name, text, "must be a bound such as \">= 80%\", 0 or \"0 after 20m\"");
      return Optional.empty();
    }
    Optional<Duration> after = Values.duration(fields, "after");
    if (split >= 0) {
      String time = text.substring(split + " after ".length()).strip();
      after = Values.duration(time);
      if (after.isEmpty()) {
        fields.invalid(name, text, "\"" + time + "\" must be a duration such as 20m");
      }
    }
    return Optional.of(new Measure(bound.get(), after));
  }
}
