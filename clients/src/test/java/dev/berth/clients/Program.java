package dev.berth.clients;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/**
 * What every client library is put through, step by step. Each library's test implements the steps
 * under these names; a step uses names of its own, so that the steps do not depend on each other.
 */
interface Program {
  /** Typed objects come back as they were sent, apart from what the server fills in. */
  void createsAndReadsBack() throws Exception;

  /** {@code generateName} is completed by the server. */
  void generatesNames() throws Exception;

  /** 404, 409 and 422 arrive as the library's errors, with reason and causes. */
  void explainsErrors() throws Exception;

  /** Label and field selectors choose what is listed. */
  void listsBySelectors() throws Exception;

  /** {@code limit} and {@code continue} give everything once. */
  void listsInPages() throws Exception;

  /** A watch tells of an object's life in order. */
  void watchesInOrder() throws Exception;

  /** Whoever changes what has changed meanwhile is refused with a conflict. */
  void refusesStaleUpdates() throws Exception;

  /** A JSON patch does its operations. */
  void patchesWithJson() throws Exception;

  /** A merge patch replaces lists, and removes with null. */
  void patchesWithMerge() throws Exception;

  /** A strategic merge patch finds list elements by their key. */
  void patchesStrategically() throws Exception;

  /** Two managers of one field conflict, until one of them insists. */
  void appliesServerSide() throws Exception;

  /** The status is changed on its own path, and nothing else is. */
  void writesStatusApart() throws Exception;

  /** A dry run answers as if, and stores nothing. */
  void rehearses() throws Exception;

  /** Deletes heed preconditions, and record how dependents are to be treated. */
  void deletesAsAsked() throws Exception;

  /** A collection is deleted by its labels. */
  void deletesCollections() throws Exception;

  /**
   * A definition makes custom resources: they are created, refused, listed, watched, patched, have
   * a status of their own, and are deleted.
   */
  void usesCustomResources() throws Exception;

  /** An informer sees every change, in order, while several threads write. */
  void informsOfEverything() throws Exception;

  /** An informer finds back after a restart of the server, and nothing acknowledged is lost. */
  void survivesRestart() throws Exception;

  /** The steps, in order. */
  default Stream<DynamicTest> steps() {
    return List.of(
        step("creates and reads back", this::createsAndReadsBack),
        step("generates names", this::generatesNames),
        step("explains errors", this::explainsErrors),
        step("lists by selectors", this::listsBySelectors),
        step("lists in pages", this::listsInPages),
        step("watches in order", this::watchesInOrder),
        step("refuses stale updates", this::refusesStaleUpdates),
        step("patches with JSON", this::patchesWithJson),
        step("patches with merge", this::patchesWithMerge),
        step("patches strategically", this::patchesStrategically),
        step("applies server-side", this::appliesServerSide),
        step("writes status apart", this::writesStatusApart),
        step("rehearses", this::rehearses),
        step("deletes as asked", this::deletesAsAsked),
        step("deletes collections", this::deletesCollections),
        step("uses custom resources", this::usesCustomResources),
        step("informs of everything", this::informsOfEverything),
        step("survives restart", this::survivesRestart))
        .stream();
  }

  private static DynamicTest step(String name, Executable work) {
    return DynamicTest.dynamicTest(name, work);
  }
}
