package dev.berth.cli;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds the code to docs/architecture.md: who may depend on whom, that no packages do so in
 * circles, and who may read the clock.
 */
class ArchitectureTest {

  /** What both the server and those who work through its API stand on. */
  private static final Set<String> SHARED =
      Set.of("time", "metrics", "component", "model", "policy", "client");

  /** What an API server is put together from. */
  private static final Set<String> SERVER =
      Set.of(
          "store",
          "pki",
          "http",
          "cel",
          "kinds",
          "wire",
          "registry",
          "customresources",
          "admission",
          "access",
          "serving",
          "apiserver");

  /** What works through the API of any server. */
  private static final Set<String> CONTROL_PLANE =
      Set.of("scheduler", "controllers", "hollow", "agent");

  /**
   * The arrows of docs/architecture.md, layer by layer. What a module may use, its own users may
   * not use for it.
   */
  private static final Map<String, Set<String>> ARROWS =
      Map.ofEntries(
          // What is shared, and what stands beside it.
          arrows("time"),
          arrows("metrics"),
          arrows("model"),
          arrows("component", "time", "metrics"),
          arrows("policy", "model"),
          arrows("client", "time", "component", "model"),
          // All others log through SLF4J.
          arrows("log", "time"),
          arrows("schemas", "model"),
          // What a server is put together from.
          arrows("pki"),
          arrows("http", "time"),
          arrows("store", "time", "model"),
          arrows("store-etcd", "time", "store"),
          arrows("cel", "model"),
          arrows("kinds", "model", "policy", "pki", "cel"),
          arrows("wire", "model"),
          arrows("registry", "time", "model", "store", "kinds"),
          arrows("customresources", "time", "model", "store", "cel", "kinds", "registry"),
          arrows(
              "admission",
              "time",
              "metrics",
              "model",
              "policy",
              "store",
              "pki",
              "cel",
              "kinds",
              "registry"),
          arrows("access", "time", "model", "store", "pki", "http", "kinds", "registry"),
          arrowsToAll(
              "serving", SHARED, Set.of("store", "http", "kinds", "wire", "registry", "access")),
          arrowsToAll("apiserver", SHARED, SERVER, Set.of("store-etcd")),
          // What works through its API.
          arrowsToAll("scheduler", SHARED, Set.of("cel")),
          arrowsToAll("controllers", SHARED, Set.of("pki")),
          arrowsToAll("hollow", SHARED),
          arrowsToAll("agent", SHARED, Set.of("pki", "http")),
          // What the agent and servers on etcd load when they need it, and do not know by name.
          arrows("grpc", "agent", "policy", "model", "time", "http", "store-etcd"),
          // All of it together.
          arrowsToAll("sim", SHARED, CONTROL_PLANE, Set.of("log", "store", "http", "apiserver")),
          // Tests only, so that nothing depends on them.
          arrows("simtests"),
          arrowsToAll("clients", SHARED, SERVER, Set.of("schemas")),
          arrowsToAll(
              "cli", SHARED, SERVER, CONTROL_PLANE, Set.of("log", "schemas", "sim", "store-etcd")),
          arrowsToAll(
              "bench",
              SHARED,
              SERVER,
              CONTROL_PLANE,
              Set.of("log", "schemas", "sim", "cli", "store-etcd")),
          // Packs cli, and has no code of its own.
          arrows("build"));

  private static final Map<String, String> MODULES_WITHIN_OTHERS =
      Map.of("dev.berth.store.etcd", "store-etcd");

  private static Map.Entry<String, Set<String>> arrows(String from, String... to) {
    return Map.entry(from, Set.of(to));
  }

  @SafeVarargs
  private static Map.Entry<String, Set<String>> arrowsToAll(String from, Set<String>... to) {
    Set<String> all = new TreeSet<>();
    for (Set<String> layer : to) {
      all.addAll(layer);
    }
    return Map.entry(from, all);
  }

  /** Calls that make a run differ from the last one. Only time may make them, for everybody. */
  private static final Map<String, Set<String>> CLOCK_AND_CHANCE =
      Map.ofEntries(
          Map.entry("java.time.Instant", Set.of("now")),
          Map.entry("java.time.LocalDateTime", Set.of("now")),
          Map.entry("java.time.ZonedDateTime", Set.of("now")),
          Map.entry("java.time.OffsetDateTime", Set.of("now")),
          Map.entry("java.lang.System", Set.of("currentTimeMillis", "nanoTime")),
          Map.entry("java.lang.Thread", Set.of("sleep")),
          Map.entry("java.lang.Math", Set.of("random")),
          Map.entry("java.util.UUID", Set.of("randomUUID")),
          Map.entry("java.util.concurrent.ThreadLocalRandom", Set.of("current")),
          Map.entry("java.util.Random", Set.of("<init>")),
          Map.entry("java.util.SplittableRandom", Set.of("<init>")));

  private static final JavaClasses CLASSES = new ClassFileImporter().importPaths(classFolders());

  private static List<Path> classFolders() {
    return Repository.modules().stream()
        .map(module -> module.resolve("target/classes"))
        .filter(Files::isDirectory)
        .toList();
  }

  static Stream<String> modules() {
    return ARROWS.keySet().stream().sorted();
  }

  @Test
  void everyModuleHasItsArrows() {
    Set<String> folders = new TreeSet<>();
    Repository.modules().forEach(module -> folders.add(Repository.name(module)));
    assertThat(ARROWS.keySet()).containsExactlyInAnyOrderElementsOf(folders);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void modulesUseOnlyWhatTheirArrowsPointTo(String module) {
    onlyUses(module, ARROWS.getOrDefault(module, Set.of())).check(CLASSES);
  }

  @Test
  void aMissingArrowIsNoticed() {
    assertThatThrownBy(() -> onlyUses("cli", Set.of("time")).check(CLASSES))
        .isInstanceOf(AssertionError.class);
  }

  /** The module of a class, by its package; some modules have a package within another's. */
  private static String moduleOf(JavaClass javaClass) {
    String name = javaClass.getPackageName() + ".";
    return MODULES_WITHIN_OTHERS.entrySet().stream()
        .filter(each -> name.startsWith(each.getKey() + "."))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElseGet(() ->
            ARROWS.keySet().stream()
                .filter(module -> name.startsWith("dev.berth." + module + "."))
                .findFirst()
                .orElse(""));
  }

  private static ArchRule onlyUses(String module, Set<String> others) {
    List<String> forbidden =
        ARROWS.keySet().stream()
            .filter(other -> !other.equals(module) && !others.contains(other))
            .toList();
    return noClasses()
        .that(describe("are of " + module, c -> moduleOf(c).equals(module)))
        .should()
        .dependOnClassesThat(describe("are of " + forbidden, c -> forbidden.contains(moduleOf(c))))
        .allowEmptyShould(true);
  }

  @ParameterizedTest
  @MethodSource("modules")
  void packagesOfAModuleDoNotUseEachOtherInCircles(String module) {
    freeOfCycles(module, JavaClass::getPackageName).check(CLASSES);
  }

  @Test
  void aCycleIsNoticed() {
    // Classes of one package may use each other in circles, and some of these do.
    assertThatThrownBy(() -> freeOfCycles("time", JavaClass::getName).check(CLASSES))
        .isInstanceOf(AssertionError.class);
  }

  private static ArchRule freeOfCycles(String module, Function<JavaClass, String> part) {
    return slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
                return moduleOf(javaClass).equals(module)
                    ? SliceIdentifier.of(part.apply(javaClass))
                    : SliceIdentifier.ignore();
              }

              @Override
              public String getDescription() {
                return "parts of " + module;
              }
            })
        .should()
        .beFreeOfCycles()
        .allowEmptyShould(true);
  }

  @Test
  void policyIsPure() {
    noClasses()
        .that(resideInAnyPackage("dev.berth.policy.."))
        .should()
        .dependOnClassesThat(
            resideOutsideOfPackages(
                "dev.berth.policy..",
                "dev.berth.model..",
                "java.lang",
                "java.lang.annotation",
                "java.lang.invoke",
                "java.lang.runtime",
                "java.math",
                "java.nio.charset",
                "java.time",
                "java.time.format",
                "java.time.temporal",
                "java.time.zone",
                "java.util",
                "java.util.function",
                "java.util.regex",
                "java.util.stream",
                "org.jspecify.annotations"))
        .check(CLASSES);
  }

  /** How a tree is read field by field, which is for views. */
  private static final Map<String, Set<String>> FIELD_READS =
      Map.of(
          "dev.berth.model.tree.JsonObject",
          Set.of("get", "has", "object", "array", "text", "integer", "flag", "value"),
          "dev.berth.model.tree.JsonArray",
          Set.of("get", "texts", "values"));

  /** Rules that read fields of trees all the same, and why. */
  private static final Map<String, String> FIELD_READERS =
      Map.of(
          "dev.berth.policy.taint.TaintValidation",
          "judges what was written; a view does not tell unknown words apart",
          "dev.berth.policy.taint.TolerationValidation",
          "judges what was written; a view does not tell unknown words apart",
          "dev.berth.policy.quota.QuotaCount",
          "writes a quota's status, with amounts as they are written in its specification",
          "dev.berth.policy.limit.ContainerDefaults",
          "fills in amounts as they are written, in containers of which all else stays",
          "dev.berth.policy.history.CanonicalTemplate",
          "tells templates apart, whose content is open",
          "dev.berth.policy.history.RevisionData",
          "compares templates and finds them in patches, whose content is open",
          "dev.berth.policy.allocation.AllocationResults",
          "passes on what classes and claims tell drivers, as it is written",
          "dev.berth.policy.allocation.AttributeConstraint",
          "compares attributes of devices, whose names and types are open",
          "dev.berth.policy.resourceclaim.ExtendedRequests",
          "reads resources of containers by names that classes give them",
          "dev.berth.policy.resourceclaim.GeneratedClaim",
          "copies what a template says, as it is written");

  @Test
  void rulesDecideOnViewsAndDoNotReadFieldsOfTrees() {
    assertThat(fieldReaders("dev.berth.policy"))
        .as("classes of policy that read fields of trees; views of model are for that")
        .containsExactlyInAnyOrderElementsOf(FIELD_READERS.keySet());
  }

  @Test
  void readersOfFieldsAreNoticed() {
    assertThat(fieldReaders("dev.berth.model.storage"))
        .contains("dev.berth.model.storage.PersistentVolumeView");
  }

  private static Set<String> fieldReaders(String root) {
    return CLASSES.stream()
        .filter(c -> c.getPackageName().startsWith(root))
        .filter(c -> c.getAccessesFromSelf().stream().anyMatch(ArchitectureTest::readsField))
        .map(c -> c.getName().replaceFirst("\\$.*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean readsField(JavaAccess<?> access) {
    AccessTarget target = access.getTarget();
    return FIELD_READS
        .getOrDefault(target.getOwner().getName(), Set.of())
        .contains(target.getName());
  }

  @Test
  void onlyTimeReadsTheClockAndDrawsAtRandom() {
    noClasses()
        .that(resideOutsideOfPackages("dev.berth.time..", "dev.berth.bench.."))
        .should()
        .accessTargetWhere(
            describe(
                "reads the clock or draws at random",
                (JavaAccess<?> access) -> isClockOrChance(access.getTarget())))
        .check(CLASSES);
  }

  private static boolean isClockOrChance(AccessTarget target) {
    return CLOCK_AND_CHANCE
        .getOrDefault(target.getOwner().getName(), Set.of())
        .contains(target.getName());
  }

  @Test
  void theBannedCallsAreNoticedWhereTheyAreMade() {
    assertThat(
            CLASSES.stream()
                .filter(c -> c.getPackageName().equals("dev.berth.time"))
                .flatMap(c -> c.getAccessesFromSelf().stream())
                .filter(access -> isClockOrChance(access.getTarget())))
        .isNotEmpty();
  }
}
