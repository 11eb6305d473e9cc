package dev.berth.model.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.user.User;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Records whose methods for hash tables are written by hand: no part of them is forgotten. */
class ComparedByHandTest {
  private static final List<String> TEXTS = List.of("a", "b", "Aa", "BB");

  @Test
  void namesOfTypesAreEqualByAllOfTheirParts() {
    checkPairs(GroupKind::new);
    checkPairs(GroupVersion::new);
    checkPairs(GroupResource::new);
    checkPairs(ObjectName::new);
    for (String version : TEXTS) {
      checkPairs((group, kind) -> new GroupVersionKind(group, version, kind));
      checkPairs((group, kind) -> new GroupVersionKind(group, kind, version));
      checkPairs((group, plural) -> new GroupVersionResource(group, version, plural));
      checkPairs((group, plural) -> new GroupVersionResource(group, plural, version));
    }
  }

  @Test
  void usersAreEqualByAllOfTheirParts() {
    checkPairs((name, uid) -> new User(name, uid, List.of(), Map.of()));
    checkPairs((name, group) -> new User(name, "", List.of(group), Map.of()));
    checkPairs((key, value) -> new User("n", "", List.of(), Map.of(key, List.of(value))));
  }

  private static <T> void checkPairs(BiFunction<String, String, T> made) {
    List<T> ones = pairs(made);
    List<T> others = pairs(made);
    for (int i = 0; i < ones.size(); i++) {
      for (int j = 0; j < others.size(); j++) {
        assertThat(ones.get(i).equals(others.get(j)))
            .as("%s and %s", ones.get(i), others.get(j))
            .isEqualTo(i == j);
      }
      assertThat(ones.get(i)).hasSameHashCodeAs(others.get(i)).isNotEqualTo("a");
    }
  }

  private static <T> List<T> pairs(BiFunction<String, String, T> made) {
    List<T> pairs = new ArrayList<>();
    for (String one : TEXTS) {
      for (String other : TEXTS) {
        pairs.add(made.apply(one, other));
      }
    }
    return pairs;
  }
}
