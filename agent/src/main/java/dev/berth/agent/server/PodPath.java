package dev.berth.agent.server;

import java.util.List;

/**
 * Which pod, and which of its containers, a path is about: {@code
 * /exec/namespace/pod[/uid]/container}.
 *
 * @param uid empty for whichever pod has that name
 * @param container empty if the path is about the whole pod
 */
record PodPath(String namespace, String pod, String uid, String container) {
  private static final int NOT_FOUND = 404;

  static PodPath withContainer(List<String> path, boolean mayHaveUid) throws Refusal {
    if (path.size() == 4) {
      return of(path.get(1), path.get(2), "", path.get(3));
    }
    if (path.size() == 5 && mayHaveUid) {
      return of(path.get(1), path.get(2), path.get(3), path.get(4));
    }
    throw notFound();
  }

  static PodPath withoutContainer(List<String> path) throws Refusal {
    return switch (path.size()) {
      case 3 -> of(path.get(1), path.get(2), "", "");
      case 4 -> of(path.get(1), path.get(2), path.get(3), "");
      default -> throw notFound();
    };
  }

  private static PodPath of(String namespace, String pod, String uid, String container)
      throws Refusal {
    if (namespace.isEmpty() || pod.isEmpty()) {
      throw notFound();
    }
    return new PodPath(namespace, pod, uid, container);
  }

  private static Refusal notFound() {
    return new Refusal(NOT_FOUND, "404: Page Not Found");
  }
}
