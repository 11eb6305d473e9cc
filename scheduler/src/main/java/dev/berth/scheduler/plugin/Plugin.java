package dev.berth.scheduler.plugin;

import java.util.Set;

/** Something that speaks for or against nodes; has a name that configuration files know. */
public interface Plugin {
  String name();

  /** What happenings could help a pod that this plugin refused everywhere. */
  Set<Happening> wakes();
}
