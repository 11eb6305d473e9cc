package dev.berth.kinds.authorization;

import dev.berth.kinds.resource.Resource;
import java.util.List;

/** The group authorization.k8s.io: questions about what somebody may do. */
public final class AuthorizationResources {
  private static final String V1 = "v1";
  private static final String GROUP = "authorization.k8s.io";

  private AuthorizationResources() {}

  public static List<Resource> all() {
    return List.of(
        Resource.namespaced(GROUP, V1, "LocalSubjectAccessReview").notStored().build(),
        Resource.clusterWide(GROUP, V1, "SelfSubjectAccessReview").notStored().build(),
        Resource.clusterWide(GROUP, V1, "SelfSubjectRulesReview").notStored().build(),
        Resource.clusterWide(GROUP, V1, "SubjectAccessReview").notStored().build());
  }
}
