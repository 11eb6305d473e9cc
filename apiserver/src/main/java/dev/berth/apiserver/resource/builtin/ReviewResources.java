package dev.berth.apiserver.resource.builtin;

import dev.berth.apiserver.resource.Resource;
import java.util.List;

/** The groups of questions about who somebody is and what they may do. */
final class ReviewResources {
  private static final String V1 = "v1";
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String AUTHORIZATION = "authorization.k8s.io";

  private ReviewResources() {}

  static List<Resource> all() {
    return List.of(
        Resource.clusterWide(AUTHENTICATION, V1, "SelfSubjectReview").notStored().build(),
        Resource.clusterWide(AUTHENTICATION, V1, "TokenReview").notStored().build(),
        Resource.namespaced(AUTHORIZATION, V1, "LocalSubjectAccessReview").notStored().build(),
        Resource.clusterWide(AUTHORIZATION, V1, "SelfSubjectAccessReview").notStored().build(),
        Resource.clusterWide(AUTHORIZATION, V1, "SelfSubjectRulesReview").notStored().build(),
        Resource.clusterWide(AUTHORIZATION, V1, "SubjectAccessReview").notStored().build());
  }
}
