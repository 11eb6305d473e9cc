package dev.berth.agent.probe;

/** What a probe is for. */
enum ProbeKind {
  STARTUP("Startup", "startupProbe"),
  LIVENESS("Liveness", "livenessProbe"),
  READINESS("Readiness", "readinessProbe");

  private final String word;
  private final String field;

  ProbeKind(String word, String field) {
    this.word = word;
    this.field = field;
  }

  /** As events say it. */
  String word() {
    return word;
  }

  /** Where it stands in a container's specification. */
  String field() {
    return field;
  }
}
